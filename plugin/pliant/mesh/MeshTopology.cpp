// SPDX-License-Identifier: Zlib
#include "pliant/mesh/MeshTopology.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "pliant/math/DisjointSets.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/SurfaceNormals.h"
#include "pliant/mesh/TextFile.h"

namespace pliant {

namespace {

/// Corners of each face in counter-clockwise order seen from outside.
constexpr std::array<std::array<int, 4>, 6> brickFaces{
    {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {3, 7, 6, 2}, {0, 4, 7, 3}, {1, 2, 6, 5}}};
constexpr std::array<std::array<int, 4>, 4> tetrahedronFaces{
    {{1, 2, 3, -1}, {0, 3, 2, -1}, {0, 1, 3, -1}, {0, 2, 1, -1}}};

struct Face {
    std::array<int, 4> key;  ///< vertices ascending; -1 first for triangles
    std::array<int, 4> ring;
    int element;

    bool sameAs(const Face& other) const { return key == other.key; }
};

/// All faces of all elements; those shared stand side by side, each in the order of elements.
std::vector<Face> sortedFaces(const VolumeMesh& mesh) {
    std::vector<Face> faces;
    const auto add = [&](int e, const std::array<int, 4>& corners) {
        Face face{{}, {}, e};
        for (std::size_t c = 0; c < 4; ++c) face.ring[c] = corners[c] < 0 ? -1 : mesh.elements(corners[c], e);
        face.key = face.ring;
        std::sort(face.key.begin(), face.key.end());
        faces.push_back(face);
    };
    for (int e = 0; e < mesh.elementCount(); ++e) {
        if (mesh.kind == ElementKind::Brick)
            for (const auto& corners : brickFaces) add(e, corners);
        else
            for (const auto& corners : tetrahedronFaces) add(e, corners);
    }
    std::stable_sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) { return a.key < b.key; });
    return faces;
}

}  // namespace

ElementComponents connectedComponents(const VolumeMesh& mesh) {
    DisjointSets sets(static_cast<std::size_t>(mesh.elementCount()));
    const std::vector<Face> faces = sortedFaces(mesh);
    for (std::size_t f = 1; f < faces.size(); ++f)
        if (faces[f].sameAs(faces[f - 1])) sets.join(faces[f - 1].element, faces[f].element);
    ElementComponents result;
    result.component.assign(static_cast<std::size_t>(mesh.elementCount()), -1);
    for (int e = 0; e < mesh.elementCount(); ++e) {
        // The root is the lowest element of its component, so it has been numbered before.
        const int root = sets.lowest(e);
        if (root == e) {
            result.component[static_cast<std::size_t>(e)] = result.count();
            result.sizes.push_back(0);
        }
        const int c = result.component[static_cast<std::size_t>(root)];
        result.component[static_cast<std::size_t>(e)] = c;
        ++result.sizes[static_cast<std::size_t>(c)];
    }
    return result;
}

namespace {

/// Parts by size, largest first; equal ones in their order.
std::vector<int> partsBySize(const ElementComponents& parts) {
    std::vector<int> order(parts.sizes.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return parts.sizes[static_cast<std::size_t>(a)] > parts.sizes[static_cast<std::size_t>(b)];
    });
    return order;
}

/// "; 12 from element 57 on, with vertex 130 at (1, 2, 3)"
std::string partName(const VolumeMesh& mesh, const ElementComponents& parts, int part) {
    const auto first = std::find(parts.component.begin(), parts.component.end(), part) - parts.component.begin();
    const int v = mesh.elements(0, first);
    const auto number = [&](Eigen::Index k) { return numberText(mesh.positions(k, v)); };
    return "; " + std::to_string(parts.sizes[static_cast<std::size_t>(part)]) + " from element " +
           std::to_string(first) + " on, with vertex " + std::to_string(v) + " at (" + number(0) + ", " + number(1) +
           ", " + number(2) + ")";
}

}  // namespace

void checkOneComponent(const VolumeMesh& mesh, const std::string& where) {
    const ElementComponents parts = connectedComponents(mesh);
    if (parts.count() <= 1) return;
    constexpr std::size_t named = 5;
    std::string sizes, names;
    const std::vector<int> order = partsBySize(parts);
    for (std::size_t i = 0; i < std::min(order.size(), named); ++i) {
        sizes += (i > 0 ? ", " : "") + std::to_string(parts.sizes[static_cast<std::size_t>(order[i])]);
        if (i > 0) names += partName(mesh, parts, order[i]);
    }
    if (order.size() > named) sizes += ", ...";
    throw Error(where,
                "the elements form " + std::to_string(parts.count()) + " parts that share no face (of " + sizes +
                    " elements" + names + "); such a body has more than six zero modes",
                "join the parts by faces, or put each into a file of its own");
}

SurfaceMesh boundarySurface(const VolumeMesh& mesh, std::vector<int>* simulationVertex) {
    const std::vector<Face> faces = sortedFaces(mesh);
    std::vector<const Face*> outer;
    for (std::size_t f = 0; f < faces.size(); ++f) {
        const bool shared =
            (f > 0 && faces[f].sameAs(faces[f - 1])) || (f + 1 < faces.size() && faces[f].sameAs(faces[f + 1]));
        if (!shared) outer.push_back(&faces[f]);
    }
    std::vector<int> number(static_cast<std::size_t>(mesh.vertexCount()), -1), vertices;
    for (const Face* face : outer)
        for (const int v : face->ring)
            if (v >= 0) number[static_cast<std::size_t>(v)] = 0;
    for (int v = 0; v < mesh.vertexCount(); ++v)
        if (number[static_cast<std::size_t>(v)] == 0) {
            number[static_cast<std::size_t>(v)] = static_cast<int>(vertices.size());
            vertices.push_back(v);
        }
    SurfaceMesh surface;
    surface.positions.resize(3, static_cast<Eigen::Index>(vertices.size()));
    for (std::size_t i = 0; i < vertices.size(); ++i)
        surface.positions.col(static_cast<Eigen::Index>(i)) = mesh.positions.col(vertices[i]);
    const int perFace = mesh.kind == ElementKind::Brick ? 2 : 1;
    surface.triangles.resize(3, perFace * static_cast<Eigen::Index>(outer.size()));
    for (std::size_t f = 0; f < outer.size(); ++f)
        for (int k = 0; k < perFace; ++k)
            for (int c = 0; c < 3; ++c) {
                const auto corner = static_cast<std::size_t>(c == 0 ? 0 : c + k);
                surface.triangles(c, perFace * static_cast<Eigen::Index>(f) + k) =
                    number[static_cast<std::size_t>(outer[f]->ring[corner])];
            }
    surface.triangleMaterial.assign(static_cast<std::size_t>(surface.triangleCount()), 0);
    surface.materials.emplace_back().name = "default";
    computeNormals(surface);
    if (simulationVertex) *simulationVertex = std::move(vertices);
    return surface;
}

}  // namespace pliant
