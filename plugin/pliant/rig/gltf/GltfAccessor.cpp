// SPDX-License-Identifier: Zlib
#include "pliant/rig/gltf/GltfAccessor.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace pliant::gltf {

namespace {

constexpr std::int64_t mostOffset = std::int64_t{1} << 40, mostCount = std::int64_t{1} << 31;

enum Kind { Byte = 5120, UnsignedByte = 5121, Short = 5122, UnsignedShort = 5123, UnsignedInt = 5125, Float = 5126 };

std::size_t sizeOf(int kind) {
    return kind == Byte || kind == UnsignedByte ? 1 : kind == Short || kind == UnsignedShort ? 2 : 4;
}

template <typename Number>
double stored(const char* bytes) {
    Number value;
    std::memcpy(&value, bytes, sizeof value);
    return static_cast<double>(value);
}

double numberAt(const char* bytes, int kind) {
    switch (kind) {
        case Byte:
            return stored<std::int8_t>(bytes);
        case UnsignedByte:
            return stored<std::uint8_t>(bytes);
        case Short:
            return stored<std::int16_t>(bytes);
        case UnsignedShort:
            return stored<std::uint16_t>(bytes);
        case UnsignedInt:
            return stored<std::uint32_t>(bytes);
        default:
            return stored<float>(bytes);
    }
}

/// What a whole number is divided by to be a fraction.
double wholeOf(int kind) {
    return kind == Byte            ? 127.0
           : kind == UnsignedByte  ? 255.0
           : kind == Short         ? 32767.0
           : kind == UnsignedShort ? 65535.0
                                   : 1.0;
}

int componentsOf(const JsonPlace& accessor, const std::vector<std::string>& types) {
    const JsonPlace place = accessor.at("type");
    const std::string type = place.text();
    if (std::find(types.begin(), types.end(), type) == types.end())
        place.fail("is \"" + type + "\", and " + types.front() + " is needed here");
    return type == "SCALAR" ? 1 : type == "MAT4" ? 16 : type.back() - '0';
}

int kindOf(const JsonPlace& accessor, Meaning meaning) {
    const JsonPlace place = accessor.at("componentType");
    const int kind = static_cast<int>(place.integer(Byte, Float));
    const bool fits = meaning == Meaning::Floats ? kind == Float
                      : meaning == Meaning::Fractions
                          ? kind == Float || (kind >= Byte && kind <= UnsignedShort)
                          : kind == UnsignedByte || kind == UnsignedShort || kind == UnsignedInt;
    if (!fits) place.fail(std::to_string(kind) + " is not possible here");
    return kind;
}

/// Where rows of numbers lie.
struct Layout {
    const char* first = nullptr;
    std::size_t stride = 0;
};

/// @param place has bufferView and byteOffset  @param size bytes of a row
Layout layoutOf(const GltfFile& file, const JsonPlace& place, std::size_t count, std::size_t size) {
    const JsonPlace view = file.element("bufferViews", place.at("bufferView"));
    const std::string_view bytes = file.bytesOf(view);
    const auto stride = static_cast<std::size_t>(
        view.has("byteStride") ? view.at("byteStride").integer(static_cast<std::int64_t>(size), 252)
                               : static_cast<std::int64_t>(size));
    const auto offset =
        static_cast<std::size_t>(place.has("byteOffset") ? place.at("byteOffset").integer(0, mostOffset) : 0);
    const std::size_t needed = offset + (count - 1) * stride + size;
    if (needed > bytes.size())
        place.fail("needs " + std::to_string(needed) + " bytes of a bufferView of " + std::to_string(bytes.size()),
                   "copy the file again, or export it again");
    return {bytes.data() + offset, stride};
}

void readRow(const char* bytes, int kind, Meaning meaning, Eigen::Ref<VectorX> row) {
    for (Eigen::Index c = 0; c < row.size(); ++c) {
        row[c] = numberAt(bytes + static_cast<std::size_t>(c) * sizeOf(kind), kind);
        if (meaning == Meaning::Fractions && kind != Float) row[c] = std::max(-1.0, row[c] / wholeOf(kind));
    }
}

void readSparse(const GltfFile& file, const JsonPlace& sparse, int kind, Meaning meaning, MatrixX& values) {
    const auto count = static_cast<std::size_t>(sparse.at("count").integer(1, values.cols()));
    const JsonPlace where = sparse.at("indices"), what = sparse.at("values");
    const int indexKind = kindOf(where, Meaning::Counts);
    const Layout indices = layoutOf(file, where, count, sizeOf(indexKind));
    const Layout rows = layoutOf(file, what, count, static_cast<std::size_t>(values.rows()) * sizeOf(kind));
    double last = -1.0;
    VectorX row(values.rows());
    for (std::size_t i = 0; i < count; ++i) {
        const double at = numberAt(indices.first + i * indices.stride, indexKind);
        if (at <= last || at >= static_cast<double>(values.cols()))
            where.fail("entry " + std::to_string(i) + " is " + std::to_string(static_cast<std::int64_t>(at)),
                       "indices grow and stay below " + std::to_string(values.cols()));
        last = at;
        readRow(rows.first + i * rows.stride, kind, meaning, row);
        values.col(static_cast<Eigen::Index>(at)) = row;
    }
}

}  // namespace

MatrixX readNumbers(const GltfFile& file, const JsonPlace& index, const std::vector<std::string>& types,
                    Meaning meaning) {
    const JsonPlace accessor = file.element("accessors", index);
    const int components = componentsOf(accessor, types);
    const int kind = kindOf(accessor, meaning);
    const auto count = static_cast<std::size_t>(accessor.at("count").integer(1, mostCount));
    const std::size_t size = static_cast<std::size_t>(components) * sizeOf(kind);
    const bool hasBytes = accessor.has("bufferView");
    const Layout layout = hasBytes ? layoutOf(file, accessor, count, size) : Layout{};
    file.take(count * static_cast<std::size_t>(components), accessor.where());
    MatrixX values = MatrixX::Zero(components, static_cast<Eigen::Index>(count));
    VectorX row(components);
    for (std::size_t i = 0; hasBytes && i < count; ++i) {
        readRow(layout.first + i * layout.stride, kind, meaning, row);
        values.col(static_cast<Eigen::Index>(i)) = row;
    }
    if (accessor.has("sparse")) readSparse(file, accessor.at("sparse"), kind, meaning, values);
    if (!values.allFinite()) accessor.fail("holds a number that is not finite", "export it again");
    return values;
}

}  // namespace pliant::gltf
