// SPDX-License-Identifier: Zlib
// The numbers of a distance field. Internal to makeDistanceField.
#pragma once

#include "pliant/field/OutsideRegion.h"
#include "pliant/model/ContactSurface.h"
#include "pliant/skeleton/SurfaceDistance.h"

namespace pliant {

/// How far from the surface, on one side of it, samples are exact; from there to `coarse` they pass over into the
/// interpolation of the brick corners, which is all that there is beyond. That makes the field steady where a brick
/// with fine samples meets one without. In spacings.
struct FieldBand {
    double exact = 0.0;
    double coarse = 0.0;

    /// The weight of the corners at a distance.
    double cornerWeight(double distance) const {
        const double w = (distance - exact) / (coarse - exact);
        return w > 0.0 ? (w < 1.0 ? w : 1.0) : 0.0;
    }
};
struct FieldBands {
    FieldBand outside, inside;
};

/// The bricks that may have fine samples, ascending. @param certain receives how many of them do for sure
std::vector<int> bandBricks(const FieldGrid& grid, const FieldBands& bands, const OutsideRegion& outside,
                            const SurfaceDistance& surface, std::size_t& certain);

/// Corners and samples; `lipschitz` too. @param bricks of bandBricks()
DistanceField sampleField(const FieldGrid& grid, const FieldBands& bands, const OutsideRegion& outside,
                          const SurfaceDistance& surface, const std::vector<int>& bricks);

}  // namespace pliant
