// SPDX-License-Identifier: Zlib
// What a body made of a surface weighs, and what the surface says that it should.
#pragma once

#include <string>

#include "pliant/mesh/SurfaceClosure.h"
#include "pliant/mesh/VolumeMesh.h"
#include "pliant/reduce/ReduceOptions.h"

namespace pliant {

struct BodyMass {
    double body = 0.0;  ///< Mass of the body's elements, kg.
    /// Mass by the surface: volume or area times thickness, times density, kg; 0 where nothing says it.
    double surface = 0.0;
    std::string filling;  ///< How bricks were made, and both masses, for the user to see.
    std::string warning;  ///< A sentence with the cure where the masses differ by more than 2 %; empty otherwise.
};

/// Mass of all elements, kg.
double massOf(const VolumeMesh& mesh);

/// @param mesh  bricks of the surface that `closure` tells of  @param options  with `solid` decided
/// Of several materials the mean density counts.
BodyMass bodyMass(const VolumeMesh& mesh, const SurfaceClosure& closure, const ReduceOptions& options);

}  // namespace pliant
