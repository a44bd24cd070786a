// SPDX-License-Identifier: Zlib
// Numbers of a glTF file.
#pragma once

#include <string>
#include <vector>

#include "pliant/math/Types.h"
#include "pliant/rig/gltf/GltfFile.h"

namespace pliant::gltf {

/// What the numbers are for, which says how they may be stored.
enum class Meaning {
    Floats,     ///< Numbers in single precision.
    Fractions,  ///< Numbers in single precision, or whole numbers of 8 or 16 bits that stand for 0..1 or -1..1.
    Counts,     ///< Whole numbers without sign.
};

/// The numbers that `index` names, components x count, finite. Sparse accessors and those without bytes (zeros) are
/// taken.
/// @param types those that are possible: "SCALAR", "VEC2", "VEC3", "VEC4", "MAT4"
/// @throws Error for every index, offset, count, stride and kind that does not fit
MatrixX readNumbers(const GltfFile& file, const JsonPlace& index, const std::vector<std::string>& types,
                    Meaning meaning);

}  // namespace pliant::gltf
