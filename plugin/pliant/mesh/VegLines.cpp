// SPDX-License-Identifier: Zlib
#include "pliant/mesh/VegLines.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

#include "pliant/math/Error.h"
#include "pliant/mesh/FilesThere.h"
#include "pliant/mesh/TextFile.h"

namespace pliant {

namespace {

namespace fs = std::filesystem;

/// The file named by an *INCLUDE line; empty when the line is something else.
bool isInclude(const std::string& text, std::string& name) {
    const std::string keyword = "*INCLUDE";
    if (text.size() < keyword.size()) return false;
    for (std::size_t i = 0; i < keyword.size(); ++i)
        if (std::toupper(static_cast<unsigned char>(text[i])) != keyword[i]) return false;
    name = std::string(trimmed(std::string_view(text).substr(keyword.size())));
    return true;
}

class Reader {
public:
    VegLines result;

    void read(const std::string& path) {
        const std::string text = readTextFile(path);
        const int file = static_cast<int>(result.files.size());
        result.files.push_back(path);
        m_open.push_back(files::sameName(path));
        int number = 0;
        for (const std::string_view raw : splitLines(text)) {
            const VegLine line{file, ++number, std::string(trimmed(raw.substr(0, raw.find('#'))))};
            std::string name;
            if (line.text.empty()) continue;
            if (isInclude(line.text, name))
                include(line, name);
            else
                result.lines.push_back(line);
        }
        m_open.pop_back();
    }

private:
    void include(const VegLine& line, const std::string& name) {
        const std::string where = result.where(line);
        if (name.empty()) throw Error(where, "*INCLUDE names no file");
        const fs::path path = fs::path(result.files[static_cast<std::size_t>(line.file)]).parent_path() / name;
        if (std::find(m_open.begin(), m_open.end(), files::sameName(path)) != m_open.end())
            throw Error(where, "*INCLUDE " + name + " leads back to a file that is being read",
                        "remove one *INCLUDE of the circle");
        if (!files::isFile(path))
            throw Error(where, "*INCLUDE " + name + ": no such file", "the path counts from the including file");
        // Ten files that each include the next one ten times would be ten billion.
        if (!m_read.insert(files::sameName(path).string()).second)
            throw Error(where, "*INCLUDE " + name + ": the file is included already", "include each file once");
        if (m_open.size() > kDeepest)
            throw Error(where,
                        "*INCLUDE " + name + ": more than " + std::to_string(kDeepest) + " files within each other",
                        "include them from one file");
        read(path.string());
    }

    static constexpr std::size_t kDeepest = 64;
    std::vector<fs::path> m_open;
    std::set<std::string> m_read;
};

}  // namespace

std::string VegLines::where(const VegLine& line) const {
    return fileAndLine(files[static_cast<std::size_t>(line.file)], line.number);
}

VegLines readVegLines(const std::string& path) {
    Reader reader;
    reader.read(path);
    return std::move(reader.result);
}

}  // namespace pliant
