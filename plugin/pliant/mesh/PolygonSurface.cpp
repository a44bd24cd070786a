// SPDX-License-Identifier: Zlib
#include "pliant/mesh/PolygonSurface.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "pliant/math/Error.h"
#include "pliant/mesh/TriangulatePolygon.h"

namespace pliant {

namespace {

void checkCorners(const PolygonSurface& surface, const std::string& where) {
    const int n = static_cast<int>(surface.positions.size());
    for (std::size_t f = 0; f < surface.polygons.size(); ++f)
        for (const int v : surface.polygons[f])
            if (v < 0 || v >= n)
                throw Error(where,
                            "face " + std::to_string(f) + " names vertex " + std::to_string(v) + ", but there are " +
                                std::to_string(n),
                            "numbers count from 0");
}

void appendTriangles(const PolygonSurface& surface, std::size_t f, std::vector<std::array<int, 3>>& triangles) {
    const std::vector<int>& polygon = surface.polygons[f];
    if (polygon.size() == 3) {
        triangles.push_back({polygon[0], polygon[1], polygon[2]});
        return;
    }
    Points x(3, static_cast<Eigen::Index>(polygon.size()));
    for (std::size_t c = 0; c < polygon.size(); ++c)
        x.col(static_cast<Eigen::Index>(c)) = surface.positions[static_cast<std::size_t>(polygon[c])];
    for (const auto& t : triangulatePolygon(x))
        triangles.push_back({polygon[static_cast<std::size_t>(t[0])], polygon[static_cast<std::size_t>(t[1])],
                             polygon[static_cast<std::size_t>(t[2])]});
}

void copyVertices(const PolygonSurface& surface, SurfaceMesh& mesh) {
    const auto n = static_cast<Eigen::Index>(surface.positions.size());
    mesh.positions.resize(3, n);
    mesh.normals.resize(3, surface.normals.empty() ? 0 : n);
    mesh.texcoords.resize(2, surface.texcoords.empty() ? 0 : n);
    mesh.colours.resize(4, surface.colours.empty() ? 0 : n);
    for (Eigen::Index v = 0; v < n; ++v) {
        const auto i = static_cast<std::size_t>(v);
        mesh.positions.col(v) = surface.positions[i];
        if (mesh.normals.cols() > 0) mesh.normals.col(v) = surface.normals[i];
        if (mesh.texcoords.cols() > 0) mesh.texcoords.col(v) << surface.texcoords[i][0], surface.texcoords[i][1];
        if (mesh.colours.cols() > 0)
            for (Eigen::Index k = 0; k < 4; ++k) mesh.colours(k, v) = surface.colours[i][static_cast<std::size_t>(k)];
    }
}

}  // namespace

SurfaceMesh triangulated(const PolygonSurface& surface, const std::string& where) {
    checkCorners(surface, where);
    SurfaceMesh mesh;
    copyVertices(surface, mesh);
    mesh.materials = surface.materials;
    if (mesh.materials.empty()) mesh.materials.emplace_back().name = "default";
    std::vector<std::array<int, 3>> triangles;
    for (std::size_t f = 0; f < surface.polygons.size(); ++f) {
        if (surface.polygons[f].size() < 3) continue;
        appendTriangles(surface, f, triangles);
        mesh.triangleMaterial.resize(triangles.size(),
                                     surface.polygonMaterial.empty() ? 0 : surface.polygonMaterial[f]);
    }
    if (triangles.empty())
        throw Error(where, "the surface is empty: no triangle", "give a surface with at least one face");
    mesh.triangles.resize(3, static_cast<Eigen::Index>(triangles.size()));
    for (std::size_t t = 0; t < triangles.size(); ++t)
        for (std::size_t c = 0; c < 3; ++c)
            mesh.triangles(static_cast<Eigen::Index>(c), static_cast<Eigen::Index>(t)) = triangles[t][c];
    return mesh;
}

std::string resolveTexture(std::string name, const std::string& folder, std::vector<std::string>& warnings) {
    namespace fs = std::filesystem;
    if (name.empty()) return {};
    std::replace(name.begin(), name.end(), '\\', '/');
    const fs::path relative = fs::path(folder) / name, beside = fs::path(folder) / fs::path(name).filename();
    std::error_code ignored;
    for (const fs::path& candidate : {relative, beside})
        if (fs::is_regular_file(candidate, ignored) && std::ifstream(candidate).good())
            return candidate.lexically_normal().string();
    warnings.push_back(relative.string() + ": texture cannot be read; drawn without it");
    return relative.lexically_normal().string();
}

}  // namespace pliant
