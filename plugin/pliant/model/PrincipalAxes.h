// SPDX-License-Identifier: Zlib
#pragma once

#include "pliant/math/Api.h"
#include "pliant/math/Types.h"

namespace pliant {

/// Principal axes of a symmetric inertia tensor as a rotation (columns). They are free up to order and sign, and up to
/// a rotation where moments repeat (a cube, a basket); of all choices this one lies closest to the axes that the tensor
/// is given in. @param tolerance moments closer than this share of the largest count as equal
PLIANT_INTERNAL_API Matrix3 principalAxes(const Matrix3& inertia, double tolerance = 1e-7);

}  // namespace pliant
