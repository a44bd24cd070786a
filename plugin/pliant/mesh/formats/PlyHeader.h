// SPDX-License-Identifier: Zlib
// The header of a .ply: which elements follow, with which properties, stored how.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pliant {

enum class PlyType { Int8, UInt8, Int16, UInt16, Int32, UInt32, Float32, Float64 };
enum class PlyFormat { Ascii, LittleEndian, BigEndian };

struct PlyProperty {
    std::string name;
    PlyType type = PlyType::Float32;  ///< Type of the value, or of a list's entries.
    bool isList = false;
    PlyType countType = PlyType::UInt8;  ///< Type of a list's number of entries.
};

struct PlyElement {
    std::string name;
    std::size_t count = 0;
    std::vector<PlyProperty> properties;

    /// Index of the first property with one of these names, -1 when there is none.
    int find(const std::vector<std::string>& names) const;
};

struct PlyHeader {
    PlyFormat format = PlyFormat::Ascii;
    std::vector<PlyElement> elements;
    /// Texture of a line "comment TextureFile NAME", as MeshLab writes; empty when there is none.
    std::string texture;
    std::size_t bytes = 0;  ///< Length of the header, bytes: where the data begin.
    int lines = 0;          ///< Number of lines of the header.
};

/// @throws Error with file:line
PlyHeader readPlyHeader(std::string_view bytes, const std::string& path);

/// Bytes of a binary value.
std::size_t plySize(PlyType type);

/// A binary value. @param bytes plySize(type) of them
double plyValue(PlyType type, const char* bytes, bool swapped);

}  // namespace pliant
