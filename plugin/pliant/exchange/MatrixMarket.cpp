// SPDX-License-Identifier: Zlib
#include "pliant/exchange/MatrixMarket.h"

#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "pliant/math/Error.h"
#include "pliant/mesh/TextFile.h"

namespace pliant {
namespace {

using Words = std::vector<std::string_view>;

enum class Symmetry { General, Symmetric, Skew };

/// ASCII letters as capitals.
std::string inCapitals(std::string_view word) {
    std::string text(word);
    for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return text;
}

/// Numbers of a dense matrix that a file of so many bytes may stand for: 16 bytes of memory for each of the file's.
Eigen::Index mostNumbers(std::size_t bytes) {
    constexpr Eigen::Index small = Eigen::Index{1} << 22;
    return small + 2 * static_cast<Eigen::Index>(bytes);
}

class MatrixMarketParser {
public:
    explicit MatrixMarketParser(const std::string& path) : m_path(path), m_text(readTextFile(path)) {
        m_lines = splitLines(m_text);
    }

    MatrixX parse() {
        readHeader();
        readSizes();
        if (m_isArray)
            readArray();
        else
            readCoordinates();
        if (!next().empty()) fail("there is more in the file than it announces", "write it again");
        return std::move(m_matrix);
    }

private:
    [[noreturn]] void fail(const std::string& problem, const std::string& cure = {}) const {
        throw Error(fileAndLine(m_path, static_cast<int>(m_at)), problem, cure);
    }

    /// Words of the next line that has any and is no comment; empty at the end of the file.
    Words next() {
        while (m_at < m_lines.size()) {
            const std::string_view line = m_lines[m_at++];
            Words words = splitWords(line.substr(0, line.find('%')));
            if (!words.empty()) return words;
        }
        return {};
    }

    /// The next line, of exactly `count` words. @param what it is, for messages
    Words expect(std::size_t count, const char* what) {
        Words words = next();
        if (words.empty()) fail("the file ends before " + std::string(what), "copy or write it again");
        if (words.size() != count)
            fail(std::string(what) + " takes " + std::to_string(count) + " words, not " + std::to_string(words.size()));
        return words;
    }

    int integer(std::string_view word) const {
        int value = 0;
        if (!parseNumber(word, value)) fail("\"" + std::string(word) + "\" is not a whole number");
        return value;
    }

    double real(std::string_view word) const {
        double value = 0.0;
        if (!parseNumber(word, value)) fail("\"" + std::string(word) + "\" is not a number");
        if (!std::isfinite(value)) fail("a number is " + std::string(word), "write it again without NaN and infinity");
        return value;
    }

    void readHeader() {
        if (m_lines.empty()) throw Error(m_path, "the file is empty");
        const Words words = splitWords(m_lines[m_at++]);
        std::vector<std::string> kind;
        for (const std::string_view word : words) kind.push_back(inCapitals(word));
        if (kind.size() != 5 || kind[0] != "%%MATRIXMARKET" || kind[1] != "MATRIX")
            fail("this is no Matrix Market file",
                 "its first line is \"%%MatrixMarket matrix array real general\" or the like");
        if (kind[2] != "ARRAY" && kind[2] != "COORDINATE")
            fail("\"" + std::string(words[2]) + "\" is no storage of it");
        if (kind[3] != "REAL" && kind[3] != "INTEGER" && kind[3] != "DOUBLE")
            fail("its numbers are " + std::string(words[3]), "write real numbers");
        m_isArray = kind[2] == "ARRAY";
        if (kind[4] == "SYMMETRIC")
            m_symmetry = Symmetry::Symmetric;
        else if (kind[4] == "SKEW-SYMMETRIC")
            m_symmetry = Symmetry::Skew;
        else if (kind[4] != "GENERAL")
            fail("the symmetry \"" + std::string(words[4]) + "\" is not read", "write it as a general matrix");
    }

    void readSizes() {
        const Words words = expect(m_isArray ? 2 : 3, "the line of sizes");
        const int rows = integer(words[0]), columns = integer(words[1]);
        m_entries = m_isArray ? 0 : integer(words[2]);
        if (rows < 1 || columns < 1 || m_entries < 0) fail("a size is not positive");
        if (m_symmetry != Symmetry::General && rows != columns)
            fail("a symmetric matrix has " + std::to_string(rows) + " rows and " + std::to_string(columns) +
                 " columns");
        if (Eigen::Index{rows} > mostNumbers(m_text.size()) / columns)
            fail("the file is too short for " + std::to_string(rows) + " x " + std::to_string(columns) + " numbers",
                 "give a matrix that is not mostly zeros");
        m_matrix = MatrixX::Zero(rows, columns);
    }

    /// What the symmetry says of the entry across the diagonal, which the file leaves out.
    void mirror(Eigen::Index row, Eigen::Index column) {
        if (m_symmetry == Symmetry::General || row == column) return;
        m_matrix(column, row) = m_symmetry == Symmetry::Skew ? -m_matrix(row, column) : m_matrix(row, column);
    }

    /// Column by column; of symmetric matrices what stands on the diagonal and below it.
    void readArray() {
        for (Eigen::Index column = 0; column < m_matrix.cols(); ++column) {
            Eigen::Index first = 0;
            if (m_symmetry != Symmetry::General) first = m_symmetry == Symmetry::Skew ? column + 1 : column;
            for (Eigen::Index row = first; row < m_matrix.rows(); ++row) {
                m_matrix(row, column) = real(expect(1, "its last number")[0]);
                mirror(row, column);
            }
        }
    }

    void readCoordinates() {
        for (int i = 0; i < m_entries; ++i) {
            const Words words = expect(3, "its last entry");
            const int row = integer(words[0]), column = integer(words[1]);
            if (row < 1 || row > m_matrix.rows() || column < 1 || column > m_matrix.cols())
                fail("entry (" + std::to_string(row) + ", " + std::to_string(column) + ") of a matrix of " +
                         std::to_string(m_matrix.rows()) + " x " + std::to_string(m_matrix.cols()),
                     "indices count from 1");
            if (m_symmetry == Symmetry::Skew && row == column) fail("a skew-symmetric matrix has no diagonal");
            if (m_symmetry != Symmetry::General && row < column)
                fail("an entry above the diagonal of a symmetric matrix");
            m_matrix(row - 1, column - 1) += real(words[2]);
            mirror(row - 1, column - 1);
        }
    }

    std::string m_path, m_text;
    std::vector<std::string_view> m_lines;
    std::size_t m_at = 0;
    bool m_isArray = true;
    Symmetry m_symmetry = Symmetry::General;
    int m_entries = 0;
    MatrixX m_matrix;
};

}  // namespace

MatrixX readMatrixMarket(const std::string& path) {
    return MatrixMarketParser(path).parse();
}

void writeMatrixMarket(const MatrixX& matrix, const std::string& path) {
    std::string text = "%%MatrixMarket matrix array real general\n" + std::to_string(matrix.rows()) + " " +
                       std::to_string(matrix.cols()) + "\n";
    for (Eigen::Index i = 0; i < matrix.size(); ++i) text += numberText(matrix.data()[i]) + "\n";
    writeTextFile(path, text);
}

}  // namespace pliant
