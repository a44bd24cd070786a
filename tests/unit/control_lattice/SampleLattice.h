// SPDX-License-Identifier: Zlib
// Small control lattices.
#pragma once

#include "pliant/control_lattice/CellTopology.h"
#include "pliant/control_lattice/ControlLattice.h"

namespace pliant::test {

/// A cell of each kind, stretched and turned: nothing is parallel to an axis.
inline ControlLattice oneCell(CellKind kind) {
    const int corners = topologyOf(kind).corners;
    Matrix<double, 3, Eigen::Dynamic> unit(3, corners);
    if (kind == CellKind::Tetrahedron)
        unit << 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1;
    else if (kind == CellKind::Prism)
        unit << 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 1, 1;
    else
        unit << 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1;
    Matrix3 map;
    map << 1.1, 0.2, -0.1, 0.3, 0.9, 0.2, -0.2, 0.1, 1.3;
    ControlLattice lattice;
    lattice.positions = (map * unit).colwise() + Vector3(0.3, -0.2, 0.5);
    lattice.cells.resize(1);
    lattice.cells[0].kind = kind;
    for (int k = 0; k < corners; ++k) lattice.cells[0].corners[static_cast<std::size_t>(k)] = k;
    return lattice;
}

/// A prism on a hexahedron under a tetrahedron's three: three kinds of cells that meet in whole faces. The hexahedron
/// is bent.
inline ControlLattice threeKinds() {
    ControlLattice lattice;
    lattice.positions.resize(3, 11);
    lattice.positions.transpose() << 0, 0, 0, 1, 0, 0, 1.1, 1, 0, 0, 1.2, 0.1, 0, 0, 1, 1, 0.1, 1, 1, 1, 1.2, 0, 1, 1,
        0.1, 0.5, 2, 1, 0.5, 2.1, 1.8, 0.5, 1.5;
    lattice.cells = {{CellKind::Hexahedron, {0, 1, 2, 3, 4, 5, 6, 7}},
                     {CellKind::Prism, {4, 7, 8, 5, 6, 9}},
                     {CellKind::Tetrahedron, {5, 6, 9, 10}}};
    return lattice;
}

}  // namespace pliant::test
