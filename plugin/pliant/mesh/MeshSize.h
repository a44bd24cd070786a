// SPDX-License-Identifier: Zlib
// How large a body is, and whether its numbers can be metres.
#pragma once

#include <string>

#include "pliant/math/Api.h"
#include "pliant/math/Types.h"

namespace pliant {

struct BoundingBox {
    Vector3 lower, upper;
    double longestSide() const { return (upper - lower).maxCoeff(); }
};

/// @param positions 3 x n, n >= 1
PLIANT_INTERNAL_API BoundingBox boundingBox(const Points& positions);

/// A sentence with the numbers when the longest side is above 20 m or below 1 mm; empty when the size is plausible.
PLIANT_INTERNAL_API std::string sizeWarning(const Points& positions, const std::string& where);

/// "mm" -> 0.001; knows m, cm, mm, km, um, in, ft, or a positive number of metres. @throws Error
double metresPerUnit(const std::string& unit);

}  // namespace pliant
