// SPDX-License-Identifier: Zlib
// Delaunay tetrahedra of points, by Qhull.
#pragma once

#include <string>

#include "pliant/math/Types.h"

namespace pliant {

/// @param points 3 x n, n >= 5, not all in one plane
/// @return 4 x m vertex numbers, positive volumes; pieces thinner than 1e-9 of their edges' product are left out
/// @throws Error at `where` with Qhull's own words where it finds none
Matrix<int, 4, Eigen::Dynamic> delaunay(const Points& points, const std::string& where);

}  // namespace pliant
