// SPDX-License-Identifier: Zlib
#include "pliant/shell/OrientedSurface.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "pliant/math/Error.h"

namespace pliant {

namespace {

/// Number of the joined vertex of every drawn one; vertices are numbered as they first appear.
std::vector<int> joinVertices(const Points& x, double size, Points& points) {
    const Vector3 lower = x.rowwise().minCoeff();
    std::map<std::array<std::int64_t, 3>, int> known;
    std::vector<int> number(static_cast<std::size_t>(x.cols()));
    points.resize(3, x.cols());
    for (Eigen::Index v = 0; v < x.cols(); ++v) {
        std::array<std::int64_t, 3> key{};
        for (int k = 0; k < 3; ++k)
            key[static_cast<std::size_t>(k)] = std::llround((x(k, v) - lower[k]) / (1e-6 * size));
        const auto [at, isNew] = known.try_emplace(key, static_cast<int>(known.size()));
        number[static_cast<std::size_t>(v)] = at->second;
        if (isNew) points.col(at->second) = x.col(v);
    }
    points.conservativeResize(3, static_cast<Eigen::Index>(known.size()));
    return number;
}

/// A triangle's side, by its two ends in ascending order.
struct EdgeSide {
    int a, b, triangle;
    bool forward;  ///< whether the triangle runs from a to b
};

std::vector<EdgeSide> sortedSides(const Triangles& triangles) {
    std::vector<EdgeSide> sides;
    sides.reserve(static_cast<std::size_t>(3 * triangles.cols()));
    for (int t = 0; t < triangles.cols(); ++t)
        for (int k = 0; k < 3; ++k) {
            const int from = triangles(k, t), to = triangles((k + 1) % 3, t);
            sides.push_back({std::min(from, to), std::max(from, to), t, from < to});
        }
    std::sort(sides.begin(), sides.end(), [](const EdgeSide& l, const EdgeSide& r) {
        return l.a != r.a ? l.a < r.a : l.b != r.b ? l.b < r.b : l.triangle < r.triangle;
    });
    return sides;
}

/// Turns triangles so that neighbours run through their edge in opposite directions. @return part of every triangle
std::vector<int> alignNeighbours(const std::vector<EdgeSide>& sides, OrientedSurface& s) {
    const auto m = static_cast<std::size_t>(s.triangleCount());
    std::vector<std::vector<std::pair<int, bool>>> neighbours(m);  // triangle, and whether both agree as they are
    for (std::size_t i = 0; i < sides.size();) {
        std::size_t end = i;
        while (end < sides.size() && sides[end].a == sides[i].a && sides[end].b == sides[i].b) ++end;
        if (end - i == 2) {
            const EdgeSide &l = sides[i], &r = sides[i + 1];
            neighbours[static_cast<std::size_t>(l.triangle)].emplace_back(r.triangle, l.forward != r.forward);
            neighbours[static_cast<std::size_t>(r.triangle)].emplace_back(l.triangle, l.forward != r.forward);
        }
        if ((end - i) % 2 != 0) {
            ++s.borderEdges;
            s.border = 0.5 * (s.points.col(sides[i].a) + s.points.col(sides[i].b));
        }
        i = end;
    }
    std::vector<int> part(m, -1), open;
    std::vector<char> turned(m, 0);
    int parts = 0;
    for (std::size_t first = 0; first < m; ++first) {
        if (part[first] >= 0) continue;
        open.assign(1, static_cast<int>(first));
        part[first] = parts;
        while (!open.empty()) {
            const auto t = static_cast<std::size_t>(open.back());
            open.pop_back();
            for (const auto& [other, agree] : neighbours[t]) {
                const auto o = static_cast<std::size_t>(other);
                if (part[o] >= 0) continue;
                part[o] = parts;
                turned[o] = agree ? turned[t] : !turned[t];
                open.push_back(other);
            }
        }
        ++parts;
    }
    for (std::size_t t = 0; t < m; ++t)
        if (turned[t]) {
            s.triangles.col(static_cast<Eigen::Index>(t)).tail<2>().reverseInPlace();
            s.drawn.col(static_cast<Eigen::Index>(t)).tail<2>().reverseInPlace();
        }
    return part;
}

/// The volume that a part encloses is positive where it is turned outward.
void turnOutward(const std::vector<int>& part, OrientedSurface& s) {
    const int parts = *std::max_element(part.begin(), part.end()) + 1;
    std::vector<double> volume(static_cast<std::size_t>(parts), 0.0);
    const Vector3 origin = s.points.rowwise().mean();
    for (int t = 0; t < s.triangleCount(); ++t) {
        const auto x = [&](int k) -> Vector3 { return s.points.col(s.triangles(k, t)) - origin; };
        volume[static_cast<std::size_t>(part[static_cast<std::size_t>(t)])] += x(0).dot(x(1).cross(x(2))) / 6.0;
    }
    for (int t = 0; t < s.triangleCount(); ++t)
        if (volume[static_cast<std::size_t>(part[static_cast<std::size_t>(t)])] < 0.0) {
            s.triangles.col(t).tail<2>().reverseInPlace();
            s.drawn.col(t).tail<2>().reverseInPlace();
        }
    for (const double v : volume) s.volume += std::abs(v);
}

void addFaces(OrientedSurface& s) {
    const int m = s.triangleCount();
    s.normals.resize(3, m);
    s.areas.resize(m);
    for (int t = 0; t < m; ++t) {
        const Vector3 a = s.points.col(s.triangles(0, t));
        const Vector3 n = (s.points.col(s.triangles(1, t)) - a).cross(Vector3(s.points.col(s.triangles(2, t)) - a));
        s.areas[t] = 0.5 * n.norm();
        s.normals.col(t) = s.areas[t] > 1e-14 * s.diagonal * s.diagonal ? Vector3(n.normalized()) : Vector3::Zero();
    }
}

/// A triangle without area has no normal of its own: it takes that of the neighbour across its longest side.
void lendNormals(OrientedSurface& s) {
    std::map<int, double> longest;
    for (const SurfaceEdge& e : s.edges)
        for (const auto& [t, other] : {std::pair(e.left, e.right), std::pair(e.right, e.left)}) {
            if (s.areas[t] > 1e-14 * s.diagonal * s.diagonal) continue;
            const double length = (s.points.col(e.a) - s.points.col(e.b)).norm();
            double& known = longest.try_emplace(t, -1.0).first->second;
            if (length > known && s.areas[other] > 1e-14 * s.diagonal * s.diagonal) {
                known = length;
                s.normals.col(t) = s.normals.col(other);
            }
        }
}

void addEdges(OrientedSurface& s) {
    const std::vector<EdgeSide> sides = sortedSides(s.triangles);
    for (std::size_t i = 0; i < sides.size();) {
        std::size_t end = i;
        while (end < sides.size() && sides[end].a == sides[i].a && sides[end].b == sides[i].b) ++end;
        if (end - i == 2 && sides[i].forward != sides[i + 1].forward) {
            const bool first = sides[i].forward;
            s.edges.push_back(
                {sides[i].a, sides[i].b, sides[first ? i : i + 1].triangle, sides[first ? i + 1 : i].triangle, 0.0});
        }
        i = end;
    }
    lendNormals(s);
    for (SurfaceEdge& e : s.edges) {
        const Vector3 l = s.normals.col(e.left), r = s.normals.col(e.right);
        const Vector3 along = (s.points.col(e.b) - s.points.col(e.a)).normalized();
        e.turn = std::atan2(l.cross(r).dot(along), l.dot(r));
    }
}

}  // namespace

OrientedSurface orientSurface(const SurfaceMesh& surface) {
    const std::string where = "surface points";
    if (surface.triangleCount() == 0) throw Error(where, "the surface has no triangles");
    if (surface.triangles.minCoeff() < 0 || surface.triangles.maxCoeff() >= surface.vertexCount())
        throw Error(where, "a triangle refers to a vertex that does not exist");
    if (!surface.positions.allFinite()) throw Error(where, "a surface vertex is not finite");
    OrientedSurface s;
    s.diagonal = (surface.positions.rowwise().maxCoeff() - surface.positions.rowwise().minCoeff()).norm();
    if (!(s.diagonal > 0.0)) throw Error(where, "no triangle of the surface has an area");
    const std::vector<int> number = joinVertices(surface.positions, s.diagonal, s.points);
    s.triangles.resize(3, surface.triangleCount());
    s.drawn.resize(3, surface.triangleCount());
    int m = 0;
    for (int t = 0; t < surface.triangleCount(); ++t) {
        Eigen::Vector3i corners;
        for (int k = 0; k < 3; ++k) corners[k] = number[static_cast<std::size_t>(surface.triangles(k, t))];
        if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]) continue;
        s.triangles.col(m) = corners;
        s.drawn.col(m++) = surface.triangles.col(t);
    }
    s.triangles.conservativeResize(3, m);
    s.drawn.conservativeResize(3, m);
    if (m == 0) throw Error(where, "no triangle of the surface has an area");
    turnOutward(alignNeighbours(sortedSides(s.triangles), s), s);
    addFaces(s);
    if (!(s.areas.sum() > 1e-12 * s.diagonal * s.diagonal))
        throw Error(where, "no triangle of the surface has an area");
    addEdges(s);
    return s;
}

}  // namespace pliant
