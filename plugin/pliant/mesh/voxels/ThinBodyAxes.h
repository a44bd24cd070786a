// SPDX-License-Identifier: Zlib
// Along which axes a thin body is cut into bricks.
#pragma once

#include "pliant/mesh/SurfaceMesh.h"

namespace pliant {

/// A plate or rod whose file has it at an angle would become a staircase of bricks, up to three times too stiff; bricks
/// along the body's own axes bend as it does.
/// @return rotation whose columns are the axes of a box around the surface, where its shortest side is at most a tenth
/// of its longest and it has at most nine tenths of the volume of the axis-aligned one; exactly 1 otherwise
Matrix3 thinBodyAxes(const SurfaceMesh& surface);

}  // namespace pliant
