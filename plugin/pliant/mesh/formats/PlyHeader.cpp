// SPDX-License-Identifier: Zlib
#include "pliant/mesh/formats/PlyHeader.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

#include "pliant/math/Error.h"
#include "pliant/mesh/TextFile.h"

namespace pliant {

namespace {

using Words = std::vector<std::string_view>;

class HeaderParser {
public:
    HeaderParser(std::string_view bytes, const std::string& path) : m_bytes(bytes), m_path(path) {}

    PlyHeader parse() {
        if (trimmed(nextLine()) != "ply") fail("is no .ply: the first line is not \"ply\"");
        bool hasFormat = false;
        for (;;) {
            const std::string_view line = nextLine();
            const Words words = splitWords(line);
            if (words.empty()) continue;
            if (words[0] == "end_header") break;
            if (words[0] == "format") {
                readFormat(words);
                hasFormat = true;
            } else if (words[0] == "element") {
                readElement(words);
            } else if (words[0] == "property") {
                readProperty(words);
            } else if (words.size() > 2 && words[0] == "comment" && words[1] == "TextureFile") {
                m_header.texture = std::string(trimmed(line.substr(line.find("TextureFile") + 11)));
            } else if (words[0] != "comment" && words[0] != "obj_info" && !m_header.elements.empty()) {
                // Above the elements nothing can be missed: a word that is not known there begins a remark (Blender
                // 2.47 wrote one without "comment").
                fail("\"" + std::string(words[0]) + "\" is no word of a .ply header");
            }
        }
        if (!hasFormat) fail("the header names no format");
        m_header.bytes = m_at;
        return std::move(m_header);
    }

private:
    [[noreturn]] void fail(const std::string& problem) const {
        throw Error(fileAndLine(m_path, m_header.lines), problem, "export the mesh again as .ply 1.0");
    }

    std::string_view nextLine() {
        ++m_header.lines;
        const std::size_t end = m_bytes.find('\n', m_at);
        if (end == std::string_view::npos) fail("the header has no end");
        std::string_view line = m_bytes.substr(m_at, end - m_at);
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        m_at = end + 1;
        return line;
    }

    void readFormat(const Words& words) {
        if (words.size() != 3 || words[2] != "1.0") fail("only version 1.0 of .ply is known");
        if (words[1] == "ascii")
            m_header.format = PlyFormat::Ascii;
        else if (words[1] == "binary_little_endian")
            m_header.format = PlyFormat::LittleEndian;
        else if (words[1] == "binary_big_endian")
            m_header.format = PlyFormat::BigEndian;
        else
            fail("format \"" + std::string(words[1]) + "\" is unknown");
    }

    void readElement(const Words& words) {
        int count = 0;
        if (words.size() != 3 || !parseNumber(words[2], count) || count < 0)
            fail("an element needs a name and a count");
        m_header.elements.push_back({std::string(words[1]), static_cast<std::size_t>(count), {}});
    }

    PlyType typeOf(std::string_view name) const {
        static constexpr std::array<std::pair<std::string_view, PlyType>, 16> known{{{"char", PlyType::Int8},
                                                                                     {"int8", PlyType::Int8},
                                                                                     {"uchar", PlyType::UInt8},
                                                                                     {"uint8", PlyType::UInt8},
                                                                                     {"short", PlyType::Int16},
                                                                                     {"int16", PlyType::Int16},
                                                                                     {"ushort", PlyType::UInt16},
                                                                                     {"uint16", PlyType::UInt16},
                                                                                     {"int", PlyType::Int32},
                                                                                     {"int32", PlyType::Int32},
                                                                                     {"uint", PlyType::UInt32},
                                                                                     {"uint32", PlyType::UInt32},
                                                                                     {"float", PlyType::Float32},
                                                                                     {"float32", PlyType::Float32},
                                                                                     {"double", PlyType::Float64},
                                                                                     {"float64", PlyType::Float64}}};
        for (const auto& [text, type] : known)
            if (text == name) return type;
        fail("type \"" + std::string(name) + "\" is unknown");
    }

    void readProperty(const Words& words) {
        if (m_header.elements.empty()) fail("a property before the first element");
        PlyProperty property;
        if (words.size() == 5 && words[1] == "list") {
            property = {std::string(words[4]), typeOf(words[3]), true, typeOf(words[2])};
        } else if (words.size() == 3) {
            property = {std::string(words[2]), typeOf(words[1]), false, PlyType::UInt8};
        } else {
            fail("a property needs a type and a name");
        }
        m_header.elements.back().properties.push_back(std::move(property));
    }

    std::string_view m_bytes;
    std::string m_path;
    std::size_t m_at = 0;
    PlyHeader m_header;
};

template <typename Number>
double valueAs(const char* bytes) {
    Number value;
    std::memcpy(&value, bytes, sizeof value);
    return static_cast<double>(value);
}

}  // namespace

int PlyElement::find(const std::vector<std::string>& names) const {
    for (std::size_t p = 0; p < properties.size(); ++p)
        if (std::find(names.begin(), names.end(), properties[p].name) != names.end()) return static_cast<int>(p);
    return -1;
}

PlyHeader readPlyHeader(std::string_view bytes, const std::string& path) {
    return HeaderParser(bytes, path).parse();
}

std::size_t plySize(PlyType type) {
    static constexpr std::array<std::size_t, 8> sizes{1, 1, 2, 2, 4, 4, 4, 8};
    return sizes[static_cast<std::size_t>(type)];
}

double plyValue(PlyType type, const char* bytes, bool swapped) {
    std::array<char, 8> native{};
    const std::size_t size = plySize(type);
    for (std::size_t b = 0; b < size; ++b) native[b] = bytes[swapped ? size - 1 - b : b];
    switch (type) {
        case PlyType::Int8:
            return valueAs<std::int8_t>(native.data());
        case PlyType::UInt8:
            return valueAs<std::uint8_t>(native.data());
        case PlyType::Int16:
            return valueAs<std::int16_t>(native.data());
        case PlyType::UInt16:
            return valueAs<std::uint16_t>(native.data());
        case PlyType::Int32:
            return valueAs<std::int32_t>(native.data());
        case PlyType::UInt32:
            return valueAs<std::uint32_t>(native.data());
        case PlyType::Float32:
            return valueAs<float>(native.data());
        case PlyType::Float64:
            return valueAs<double>(native.data());
    }
    return 0.0;
}

}  // namespace pliant
