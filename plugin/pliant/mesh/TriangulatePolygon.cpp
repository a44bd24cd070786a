// SPDX-License-Identifier: Zlib
#include "pliant/mesh/TriangulatePolygon.h"

#include <Eigen/Geometry>
#include <numeric>

namespace pliant {

namespace {

using Triangle = std::array<int, 3>;

/// Twice the polygon's vector area (Newell): its direction is the mean normal, whatever the start corner.
Vector3 vectorArea(const Points& x) {
    Vector3 sum = Vector3::Zero();
    for (Eigen::Index i = 1; i + 1 < x.cols(); ++i)
        sum += Vector3(x.col(i) - x.col(0)).cross(Vector3(x.col(i + 1) - x.col(0)));
    return sum;
}

/// Twice the area of a triangle of corners as seen against n; positive when it turns like the polygon.
double turn(const Points& x, const Triangle& t, const Vector3& n) {
    return Vector3(x.col(t[1]) - x.col(t[0])).cross(Vector3(x.col(t[2]) - x.col(t[0]))).dot(n);
}

bool holdsAnotherCorner(const Points& x, const std::vector<int>& ring, const Triangle& t, const Vector3& n) {
    for (const int p : ring) {
        if (p == t[0] || p == t[1] || p == t[2]) continue;
        // A corner at the same place as one of the ear's own (a bridge to a hole) does not block it.
        if (x.col(p) == x.col(t[0]) || x.col(p) == x.col(t[1]) || x.col(p) == x.col(t[2])) continue;
        if (turn(x, {t[0], t[1], p}, n) >= 0.0 && turn(x, {t[1], t[2], p}, n) >= 0.0 &&
            turn(x, {t[2], t[0], p}, n) >= 0.0)
            return true;
    }
    return false;
}

/// Position in the ring of the best ear: of all that hold no other corner, the first with positive area; in a
/// degenerate ring, position 1.
std::size_t findEar(const Points& x, const std::vector<int>& ring, const Vector3& n) {
    const std::size_t k = ring.size();
    for (std::size_t i = 0; i < k; ++i) {
        const Triangle t{ring[(i + k - 1) % k], ring[i], ring[(i + 1) % k]};
        if (turn(x, t, n) > 0.0 && !holdsAnotherCorner(x, ring, t, n)) return i;
    }
    return 1;
}

}  // namespace

std::vector<Triangle> triangulatePolygon(const Points& corners) {
    const Vector3 n = vectorArea(corners);
    if (corners.cols() == 4) {
        const bool along02 = turn(corners, {0, 1, 2}, n) > 0.0 && turn(corners, {0, 2, 3}, n) > 0.0;
        const bool along13 = turn(corners, {0, 1, 3}, n) > 0.0 && turn(corners, {1, 2, 3}, n) > 0.0;
        const bool shorter02 =
            (corners.col(2) - corners.col(0)).squaredNorm() <= (corners.col(3) - corners.col(1)).squaredNorm();
        if (along02 && (shorter02 || !along13)) return {{0, 1, 2}, {0, 2, 3}};
        if (along13) return {{0, 1, 3}, {1, 2, 3}};
    }
    std::vector<int> ring(static_cast<std::size_t>(corners.cols()));
    std::iota(ring.begin(), ring.end(), 0);
    std::vector<Triangle> triangles;
    while (ring.size() > 3) {
        const std::size_t k = ring.size(), ear = findEar(corners, ring, n);
        triangles.push_back({ring[(ear + k - 1) % k], ring[ear], ring[(ear + 1) % k]});
        ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(ear));
    }
    triangles.push_back({ring[0], ring[1], ring[2]});
    return triangles;
}

}  // namespace pliant
