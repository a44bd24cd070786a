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

void addBodies(py::module_& module);

}  // namespace pliant::python
