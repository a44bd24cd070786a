// SPDX-License-Identifier: Zlib
#include "pliant/mesh/formats/Creases.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "pliant/math/DisjointSets.h"
#include "pliant/mesh/SurfaceNormals.h"

namespace pliant {
namespace {

/// An edge of a triangle between two positions, a < b, with the triangle's corners there: corner c of triangle t is
/// 3 t + c.
struct CornerEdge {
    int a, b, cornerA, cornerB;
    bool operator<(const CornerEdge& other) const {
        return std::array{a, b, cornerA} < std::array{other.a, other.b, other.cornerA};
    }
};

/// Corners of triangles that share a normal.
class SmoothCorners {
public:
    SmoothCorners(const SurfaceMesh& mesh, double degrees)
        : m_mesh(mesh),
          m_leastCosine(std::cos(degrees * (std::acos(-1.0) / 180.0)) - 1e-9),
          m_sets(3 * static_cast<std::size_t>(mesh.triangleCount())) {
        m_place = positionNumbers(mesh.positions, m_places);
        m_normals.setZero(3, mesh.triangleCount());
        for (int t = 0; t < mesh.triangleCount(); ++t) {
            const Vector3 cross = edge(t, 0, 1).cross(edge(t, 0, 2));
            if (cross.norm() > 0.0) m_normals.col(t) = cross.normalized();
        }
        joinAcrossEdges();
    }

    int places() const { return m_places; }
    int place(int corner) const { return m_place[static_cast<std::size_t>(vertex(corner))]; }
    int vertex(int corner) const { return m_mesh.triangles(corner % 3, corner / 3); }
    int group(int corner) { return m_sets.lowest(corner); }

    /// The triangle's normal times its angle at the corner.
    Vector3 weightedNormal(int corner) const {
        const int t = corner / 3, c = corner % 3;
        const Vector3 first = edge(t, c, (c + 1) % 3), second = edge(t, c, (c + 2) % 3);
        return std::atan2(first.cross(second).norm(), first.dot(second)) * m_normals.col(t);
    }

private:
    Vector3 edge(int t, int from, int to) const {
        return m_mesh.positions.col(m_mesh.triangles(to, t)) - m_mesh.positions.col(m_mesh.triangles(from, t));
    }

    /// Triangles without area have no plane to meet at an angle.
    bool isSmooth(int t, int other) const {
        const Vector3 n = m_normals.col(t), m = m_normals.col(other);
        return n.isZero(0.0) || m.isZero(0.0) || n.dot(m) >= m_leastCosine;
    }

    void joinAcrossEdges() {
        std::vector<CornerEdge> edges;
        for (int t = 0; t < m_mesh.triangleCount(); ++t)
            for (int c = 0; c < 3; ++c) {
                const int first = 3 * t + c, second = 3 * t + (c + 1) % 3;
                const int a = place(first), b = place(second);
                if (a < b) edges.push_back({a, b, first, second});
                if (b < a) edges.push_back({b, a, second, first});
            }
        std::sort(edges.begin(), edges.end());
        for (std::size_t i = 0; i < edges.size(); ++i)
            for (std::size_t j = i + 1; j < edges.size() && edges[j].a == edges[i].a && edges[j].b == edges[i].b; ++j) {
                if (!isSmooth(edges[i].cornerA / 3, edges[j].cornerA / 3)) continue;
                m_sets.join(edges[i].cornerA, edges[j].cornerA);
                m_sets.join(edges[i].cornerB, edges[j].cornerB);
            }
    }

    const SurfaceMesh& m_mesh;
    double m_leastCosine;
    DisjointSets m_sets;
    std::vector<int> m_place;
    int m_places = 0;
    Points m_normals;
};

template <class Values>
void appendCopies(Values& values, const std::vector<int>& originals) {
    if (values.cols() == 0) return;
    const Eigen::Index n = values.cols();
    values.conservativeResize(Eigen::NoChange, n + static_cast<Eigen::Index>(originals.size()));
    for (std::size_t i = 0; i < originals.size(); ++i)
        values.col(n + static_cast<Eigen::Index>(i)) = values.col(originals[i]);
}

/// Which vertices become several, and what is appended for them.
struct Splitting {
    std::vector<int> originals;            ///< of every vertex that is appended
    std::vector<std::array<int, 2>> ends;  ///< vertices of positions with several groups, and the group of each
    Triangles triangles;                   ///< with the new numbers
};

/// @param groups number of groups at every position
Splitting splitVertices(const SurfaceMesh& mesh, SmoothCorners& corners, const std::vector<int>& groups) {
    Splitting split;
    split.triangles = mesh.triangles;
    std::map<std::array<int, 2>, int> number;  // of a vertex in a group
    std::vector<bool> taken(static_cast<std::size_t>(mesh.vertexCount()), false);
    for (int i = 0; i < 3 * mesh.triangleCount(); ++i) {
        if (groups[static_cast<std::size_t>(corners.place(i))] == 1) continue;
        const int v = corners.vertex(i), group = corners.group(i);
        const auto [at, isNew] = number.try_emplace({v, group}, v);
        if (isNew && taken[static_cast<std::size_t>(v)]) {
            at->second = mesh.vertexCount() + static_cast<int>(split.originals.size());
            split.originals.push_back(v);
        }
        taken[static_cast<std::size_t>(v)] = true;
        if (isNew) split.ends.push_back({at->second, group});
        split.triangles(i % 3, i / 3) = at->second;
    }
    return split;
}

}  // namespace

void splitCreases(SurfaceMesh& mesh, double degrees) {
    if (degrees >= 180.0) return;
    SmoothCorners corners(mesh, degrees);
    std::map<int, Vector3> sums;  // of the groups' normals
    std::vector<int> groups(static_cast<std::size_t>(corners.places()), 0);
    for (int i = 0; i < 3 * mesh.triangleCount(); ++i) {
        const auto [sum, isNew] = sums.try_emplace(corners.group(i), Vector3::Zero());
        sum->second += corners.weightedNormal(i);
        if (isNew) ++groups[static_cast<std::size_t>(corners.place(i))];
    }
    Splitting split = splitVertices(mesh, corners, groups);
    appendCopies(mesh.positions, split.originals);
    appendCopies(mesh.normals, split.originals);
    appendCopies(mesh.texcoords, split.originals);
    appendCopies(mesh.colours, split.originals);
    for (const auto& [v, group] : split.ends)
        if (const Vector3& sum = sums.at(group); sum.norm() > 0.0) mesh.normals.col(v) = sum.normalized();
    mesh.triangles = std::move(split.triangles);
}

}  // namespace pliant
