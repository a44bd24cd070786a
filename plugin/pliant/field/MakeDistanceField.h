// SPDX-License-Identifier: Zlib
// The signed distance field of a closed surface.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pliant/mesh/SurfaceMesh.h"
#include "pliant/model/ContactSurface.h"

namespace pliant {

struct DistanceFieldOptions {
    /// Spacings along the longest side of the surface's box, >= 16; more where the body is thin, fewer where `memory`
    /// is short.
    int resolution = 160;
    /// Distance outside of the surface, in spacings, up to which there are fine samples, >= 3.
    double outsideBand = 8.0;
    /// The same inside, >= 8: farther in there has to be room for a whole brick.
    double insideBand = 16.0;
    /// Least width of the bands, m, >= 0: narrower ones become this wide, whatever the spacing and the memory are.
    double leastOutside = 0.0;
    double leastInside = 0.0;
    std::size_t memory = std::size_t(8) << 20;  ///< Memory that the field may take, bytes.
};

/// The signed distance of the surface that is seen from outside; parts inside of others, and what sheets that run into
/// each other have inside, do not count. What the orientation of triangles is does not matter. Openings and gaps
/// narrower than the spacing are filled.
///
/// The spacing is a quarter of the thickness where the body is thin (walls with parallel sides, 1 % of the surface at
/// least), so far as `memory` allows. Any number of threads gives the same bits.
/// @param surface closed when vertices at the same place are joined (ClosedSurface.h); in the mesh frame, m
/// @param notes receives what the field does not meet (walls thinner than two spacings, a coarser spacing), a sentence
/// each  @throws Error for a surface that is not closed or encloses nothing, a body that is too thin for the memory as
/// a whole, options out of range
DistanceField makeDistanceField(const SurfaceMesh& surface, const DistanceFieldOptions& options = {},
                                std::vector<std::string>* notes = nullptr);

}  // namespace pliant
