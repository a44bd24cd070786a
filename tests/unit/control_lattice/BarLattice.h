// SPDX-License-Identifier: Zlib
// The bar that known figures are told of (character/BarCharacter.h) as a control lattice: its cubes are the cells.
#pragma once

#include "../character/BarCharacter.h"
#include "pliant/control_lattice/MakeLatticeModel.h"
#include "pliant/rig/PoseMotion.h"

namespace pliant::test {

inline ControlLattice barLattice(const VolumeMesh& mesh) {
    ControlLattice lattice;
    lattice.positions = mesh.positions;
    for (Eigen::Index e = 0; e < mesh.elements.cols(); ++e) {
        ControlCell& cell = lattice.cells.emplace_back();
        cell.kind = CellKind::Hexahedron;
        for (Eigen::Index c = 0; c < 8; ++c) cell.corners[static_cast<std::size_t>(c)] = mesh.elements(c, e);
    }
    return lattice;
}

/// Smoothstep weights over 0.15 m to both sides of the joint, and the core of the figures.
inline LatticeOptions barLatticeOptions(const VolumeMesh& mesh) {
    LatticeOptions options;
    options.material = mesh.materials[0];
    options.core = 0.5;
    options.depth = 1;
    options.vertexWeights.resize(mesh.positions.cols(), 2);
    for (Eigen::Index v = 0; v < mesh.positions.cols(); ++v) {
        const double lower = lowerWeight(mesh.positions(0, v));
        options.vertexWeights.row(v) << 1.0 - lower, lower;
    }
    return options;
}

inline std::shared_ptr<const LatticeModel> barLatticeModel(double cell, bool globalLinear = false) {
    const VolumeMesh mesh = barMesh(cell);
    LatticeOptions options = barLatticeOptions(mesh);
    options.globalLinear = globalLinear;
    return makeLatticeModel(barRig(mesh), barLattice(mesh), options, "bar");
}

inline std::vector<MovingFrame> bent(const Skeleton& skeleton, double angle) {
    std::vector<MovingFrame> bones;
    motionOf(skeleton, bentPose(skeleton, angle), bones);
    return bones;
}

}  // namespace pliant::test
