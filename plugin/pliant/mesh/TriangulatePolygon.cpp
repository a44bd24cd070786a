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

/// A corner of the ring that the triangle holds, other than its own; -1: there is none.
int cornerIn(const Points& x, const std::vector<int>& ring, const Triangle& t, const Vector3& n) {
    for (const int p : ring) {
        if (p == t[0] || p == t[1] || p == t[2]) continue;
        // A corner at the same place as one of the ear's own (a bridge to a hole) does not block it.
        if (x.col(p) == x.col(t[0]) || x.col(p) == x.col(t[1]) || x.col(p) == x.col(t[2])) continue;
        if (turn(x, {t[0], t[1], p}, n) >= 0.0 && turn(x, {t[1], t[2], p}, n) >= 0.0 &&
            turn(x, {t[2], t[0], p}, n) >= 0.0)
            return p;
    }
    return -1;
}

/// The corners that are left, and why those that have been looked at are no ears: as long as both neighbours and what
/// stands in the way are there, they are none. Without that a polygon that crosses itself takes the cube of its
/// corners.
class Ring {
public:
    Ring(const Points& corners, const Vector3& n)
        : m_x(corners),
          m_n(n),
          m_ring(static_cast<std::size_t>(corners.cols())),
          m_isLeft(m_ring.size(), 1),
          m_known(m_ring.size()) {
        std::iota(m_ring.begin(), m_ring.end(), 0);
    }

    std::size_t size() const { return m_ring.size(); }
    /// The corner at a position, and its neighbours.
    Triangle triangle(std::size_t i) const {
        const std::size_t k = m_ring.size();
        return {m_ring[(i + k - 1) % k], m_ring[i], m_ring[(i + 1) % k]};
    }
    void remove(std::size_t i) {
        m_isLeft[static_cast<std::size_t>(m_ring[i])] = 0;
        m_ring.erase(m_ring.begin() + static_cast<std::ptrdiff_t>(i));
    }
    /// Position of the best ear: of all that hold no other corner, the first with positive area; in a degenerate ring,
    /// position 1.
    std::size_t findEar() {
        for (std::size_t i = 0; i < m_ring.size(); ++i)
            if (isEar(triangle(i))) return i;
        return 1;
    }

private:
    struct NoEar {
        int before = -1, after = -1, because = -1;  ///< Neighbours, and a corner that has to be there.
    };

    bool isEar(const Triangle& t) {
        NoEar& known = m_known[static_cast<std::size_t>(t[1])];
        if (known.before == t[0] && known.after == t[2] && m_isLeft[static_cast<std::size_t>(known.because)])
            return false;
        const bool turns = turn(m_x, t, m_n) > 0.0;
        const int because = turns ? cornerIn(m_x, m_ring, t, m_n) : t[0];
        if (because < 0) return true;
        known = {t[0], t[2], because};
        return false;
    }

    const Points& m_x;
    Vector3 m_n;
    std::vector<int> m_ring;
    std::vector<char> m_isLeft;
    std::vector<NoEar> m_known;
};

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
    Ring ring(corners, n);
    std::vector<Triangle> triangles;
    while (ring.size() > 3) {
        const std::size_t ear = ring.findEar();
        triangles.push_back(ring.triangle(ear));
        ring.remove(ear);
    }
    triangles.push_back(ring.triangle(1));
    return triangles;
}

}  // namespace pliant
