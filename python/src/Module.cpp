// SPDX-License-Identifier: Zlib
// The extension module pliant._pliant.
#include <exception>

#include "Bodies.h"
#include "Model.h"
#include "Scene.h"
#include "World.h"
#include "pliant/math/Error.h"

namespace {

/// Names of files in messages may be of any bytes: they come back as Python itself gives them, and never as no message.
void raise(PyObject* type, const char* message) {
    const pliant::python::py::object text =
        pliant::python::py::reinterpret_steal<pliant::python::py::object>(PyUnicode_DecodeFSDefault(message));
    if (text) PyErr_SetObject(type, text.ptr());
}

PyObject *g_error = nullptr, *g_cancelled = nullptr;  // of the module, which is never unloaded

void translate(std::exception_ptr thrown) {
    try {
        if (thrown) std::rethrow_exception(thrown);
    } catch (const pliant::Cancelled& stopped) {
        raise(g_cancelled, stopped.what());
    } catch (const pliant::Error& problem) {
        raise(g_error, problem.what());
    }
}

}  // namespace

PYBIND11_MODULE(_pliant, module) {
    using namespace pliant::python;
    module.doc() = "Reduced-coordinate, large-deformation bodies in a Bullet world.";
    module.attr("__version__") = PLIANT_VERSION;
    g_error = PyErr_NewException("pliant._pliant.Error", PyExc_RuntimeError, nullptr);
    module.add_object("Error", g_error);
    g_cancelled = PyErr_NewException("pliant._pliant.Cancelled", g_error, nullptr);
    module.add_object("Cancelled", g_cancelled);
    py::register_exception_translator(&translate);
    addModel(module);
    addSimulation(module);
    addBodies(module);
    addWorld(module);
    addScene(module);
}
