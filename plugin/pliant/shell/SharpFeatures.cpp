// SPDX-License-Identifier: Zlib
#include <algorithm>
#include <cmath>

#include "pliant/shell/SurfacePoints.h"

namespace pliant {

namespace {

/// Corners and samples of edges that points are chosen among, at most: the time to choose goes with their number.
constexpr int mostCandidates = 40000;

/// What meets at a vertex.
struct VertexStar {
    std::vector<int> corners;     ///< 3t + k of the triangles around it
    std::vector<int> neighbours;  ///< other ends of its edges
    std::vector<int> sharpEnds;   ///< other ends of those that are sharp and convex
};

std::vector<VertexStar> vertexStars(const OrientedSurface& s) {
    std::vector<VertexStar> stars(static_cast<std::size_t>(s.points.cols()));
    for (int t = 0; t < s.triangleCount(); ++t)
        for (int k = 0; k < 3; ++k) stars[static_cast<std::size_t>(s.triangles(k, t))].corners.push_back(3 * t + k);
    for (const SurfaceEdge& e : s.edges)
        for (const auto& [from, to] : {std::pair(e.a, e.b), std::pair(e.b, e.a)}) {
            VertexStar& star = stars[static_cast<std::size_t>(from)];
            star.neighbours.push_back(to);
            if (e.turn > sharpTurn) star.sharpEnds.push_back(to);
        }
    return stars;
}

/// The mean of the normals of all smooth parts that meet at the vertex, each once, however it is triangulated.
Vector3 meanNormal(const SmoothSurface& smooth, const VertexStar& star) {
    std::vector<int> groups;
    for (const int c : star.corners) groups.push_back(smooth.cornerGroups[static_cast<std::size_t>(c)]);
    std::sort(groups.begin(), groups.end());
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    Vector3 sum = Vector3::Zero();
    for (const int g : groups) sum += smooth.cornerNormals.col(g);
    const double length = sum.norm();
    return length > 1e-6 ? Vector3(sum / length) : Vector3(smooth.cornerNormals.col(groups.front()));
}

enum class VertexKind { Other, Corner, OnEdge, Convex };

/// Whether all neighbours lie below the tangent plane, and some clearly.
bool isConvex(const OrientedSurface& s, int v, const VertexStar& star, const Vector3& normal) {
    double highest = -1.0, lowest = 1.0;  // sine of the angle to the tangent plane
    for (const int other : star.neighbours) {
        const Vector3 side = s.points.col(other) - s.points.col(v);
        const double rise = side.dot(normal) / side.norm();
        highest = std::max(highest, rise);
        lowest = std::min(lowest, rise);
    }
    return highest < 1e-3 && lowest < -0.01;
}

VertexKind kindOf(const OrientedSurface& s, int v, const VertexStar& star, const Vector3& normal) {
    if (star.corners.empty()) return VertexKind::Other;
    if (star.sharpEnds.size() == 2) {
        const Vector3 x = s.points.col(v);
        const Vector3 in = (x - s.points.col(star.sharpEnds[0])).normalized(),
                      out = (s.points.col(star.sharpEnds[1]) - x).normalized();
        if (in.dot(out) < std::cos(sharpTurn)) return VertexKind::Corner;
        return in.dot(out) < 0.9998 ? VertexKind::OnEdge : VertexKind::Other;  // straight: within a degree
    }
    if (!star.sharpEnds.empty()) return VertexKind::Corner;
    if (!isConvex(s, v, star, normal)) return VertexKind::Other;
    double steepest = 1.0;
    for (const int c : star.corners) steepest = std::min(steepest, normal.dot(s.normals.col(c / 3)));
    return steepest < std::cos(sharpTurn) ? VertexKind::Corner : VertexKind::Convex;  // the tip of a cone
}

void addVertex(const OrientedSurface& s, const VertexStar& star, const Vector3& normal, SurfacePoints& points) {
    points.add(s, star.corners.front() / 3, Vector3::Unit(star.corners.front() % 3), normal);
}

Vector3 edgeNormal(const OrientedSurface& s, const SmoothSurface& smooth, const SurfaceEdge& e, double at,
                   Vector3& weightsLeft) {
    Vector3 sum = Vector3::Zero();
    for (const int t : {e.left, e.right}) {
        Vector3 weights;
        for (int k = 0; k < 3; ++k)
            weights[k] = s.triangles(k, t) == e.a ? 1.0 - at : s.triangles(k, t) == e.b ? at : 0.0;
        sum += smooth.normalAt(t, weights);
        if (t == e.left) weightsLeft = weights;
    }
    const double norm = sum.norm();
    return norm > 1e-6 ? Vector3(sum / norm) : Vector3(s.normals.col(e.left));
}

/// Samples in the middle of parts of each edge that are no longer than `spacing`; of bodies with more edges than that
/// (thousands of leaves) every so many metres of all edges one after the other.
void sampleEdges(const OrientedSurface& s, const SmoothSurface& smooth, double spacing, SharpFeatures& features) {
    const auto lengthOf = [&s](const SurfaceEdge& e) { return (s.points.col(e.a) - s.points.col(e.b)).norm(); };
    double wanted = 0.0;
    for (const SurfaceEdge& e : s.edges) {
        if (e.turn <= sharpTurn) continue;
        features.edgeLength += lengthOf(e);
        wanted += std::max(1.0, std::ceil(lengthOf(e) / spacing));
    }
    const double apart = features.edgeLength / mostCandidates;
    double next = 0.5 * apart;  // m from the start of an edge to its next sample, where they are too many
    for (const SurfaceEdge& e : s.edges) {
        if (e.turn <= sharpTurn) continue;
        const double length = lengthOf(e);
        const auto add = [&](double at) {
            Vector3 left = Vector3::Zero();
            const Vector3 normal = edgeNormal(s, smooth, e, at, left);
            features.edges.add(s, e.left, left, normal);
        };
        if (wanted > mostCandidates) {
            for (; next < length; next += apart) add(next / length);
            next -= length;
        } else {
            const int count = std::max(1, static_cast<int>(std::ceil(length / spacing)));
            for (int i = 0; i < count; ++i) add((i + 0.5) / count);
        }
    }
}

}  // namespace

SharpFeatures findFeatures(const OrientedSurface& surface, const SmoothSurface& smooth, double spacing) {
    SharpFeatures features;
    const std::vector<VertexStar> stars = vertexStars(surface);
    std::vector<VertexKind> kinds;
    int corners = 0;
    Points normals = Points::Zero(3, surface.points.cols());
    for (int v = 0; v < surface.points.cols(); ++v) {
        const VertexStar& star = stars[static_cast<std::size_t>(v)];
        if (!star.corners.empty()) normals.col(v) = meanNormal(smooth, star);
        kinds.push_back(kindOf(surface, v, star, normals.col(v)));
        corners += kinds.back() == VertexKind::Corner ? 1 : 0;
    }
    const int each = 1 + corners / mostCandidates;  // of so many corners one
    for (const VertexKind wanted : {VertexKind::Corner, VertexKind::OnEdge, VertexKind::Convex}) {
        SurfacePoints& points = wanted == VertexKind::Corner ? features.corners : features.convexVertices;
        const int stride = wanted == VertexKind::Corner ? each : 1;
        int number = 0;
        for (int v = 0; v < surface.points.cols(); ++v)
            if (kinds[static_cast<std::size_t>(v)] == wanted && number++ % stride == 0)
                addVertex(surface, stars[static_cast<std::size_t>(v)], normals.col(v), points);
        if (wanted == VertexKind::OnEdge) features.onEdges = points.count();
    }
    sampleEdges(surface, smooth, spacing, features);
    for (SurfacePoints* points : {&features.corners, &features.convexVertices, &features.edges}) points->trim();
    return features;
}

}  // namespace pliant
