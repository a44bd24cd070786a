// SPDX-License-Identifier: Zlib
#include "pliant/mesh/formats/CloseSeams.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "pliant/mesh/ClosedSurface.h"
#include "pliant/mesh/SurfaceNormals.h"

namespace pliant {
namespace {

/// Surfaces with more open edges are not torn at seams: they have no inside.
constexpr std::size_t kMostOpen = 50000;

/// The side of a triangle from corner c to the next one.
struct OpenSide {
    int triangle, corner;
};

/// A vertex in an open side: how far along, and where.
struct Inserted {
    double share;
    Vector3 position;
};

class Seams {
public:
    Seams(SurfaceMesh& mesh, double tolerance) : m_mesh(mesh), m_tolerance(tolerance) {}

    ClosedSeams close() {
        ClosedSeams done;
        const bool isToClose = findOpen();
        if (m_open.size() > kMostOpen) done.tooMany = static_cast<int>(m_open.size());
        if (!isToClose) return done;
        done.moved = weld();
        for (int pass = 0; pass < 3 && findOpen(); ++pass) {  // a triangle may have three sides to split
            const int split = splitSides();
            done.split += split;
            if (split == 0) break;
        }
        return done;
    }

private:
    int vertex(const OpenSide& side, int corner) const {
        return m_mesh.triangles((side.corner + corner) % 3, side.triangle);
    }

    /// @return whether there are open sides, and few enough
    bool findOpen() {
        int places = 0;
        m_place = positionNumbers(m_mesh.positions, places);
        std::vector<std::pair<std::array<int, 2>, OpenSide>> sides;
        for (int t = 0; t < m_mesh.triangleCount(); ++t)
            for (int c = 0; c < 3; ++c) {
                const int a = m_place[static_cast<std::size_t>(m_mesh.triangles(c, t))],
                          b = m_place[static_cast<std::size_t>(m_mesh.triangles((c + 1) % 3, t))];
                sides.push_back({{std::min(a, b), std::max(a, b)}, {t, c}});
            }
        std::stable_sort(sides.begin(), sides.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        m_open.clear();
        for (std::size_t i = 0, j = 0; i < sides.size(); i = j) {
            for (j = i; j < sides.size() && sides[j].first == sides[i].first;) ++j;
            if ((j - i) % 2 != 0) m_open.push_back(sides[i].second);
        }
        return !m_open.empty() && m_open.size() <= kMostOpen;
    }

    std::vector<int> openVertices() const {
        std::vector<int> vertices;
        for (const OpenSide& side : m_open)
            for (int end = 0; end < 2; ++end) vertices.push_back(vertex(side, end));
        std::sort(vertices.begin(), vertices.end());
        vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
        return vertices;
    }

    int weld() {
        const std::vector<int> open = openVertices();
        const Points x = m_mesh.positions(Eigen::all, open);
        const std::vector<int> first = firstAtPlace(x, m_tolerance);
        std::vector<int> movedTo(static_cast<std::size_t>(m_mesh.vertexCount()),
                                 -1);  // by place: the vertex whose position it takes
        for (std::size_t i = 0; i < open.size(); ++i)
            movedTo[placeOf(open[i])] = open[static_cast<std::size_t>(first[i])];
        int moved = 0;
        const Points before = m_mesh.positions;
        for (int v = 0; v < m_mesh.vertexCount(); ++v) {
            const int to = movedTo[placeOf(v)];
            if (to < 0 || before.col(v) == before.col(to)) continue;
            m_mesh.positions.col(v) = before.col(to);
            ++moved;
        }
        if (moved > 0) dropCollapsed();
        return moved;
    }

    void dropCollapsed() {
        const auto at = [&](int c, int t) { return m_mesh.positions.col(m_mesh.triangles(c, t)); };
        int kept = 0;
        for (int t = 0; t < m_mesh.triangleCount(); ++t) {
            if (at(0, t) == at(1, t) || at(1, t) == at(2, t) || at(2, t) == at(0, t)) continue;
            m_mesh.triangles.col(kept) = m_mesh.triangles.col(t).eval();
            const auto from = static_cast<std::size_t>(t), to = static_cast<std::size_t>(kept++);
            m_mesh.triangleMaterial[to] = m_mesh.triangleMaterial[from];
            if (!m_mesh.triangleGroup.empty()) m_mesh.triangleGroup[to] = m_mesh.triangleGroup[from];
        }
        m_mesh.triangles.conservativeResize(3, kept);
        m_mesh.triangleMaterial.resize(static_cast<std::size_t>(kept));
        if (!m_mesh.triangleGroup.empty()) m_mesh.triangleGroup.resize(static_cast<std::size_t>(kept));
    }

    /// @return the number of sides that were split, one of a triangle at most
    int splitSides() {
        std::vector<std::pair<double, int>> sorted;  // ends of open sides, one of each place, by how far along
        std::vector<bool> known(static_cast<std::size_t>(m_mesh.vertexCount()), false);
        for (const int v : openVertices()) {
            if (known[placeOf(v)]) continue;
            known[placeOf(v)] = true;
            sorted.emplace_back(along(m_mesh.positions.col(v)), v);
        }
        std::sort(sorted.begin(), sorted.end());
        std::vector<bool> isSplit(static_cast<std::size_t>(m_mesh.triangleCount()), false);
        int split = 0;
        for (const OpenSide& side : m_open) {
            if (isSplit[static_cast<std::size_t>(side.triangle)]) continue;
            const std::vector<Inserted> inside = verticesIn(side, sorted);
            if (inside.empty()) continue;
            isSplit[static_cast<std::size_t>(side.triangle)] = true;
            insert(side, inside);
            ++split;
        }
        return split;
    }

    /// Along an axis of the file whole walls have the same coordinate; hardly any have it along this direction.
    static double along(const Vector3& x) { return x.dot(Vector3(0.48, 0.6, 0.64)); }

    std::vector<Inserted> verticesIn(const OpenSide& side, const std::vector<std::pair<double, int>>& sorted) const {
        const Vector3 a = m_mesh.positions.col(vertex(side, 0)), b = m_mesh.positions.col(vertex(side, 1)), ab = b - a;
        const Vector3 lower = a.cwiseMin(b).array() - m_tolerance, upper = a.cwiseMax(b).array() + m_tolerance;
        std::vector<Inserted> inside;
        const auto [first, last] = std::minmax({along(a), along(b)});
        for (auto at = std::lower_bound(sorted.begin(), sorted.end(), std::pair(first - m_tolerance, -1));
             at != sorted.end() && at->first <= last + m_tolerance; ++at) {
            const Vector3 x = m_mesh.positions.col(at->second);
            if ((x.array() < lower.array()).any() || (x.array() > upper.array()).any() || x == a || x == b) continue;
            const double share = (x - a).dot(ab) / ab.squaredNorm();
            if (share > 0.0 && share < 1.0 && (a + share * ab - x).norm() <= m_tolerance) inside.push_back({share, x});
        }
        std::sort(inside.begin(), inside.end(), [](const auto& p, const auto& q) { return p.share < q.share; });
        return inside;
    }

    /// A fan from the opposite corner in place of the triangle.
    void insert(const OpenSide& side, const std::vector<Inserted>& inside) {
        const int a = vertex(side, 0), b = vertex(side, 1), opposite = vertex(side, 2);
        const auto count = static_cast<Eigen::Index>(inside.size());
        const Eigen::Index firstVertex = m_mesh.positions.cols(), firstTriangle = m_mesh.triangles.cols();
        const auto append = [&](auto& columns) {
            if (columns.cols() != firstVertex) return;  // the mesh has none
            columns.conservativeResize(Eigen::NoChange, firstVertex + count);
            for (Eigen::Index i = 0; i < count; ++i) {
                using Number = typename std::decay_t<decltype(columns)>::Scalar;
                const auto share = static_cast<Number>(inside[static_cast<std::size_t>(i)].share);
                columns.col(firstVertex + i) = (Number(1) - share) * columns.col(a) + share * columns.col(b);
            }
        };
        append(m_mesh.normals);
        append(m_mesh.texcoords);
        append(m_mesh.colours);
        append(m_mesh.positions);
        const Vector3 x = m_mesh.positions.col(a), ab = m_mesh.positions.col(b) - x;
        for (Eigen::Index v = firstVertex; v < m_mesh.normals.cols(); ++v) {
            const double length = m_mesh.normals.col(v).norm();
            // Nothing is left halfway between opposite ones.
            m_mesh.normals.col(v) = length > 1e-6 ? Vector3(m_mesh.normals.col(v) / length)
                                                  : ab.cross(m_mesh.positions.col(opposite) - x).normalized();
        }
        m_mesh.triangles.conservativeResize(3, firstTriangle + count);
        int from = a;
        for (Eigen::Index i = 0; i <= count; ++i) {
            const int to = i < count ? static_cast<int>(firstVertex + i) : b;
            if (i < count) m_mesh.positions.col(to) = inside[static_cast<std::size_t>(i)].position;
            m_mesh.triangles.col(i < count ? firstTriangle + i : side.triangle) = Eigen::Vector3i(from, to, opposite);
            from = to;
        }
        const auto t = static_cast<std::size_t>(side.triangle);
        m_mesh.triangleMaterial.insert(m_mesh.triangleMaterial.end(), inside.size(), m_mesh.triangleMaterial[t]);
        if (!m_mesh.triangleGroup.empty())
            m_mesh.triangleGroup.insert(m_mesh.triangleGroup.end(), inside.size(), m_mesh.triangleGroup[t]);
    }

    std::size_t placeOf(int v) const { return static_cast<std::size_t>(m_place[static_cast<std::size_t>(v)]); }

    SurfaceMesh& m_mesh;
    double m_tolerance;
    std::vector<int> m_place;
    std::vector<OpenSide> m_open;
};

}  // namespace

ClosedSeams closeSeams(SurfaceMesh& mesh, double tolerance) {
    return Seams(mesh, tolerance).close();
}

}  // namespace pliant
