// SPDX-License-Identifier: Zlib
// Reads one section of a model file, trusting nothing: sizes are compared before anything is allocated.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "ModelFile_generated.h"
#include "pliant/math/Error.h"
#include "pliant/math/PrintableText.h"
#include "pliant/math/Types.h"
#include "pliant/model/ModelContainer.h"

namespace pliant {

template <typename Root>
class SectionReader {
public:
    SectionReader(const ModelContainer& container, const char* name) : m_path(container.path()), m_name(name) {
        const SectionView& view = container.section(name);
        constexpr flatbuffers::uoffset_t depth = 16, tables = 1000000;
        if (view.size >= FLATBUFFERS_MAX_BUFFER_SIZE) fail("is larger than 2 GB");
        flatbuffers::Verifier verifier(view.data, view.size, depth, tables);
        if (!verifier.VerifyBuffer<Root>("PLNT")) fail("is not well-formed");
        m_root = flatbuffers::GetRoot<Root>(view.data);
        m_left = view.size + kSlack;
    }

    const Root* operator->() const { return m_root; }

    [[noreturn]] void fail(const std::string& reason) const {
        throw Error(m_path, "section '" + m_name + "': " + reason, "reduce the input again");
    }
    void require(bool condition, const char* reason) const {
        if (!condition) fail(reason);
    }

    /// Control characters, which a terminal would obey, are question marks. Anything that has a text counts as read.
    std::string text(const flatbuffers::String* stored) const {
        count((stored ? stored->size() : 0) + kTableBytes);
        if (!stored) return {};
        return printable(stored->str());
    }

    /// Number of columns that the file claims; 0 where the array is missing.
    template <typename Table>
    Eigen::Index columns(const Table* stored) const {
        return stored ? static_cast<Eigen::Index>(stored->columns()) : 0;
    }
    template <typename Table>
    Eigen::Index rows(const Table* stored) const {
        return stored ? static_cast<Eigen::Index>(stored->rows()) : 0;
    }

    /// Copies a rows x columns array out of the file. @throws Error when it has another size or numbers are not finite.
    template <typename Result, typename Table>
    void read(const Table* stored, Eigen::Index rows, Eigen::Index columns, const char* what, Result& result) const {
        if (!stored || !stored->values()) fail(std::string(what) + " is missing");
        const auto wanted = static_cast<std::uint64_t>(rows) * static_cast<std::uint64_t>(columns);
        if (stored->rows() != static_cast<std::uint64_t>(rows) ||
            stored->columns() != static_cast<std::uint64_t>(columns) || stored->values()->size() != wanted)
            fail(std::string(what) + " is " + std::to_string(stored->rows()) + " x " +
                 std::to_string(stored->columns()) + " with " + std::to_string(stored->values()->size()) +
                 " numbers instead of " + std::to_string(rows) + " x " + std::to_string(columns));
        using Scalar = typename Result::Scalar;
        count(wanted * sizeof(Scalar));
        result = Eigen::Map<const Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>>(stored->values()->data(), rows,
                                                                                         columns);
        if constexpr (std::is_floating_point_v<Scalar>)
            if (!result.allFinite()) fail(std::string(what) + " has a number that is not finite");
    }

    /// Copies a matrix or vector a column.
    template <typename Small>
    void readColumns(const schema::Doubles* stored, Eigen::Index columns, const char* what,
                     std::vector<Small>& result) const {
        MatrixX all;
        read(stored, Small::SizeAtCompileTime, columns, what, all);
        result.clear();
        for (Eigen::Index i = 0; i < columns; ++i) result.push_back(Eigen::Map<const Small>(all.col(i).data()));
    }

    /// Copies a column of whole numbers, as many as there are.
    void readList(const schema::Integers* stored, const char* what, std::vector<int>& result) const {
        Eigen::Matrix<int, Eigen::Dynamic, 1> all;
        read(stored, rows(stored), 1, what, all);
        result.assign(all.data(), all.data() + all.size());
    }

private:
    static constexpr std::uint64_t kSlack = 4096, kTableBytes = 32;

    /// Many references of a section may lead to one long array or string; written sections have none of that kind. What
    /// is made of a section is therefore no more than its size explains.
    void count(std::uint64_t bytes) const {
        if (bytes > m_left) fail("names the same part many times");
        m_left -= bytes;
    }

    std::string m_path, m_name;
    const Root* m_root = nullptr;
    mutable std::uint64_t m_left = 0;  ///< bytes that may still be read
};

}  // namespace pliant
