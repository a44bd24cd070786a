// SPDX-License-Identifier: Zlib
#include "pliant/skeleton/SampledSurface.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "pliant/math/Error.h"

namespace pliant {

namespace {

using Triangle = std::array<int, 3>;

/// Positions that agree to 1e-6 of the surface's size become one vertex; triangles without area are dropped.
class JoinedSurface {
public:
    explicit JoinedSurface(const SurfaceMesh& surface) {
        const Points& x = surface.positions;
        const Vector3 lower = x.rowwise().minCoeff();
        const double size = (x.rowwise().maxCoeff() - lower).norm();
        std::map<std::array<std::int64_t, 3>, int> known;
        std::vector<int> number(static_cast<std::size_t>(x.cols()), -1);
        const auto joined = [&](int v) {
            int& n = number[static_cast<std::size_t>(v)];
            if (n >= 0) return n;
            std::array<std::int64_t, 3> key{};
            for (int k = 0; k < 3; ++k)
                key[static_cast<std::size_t>(k)] = std::llround((x(k, v) - lower[k]) / (1e-6 * size));
            const auto [at, isNew] = known.try_emplace(key, static_cast<int>(points.size()));
            if (isNew) {
                points.push_back(x.col(v));
                drawnNormals.push_back(Vector3::Zero());
            }
            if (surface.normals.cols() == x.cols() && surface.normals.col(v).allFinite())
                drawnNormals[static_cast<std::size_t>(at->second)] += surface.normals.col(v);
            return n = at->second;
        };
        for (int t = 0; t < surface.triangleCount(); ++t) {
            const Vector3 a = x.col(surface.triangles(0, t)), b = x.col(surface.triangles(1, t)),
                          c = x.col(surface.triangles(2, t));
            if (!((b - a).cross(c - a).norm() > 1e-12 * size * size)) continue;
            const Triangle corners{joined(surface.triangles(0, t)), joined(surface.triangles(1, t)),
                                   joined(surface.triangles(2, t))};
            if (corners[0] != corners[1] && corners[1] != corners[2] && corners[2] != corners[0])
                triangles.push_back(corners);
        }
    }

    std::vector<Vector3> points;
    std::vector<Vector3> drawnNormals;  ///< sum over the drawn vertices at a point
    std::vector<Triangle> triangles;
};

/// Parts that hang together by vertices; turns the triangles of closed parts that are inside out.
class Parts {
public:
    explicit Parts(JoinedSurface& surface) : m_parent(surface.points.size()) {
        std::iota(m_parent.begin(), m_parent.end(), 0);
        for (const Triangle& t : surface.triangles)
            for (std::size_t k = 1; k < 3; ++k) join(t[0], t[k]);
        closed.assign(m_parent.size(), 1);
        trusted.assign(m_parent.size(), 1);
        countEdges(surface);
        orient(surface);
    }

    int of(int vertex) {
        while (m_parent[static_cast<std::size_t>(vertex)] != vertex) {
            int& parent = m_parent[static_cast<std::size_t>(vertex)];
            parent = m_parent[static_cast<std::size_t>(parent)];  // halves the way for the next one who asks
            vertex = parent;
        }
        return vertex;
    }

    std::vector<char> closed, trusted;  ///< by part number

private:
    void join(int a, int b) {
        a = of(a);
        b = of(b);
        m_parent[static_cast<std::size_t>(std::max(a, b))] = std::min(a, b);
    }

    void countEdges(const JoinedSurface& surface) {
        std::map<std::pair<int, int>, std::array<int, 2>> uses;  // of an edge, in its two directions
        for (const Triangle& t : surface.triangles)
            for (std::size_t k = 0; k < 3; ++k) {
                const int a = t[k], b = t[(k + 1) % 3];
                ++uses[{std::min(a, b), std::max(a, b)}][a < b ? 0 : 1];
            }
        for (const auto& [edge, count] : uses) {
            const std::size_t part = static_cast<std::size_t>(of(edge.first));
            if ((count[0] + count[1]) % 2 != 0) closed[part] = 0;
            if (count[0] != count[1]) trusted[part] = 0;
        }
    }

    void orient(JoinedSurface& surface) {
        std::vector<double> volume(m_parent.size(), 0.0);
        for (const Triangle& t : surface.triangles) {
            const std::size_t part = static_cast<std::size_t>(of(t[0]));
            const Vector3 origin = surface.points[part];
            const auto x = [&](std::size_t k) -> Vector3 {
                return surface.points[static_cast<std::size_t>(t[k])] - origin;
            };
            volume[part] += x(0).dot(x(1).cross(x(2)));
        }
        for (Triangle& t : surface.triangles) {
            const std::size_t part = static_cast<std::size_t>(of(t[0]));
            if (trusted[part] && volume[part] < 0.0) std::swap(t[1], t[2]);
        }
    }

    std::vector<int> m_parent;
};

/// A triangle that is lower than this share of the spacing over its longest edge is cut across alone.
constexpr double kThin = 0.75;

/// Halves the longest edge of triangles until no edge is longer than `spacing`, or, in thin ones, than that and a
/// quarter. An edge that two triangles share is cut in both at the same points, so the pieces stay neighbours. Halves
/// of a long thin triangle are as thin as it is, whatever their length: cut like the others, the sides of a stick of
/// four hundred millimetres would give a hundred thousand pieces.
class Cutter {
public:
    Cutter(std::vector<Vector3>& points, std::vector<Triangle>& triangles, std::vector<int>& part, double spacing)
        : m_points(points), m_triangles(triangles), m_part(part), m_spacing(spacing) {
        std::vector<Triangle> open, next;
        open.swap(triangles);
        while (!open.empty()) {
            next.clear();
            for (const Triangle& t : open) cut(t, next);
            open.swap(next);
        }
    }

private:
    void cut(const Triangle& t, std::vector<Triangle>& next) {
        std::size_t longest = 0;
        double length = -1.0;
        for (std::size_t k = 0; k < 3; ++k)
            if (const double l = distance(t[k], t[(k + 1) % 3]); l > length * (1.0 + 1e-12)) {
                length = l;
                longest = k;
            }
        if (length <= m_spacing) {
            m_triangles.push_back(t);
            return;
        }
        const int a = t[longest], b = t[(longest + 1) % 3], c = t[(longest + 2) % 3];
        const double height = (point(b) - point(a)).cross(point(c) - point(a)).norm() / length;
        if (height <= kThin * m_spacing) {
            cutAcross(a, b, c);
            return;
        }
        const int m = middle(a, b);
        next.push_back({a, m, c});
        next.push_back({m, b, c});
    }

    /// Joins the points of the longest edge, from a to b, with those of the way round by c, in their order along it.
    void cutAcross(int a, int b, int c) {
        std::vector<int> base{a}, round{a};
        listPoints(a, b, base);
        listPoints(a, c, round);
        listPoints(c, b, round);
        const Vector3 along = point(b) - point(a);
        const auto at = [&](int i) { return along.dot(point(i)); };
        std::size_t i = 1, j = 1;
        m_triangles.push_back({a, base[1], round[1]});
        while (i + 2 < base.size() || j + 2 < round.size()) {
            const bool goesAlong = j + 2 >= round.size() || (i + 2 < base.size() && at(base[i + 1]) < at(round[j + 1]));
            const int next = goesAlong ? base[i + 1] : round[j + 1];
            m_triangles.push_back({base[i], next, round[j]});
            ++(goesAlong ? i : j);
        }
        m_triangles.push_back({base[i], b, round[j]});
    }

    /// Appends the points that the edge is cut at, and its end.
    void listPoints(int from, int to, std::vector<int>& out) {
        if (distance(from, to) > m_spacing) {
            const int m = middle(from, to);
            listPoints(from, m, out);
            listPoints(m, to, out);
        } else {
            out.push_back(to);
        }
    }

    const Vector3& point(int i) const { return m_points[static_cast<std::size_t>(i)]; }
    double distance(int a, int b) const { return (point(a) - point(b)).norm(); }

    int middle(int a, int b) {
        const auto [at, isNew] =
            m_middle.try_emplace({std::min(a, b), std::max(a, b)}, static_cast<int>(m_points.size()));
        if (isNew) {
            m_points.push_back(0.5 * (point(a) + point(b)));
            m_part.push_back(m_part[static_cast<std::size_t>(a)]);
        }
        return at->second;
    }

    std::vector<Vector3>& m_points;
    std::vector<Triangle>& m_triangles;
    std::vector<int>& m_part;
    double m_spacing;
    std::map<std::pair<int, int>, int> m_middle;
};

/// Angle-weighted vertex normals. Where orientation is not to be trusted, triangles are turned to agree with what has
/// been summed so far: the line of the normal then means something, its sign does not.
void addNormals(const std::vector<Triangle>& triangles, SampledSurface& s) {
    s.normals.setZero(3, s.count());
    const int corners = s.cornerCount;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const Triangle& c = triangles[t];
        const Vector3 a = s.points.col(c[0]);
        const Vector3 n = (s.points.col(c[1]) - a).cross(s.points.col(c[2]) - a).normalized();
        for (std::size_t k = 0; k < 3; ++k) {
            const Vector3 e1 = s.points.col(c[(k + 1) % 3]) - s.points.col(c[k]);
            const Vector3 e2 = s.points.col(c[(k + 2) % 3]) - s.points.col(c[k]);
            const double angle = std::atan2(e1.cross(e2).norm(), e1.dot(e2));
            const bool turn = !s.trusted[static_cast<std::size_t>(c[k])] && n.dot(s.normals.col(c[k])) < 0.0;
            s.normals.col(c[k]) += (turn ? -angle : angle) * n;
        }
        s.normals.col(corners + static_cast<int>(t)) = n;
    }
    for (int i = 0; i < corners; ++i) {
        const double length = s.normals.col(i).norm();
        s.normals.col(i) = length > 1e-9 ? Vector3(s.normals.col(i) / length) : Vector3(Vector3::UnitZ());
    }
}

/// The drawn normals are those of the smooth surface that the triangles stand for: better than the triangles' own where
/// both agree to 25 degrees (up to the sign).
void preferDrawnNormals(const std::vector<Vector3>& drawn, SampledSurface& s) {
    for (int i = 0; i < s.vertexCount; ++i) {
        const Vector3& n = drawn[static_cast<std::size_t>(i)];
        const double along = n.dot(s.normals.col(i)), length = n.norm();
        if (length > 1e-9 && std::abs(along) > 0.9 * length) s.normals.col(i) = n / (along > 0.0 ? length : -length);
    }
}

void addEdges(const std::vector<Triangle>& triangles, SampledSurface& s) {
    std::vector<std::pair<int, int>> edges;
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (std::size_t k = 0; k < 3; ++k) {
            const int a = triangles[t][k], b = triangles[t][(k + 1) % 3];
            edges.emplace_back(std::min(a, b), std::max(a, b));
            edges.emplace_back(a, s.cornerCount + static_cast<int>(t));
        }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    s.edges.resize(2, static_cast<Eigen::Index>(edges.size()));
    for (std::size_t e = 0; e < edges.size(); ++e)
        s.edges.col(static_cast<Eigen::Index>(e)) << edges[e].first, edges[e].second;
}

}  // namespace

SampledSurface sampleSurface(const SurfaceMesh& surface, double spacing) {
    if (surface.vertexCount() == 0 || !surface.positions.allFinite())
        throw Error("contact skeleton", "the surface has no vertices or some that are not finite");
    JoinedSurface joined(surface);
    if (joined.triangles.empty()) throw Error("contact skeleton", "no triangle of the surface has an area");
    Parts parts(joined);

    SampledSurface s;
    s.vertexCount = static_cast<int>(joined.points.size());
    std::vector<int> part(joined.points.size());
    for (int v = 0; v < s.vertexCount; ++v) part[static_cast<std::size_t>(v)] = parts.of(v);
    Cutter(joined.points, joined.triangles, part, spacing);
    s.cornerCount = static_cast<int>(joined.points.size());

    const int triangles = static_cast<int>(joined.triangles.size());
    s.points.resize(3, s.cornerCount + triangles);
    for (int v = 0; v < s.cornerCount; ++v) s.points.col(v) = joined.points[static_cast<std::size_t>(v)];
    s.triangles.resize(3, triangles);
    for (int t = 0; t < triangles; ++t) {
        const Triangle& c = joined.triangles[static_cast<std::size_t>(t)];
        s.triangles.col(t) << c[0], c[1], c[2];
        s.points.col(s.cornerCount + t) = (s.points.col(c[0]) + s.points.col(c[1]) + s.points.col(c[2])) / 3.0;
        part.push_back(part[static_cast<std::size_t>(c[0])]);
    }
    for (int p : part) {
        s.trusted.push_back(parts.trusted[static_cast<std::size_t>(p)]);
        s.closed.push_back(parts.closed[static_cast<std::size_t>(p)]);
    }
    addNormals(joined.triangles, s);
    preferDrawnNormals(joined.drawnNormals, s);
    addEdges(joined.triangles, s);
    return s;
}

}  // namespace pliant
