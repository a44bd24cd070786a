// SPDX-License-Identifier: Zlib
#include "pliant/mesh/formats/SplitEdges.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "pliant/mesh/SurfaceNormals.h"

namespace pliant {
namespace {

/// Every round halves, so this many shorten an edge by a factor of a million.
constexpr int kMostRounds = 20;

using Pair = std::array<int, 2>;

Pair ordered(int a, int b) {
    return a < b ? Pair{a, b} : Pair{b, a};
}

/// The edges of a surface between distinct positions, and which of them are to be halved.
class Marks {
public:
    explicit Marks(const SurfaceMesh& mesh) : m_mesh(mesh) {
        int places = 0;
        m_place = positionNumbers(mesh.positions, places);
    }

    bool isMarked(int t, int side) const { return m_marks.at(edge(t, side)); }

    /// @return whether any is marked
    bool mark(const IsCoarse& isCoarse, double shortestEdge) {
        for (int t = 0; t < m_mesh.triangleCount(); ++t)
            for (int side = 0; side < 3; ++side) {
                const auto [at, isNew] = m_marks.try_emplace(edge(t, side), false);
                if (isNew && length(t, side) >= shortestEdge) at->second = isCoarse(ends(t, side));
                m_any |= at->second;
            }
        for (int t = 0; t < m_mesh.triangleCount(); ++t) markTriangle(t, isCoarse, shortestEdge);
        while (m_any && markLongest()) {
        }
        return m_any;
    }

private:
    int vertex(int t, int corner) const { return m_mesh.triangles(corner % 3, t); }
    Pair edge(int t, int side) const {
        return ordered(m_place[static_cast<std::size_t>(vertex(t, side))],
                       m_place[static_cast<std::size_t>(vertex(t, side + 1))]);
    }
    Eigen::Matrix3Xd ends(int t, int side) const {
        Eigen::Matrix3Xd points(3, 2);
        points << m_mesh.positions.col(vertex(t, side)), m_mesh.positions.col(vertex(t, side + 1));
        return points;
    }
    double length(int t, int side) const {
        const Eigen::Matrix3Xd points = ends(t, side);
        return (points.col(1) - points.col(0)).norm();
    }
    /// Of equally long ones the edge with the lowest positions, so that both triangles choose alike.
    int longest(int t) const {
        int best = 0;
        for (int side = 1; side < 3; ++side) {
            const double longer = length(t, side) - length(t, best);
            if (longer > 0.0 || (longer == 0.0 && edge(t, side) < edge(t, best))) best = side;
        }
        return best;
    }

    void markTriangle(int t, const IsCoarse& isCoarse, double shortestEdge) {
        if (isMarked(t, 0) || isMarked(t, 1) || isMarked(t, 2)) return;
        const int side = longest(t);
        if (length(t, side) < shortestEdge) return;
        Eigen::Matrix3Xd corners(3, 3);
        for (int c = 0; c < 3; ++c) corners.col(c) = m_mesh.positions.col(vertex(t, c));
        if (isCoarse(corners)) m_any = m_marks[edge(t, side)] = true;
    }

    bool markLongest() {
        bool changed = false;
        for (int t = 0; t < m_mesh.triangleCount(); ++t) {
            if (!isMarked(t, 0) && !isMarked(t, 1) && !isMarked(t, 2)) continue;
            bool& mark = m_marks[edge(t, longest(t))];
            changed |= !mark;
            mark = true;
        }
        return changed;
    }

    const SurfaceMesh& m_mesh;
    std::vector<int> m_place;
    std::map<Pair, bool> m_marks;
    bool m_any = false;
};

/// Middles of vertex pairs, appended to the surface as they are asked for.
class Middles {
public:
    explicit Middles(const SurfaceMesh& mesh) : m_count(mesh.vertexCount()) {}

    int at(int a, int b) {
        const auto [found, isNew] = m_number.try_emplace(ordered(a, b), m_count + static_cast<int>(m_pairs.size()));
        if (isNew) m_pairs.push_back(ordered(a, b));
        return found->second;
    }

    void append(SurfaceMesh& mesh) const {
        appendMeans(mesh.positions);
        appendMeans(mesh.normals);
        appendMeans(mesh.texcoords);
        appendMeans(mesh.colours);
        for (std::size_t i = 0; i < m_pairs.size(); ++i) {
            const Eigen::Index column = m_count + static_cast<Eigen::Index>(i);
            const double size = mesh.normals.col(column).norm();
            mesh.normals.col(column) =
                size > 0.0 ? Vector3(mesh.normals.col(column) / size) : Vector3(mesh.normals.col(m_pairs[i][0]));
        }
    }

private:
    template <class Values>
    void appendMeans(Values& values) const {
        using Scalar = typename Values::Scalar;
        if (values.cols() == 0) return;
        values.conservativeResize(Eigen::NoChange, m_count + static_cast<Eigen::Index>(m_pairs.size()));
        for (std::size_t i = 0; i < m_pairs.size(); ++i)
            values.col(m_count + static_cast<Eigen::Index>(i)) =
                Scalar(0.5) * (values.col(m_pairs[i][0]) + values.col(m_pairs[i][1]));
    }

    int m_count;
    std::map<Pair, int> m_number;
    std::vector<Pair> m_pairs;
};

/// What becomes of one triangle.
class Pieces {
public:
    Pieces(const SurfaceMesh& mesh, Middles& middles) : m_mesh(mesh), m_middles(middles) {}

    void add(int t, const Marks& marks) {
        const int count = marks.isMarked(t, 0) + marks.isMarked(t, 1) + marks.isMarked(t, 2);
        int first = 0;  // turned so that the marked edges come first, and the unmarked one of two last
        if (count == 1)
            while (!marks.isMarked(t, first)) ++first;
        if (count == 2)
            while (marks.isMarked(t, (first + 2) % 3)) ++first;
        const int a = vertex(t, first), b = vertex(t, first + 1), c = vertex(t, first + 2);
        if (count == 0) return keep(t, a, b, c);
        const int ab = m_middles.at(a, b);
        if (count == 1) {
            keep(t, a, ab, c);
            return keep(t, ab, b, c);
        }
        const int bc = m_middles.at(b, c);
        keep(t, ab, b, bc);
        if (count == 2) return quadrilateral(t, a, ab, bc, c);
        const int ca = m_middles.at(c, a);
        keep(t, a, ab, ca);
        keep(t, ca, bc, c);
        keep(t, ab, bc, ca);
    }

    void store(SurfaceMesh& mesh) const {
        Triangles triangles(3, static_cast<Eigen::Index>(m_triangles.size()));
        std::vector<int> material, group;
        for (std::size_t i = 0; i < m_triangles.size(); ++i) {
            triangles.col(static_cast<Eigen::Index>(i)) = m_triangles[i];
            const auto parent = static_cast<std::size_t>(m_parents[i]);
            if (!mesh.triangleMaterial.empty()) material.push_back(mesh.triangleMaterial[parent]);
            if (!mesh.triangleGroup.empty()) group.push_back(mesh.triangleGroup[parent]);
        }
        mesh.triangles = std::move(triangles);
        mesh.triangleMaterial = std::move(material);
        mesh.triangleGroup = std::move(group);
    }

private:
    int vertex(int t, int corner) const { return m_mesh.triangles(corner % 3, t); }

    void keep(int t, int a, int b, int c) {
        m_triangles.emplace_back(a, b, c);
        m_parents.push_back(t);
    }

    /// a, ab and bc, c: cut along the shorter diagonal.
    void quadrilateral(int t, int a, int ab, int bc, int c) {
        const auto middle = [&](int u, int v) -> Vector3 {
            return 0.5 * (m_mesh.positions.col(u) + m_mesh.positions.col(v));
        };
        const int b = vertex(t, 0) + vertex(t, 1) + vertex(t, 2) - a - c;
        const double fromA = (middle(b, c) - m_mesh.positions.col(a)).squaredNorm();
        const double fromC = (middle(a, b) - m_mesh.positions.col(c)).squaredNorm();
        if (fromA < fromC) {
            keep(t, a, ab, bc);
            keep(t, a, bc, c);
        } else {
            keep(t, a, ab, c);
            keep(t, ab, bc, c);
        }
    }

    const SurfaceMesh& m_mesh;
    Middles& m_middles;
    std::vector<Eigen::Vector3i> m_triangles;
    std::vector<int> m_parents;
};

bool splitOnce(SurfaceMesh& mesh, const IsCoarse& isCoarse, double shortestEdge) {
    Marks marks(mesh);
    if (!marks.mark(isCoarse, shortestEdge)) return false;
    Middles middles(mesh);
    Pieces pieces(mesh, middles);
    for (int t = 0; t < mesh.triangleCount(); ++t) pieces.add(t, marks);
    pieces.store(mesh);
    middles.append(mesh);
    return true;
}

}  // namespace

int splitCoarseEdges(SurfaceMesh& mesh, const IsCoarse& isCoarse, double shortestEdge) {
    const int before = mesh.triangleCount();
    for (int round = 0; round < kMostRounds && splitOnce(mesh, isCoarse, shortestEdge); ++round) {
    }
    return mesh.triangleCount() - before;
}

}  // namespace pliant
