// SPDX-License-Identifier: Zlib
// What a reduction was made from, as one number: two runs with equal hash and options give the same model.
#pragma once

#include <string>
#include <vector>

#include "pliant/reduce/ReduceOptions.h"

namespace pliant {

/// XXH3-128, 32 hex digits, over the bytes of every file that the reduction reads: `input`, the files that it names
/// (*INCLUDE of .veg, mtllib of .obj, uri of .gltf), and those of `options` (fixed vertices, drawn surface). Textures
/// are not read. The version of the reduction counts as well: it has other numbers of the same files when it gives
/// other models.
/// @throws Error when `input` or a file of `options` cannot be read
std::string inputHash(const std::string& input, const ReduceOptions& options);

/// The same over a list of files, each with the files that it names. @throws Error when one cannot be read
std::string filesHash(const std::vector<std::string>& paths);

}  // namespace pliant
