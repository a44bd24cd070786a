// SPDX-License-Identifier: Zlib
#include <Eigen/Geometry>
#include <array>
#include <cmath>

#include "pliant/skeleton/SurfaceDistance.h"

namespace pliant {
namespace {

/// Whether the way from `from`, `along` long, meets the box: separating axes, which need no division. A little wider
/// than the box, for what lies in its faces.
bool meetsBox(const Vector3& lower, const Vector3& upper, const Vector3& from, const Vector3& along) {
    const Vector3 half = 0.5 * along, middle = from + half - 0.5 * (lower + upper);
    const Vector3 size = 0.5 * (upper - lower) + Vector3::Constant(1e-12 * ((upper - lower).norm() + along.norm()));
    const Vector3 reach = half.cwiseAbs();
    if ((middle.cwiseAbs().array() > (size + reach).array()).any()) return false;
    for (int k = 0; k < 3; ++k) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        const double across = std::abs(middle[a] * half[b] - middle[b] * half[a]);
        if (across > size[a] * reach[b] + size[b] * reach[a]) return false;
    }
    return true;
}

/// Where a way crosses a triangle [MT97]; borders belong to the triangle, a way in its plane does not cross it.
/// @return the place on the way, or -1
double crossingPlace(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& from, const Vector3& along) {
    const Vector3 e1 = b - a, e2 = c - a, p = along.cross(e2);
    const double determinant = e1.dot(p);
    if (determinant == 0.0) return -1.0;
    constexpr double border = -1e-12;
    const Vector3 s = from - a, q = s.cross(e1);
    const double u = s.dot(p) / determinant, v = along.dot(q) / determinant, place = e2.dot(q) / determinant;
    return u >= border && v >= border && u + v <= 1.0 - border && place >= 0.0 && place <= 1.0 ? place : -1.0;
}

}  // namespace

template <typename Visit>
void SurfaceDistance::visitCrossings(const Vector3& from, const Vector3& to, const Visit& visit) const {
    const Vector3 along = to - from;
    std::array<int, 128> stack;  // see search()
    std::size_t open = 0;
    stack[open++] = 0;
    while (open > 0) {
        const Node& node = m_nodes[static_cast<std::size_t>(stack[--open])];
        if (!meetsBox(node.lower, node.upper, from, along)) continue;
        if (node.firstChild >= 0) {
            stack[open++] = node.firstChild;
            stack[open++] = node.firstChild + 1;
            continue;
        }
        for (int i = node.firstItem; i < node.firstItem + node.itemCount; ++i) {
            const int t = m_items[static_cast<std::size_t>(i)];
            const double place = crossingPlace(m_points.col(m_triangles(0, t)), m_points.col(m_triangles(1, t)),
                                               m_points.col(m_triangles(2, t)), from, along);
            if (place >= 0.0 && !visit(Crossing{place, t})) return;
        }
    }
}

void SurfaceDistance::crossings(const Vector3& from, const Vector3& to, std::vector<Crossing>& found) const {
    found.clear();
    visitCrossings(from, to, [&](const Crossing& crossing) {
        found.push_back(crossing);
        return true;
    });
}

bool SurfaceDistance::isBlocked(const Vector3& from, const Vector3& to) const {
    bool blocked = false;
    visitCrossings(from, to, [&](const Crossing&) {
        blocked = true;
        return false;
    });
    return blocked;
}

}  // namespace pliant
