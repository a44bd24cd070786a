// SPDX-License-Identifier: Zlib
#include "pliant/mesh/formats/RepairVolume.h"

#include <algorithm>
#include <utility>

#include "pliant/math/Error.h"
#include "pliant/mesh/CheckVolumeMesh.h"
#include "pliant/mesh/ElementShape.h"
#include "pliant/mesh/SurfaceNormals.h"

namespace pliant {

namespace {

std::string counted(int count, const std::string& one, const std::string& many) {
    return std::to_string(count) + " " + (count == 1 ? one : many);
}

void checkNumbers(const VolumeMesh& mesh, const std::string& where) {
    if (mesh.elementCount() == 0)
        throw Error(where, "the mesh is empty: no element", "export the elements too, not only their surface");
    for (int e = 0; e < mesh.elementCount(); ++e)
        for (Eigen::Index c = 0; c < mesh.elements.rows(); ++c)
            if (mesh.elements(c, e) < 0 || mesh.elements(c, e) >= mesh.vertexCount())
                throw Error(where, "element " + std::to_string(e) + " names vertex " +
                                       std::to_string(mesh.elements(c, e)) + " of 0.." +
                                       std::to_string(mesh.vertexCount() - 1));
}

/// The lowest vertex that an element uses at each vertex's position; -1 where no element uses the vertex itself.
std::vector<int> representatives(const VolumeMesh& mesh) {
    int places = 0;
    const std::vector<int> place = positionNumbers(mesh.positions, places);
    std::vector<int> lowest(static_cast<std::size_t>(places), -1), result(place.size(), -1);
    for (const int v : mesh.elements.reshaped()) result[static_cast<std::size_t>(v)] = v;
    for (std::size_t v = 0; v < place.size(); ++v) {
        if (result[v] < 0) continue;
        int& first = lowest[static_cast<std::size_t>(place[v])];
        if (first < 0) first = static_cast<int>(v);
        result[v] = first;
    }
    return result;
}

void renumber(VolumeFile& file, const std::string& where) {
    VolumeMesh& mesh = file.mesh;
    const std::vector<int> stands = representatives(mesh);
    file.vertexOf.assign(stands.size(), -1);
    std::vector<int> kept;
    int unused = 0, merged = 0, firstUnused = -1;
    for (std::size_t v = 0; v < stands.size(); ++v) {
        if (stands[v] < 0) {
            if (++unused == 1) firstUnused = static_cast<int>(v);
        } else if (stands[v] == static_cast<int>(v)) {
            file.vertexOf[v] = static_cast<int>(kept.size());
            kept.push_back(static_cast<int>(v));
        } else {
            file.vertexOf[v] = file.vertexOf[static_cast<std::size_t>(stands[v])];
            ++merged;
        }
    }
    for (int& v : mesh.elements.reshaped()) v = file.vertexOf[static_cast<std::size_t>(v)];
    Points positions(3, static_cast<Eigen::Index>(kept.size()));
    for (std::size_t i = 0; i < kept.size(); ++i)
        positions.col(static_cast<Eigen::Index>(i)) = mesh.positions.col(kept[i]);
    mesh.positions = std::move(positions);
    if (merged > 0)
        file.notes.push_back(where + ": " + counted(merged, "duplicate vertex", "duplicate vertices") + " merged");
    if (unused > 0)
        file.notes.push_back(where + ": " + counted(unused, "vertex", "vertices") +
                             " that no element uses left out (first: " + std::to_string(firstUnused) + ")");
}

void turnInverted(VolumeFile& file, const std::string& where) {
    VolumeMesh& mesh = file.mesh;
    if (mesh.kind != ElementKind::Tetrahedron) return;
    int turned = 0;
    for (int e = 0; e < mesh.elementCount(); ++e) {
        if (!(tetrahedronVolume(elementCorners(mesh, e)) < 0.0)) continue;
        std::swap(mesh.elements(2, e), mesh.elements(3, e));
        ++turned;
    }
    if (turned > 0)
        file.notes.push_back(where + ": " + counted(turned, "inverted tetrahedron", "inverted tetrahedra") +
                             " turned round");
}

}  // namespace

void repairVolume(VolumeFile& file, const std::string& where) {
    checkNumbers(file.mesh, where);
    for (const int v : file.mesh.elements.reshaped())
        if (!file.mesh.positions.col(v).allFinite())
            throw Error(where, "vertex " + std::to_string(v) + " is NaN or infinite", "repair the mesh");
    renumber(file, where);
    turnInverted(file, where);
    checkVolumeMesh(file.mesh, where);
}

}  // namespace pliant
