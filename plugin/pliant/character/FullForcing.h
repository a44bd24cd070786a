// SPDX-License-Identifier: Zlib
// What bones do to the flesh, on the full simulation mesh: loads that are linear in twelve numbers of each pair of
// bones. Projected on a basis they are SkinForcing (model/CharacterModel.h).
#pragma once

#include <vector>

#include "pliant/fem/FullModel.h"
#include "pliant/model/CharacterModel.h"

namespace pliant {

/// Loads of the mesh, its frame, columns as in SkinForcing.
struct FullForcing {
    Matrix<int, 2, Eigen::Dynamic> pairs;  ///< Pairs of bones, 2 x P.
    SparseMatrix inertia;                  ///< Load of inertia, 3n x 12P: M (w_b w_c e_i x_k).
    SparseMatrix pose;                     ///< Load of the pose, 3n x 12P: S_b (w_c e_i x_k); zero for b = c.
};

/// Products of weights are interpolated between the vertices, so that all bones in one motion act as one: sum_bc of the
/// columns is M (e_i x_k) to rounding. S_b weighs each element with the mean w_b of its corners; sum_b S_b = K.
/// @param weights of the n vertices of the model's mesh
FullForcing fullForcing(const FullModel& model, const SkinWeights& weights);

}  // namespace pliant
