// SPDX-License-Identifier: Zlib
/// @file
/// Every choice in giving flesh to a rig, with units and defaults.
#pragma once

#include <string>

#include "pliant/math/Api.h"
#include "pliant/mesh/ElasticMaterial.h"
#include "pliant/model/CharacterModel.h"

namespace pliant {

/// Every choice in giving flesh to a rig.
struct PLIANT_API CharacterOptions {
    /// Of all flesh; isotropic. Default: E = 1 MPa, as limbs that run need, nu = 0.4, 1000 kg/m^3.
    ElasticMaterial material{"flesh", 1000.0, 1.0e6, 0.4};
    int voxels = 0;  ///< Bricks along the longest side of the surface; 0 = chosen from it.
    /// Radius of the core that each bone holds, as a share of the way from the bone to the surface, (0, 1).
    double core = 0.3;
    RestShape base = RestShape::Flesh;  ///< Whether flesh takes its own shape in a pose, or the skin's.
    bool linear = true;                 ///< Linear elasticity at rest; false: St. Venant and Kirchhoff's law.
    int modes = 32;                     ///< Softest linear modes that the basis is made of, >= 1.
    int dimension = 48;                 ///< Number r of columns of the basis; fewer where the shapes span fewer.
    int clipSamples = 24;               ///< Poses along each clip whose static answers go into the basis, >= 0.
    /// Joints are bent by this angle to both sides about three axes, and the static answers go into the basis, rad; 0:
    /// not at all.
    double jointRange = 0.785398163397448;
    bool modesAlone = false;  ///< No static answers: what they are measured against.
    int threads = 0;          ///< Workers; 0 = all cores. Does not change the result.

    /// "key=value;..." of every option that changes the result.
    std::string canonical() const;
};

}  // namespace pliant
