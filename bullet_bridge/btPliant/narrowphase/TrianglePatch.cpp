// SPDX-License-Identifier: Zlib
#include "btPliant/narrowphase/TrianglePatch.h"

#include <BulletCollision/CollisionShapes/btConcaveShape.h>
#include <BulletCollision/CollisionShapes/btTriangleCallback.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

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
        const bool isFinite =
            triangle.corners[0].allFinite() && triangle.corners[1].allFinite() && triangle.corners[2].allFinite();
        if (isFinite) m_triangles.push_back(triangle);  // others have no order
    };
    Callback<decltype(add)> callback(add);
    shape.processAllTriangles(&callback, lower, upper);
    joinCorners();
    joinEdges();
}

// Corners are one where they are at the same place to the last bit, as those are that triangles share by index.
void TrianglePatch::joinCorners() {
    m_places.clear();
    for (std::size_t i = 0; i < 3 * m_triangles.size(); ++i) {
        const Triangle& triangle = m_triangles[i / 3];
        m_places.push_back({triangle.corners[i % 3], featureOf(static_cast<int>(i)), static_cast<int>(i)});
    }
    std::sort(m_places.begin(), m_places.end(), [](const PlacedCorner& x, const PlacedCorner& y) {
        for (int k = 0; k < 3; ++k)
            if (x.place[k] != y.place[k]) return x.place[k] < y.place[k];
        return x.feature < y.feature;
    });
    m_corners.clear();
    m_ofCorners.clear();
    m_firstOfCorner.clear();
    for (const PlacedCorner& placed : m_places) {
        if (m_corners.empty() || placed.place != m_corners.back().place) {
            m_firstOfCorner.push_back(static_cast<int>(m_ofCorners.size()));
            m_corners.push_back({placed.place, placed.feature});
        }
        m_ofCorners.push_back(placed.number);
        m_triangles[static_cast<std::size_t>(placed.number / 3)].corner[placed.number % 3] =
            static_cast<int>(m_corners.size()) - 1;
    }
    m_firstOfCorner.push_back(static_cast<int>(m_ofCorners.size()));
}

void TrianglePatch::joinEdges() {
    m_ends.clear();
    for (int i = 0; i < 3 * static_cast<int>(m_triangles.size()); ++i) {
        const Triangle& triangle = triangleOf(i);
        const auto a = static_cast<std::uint64_t>(triangle.corner[i % 3]);
        const auto b = static_cast<std::uint64_t>(triangle.corner[(i + 1) % 3]);
        m_ends.push_back({std::min(a, b) << 32 | std::max(a, b), featureOf(i), i});
    }
    std::sort(m_ends.begin(), m_ends.end(), [](const EdgeEnds& x, const EdgeEnds& y) {
        return x.corners != y.corners ? x.corners < y.corners : x.feature < y.feature;
    });
    m_edges.clear();
    m_ofEdges.clear();
    m_firstOfEdge.clear();
    for (std::size_t n = 0; n < m_ends.size(); ++n) {
        const EdgeEnds& ends = m_ends[n];
        if (n == 0 || ends.corners != m_ends[n - 1].corners) {
            m_firstOfEdge.push_back(static_cast<int>(n));
            m_edges.push_back(edgeBetween(static_cast<int>(ends.corners >> 32),
                                          static_cast<int>(ends.corners & 0xffffffffu), ends.feature));
        }
        m_ofEdges.push_back(ends.number);
        m_triangles[static_cast<std::size_t>(ends.number / 3)].edge[ends.number % 3] =
            static_cast<int>(m_edges.size()) - 1;
    }
    m_firstOfEdge.push_back(static_cast<int>(m_ofEdges.size()));
}

TrianglePatch::Edge TrianglePatch::edgeBetween(int a, int b, int feature) const {
    const bool isForward =
        m_corners[static_cast<std::size_t>(a)].feature < m_corners[static_cast<std::size_t>(b)].feature;
    return {{isForward ? a : b, isForward ? b : a}, feature};
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

bool TrianglePatch::fold(int edge, Vector3& outward, double& halfTurn) const {
    const auto e = static_cast<std::size_t>(edge);
    const int count = m_firstOfEdge[e + 1] - m_firstOfEdge[e];
    if (count > 2) return false;
    const Vector3& start = m_corners[static_cast<std::size_t>(m_edges[e].corner[0])].place;
    const Vector3 along = edgeDirection(edge);
    Vector3 ways[2] = {Vector3::Zero(), Vector3::Zero()};  // from the edge into its triangles
    for (int k = 0; k < count; ++k) {
        const int i = m_ofEdges[static_cast<std::size_t>(m_firstOfEdge[e] + k)];
        const Vector3 way = triangleOf(i).corners[(i + 2) % 3] - start;
        ways[k] = (way - way.dot(along) * along).normalized();
    }
    if (count == 1) ways[1] = ways[0];
    const Vector3 inward = ways[0] + ways[1];
    if (!(inward.norm() > kRise)) return false;
    outward = -inward.normalized();
    halfTurn = std::atan2(inward.norm(), (ways[0] - ways[1]).norm());
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

bool TrianglePatch::trianglePushes(const Triangle& triangle, const Vector3& place, const Vector3& normal,
                                   bool& onSeam) const {
    int number = 0;
    const Part part = partAt(triangle, place, number);
    onSeam = part != Part::Inside;
    return part == Part::Inside || (part == Part::Corner ? cornerPushes(number, normal) : edgePushes(number, normal));
}

bool TrianglePatch::isOnOpenEdge(const Triangle& triangle, const Vector3& place) const {
    int number = 0;
    const Part part = partAt(triangle, place, number);
    if (part == Part::Inside) return false;
    for (int k = 0; k < 3; ++k) {
        const auto edge = static_cast<std::size_t>(triangle.edge[k]);
        const bool isOpen = m_firstOfEdge[edge + 1] - m_firstOfEdge[edge] == 1;
        const bool isThere = part == Part::Edge
                                 ? triangle.edge[k] == number
                                 : triangle.corner[k] == number || triangle.corner[(k + 1) % 3] == number;
        if (isOpen && isThere) return true;
    }
    return false;
}

}  // namespace btPliantInternal
