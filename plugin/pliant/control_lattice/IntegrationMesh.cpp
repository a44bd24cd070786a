// SPDX-License-Identifier: Zlib
#include "pliant/control_lattice/IntegrationMesh.h"

#include <algorithm>
#include <cmath>

#include "pliant/control_lattice/CellTopology.h"
#include "pliant/control_lattice/CutShares.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/ElementShape.h"

namespace pliant {
namespace {

constexpr double onSurface = 1e-10;  // of the surface's diagonal: as near is on it, and counts as inside

using Tetrahedron = std::array<int, 4>;

/// Every face is cut from its lowest vertex, so that neighbours fit, and all pieces stand on the cell's lowest vertex.
void cutHexahedron(const ControlCell& cell, std::vector<Tetrahedron>& tetrahedra) {
    const int apex = *std::min_element(cell.corners.begin(), cell.corners.end());
    for (const auto& face : topologyOf(CellKind::Hexahedron).faces) {
        std::array<int, 4> v{};
        for (std::size_t k = 0; k < 4; ++k) v[k] = cell.corners[static_cast<std::size_t>(face[k])];
        if (std::find(v.begin(), v.end(), apex) != v.end()) continue;
        std::rotate(v.begin(), std::min_element(v.begin(), v.end()), v.end());
        tetrahedra.push_back({v[0], v[2], v[1], apex});
        tetrahedra.push_back({v[0], v[3], v[2], apex});
    }
}

double volumeOf(const Points& x, const Tetrahedron& t) {
    Matrix3 edges;
    for (int k = 0; k < 3; ++k) edges.col(k) = x.col(t[static_cast<std::size_t>(k + 1)]) - x.col(t[0]);
    return edges.determinant() / 6.0;
}

std::vector<int> originalCells(const LatticeHierarchy& hierarchy) {
    std::vector<int> cells(hierarchy.finer.back().lattice.cells.size());
    for (std::size_t c = 0; c < cells.size(); ++c) {
        int cell = static_cast<int>(c);
        for (auto level = hierarchy.finer.rbegin(); level != hierarchy.finer.rend(); ++level)
            cell = level->cellOf[static_cast<std::size_t>(cell)];
        cells[c] = cell;
    }
    return cells;
}

}  // namespace

IntegrationMesh cutLattice(const LatticeHierarchy& hierarchy, const SurfaceMesh& surface,
                           std::vector<ElasticMaterial> materials, const std::vector<int>& cellMaterial,
                           const std::string& where) {
    const ControlLattice& finest = hierarchy.finer.back().lattice;
    const std::vector<int> cells = originalCells(hierarchy);
    IntegrationMesh cut;
    cut.mesh.kind = ElementKind::Tetrahedron;
    cut.mesh.positions = finest.positions;
    cut.mesh.materials = std::move(materials);
    std::vector<Tetrahedron> all, one;
    for (std::size_t c = 0; c < cells.size(); ++c) {
        one.clear();
        cutHexahedron(finest.cells[c], one);
        for (const Tetrahedron& t : one) {
            if (!(volumeOf(finest.positions, t) > 0.0))
                throw Error(where + ": cell " + std::to_string(cells[c]),
                            "it is bent so much that a part of it is turned inside out", "move its vertices");
            all.push_back(t);
            cut.cellOf.push_back(cells[c]);
            cut.mesh.elementMaterial.push_back(cellMaterial.empty() ? 0
                                                                    : cellMaterial[static_cast<std::size_t>(cells[c])]);
        }
    }
    cut.mesh.elements.resize(4, static_cast<Eigen::Index>(all.size()));
    cut.share.resize(cut.mesh.elements.cols());
    cut.signedDistance = signedDistances(surface, finest.positions);
    const Vector3 size = surface.positions.rowwise().maxCoeff() - surface.positions.rowwise().minCoeff();
    for (double& d : cut.signedDistance)  // a lattice may end where its flesh does
        if (std::abs(d) < onSurface * size.norm()) d = -onSurface * size.norm();
    for (std::size_t e = 0; e < all.size(); ++e) {
        std::array<double, 4> distance{};
        for (std::size_t k = 0; k < 4; ++k) {
            cut.mesh.elements(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(e)) = all[e][k];
            distance[k] = cut.signedDistance[all[e][k]];
        }
        cut.share[static_cast<Eigen::Index>(e)] = shareBelowZero(distance);
    }
    if (!(cut.share.maxCoeff() > 0.0))
        throw Error(where, "nothing of the surface lies inside the control lattice", "give both in the same space");
    return cut;
}

}  // namespace pliant
