// SPDX-License-Identifier: Zlib
// pliant.Bodies: reduced bodies of one model in a world or a scene.
#pragma once

#include "Simulation.h"

namespace pliant::python {

/// pliant.Bodies.
struct Bodies {
    std::shared_ptr<Simulation> simulation;  ///< keeps Bullet's objects alive
    std::shared_ptr<BodyArrays> arrays;

    /// A body that may be touched now. @throws Error, IndexError
    btPliantBody& body(py::ssize_t index) const;
};

/// Rayleigh's damping, 1/s and s. @throws Error where it is negative, too large or no number
DampingSettings toDamping(double mass, double stiffness);

void addBodies(py::module_& module);

}  // namespace pliant::python
