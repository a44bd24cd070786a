// SPDX-License-Identifier: Zlib
/// @file
/// How the strain's variation inside a brick counts against its mean.
#pragma once

#include <cmath>

#include "pliant/math/Types.h"

namespace pliant {

/// How the strain's variation inside a brick counts against its mean (fem/Element.h has the formulae).
struct BrickBending {
    /// Weight in (0, 1] of the energy of what varies by more than one axis at once. With 1 the brick is a plain one:
    /// all of its strain counts, and the others are not asked.
    double rest = 1.0;
    Vector3 fill = Vector3::Ones();  ///< Share in (0, 1] of the brick's side on each axis that material fills.
    double poissonRatio = 0.3;       ///< Of the material, below 0.5.
    bool isCut = false;              ///< Whether material fills a box in the brick alone: shears are then sampled.
    /// Place of the brick's middle along each axis, from that of its filled box, over the root mean square of the
    /// places in the box; counts where `isCut`.
    Vector3 middle = Vector3::Zero();

    /// Whether all of the strain counts.
    bool plain() const { return rest == 1.0 && !isCut; }
    /// What two normal strains that vary along the axis across both keep of their mean: with it the energy of three
    /// dimensions is that of plane stress, in which the third strain is free.
    double planeTrace() const {
        return std::sqrt((1.0 + poissonRatio) * (1.0 - 2.0 * poissonRatio) / (1.0 - poissonRatio));
    }
};

}  // namespace pliant
