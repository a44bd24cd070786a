// SPDX-License-Identifier: Zlib
// The extension module pliant._pliant.
#include "Bodies.h"
#include "Model.h"
#include "Scene.h"
#include "World.h"
#include "pliant/math/Error.h"

PYBIND11_MODULE(_pliant, module) {
    using namespace pliant::python;
    module.doc() = "Reduced-coordinate, large-deformation bodies in a Bullet world.";
    module.attr("__version__") = PLIANT_VERSION;
    const py::object error = py::register_exception<pliant::Error>(module, "Error", PyExc_RuntimeError);
    py::register_exception<pliant::Cancelled>(module, "Cancelled", error.ptr());
    addModel(module);
    addSimulation(module);
    addBodies(module);
    addWorld(module);
    addScene(module);
}
