// SPDX-License-Identifier: Zlib
// Does a triangle touch a unit cube? By separating axes, exact but for a slack against rounding.
#pragma once

#include <array>

#include "pliant/math/Types.h"

namespace pliant {

/// One triangle against many cubes with edge 1: its projections on the 13 axes that can separate a triangle from an
/// axis-aligned box (3 face normals, the triangle's normal, 9 cross products of edges) are computed once. Degenerate
/// triangles act as the segment or point they are.
class TriangleBoxTest {
public:
    static constexpr double slack = 1e-9;  ///< What is closer than this, in edges of the cube, counts as touching.

    explicit TriangleBoxTest(const std::array<Vector3, 3>& corners);

    bool touches(const Vector3& cubeCentre) const;

private:
    struct Axis {
        Vector3 direction;
        double lower, upper;  ///< of the cube centre's projection, for the two to overlap
    };
    std::array<Axis, 13> m_axes;
};

}  // namespace pliant
