// SPDX-License-Identifier: Zlib
// Internal: what acts on the flesh of a ragdoll acts on its limbs.
#pragma once

#include <Eigen/LU>
#include <cmath>

#include "btPliant/data/CharacterData.h"

namespace btPliantInternal {

/// Adds what a force (N) at a place of the world that the carriers carry, and a couple (N m), do to the limbs.
/// @param onLimbs 6 a limb
inline void addOnLimbs(const CharacterData& c, const Carriers& carriers, const pliant::Vector3& place,
                       const pliant::Vector3& force, const pliant::Vector3& couple,
                       Eigen::Ref<pliant::VectorX> onLimbs) {
    constexpr double flat = 1e-3;  // bones turned against each other so far that their mean has no volume carry nothing
    const pliant::AffineMap mean = carriers.map(c.bones);
    const pliant::Matrix3 turn = mean.leftCols<3>();
    const bool turns = std::abs(turn.determinant()) > flat;
    const pliant::Vector3 carried =
        turns ? pliant::Vector3(turn.inverse() * (place - mean.col(3))) : pliant::Vector3(pliant::Vector3::Zero());
    double whole = 0.0;
    for (const double weight : carriers.weights) whole += weight;
    for (int k = 0; k < 4 && whole > 0.0; ++k) {
        const auto b = static_cast<std::size_t>(carriers.bones[k]);
        const int limb = c.ragdoll->model().limbOf[b];
        const double share = carriers.weights[k] / whole;
        const pliant::Vector3 at =
            turns ? pliant::Vector3(c.bones[b].leftCols<3>() * carried + c.bones[b].col(3)) : place;
        onLimbs.segment<3>(6 * limb) += share * force;
        onLimbs.segment<3>(6 * limb + 3) +=
            share * (pliant::Vector3(at - c.ragdoll->system.centre(limb)).cross(force) + couple);
    }
}

}  // namespace btPliantInternal
