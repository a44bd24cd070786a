// SPDX-License-Identifier: Zlib
// The shapes that flesh on bones takes: soft modes, and the static answers to what its bones do to it.
#pragma once

#include <vector>

#include "pliant/character/CharacterOptions.h"
#include "pliant/character/FullForcing.h"
#include "pliant/math/Progress.h"
#include "pliant/rig/Rig.h"

namespace pliant {

/// A basis of held flesh.
struct CharacterBasis {
    MatrixX U;            ///< Basis, 3n x r, mesh frame, U' M U = 1: eigenvectors of the rest stiffness, softest first.
    VectorX eigenvalues;  ///< Eigenvalues, r, (rad/s)^2: U' K U = diag.
    VectorX linearModes;  ///< Eigenvalues of the modes that it was made of, (rad/s)^2.
    int shapes = 0;       ///< Number of shapes that it was chosen from.
};

/// Mass-PCA of linear modes (weight lambda_1 / lambda_j), and of static answers K^-1 (f_in + f_pose), each group with
/// its longest weighing 1: to poses along the clips, to the accelerations along them, to the ranges of the joints, and
/// to gravity along each axis at rest. Then the eigenvectors of the rest stiffness in what they span.
/// @param rig in the mesh's frame  @param held vertices, ascending
/// @param progress stages "linear modes", "static answers", "basis"
/// @throws Error where modes are asked for that are not there; Cancelled
CharacterBasis characterBasis(const FullModel& model, const std::vector<int>& held, const FullForcing& forcing,
                              const Rig& rig, const CharacterOptions& options, const ProgressCallback& progress);

}  // namespace pliant
