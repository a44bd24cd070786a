// SPDX-License-Identifier: Zlib
#include "pliant/mesh/TextFile.h"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <system_error>
#include <type_traits>

#include "pliant/math/Error.h"
#include "pliant/mesh/BinaryFile.h"
#include "pliant/mesh/FilesThere.h"

namespace pliant {

namespace {

template <typename Number>
bool parseWhole(std::string_view word, Number& value) {
    if (!word.empty() && word.front() == '+') word.remove_prefix(1);
    const char* end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, value);
    if (stop != end || word.empty()) return false;
    if constexpr (std::is_floating_point_v<Number>) {
        // Too small is zero, too large infinite, as strtod has it.
        if (error == std::errc::result_out_of_range) {
            const bool small = word.find("e-") != word.npos || word.find("E-") != word.npos;
            value = small ? Number(0) : std::numeric_limits<Number>::infinity();
            return true;
        }
    }
    return error == std::errc();
}

}  // namespace

std::string readTextFile(const std::string& path) {
    std::string text = readBytes(path);
    // The byte order mark that some editors write would hide the first word.
    if (text.compare(0, 3, "\xEF\xBB\xBF") == 0) text.erase(0, 3);
    return text;
}

void writeTextFile(const std::string& path, const std::string& text) {
    const std::filesystem::path place = files::placeOfWholeFile(path);
    const std::string beside = place.string() + ".part";
    const char* const cure = "check that the folder exists, is writable and has room";
    errno = 0;
    std::ofstream file(beside, std::ios::binary | std::ios::trunc);
    if (!file) throw Error(path, std::string("cannot be written: ") + std::strerror(errno), cure);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.close();
    std::error_code failure;
    if (file) std::filesystem::rename(beside, place, failure);
    if (!file || failure) {
        const std::string reason = failure ? failure.message() : std::strerror(errno);
        std::remove(beside.c_str());
        throw Error(path, "cannot be written: " + reason, cure);
    }
}

std::string fileAndLine(const std::string& path, int line) {
    return path + ":" + std::to_string(line);
}

std::vector<std::string_view> splitLines(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        lines.push_back(line);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

std::vector<std::string_view> splitWords(std::string_view line, std::string_view separators) {
    const std::string all = std::string(" \t\r\v\f").append(separators);
    std::vector<std::string_view> words;
    std::size_t begin = line.find_first_not_of(all);
    while (begin != std::string_view::npos) {
        const std::size_t end = line.find_first_of(all, begin);
        words.push_back(line.substr(begin, end == std::string_view::npos ? end : end - begin));
        begin = line.find_first_not_of(all, end);
    }
    return words;
}

std::string_view trimmed(std::string_view text) {
    const char* const blanks = " \t\r\v\f";
    const std::size_t begin = text.find_first_not_of(blanks);
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

std::string upperCase(std::string_view text) {
    std::string capitals(text);
    for (char& c : capitals)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    return capitals;
}

bool parseNumber(std::string_view word, double& value) {
    return parseWhole(word, value);
}

bool parseNumber(std::string_view word, int& value) {
    return parseWhole(word, value);
}

std::string numberText(double value) {
    char buffer[32];
    const auto [end, error] = std::to_chars(buffer, buffer + sizeof(buffer), value);
    return std::string(buffer, error == std::errc() ? end : buffer);
}

std::string csvField(const std::string& text) {
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string field = "\"";
    for (const char c : text) field += c == '"' ? std::string("\"\"") : std::string(1, c);
    return field + "\"";
}

}  // namespace pliant
