// SPDX-License-Identifier: Zlib
#include <algorithm>
#include <cmath>

#include "pliant/math/Error.h"
#include "pliant/mesh/TextFile.h"
#include "pliant/mesh/formats/VolumeFormats.h"

namespace pliant {

void TetrahedronCollector::add(const int (&vertices)[4], int region) {
    m_corners.insert(m_corners.end(), vertices, vertices + 4);
    m_regions.push_back(region);
}

VolumeFile TetrahedronCollector::finish(Points positions, const std::map<int, std::string>& names) const {
    VolumeFile file;
    file.hasMaterials = false;
    VolumeMesh& mesh = file.mesh;
    mesh.kind = ElementKind::Tetrahedron;
    mesh.positions = std::move(positions);
    mesh.elements.resize(4, count());
    std::copy(m_corners.begin(), m_corners.end(), mesh.elements.data());
    std::map<int, int> material;  // of each region, numbered by the region's number
    for (const int region : m_regions) material[region] = 0;
    for (auto& [region, index] : material) {
        index = static_cast<int>(mesh.materials.size());
        const auto name = names.find(region);
        mesh.materials.emplace_back().name = name != names.end()   ? name->second
                                             : material.size() > 1 ? "region_" + std::to_string(region)
                                                                   : "default";
    }
    for (const int region : m_regions) mesh.elementMaterial.push_back(material[region]);
    return file;
}

bool isTetrahedronCell(int vtkType, const std::string& where) {
    constexpr int tetrahedron = 10, lastFlat = 9;  // 1..9: points, lines, triangles, strips, polygons, pixels, quads
    if (vtkType == tetrahedron) return true;
    if (vtkType >= 0 && vtkType <= lastFlat) return false;
    throw Error(where, "cells of VTK type " + std::to_string(vtkType),
                "only linear tetrahedra (type 10) are read: split other solids into tetrahedra");
}

int regionNumber(double value, const std::string& where) {
    constexpr double largest = 1e9;
    if (!(std::abs(value) <= largest && value == std::floor(value)))
        throw Error(where, "region " + numberText(value) + " is no whole number", "number the regions from 0");
    return static_cast<int>(value);
}

const std::vector<std::string>& regionArrayNames() {
    static const std::vector<std::string> names{"material", "region", "gmsh:physical", "CellEntityIds"};
    return names;
}

}  // namespace pliant
