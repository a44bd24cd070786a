// SPDX-License-Identifier: Zlib
#include "pliant/mesh/voxels/TriangleBoxTest.h"

#include <Eigen/Geometry>
#include <algorithm>

namespace pliant {

TriangleBoxTest::TriangleBoxTest(const std::array<Vector3, 3>& x) {
    const std::array<Vector3, 3> edges{x[1] - x[0], x[2] - x[1], x[0] - x[2]};
    std::size_t next = 0;
    const auto add = [&](const Vector3& a) {
        const double p[3] = {a.dot(x[0]), a.dot(x[1]), a.dot(x[2])};
        // Half the cube's extent along a.
        const double reach = (0.5 + slack) * a.cwiseAbs().sum();
        m_axes[next++] = {a, *std::min_element(p, p + 3) - reach, *std::max_element(p, p + 3) + reach};
    };
    for (int k = 0; k < 3; ++k) add(Vector3::Unit(k));
    add(edges[0].cross(edges[1]));
    for (const Vector3& edge : edges)
        for (int k = 0; k < 3; ++k) add(Vector3::Unit(k).cross(edge));
}

bool TriangleBoxTest::touches(const Vector3& cubeCentre) const {
    return std::all_of(m_axes.begin(), m_axes.end(), [&](const Axis& axis) {
        const double p = axis.direction.dot(cubeCentre);
        return p >= axis.lower && p <= axis.upper;
    });
}

}  // namespace pliant
