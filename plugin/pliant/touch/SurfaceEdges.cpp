// SPDX-License-Identifier: Zlib
#include "pliant/touch/SurfaceEdges.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <utility>

#include "pliant/math/SegmentDistance.h"
#include "pliant/mesh/ClosedSurface.h"

namespace pliant {
namespace {

/// Edges that turn by more than this are drawn as edges, rad (35 degrees), as where points are chosen.
constexpr double kSharpTurn = 0.6108652381980153;
constexpr double kOnEdge = 2e-5;  ///< of the surface's diagonal, that a point of an edge may be beside it
/// Of the square of the diagonal: triangles of less area have no normal that could be trusted.
constexpr double kSliver = 1e-10;
/// Points and pieces of a surface with edges at most; everyday levels hold half as many points. Every piece is compared
/// with every other.
constexpr std::ptrdiff_t kMostEdgePoints = 4000;
constexpr std::size_t kMostEdgePieces = 3 * kMostEdgePoints;

/// A sharp edge between two triangles as it is drawn.
struct DrawnEdge {
    int a = -1, b = -1;                  ///< Its ends.
    Vector3 normal[2] = {};              ///< Of both triangles, both outward or both inward.
    Vector3 third = Vector3::Zero();     ///< The corner of the first triangle that is not on the edge.
    Vector3 opposite = Vector3::Zero();  ///< The same of the second one.
};

/// A side of a triangle.
struct DrawnSide {
    int low = -1, high = -1, triangle = -1, third = -1;
    bool isUpward = false;  ///< Whether the triangle runs through it from `low` to `high`.

    bool operator<(const DrawnSide& other) const { return std::pair(low, high) < std::pair(other.low, other.high); }
    bool isBeside(const DrawnSide& other) const { return low == other.low && high == other.high; }
};

std::vector<DrawnSide> sidesOf(const Triangles& triangles) {
    std::vector<DrawnSide> sides;
    for (int t = 0; t < static_cast<int>(triangles.cols()); ++t)
        for (int k = 0; k < 3; ++k) {
            const int from = triangles(k, t), to = triangles((k + 1) % 3, t);
            sides.push_back({std::min(from, to), std::max(from, to), t, triangles((k + 2) % 3, t), from < to});
        }
    std::stable_sort(sides.begin(), sides.end());
    return sides;
}

/// No edges where the surface is open. @param diagonal of the surface, m
std::vector<DrawnEdge> sharpDrawnEdges(const Points& x, const Triangles& triangles, double diagonal) {
    const double sliver = kSliver * diagonal * diagonal;
    const auto normalOf = [&](int t) {  // zero of slivers
        const Vector3 a = x.col(triangles(0, t));
        const Vector3 area = Vector3(x.col(triangles(1, t)) - a).cross(Vector3(x.col(triangles(2, t)) - a));
        return Vector3(area.norm() > sliver ? area.normalized() : Vector3::Zero());
    };
    std::vector<DrawnEdge> edges;
    const std::vector<DrawnSide> sides = sidesOf(triangles);
    for (std::size_t i = 0, next = 0; i < sides.size(); i = next) {
        for (next = i; next < sides.size() && sides[next].isBeside(sides[i]);) ++next;
        if ((next - i) % 2 != 0) return {};
        if (next - i != 2) continue;
        const DrawnSide &one = sides[i], &two = sides[i + 1];
        DrawnEdge edge{
            one.low, one.high, {normalOf(one.triangle), normalOf(two.triangle)}, x.col(one.third), x.col(two.third)};
        if (one.isUpward == two.isUpward) edge.normal[1] = -edge.normal[1];
        if (edge.normal[0].isZero(0.0) || edge.normal[1].isZero(0.0)) continue;
        if (edge.normal[0].dot(edge.normal[1]) < std::cos(kSharpTurn)) edges.push_back(edge);
    }
    return edges;
}

/// Neighbours along sharp edges: vertices, and surface points between them as numbers behind those of the vertices.
class EdgeGraph {
public:
    EdgeGraph(const ReducedModel& model, const std::vector<char>& isSurfacePoint, const Points& restPoints)
        : m_vertices(model.surface.positions), m_points(restPoints) {
        const Triangles triangles = trianglesBetweenPlaces(model.surface);
        if (triangles.cols() == 0) return;
        const double diagonal = (m_vertices.rowwise().maxCoeff() - m_vertices.rowwise().minCoeff()).norm();
        m_edges = sharpDrawnEdges(m_vertices, triangles, diagonal);
        m_tolerance = kOnEdge * diagonal;
        m_pointAt.assign(static_cast<std::size_t>(m_vertices.cols()), -1);
        for (int i = 0; i < static_cast<int>(restPoints.cols()); ++i)
            if (isSurfacePoint[static_cast<std::size_t>(i)]) m_byX.push_back(i);
        std::stable_sort(m_byX.begin(), m_byX.end(), [&](int i, int j) { return m_points(0, i) < m_points(0, j); });
        std::vector<std::vector<std::pair<double, int>>> between;
        between.reserve(m_edges.size());
        for (const DrawnEdge& edge : m_edges) between.push_back(pointsOn(edge));
        m_neighbours.resize(static_cast<std::size_t>(m_vertices.cols() + m_points.cols()));
        for (std::size_t e = 0; e < m_edges.size(); ++e) {
            int from = m_edges[e].a;
            for (const auto& [at, point] : between[e]) {
                connect(from, numberOf(point), e);
                from = numberOf(point);
            }
            connect(from, m_edges[e].b, e);
        }
    }

    std::vector<SharpEdge> edges(const ReducedModel& model) const {
        std::vector<SharpEdge> result;
        for (int node = 0; node < static_cast<int>(m_neighbours.size()); ++node) {
            if (pointOf(node) < 0) continue;
            for (const Neighbour& next : m_neighbours[static_cast<std::size_t>(node)])
                follow(model, node, next, result);
        }
        return result;
    }

private:
    struct Neighbour {
        int node = -1;
        std::size_t edge = 0;
    };

    int numberOf(int point) const { return static_cast<int>(m_vertices.cols()) + point; }
    /// The surface point at a node; -1: none.
    int pointOf(int node) const {
        const auto vertices = static_cast<int>(m_vertices.cols());
        return node < vertices ? m_pointAt[static_cast<std::size_t>(node)] : node - vertices;
    }
    Vector3 placeOf(int node) const {
        const auto vertices = static_cast<int>(m_vertices.cols());
        return node < vertices ? Vector3(m_vertices.col(node)) : Vector3(m_points.col(node - vertices));
    }

    /// Places along the edge and points there, ascending; those at its ends are noted as those of the vertices.
    std::vector<std::pair<double, int>> pointsOn(const DrawnEdge& edge) {
        std::vector<std::pair<double, int>> on;
        const Vector3 a = m_vertices.col(edge.a), b = m_vertices.col(edge.b), way = b - a;
        const double length = way.norm(), least = std::min(a.x(), b.x()) - m_tolerance,
                     most = std::max(a.x(), b.x()) + m_tolerance;
        auto at =
            std::lower_bound(m_byX.begin(), m_byX.end(), least, [&](int i, double x) { return m_points(0, i) < x; });
        for (; at != m_byX.end() && m_points(0, *at) <= most; ++at) {
            const Vector3 offset = m_points.col(*at) - a;
            const double along = offset.dot(way) / length;
            if ((offset - along / length * way).norm() > m_tolerance) continue;
            if (std::abs(along) <= m_tolerance)
                m_pointAt[static_cast<std::size_t>(edge.a)] = *at;
            else if (std::abs(along - length) <= m_tolerance)
                m_pointAt[static_cast<std::size_t>(edge.b)] = *at;
            else if (along > 0.0 && along < length)
                on.emplace_back(along, *at);
        }
        std::sort(on.begin(), on.end());
        return on;
    }

    void connect(int from, int to, std::size_t edge) {
        m_neighbours[static_cast<std::size_t>(from)].push_back({to, edge});
        m_neighbours[static_cast<std::size_t>(to)].push_back({from, edge});
    }

    /// From a point along an edge to the next point, through vertices at which the edge goes on.
    void follow(const ReducedModel& model, int start, Neighbour next, std::vector<SharpEdge>& result) const {
        const auto mostNodes = static_cast<int>(m_neighbours.size());
        int from = start;
        Vector3 outward = Vector3::Zero();
        double halfTurn = 0.0, below = 0.0;  // how far the other sides' corners lie below the faces, m
        for (int count = 0; count < mostNodes; ++count) {
            const DrawnEdge& edge = m_edges[next.edge];
            const Vector3 bisector = edge.normal[0] + edge.normal[1], a = m_vertices.col(edge.a);
            const double sign = outward.dot(bisector) < 0.0 ? -1.0 : 1.0;
            outward += sign * (placeOf(next.node) - placeOf(from)).norm() * bisector;
            halfTurn = std::max(halfTurn, std::atan2((edge.normal[0] - edge.normal[1]).norm(), bisector.norm()));
            below -= sign * (edge.normal[0].dot(edge.opposite - a) + edge.normal[1].dot(edge.third - a));
            if (pointOf(next.node) >= 0) break;
            const std::vector<Neighbour>& on = m_neighbours[static_cast<std::size_t>(next.node)];
            if (on.size() != 2) return;
            const int here = std::exchange(from, next.node);
            next = on[0].node == here ? on[1] : on[0];
        }
        const int first = pointOf(start), second = pointOf(next.node);
        if (second <= first) return;  // it is found from the other end, too
        outward = model.meshFromBody.rotation.transpose() * outward;
        const PointsF& shell = model.contactSurface.shell.normals;
        const double side = outward.dot((shell.col(first) + shell.col(second)).cast<double>());
        const double sign = side < 0.0 ? -1.0 : 1.0;
        if (outward.norm() > 0.0 && sign * below > m_tolerance)
            result.push_back({first, second, sign * outward.normalized(), halfTurn, {false, false}, 0.0});
    }

    const Points& m_vertices;
    const Points& m_points;
    std::vector<DrawnEdge> m_edges;
    std::vector<int> m_byX;      ///< Surface points, ascending by their first coordinate.
    std::vector<int> m_pointAt;  ///< Of each vertex: the surface point there, or -1.
    std::vector<std::vector<Neighbour>> m_neighbours;
    double m_tolerance = 0.0;
};

/// Where edges end at a corner.
void markEnds(const Points& restPoints, std::vector<SharpEdge>& edges) {
    constexpr double goesOn = 0.866;  // cosine of 30 degrees
    struct End {
        int sphere;
        Vector3 inward;
        bool* isEnd;
    };
    std::vector<End> ends;
    for (SharpEdge& edge : edges) {
        const Vector3 way = (restPoints.col(edge.second) - restPoints.col(edge.first)).normalized();
        ends.push_back({edge.first, way, &edge.isEnd[0]});
        ends.push_back({edge.second, -way, &edge.isEnd[1]});
    }
    std::stable_sort(ends.begin(), ends.end(), [](const End& x, const End& y) { return x.sphere < y.sphere; });
    for (std::size_t i = 0, next = 0; i < ends.size(); i = next) {
        for (next = i; next < ends.size() && ends[next].sphere == ends[i].sphere;) ++next;
        for (std::size_t k = i; k < next; ++k) {
            *ends[k].isEnd = true;
            for (std::size_t other = i; other < next; ++other)
                if (ends[k].inward.dot(ends[other].inward) < -goesOn) *ends[k].isEnd = false;
        }
    }
}

}  // namespace

std::vector<SharpEdge> surfaceEdges(const ReducedModel& model, const std::vector<char>& isSurfacePoint,
                                    const Points& restPoints) {
    if (std::count(isSurfacePoint.begin(), isSurfacePoint.end(), char(1)) > kMostEdgePoints) return {};
    std::vector<SharpEdge> edges = EdgeGraph(model, isSurfacePoint, restPoints).edges(model);
    if (edges.size() > kMostEdgePieces) return {};
    markEnds(restPoints, edges);
    return edges;
}

void measureRoom(const Points& restPoints, std::vector<SharpEdge>& edges) {
    for (SharpEdge& edge : edges) {
        const Vector3 a = restPoints.col(edge.first), b = restPoints.col(edge.second), middle = 0.5 * (a + b);
        edge.room = (b - a).norm();
        for (const SharpEdge& other : edges) {
            if (other.first == edge.first || other.first == edge.second || other.second == edge.first ||
                other.second == edge.second)
                continue;
            TaperedSegment axis;
            axis.start = restPoints.col(other.first);
            axis.extent = restPoints.col(other.second) - axis.start;
            edge.room = std::min(edge.room, (middle - axis.point(closestOnTapered(axis, middle))).norm());
        }
    }
}

}  // namespace pliant
