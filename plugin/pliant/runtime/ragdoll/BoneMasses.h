// SPDX-License-Identifier: Zlib
/// @file
/// What each bone of a character weighs: the flesh around it, by its weights.
#pragma once

#include <vector>

#include "pliant/math/Api.h"
#include "pliant/model/CharacterModel.h"

namespace pliant {

/// The flesh that follows one bone, at rest, in the body frame.
struct BoneMass {
    double mass = 0.0;                  ///< Mass int rho w_b, kg.
    Vector3 centre = Vector3::Zero();   ///< Centre of mass int rho w_b x / mass, m.
    Matrix3 inertia = Matrix3::Zero();  ///< Inertia int rho w_b (|d|^2 1 - d d'), d = x - centre, kg m^2.
};

/// Masses of all bones, whose sum is that of the flesh: weights are interpolated between the vertices of the mesh.
PLIANT_INTERNAL_API std::vector<BoneMass> boneMasses(const CharacterModel& character);

/// Two bodies as one.
BoneMass together(const BoneMass& a, const BoneMass& b);

}  // namespace pliant
