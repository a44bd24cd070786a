// SPDX-License-Identifier: Zlib
// The binary files of Bullet's btReducedDeformableBody (docs/formats.md): a count, then doubles.
#pragma once

#include <string>

#include "pliant/math/Types.h"

namespace pliant {

/// Reads a uint32 count, then so many doubles. @throws Error for a file of another size, or numbers that are not finite
VectorX readBulletNumbers(const std::string& path);

/// Written beside and renamed. @throws Error
void writeBulletNumbers(const double* values, std::size_t count, const std::string& path);

}  // namespace pliant
