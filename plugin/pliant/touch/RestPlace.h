// SPDX-License-Identifier: Zlib
// Internal: a point of the world on its way back to the rest shape, for the sources of DeformedField.
#pragma once

#include "pliant/touch/DeformedField.h"
#include "pliant/touch/LatticeMap.h"

namespace pliant {

/// Where a point of the world is at rest.
struct DeformedField::RestPlace {
    static constexpr int kMostIterations = 8;  ///< Of Newton's method; 1 to 3 are the rule.
    static constexpr int kTogether = 8;        ///< Look-ups under way.
    Vector3 rest;                              ///< Mesh frame, m.
    DeformationGradient F;                     ///< There, or at the place before the last step; of a body that is bent.
};

}  // namespace pliant
