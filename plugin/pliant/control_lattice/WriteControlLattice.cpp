// SPDX-License-Identifier: Zlib
#include "pliant/control_lattice/WriteControlLattice.h"

#include <map>

#include "pliant/control_lattice/CellTopology.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/WriteVtk.h"

namespace pliant {
namespace {

using Place = std::array<double, 3>;

Place placeOf(const Points& x, Eigen::Index k) {
    return {x(0, k), x(1, k), x(2, k)};
}

/// The weight of each region at each vertex of the lattice; functions of level 0 are at their vertices' places.
MatrixX weightsOf(const ControlLattice& lattice, const LatticeModel& model) {
    std::map<Place, Eigen::Index> vertexAt;
    for (Eigen::Index v = 0; v < lattice.positions.cols(); ++v) vertexAt[placeOf(lattice.positions, v)] = v;
    MatrixX weights = MatrixX::Zero(lattice.positions.cols(), static_cast<Eigen::Index>(model.regions.size()));
    for (std::size_t i = 0; i < model.regions.size(); ++i)
        for (std::size_t k = 0; k < model.regions[i].cells.functions.size(); ++k) {
            const int a = model.regions[i].cells.functions[k];
            const auto vertex = vertexAt.find(placeOf(model.rest, a));
            if (model.level[static_cast<std::size_t>(a)] == 0 && vertex != vertexAt.end())
                weights(vertex->second, static_cast<Eigen::Index>(i)) =
                    model.regions[i].blend[static_cast<Eigen::Index>(k)];
        }
    return weights;
}

}  // namespace

void writeControlLattice(const ControlLattice& lattice, const LatticeModel& model, const std::string& path) {
    const CellKind kind = lattice.cells.empty() ? CellKind::Prism : lattice.cells[0].kind;
    VolumeMesh mesh;
    mesh.kind = kind == CellKind::Hexahedron ? ElementKind::Brick : ElementKind::Tetrahedron;
    mesh.positions = lattice.positions;
    mesh.elements.resize(topologyOf(kind).corners, static_cast<Eigen::Index>(lattice.cells.size()));
    for (const LatticeRegion& region : model.regions)
        mesh.materials.emplace_back().name = model.skeleton.bones[static_cast<std::size_t>(region.bone)].name;
    const MatrixX weights = weightsOf(lattice, model);
    for (std::size_t c = 0; c < lattice.cells.size(); ++c) {
        if (kind == CellKind::Prism || lattice.cells[c].kind != kind)
            throw Error(path, "cell " + std::to_string(c) + " is of another kind than can be written",
                        "lattices of tetrahedra alone or of bricks alone are written");
        Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(weights.cols());
        for (Eigen::Index k = 0; k < mesh.elements.rows(); ++k) {
            const int v = lattice.cells[c].corners[static_cast<std::size_t>(k)];
            mesh.elements(k, static_cast<Eigen::Index>(c)) = v;
            sum += weights.row(v);
        }
        Eigen::Index region = 0;
        sum.maxCoeff(&region);
        mesh.elementMaterial.push_back(static_cast<int>(region));
    }
    writeVtu(mesh, {}, path);
}

}  // namespace pliant
