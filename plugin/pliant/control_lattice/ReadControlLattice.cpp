// SPDX-License-Identifier: Zlib
#include "pliant/control_lattice/ReadControlLattice.h"

#include "pliant/mesh/ReadVolume.h"

namespace pliant {

ControlLattice readControlLattice(const std::string& path, double metresPerUnit, std::vector<std::string>* notes) {
    const VolumeFile file = readVolume(path, metresPerUnit);
    if (notes) notes->insert(notes->end(), file.notes.begin(), file.notes.end());
    ControlLattice lattice;
    lattice.positions = file.mesh.positions;
    const bool bricks = file.mesh.kind == ElementKind::Brick;
    for (Eigen::Index e = 0; e < file.mesh.elements.cols(); ++e) {
        ControlCell& cell = lattice.cells.emplace_back();
        cell.kind = bricks ? CellKind::Hexahedron : CellKind::Tetrahedron;
        for (Eigen::Index c = 0; c < file.mesh.elements.rows(); ++c)  // bricks have VTK's order, too
            cell.corners[static_cast<std::size_t>(c)] = file.mesh.elements(c, e);
    }
    return lattice;
}

}  // namespace pliant
