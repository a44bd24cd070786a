// SPDX-License-Identifier: Zlib
#include "pliant/mesh/formats/RepairSurface.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>

#include "pliant/math/DisjointSets.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/CheckSurfaceMesh.h"
#include "pliant/mesh/SurfaceNormals.h"
#include "pliant/mesh/formats/MendSurface.h"

namespace pliant {

namespace {

std::string counted(std::size_t count, const std::string& one, const std::string& many) {
    return std::to_string(count) + " " + (count == 1 ? one : many);
}

/// Orders vertices by everything that a graphics card sees of them; equal: -1, 1 and 0 as usual.
class VertexOrder {
public:
    explicit VertexOrder(const SurfaceMesh& mesh) : m_mesh(mesh) {}

    int compare(int a, int b) const {
        if (const int order = columns(m_mesh.positions, a, b)) return order;
        if (const int order = columns(m_mesh.normals, a, b)) return order;
        if (const int order = columns(m_mesh.texcoords, a, b)) return order;
        return columns(m_mesh.colours, a, b);
    }
    bool operator()(int a, int b) const {
        const int order = compare(a, b);
        return order < 0 || (order == 0 && a < b);
    }

private:
    template <typename Values>
    static int columns(const Values& values, int a, int b) {
        if (values.cols() == 0) return 0;
        for (Eigen::Index k = 0; k < values.rows(); ++k)
            if (values(k, a) != values(k, b)) return values(k, a) < values(k, b) ? -1 : 1;
        return 0;
    }
    const SurfaceMesh& m_mesh;
};

/// The lowest vertex that equals each vertex.
std::vector<int> equalVertices(const SurfaceMesh& mesh) {
    const auto n = static_cast<std::size_t>(mesh.vertexCount());
    std::vector<int> sorted(n), lowest(n);
    std::iota(sorted.begin(), sorted.end(), 0);
    const VertexOrder order(mesh);
    std::sort(sorted.begin(), sorted.end(), order);
    for (std::size_t i = 0; i < n; ++i) {
        const bool same = i > 0 && order.compare(sorted[i - 1], sorted[i]) == 0;
        lowest[static_cast<std::size_t>(sorted[i])] =
            same ? lowest[static_cast<std::size_t>(sorted[i - 1])] : sorted[i];
    }
    return lowest;
}

void mergeVertices(SurfaceMesh& mesh, const std::string& where, std::vector<std::string>& notes) {
    std::vector<bool> used(static_cast<std::size_t>(mesh.vertexCount()), false);
    for (const int v : mesh.triangles.reshaped()) used[static_cast<std::size_t>(v)] = true;
    const std::vector<int> lowest = equalVertices(mesh);
    std::size_t merged = 0;
    for (std::size_t v = 0; v < lowest.size(); ++v)
        if (used[v] && lowest[v] != static_cast<int>(v)) ++merged;
    for (int& v : mesh.triangles.reshaped()) v = lowest[static_cast<std::size_t>(v)];
    if (merged > 0)
        notes.push_back(where + ": " + counted(merged, "duplicate vertex", "duplicate vertices") + " merged");
}

void keepTriangles(SurfaceMesh& mesh, const std::vector<int>& kept) {
    Triangles triangles(3, static_cast<Eigen::Index>(kept.size()));
    std::vector<int> material, group;
    for (std::size_t i = 0; i < kept.size(); ++i) {
        triangles.col(static_cast<Eigen::Index>(i)) = mesh.triangles.col(kept[i]);
        material.push_back(mesh.triangleMaterial[static_cast<std::size_t>(kept[i])]);
        if (!mesh.triangleGroup.empty()) group.push_back(mesh.triangleGroup[static_cast<std::size_t>(kept[i])]);
    }
    mesh.triangles = std::move(triangles);
    mesh.triangleMaterial = std::move(material);
    mesh.triangleGroup = std::move(group);
}

/// No area: the height over the longest edge is below rounding of the coordinates.
bool isDegenerate(const SurfaceMesh& mesh, int t) {
    const Vector3 a = mesh.positions.col(mesh.triangles(0, t)), b = mesh.positions.col(mesh.triangles(1, t)),
                  c = mesh.positions.col(mesh.triangles(2, t));
    const double longest = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
    return !((b - a).cross(c - a).norm() > 1e-14 * longest);
}

void dropTriangles(SurfaceMesh& mesh, const std::string& where, std::vector<std::string>& notes) {
    std::set<std::array<int, 3>> seen;
    std::vector<int> kept;
    std::size_t degenerate = 0, repeated = 0;
    int firstDegenerate = -1;
    for (int t = 0; t < mesh.triangleCount(); ++t) {
        std::array<int, 3> corners{mesh.triangles(0, t), mesh.triangles(1, t), mesh.triangles(2, t)};
        if (isDegenerate(mesh, t)) {
            if (++degenerate == 1) firstDegenerate = t;
            continue;
        }
        std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
        if (seen.insert(corners).second)
            kept.push_back(t);
        else
            ++repeated;
    }
    if (degenerate > 0)
        notes.push_back(where + ": " + counted(degenerate, "triangle", "triangles") +
                        " without area left out (first: " + std::to_string(firstDegenerate) + ")");
    if (repeated > 0)
        notes.push_back(where + ": " + counted(repeated, "triangle that is", "triangles that are") +
                        " there twice left out");
    if (kept.empty())
        throw Error(where, "none of its " + std::to_string(mesh.triangleCount()) + " triangles has an area",
                    "give a surface with at least one proper triangle");
    keepTriangles(mesh, kept);
}

template <typename Values>
void keepColumns(Values& values, const std::vector<int>& kept) {
    if (values.cols() == 0) return;
    Values result(values.rows(), static_cast<Eigen::Index>(kept.size()));
    for (std::size_t i = 0; i < kept.size(); ++i) result.col(static_cast<Eigen::Index>(i)) = values.col(kept[i]);
    values = std::move(result);
}

/// @param unusedInFile vertices that no triangle of the file used; those that lost theirs here need no note
void dropVertices(SurfaceMesh& mesh, std::size_t unusedInFile, const std::string& where,
                  std::vector<std::string>& notes) {
    std::vector<int> number(static_cast<std::size_t>(mesh.vertexCount()), -1), kept;
    for (const int v : mesh.triangles.reshaped()) number[static_cast<std::size_t>(v)] = 0;
    for (int v = 0; v < mesh.vertexCount(); ++v) {
        if (number[static_cast<std::size_t>(v)] < 0) continue;
        number[static_cast<std::size_t>(v)] = static_cast<int>(kept.size());
        kept.push_back(v);
    }
    keepColumns(mesh.positions, kept);
    keepColumns(mesh.normals, kept);
    keepColumns(mesh.texcoords, kept);
    keepColumns(mesh.colours, kept);
    for (int& v : mesh.triangles.reshaped()) v = number[static_cast<std::size_t>(v)];
    if (unusedInFile > 0)
        notes.push_back(where + ": " + counted(unusedInFile, "vertex", "vertices") + " that no triangle uses left out");
}

/// Missing normals are computed, those of the file made unit length; a zero or NaN one is replaced.
void repairNormals(SurfaceMesh& mesh, const std::string& where, std::vector<std::string>& notes) {
    const Points given = mesh.normals;
    computeNormals(mesh);
    std::size_t replaced = 0;
    for (Eigen::Index v = 0; v < given.cols(); ++v) {
        const double length = given.col(v).norm();
        if (std::isfinite(length) && length > 0.0)
            mesh.normals.col(v) = given.col(v) / length;
        else
            ++replaced;
    }
    if (replaced > 0)
        notes.push_back(where + ": " + counted(replaced, "normal", "normals") + " without length computed anew");
}

void noteTopology(const SurfaceMesh& mesh, const std::string& where, std::vector<std::string>& notes) {
    int places = 0;
    const std::vector<int> place = positionNumbers(mesh.positions, places);
    std::vector<std::array<int, 2>> edges;
    for (int t = 0; t < mesh.triangleCount(); ++t)
        for (Eigen::Index c = 0; c < 3; ++c) {
            const int a = place[static_cast<std::size_t>(mesh.triangles(c, t))],
                      b = place[static_cast<std::size_t>(mesh.triangles((c + 1) % 3, t))];
            edges.push_back({std::min(a, b), std::max(a, b)});
        }
    std::sort(edges.begin(), edges.end());
    std::size_t crowded = 0;
    for (std::size_t i = 0, j = 0; i < edges.size(); i = j) {
        for (j = i; j < edges.size() && edges[j] == edges[i];) ++j;
        if (j - i > 2) ++crowded;
    }
    if (crowded > 0)
        notes.push_back(where + ": polygon soup: " + counted(crowded, "edge joins", "edges join") +
                        " more than two triangles; bricks are made of it as it is");
    const int parts = surfaceParts(mesh).count();
    if (parts > 1)
        notes.push_back(where + ": " + std::to_string(parts) +
                        " separate parts; they stay one body where bricks connect them");
}

}  // namespace

std::vector<std::string> repairSurface(SurfaceMesh& mesh, bool hasNormals, const std::string& where) {
    std::vector<std::string> notes;
    checkSurfaceMesh(mesh, where);
    std::vector<bool> used(static_cast<std::size_t>(mesh.vertexCount()), false);
    for (const int v : mesh.triangles.reshaped()) used[static_cast<std::size_t>(v)] = true;
    const auto unused = static_cast<std::size_t>(std::count(used.begin(), used.end(), false));
    mergeVertices(mesh, where, notes);
    dropTriangles(mesh, where, notes);
    dropVertices(mesh, unused, where, notes);
    repairNormals(mesh, where, notes);
    const std::vector<std::string> mended = mendSurface(mesh, hasNormals, where);
    if (!mended.empty()) dropVertices(mesh, 0, where, notes);
    notes.insert(notes.end(), mended.begin(), mended.end());
    noteTopology(mesh, where, notes);
    return notes;
}

SurfaceParts surfaceParts(const SurfaceMesh& mesh) {
    int places = 0;
    const std::vector<int> place = positionNumbers(mesh.positions, places);
    DisjointSets sets(static_cast<std::size_t>(places));
    const auto placeOf = [&](int t, Eigen::Index c) { return place[static_cast<std::size_t>(mesh.triangles(c, t))]; };
    for (int t = 0; t < mesh.triangleCount(); ++t)
        for (Eigen::Index c = 1; c < 3; ++c) sets.join(placeOf(t, 0), placeOf(t, c));
    SurfaceParts parts;
    std::vector<int> number(static_cast<std::size_t>(places), -1);
    for (int t = 0; t < mesh.triangleCount(); ++t) {
        int& part = number[static_cast<std::size_t>(sets.lowest(placeOf(t, 0)))];
        if (part < 0) {
            part = parts.count();
            parts.triangles.push_back(0);
            parts.firstVertex.push_back(mesh.triangles(0, t));
        }
        const auto p = static_cast<std::size_t>(part);
        parts.part.push_back(part);
        ++parts.triangles[p];
        parts.firstVertex[p] = std::min(parts.firstVertex[p], mesh.triangles.col(t).minCoeff());
    }
    return parts;
}

}  // namespace pliant
