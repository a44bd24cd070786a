// SPDX-License-Identifier: Zlib
// How far up the spectrum a reduced body moves as its mesh does.
#pragma once

#include <string>

#include "pliant/model/ReducedModel.h"

namespace pliant {

/// A body in r coordinates is never slower than its mesh: its eigenvalue j at rest is no less than that of the mesh's
/// mode j (Poincare's separation theorem), and the difference is how much too stiff it is.
struct FollowedModes {
    int count = 0;  ///< Number of the lowest modes whose frequency the body has within a tenth.
    int known = 0;  ///< Number of modes of the mesh that the model tells of.
    /// Frequency in the mesh of the first mode that the body does not follow, Hz; 0: it follows all.
    double mesh = 0.0;
    /// Frequency in the body of the first mode that it does not follow, Hz; 0 where it has no coordinates left.
    double model = 0.0;
};

FollowedModes followedModes(const ReducedModel& model);

/// That as a sentence; empty where the body follows all modes that are known.
std::string stiffnessText(const FollowedModes& followed);

}  // namespace pliant
