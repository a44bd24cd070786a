// SPDX-License-Identifier: Zlib
// Inertia that a body has at least about the axes that its frame turns about against its own modes. Private to
// runtime/.
//
// A bent strand that rolls about its own line stays where it is while its material turns: the frame turns by w and the
// coordinates turn the bend back, q' = -H' w. What moves then is the cross-sections alone, I - H H' of the axis against
// I, a thousandth and less of a thin rod's. A contact at its skin makes such a rod spin by half a radian a step, but
// coordinates turn along a straight line (q + h q'), not along an arc, and frames and coordinates take half a step of a
// new velocity differently: the rod is stretched and thrown by as much as it is bent. So I - H H' is no less than
// three tenths of I about any axis, as if the cross-sections were heavier to turn. Bodies that are hardly bent (H = 0
// where they are straight) have more by themselves, and nothing is added.
#pragma once

#include "pliant/math/Types.h"

namespace pliant {

/// @param inertia I(q), kg m^2, positive definite @param carried H H', what the modes can take of it, kg m^2
/// @return I(q) and what is added to it
Matrix3 withLeastSpinInertia(const Matrix3& inertia, const Matrix3& carried);

}  // namespace pliant
