// SPDX-License-Identifier: Zlib
#include "pliant/mesh/ObjText.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>

#include "pliant/math/Error.h"
#include "pliant/mesh/FilesThere.h"
#include "pliant/mesh/TextFile.h"

namespace pliant {

namespace {

struct Statement {
    int line = 0;  ///< of its first character, from 1
    std::string text;
};

/// Names of materials and of their files may have a '#' ("Material #25"), which begins a comment elsewhere.
bool namesMaterials(std::string_view statement) {
    const std::string_view keyword = statement.substr(0, statement.find_first_of(" \t"));
    return keyword == "usemtl" || keyword == "mtllib";
}

std::string_view withoutComment(std::string_view statement) {
    return trimmed(statement.substr(0, statement.find('#')));
}

/// Lines with backslash continuations joined and comments cut off; blank ones are left out.
std::vector<Statement> splitStatements(const std::string& text) {
    std::vector<Statement> statements;
    Statement open;
    int line = 0;
    for (std::string_view part : splitLines(text)) {
        ++line;
        if (open.text.empty()) open.line = line;
        const bool continued = !part.empty() && part.back() == '\\';
        if (continued) part.remove_suffix(1);
        open.text.append(part).append(continued ? " " : "");
        if (continued) continue;
        const std::string_view whole = trimmed(open.text);
        const std::string_view meaning = namesMaterials(whole) ? whole : withoutComment(whole);
        if (!meaning.empty()) statements.push_back({open.line, std::string(meaning)});
        open.text.clear();
    }
    return statements;
}

class Checker {
public:
    Checker(const std::string& path, const std::vector<Statement>& statements) : m_path(path) {
        for (const Statement& s : statements) {
            const std::string keyword = s.text.substr(0, s.text.find_first_of(" \t"));
            for (std::size_t k = 0; k < kinds.size(); ++k) m_total[k] += keyword == kinds[k] ? 1 : 0;
        }
    }

    ObjText check(const std::vector<Statement>& statements) {
        ObjText result;
        bool faces = false;
        for (const Statement& s : statements) {
            m_line = s.line;
            const auto words = splitWords(s.text);
            const std::string_view keyword = words.front();
            if (keyword == "v") readVertex(words, result);
            if (keyword == "vt") readTexcoord(words, result);
            if (keyword == "vn") result.normals.push_back(Vector3(readNumbers(words, 3).data()));
            for (std::size_t k = 0; k < kinds.size(); ++k) m_seen[k] += keyword == kinds[k] ? 1 : 0;
            readGroups(s.text, words);
            if (keyword == "f") {
                if (!checkFace(words, result)) continue;
                faces = true;
                result.faceGroup.push_back(groupNumber(result));
            }
            const bool wanted = keyword == "v" || keyword == "vt" || keyword == "vn" || keyword == "f";
            if (wanted) result.statements.append(s.text).append("\n");
            if (namesMaterials(s.text))
                addMaterials(keyword, trimmed(std::string_view(s.text).substr(keyword.size())), result);
        }
        if (!faces) throw Error(m_path, "the mesh is empty: no face", "give a surface with at least one face");
        if (result.colours.size() != result.positions.size()) result.colours.clear();
        return result;
    }

private:
    [[noreturn]] void fail(const std::string& problem, const std::string& cure = {}) const {
        throw Error(fileAndLine(m_path, m_line), problem, cure);
    }

    std::vector<double> readNumbers(const std::vector<std::string_view>& words, std::size_t least) const {
        if (words.size() < least + 1)
            fail("\"" + std::string(words[0]) + "\" needs " + std::to_string(least) +
                 " numbers; export the mesh again");
        std::vector<double> numbers(words.size() - 1);
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            if (!parseNumber(words[i + 1], numbers[i])) fail("\"" + std::string(words[i + 1]) + "\" is not a number");
            if (!std::isfinite(numbers[i]))
                fail("vertex data is " + std::string(words[i + 1]), "export the mesh again without NaN and infinity");
        }
        return numbers;
    }

    void readVertex(const std::vector<std::string_view>& words, ObjText& result) const {
        const std::vector<double> x = readNumbers(words, 3);
        result.positions.emplace_back(x[0], x[1], x[2]);
        if (x.size() == 6) result.colours.emplace_back(x[3], x[4], x[5]);
    }

    void readTexcoord(const std::vector<std::string_view>& words, ObjText& result) const {
        const std::vector<double> x = readNumbers(words, 1);
        result.texcoords.emplace_back(x[0], x.size() > 1 ? x[1] : 0.0);
    }

    void addMaterials(std::string_view keyword, std::string_view name, ObjText& result) {
        std::vector<std::string>& names = keyword == "usemtl" ? result.materialNames : result.materialFiles;
        std::map<std::string, int>& numbers = keyword == "usemtl" ? m_materialNumber : m_materialFileNumber;
        const auto [at, isNew] = numbers.try_emplace(std::string(name), static_cast<int>(names.size()));
        if (isNew) names.push_back(at->first);
        result.statements.append(keyword).append(" ").append(std::to_string(at->second)).append("\n");
    }

    /// "o NAME", whose name may have blanks, and "g NAME NAME": they hold until the next of their kind.
    void readGroups(const std::string& statement, const std::vector<std::string_view>& words) {
        if (words.front() == "o") m_object = std::string(trimmed(std::string_view(statement).substr(1)));
        if (words.front() == "g") m_groups.assign(words.begin() + 1, words.end());
    }

    /// The names that hold for a face, in the order in which combinations of them first appear.
    int groupNumber(ObjText& result) {
        std::vector<std::string> names = m_groups;
        if (!m_object.empty()) names.insert(names.begin(), m_object);
        const auto [at, isNew] = m_groupNumber.try_emplace(names, static_cast<int>(result.groupNames.size()));
        if (isNew) result.groupNames.push_back(std::move(names));
        return at->second;
    }

    /// @return whether the face has an area to draw, that is at least three corners
    bool checkFace(const std::vector<std::string_view>& words, ObjText& result) const {
        const std::size_t corners = words.size() - 1;
        if (corners > 255)
            fail("a face of " + std::to_string(corners) + " corners", "cut it into faces of at most 255");
        for (std::size_t i = 1; i < words.size(); ++i) checkCorner(words[i]);
        if (corners < 3)
            result.dropped.push_back(fileAndLine(m_path, m_line) + ": face of " + std::to_string(corners) +
                                     " corners left out");
        return corners >= 3;
    }

    /// v, v/vt, v//vn or v/vt/vn; positive numbers count from 1, negative ones back from the last defined.
    void checkCorner(std::string_view corner) const {
        std::size_t k = 0;
        for (std::string_view rest = corner;; ++k) {
            const std::size_t slash = rest.find('/');
            const std::string_view word = rest.substr(0, slash);
            int index = 0;
            const bool mayMiss = k == 1 && slash != std::string_view::npos;
            if (k > 2 || (!parseNumber(word, index) && !(word.empty() && mayMiss)))
                fail("\"" + std::string(corner) + "\" is not a face corner (v, v/vt, v//vn or v/vt/vn)");
            if (!word.empty() && (index == 0 || index > m_total[k] || index < -m_seen[k]))
                fail("face names " + std::string(kinds[k]) + " " + std::to_string(index) + ", but there are " +
                         std::to_string(index < 0 ? m_seen[k] : m_total[k]) + (index < 0 ? " so far" : ""),
                     "indices count from 1, or from -1 backwards");
            if (slash == std::string_view::npos) return;
            rest.remove_prefix(slash + 1);
        }
    }

    static constexpr std::array<std::string_view, 3> kinds{"v", "vt", "vn"};
    std::string m_path;
    std::array<int, 3> m_total{}, m_seen{};
    std::string m_object;
    std::vector<std::string> m_groups;
    std::map<std::vector<std::string>, int> m_groupNumber;
    std::map<std::string, int> m_materialNumber, m_materialFileNumber;
    int m_line = 0;
};

/// Where a file of this name opens; empty where it does not.
std::string fileNamed(std::string name, const std::string& folder) {
    namespace fs = std::filesystem;
    std::replace(name.begin(), name.end(), '\\', '/');
    if (name.empty()) return {};
    for (const fs::path& candidate : {fs::path(folder) / name, fs::path(folder) / fs::path(name).filename()})
        if (files::isFile(candidate)) return candidate.string();
    return {};
}

}  // namespace

std::vector<std::string> materialFilesThere(const std::string& named, const std::string& folder) {
    std::string plain = named;  // some write "\ " for a blank
    for (std::size_t at = plain.find("\\ "); at != plain.npos; at = plain.find("\\ ", at)) plain.erase(at, 1);
    for (const std::string_view whole : {std::string_view(named), withoutComment(named), std::string_view(plain)})
        if (const std::string file = fileNamed(std::string(whole), folder); !file.empty()) return {file};
    std::vector<std::string> found;
    for (const std::string_view word : splitWords(withoutComment(named)))
        if (const std::string file = fileNamed(std::string(word), folder); !file.empty()) found.push_back(file);
    return found;
}

ObjText checkObjText(const std::string& text, const std::string& path) {
    // Its zeros between the letters would let every line pass for a statement that is not known.
    if (text.compare(0, 2, "\xFF\xFE") == 0 || text.compare(0, 2, "\xFE\xFF") == 0)
        throw Error(path, "is text in UTF-16", "save it in UTF-8 (iconv -f UTF-16 -t UTF-8)");
    const std::vector<Statement> statements = splitStatements(text);
    return Checker(path, statements).check(statements);
}

}  // namespace pliant
