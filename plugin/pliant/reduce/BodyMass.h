// SPDX-License-Identifier: Zlib
// What a body made of a surface weighs, and what the surface says that it should.
#pragma once

#include <string>

#include "pliant/mesh/SurfaceClosure.h"
#include "pliant/mesh/VolumeMesh.h"
#include "pliant/reduce/ReduceOptions.h"

namespace pliant {

struct BodyMass {
    double body = 0.0;     ///< kg
    double surface = 0.0;  ///< volume or area times thickness, times density, kg; 0 where nothing says it
    std::string filling;   ///< how bricks were made, and both masses, for the user to see
    std::string warning;   ///< a sentence with the cure where they differ by more than 2 %; empty otherwise
};

/// Mass of all elements, kg.
double massOf(const VolumeMesh& mesh);

/// @param mesh  bricks of the surface that `closure` tells of  @param options  with `solid` decided
/// Of several materials the mean density counts.
BodyMass bodyMass(const VolumeMesh& mesh, const SurfaceClosure& closure, const ReduceOptions& options);

}  // namespace pliant
