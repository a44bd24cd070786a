// SPDX-License-Identifier: Zlib
#include "btPliant/narrowphase/TrianglePatch.h"

#include <BulletCollision/CollisionShapes/btConcaveShape.h>
#include <BulletCollision/CollisionShapes/btTriangleCallback.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "btPliant/data/Convert.h"

namespace btPliantInternal {

using pliant::Vector3;

namespace {

/// Sine of the angle by which a triangle may rise above the plane across a normal, so that rounding and curved floors
/// do not leave a gap between the normals of neighbours.
constexpr double kRise = 0.05;
/// Of the length of an edge, within which a place is on it.
constexpr double kOnEdge = 1e-9;
constexpr unsigned kLargestFeature = 0x15000000u;  ///< of triangles: three times that is one of corners and edges

template <typename Visit>
class Callback : public btTriangleCallback {
public:
    explicit Callback(const Visit& visit) : m_visit(visit) {}
    void processTriangle(btVector3* corners, int part, int index) override { m_visit(corners, part, index); }

private:
    const Visit& m_visit;
};

bool isBefore(const Vector3& x, const Vector3& y) {
    return std::lexicographical_compare(x.data(), x.data() + 3, y.data(), y.data() + 3);
}

bool rises(const Vector3& way, const Vector3& normal) {
    return way.dot(normal) > kRise * way.norm();
}

}  // namespace

void TrianglePatch::collect(const btConcaveShape& shape, const btTransform& worldFromShape, const btVector3& lower,
                            const btVector3& upper) {
    m_triangles.clear();
    const auto add = [this, &worldFromShape](const btVector3* corners, int part, int index) {
        Triangle triangle;
        for (int k = 0; k < 3; ++k) triangle.corners[k] = toEigen(worldFromShape * corners[k]);
        // Triangles of several parts share index numbers: keep them apart.
        triangle.feature = static_cast<int>((static_cast<unsigned>(index) + 16777259u * static_cast<unsigned>(part)) %
                                            kLargestFeature);
        m_triangles.push_back(triangle);
    };
    Callback<decltype(add)> callback(add);
    shape.processAllTriangles(&callback, lower, upper);
    joinCorners();
    joinEdges();
}

// Corners are one where they are at the same place to the last bit, as those are that triangles share by index.
void TrianglePatch::joinCorners() {
    m_order.resize(3 * m_triangles.size());
    for (std::size_t i = 0; i < m_order.size(); ++i) m_order[i] = static_cast<int>(i);
    const auto placeOf = [this](int i) -> const Vector3& {
        return m_triangles[static_cast<std::size_t>(i / 3)].corners[i % 3];
    };
    const auto featureOf = [this](int i) { return 3 * m_triangles[static_cast<std::size_t>(i / 3)].feature + i % 3; };
    std::sort(m_order.begin(), m_order.end(), [&](int i, int j) {
        if (placeOf(i) != placeOf(j)) return isBefore(placeOf(i), placeOf(j));
        return featureOf(i) < featureOf(j);
    });
    m_corners.clear();
    m_firstOfCorner.clear();
    m_ofCorners = m_order;
    for (std::size_t n = 0; n < m_order.size(); ++n) {
        const int i = m_order[n];
        if (n == 0 || placeOf(i) != m_corners.back().place) {
            m_corners.push_back({placeOf(i), featureOf(i)});
            m_firstOfCorner.push_back(static_cast<int>(n));
        }
        m_triangles[static_cast<std::size_t>(i / 3)].corner[i % 3] = static_cast<int>(m_corners.size()) - 1;
    }
    m_firstOfCorner.push_back(static_cast<int>(m_order.size()));
}

void TrianglePatch::joinEdges() {
    const auto endsOf = [this](int i) {
        const Triangle& triangle = m_triangles[static_cast<std::size_t>(i / 3)];
        const int a = triangle.corner[i % 3], b = triangle.corner[(i + 1) % 3];
        return std::pair<int, int>(std::min(a, b), std::max(a, b));
    };
    const auto featureOf = [this](int i) { return 3 * m_triangles[static_cast<std::size_t>(i / 3)].feature + i % 3; };
    std::sort(m_order.begin(), m_order.end(), [&](int i, int j) {
        if (endsOf(i) != endsOf(j)) return endsOf(i) < endsOf(j);
        return featureOf(i) < featureOf(j);
    });
    m_edges.clear();
    m_firstOfEdge.clear();
    m_ofEdges = m_order;
    std::pair<int, int> last(-1, -1);
    for (std::size_t n = 0; n < m_order.size(); ++n) {
        const int i = m_order[n];
        const std::pair<int, int> ends = endsOf(i);
        if (ends != last) {
            const auto cornerFeature = [this](int c) { return m_corners[static_cast<std::size_t>(c)].feature; };
            const bool isForward = cornerFeature(ends.first) < cornerFeature(ends.second);
            m_edges.push_back(
                {{isForward ? ends.first : ends.second, isForward ? ends.second : ends.first}, featureOf(i)});
            m_firstOfEdge.push_back(static_cast<int>(n));
            last = ends;
        }
        m_triangles[static_cast<std::size_t>(i / 3)].edge[i % 3] = static_cast<int>(m_edges.size()) - 1;
    }
    m_firstOfEdge.push_back(static_cast<int>(m_order.size()));
}

bool TrianglePatch::cornerPushes(int corner, const Vector3& normal) const {
    const auto c = static_cast<std::size_t>(corner);
    for (int n = m_firstOfCorner[c]; n < m_firstOfCorner[c + 1]; ++n) {
        const int i = m_ofCorners[static_cast<std::size_t>(n)];
        const Triangle& triangle = triangleOf(i);
        for (const int k : {(i + 1) % 3, (i + 2) % 3})
            if (rises(triangle.corners[k] - m_corners[c].place, normal)) return false;
    }
    return true;
}

Vector3 TrianglePatch::edgeDirection(int edge) const {
    const Edge& e = m_edges[static_cast<std::size_t>(edge)];
    return (m_corners[static_cast<std::size_t>(e.corner[1])].place -
            m_corners[static_cast<std::size_t>(e.corner[0])].place)
        .normalized();
}

bool TrianglePatch::edgePushes(int edge, const Vector3& normal) const {
    const auto e = static_cast<std::size_t>(edge);
    const Vector3& start = m_corners[static_cast<std::size_t>(m_edges[e].corner[0])].place;
    const Vector3 along = edgeDirection(edge);
    const Vector3 across = normal - normal.dot(along) * along;
    for (int n = m_firstOfEdge[e]; n < m_firstOfEdge[e + 1]; ++n) {
        const int i = m_ofEdges[static_cast<std::size_t>(n)];
        const Vector3 way = triangleOf(i).corners[(i + 2) % 3] - start;
        if (rises(way - way.dot(along) * along, across)) return false;
    }
    return true;
}

TrianglePatch::Part TrianglePatch::partAt(const Triangle& triangle, const Vector3& place, int& number) {
    std::array<bool, 3> on{};
    for (std::size_t k = 0; k < 3; ++k) {
        const Vector3 edge = triangle.corners[(k + 1) % 3] - triangle.corners[k];
        on[k] = edge.cross(place - triangle.corners[k]).norm() <= kOnEdge * edge.squaredNorm();
    }
    for (std::size_t k = 0; k < 3; ++k)
        if (on[k] && on[(k + 2) % 3]) {
            number = triangle.corner[k];
            return Part::Corner;
        }
    for (std::size_t k = 0; k < 3; ++k)
        if (on[k]) {
            number = triangle.edge[k];
            return Part::Edge;
        }
    return Part::Inside;
}

bool TrianglePatch::trianglePushes(const Triangle& triangle, const Vector3& place, const Vector3& normal) const {
    int number = 0;
    switch (partAt(triangle, place, number)) {
        case Part::Corner:
            return cornerPushes(number, normal);
        case Part::Edge:
            return edgePushes(number, normal);
        default:
            return true;
    }
}

}  // namespace btPliantInternal
