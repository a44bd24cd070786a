// SPDX-License-Identifier: Zlib
#include "Model.h"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <cmath>
#include <filesystem>

#include "Arrays.h"
#include "ReduceArguments.h"
#include "pliant/math/Error.h"

namespace pliant::python {
namespace {

/// Frequencies, Hz, of squares of angular ones.
py::array_t<double> hertz(const VectorX& eigenvalues) {
    return arrayOf((eigenvalues.array().max(0.0).sqrt() / (2.0 * EIGEN_PI)).matrix());
}

py::array_t<int> trianglesOf(const ReducedModel& model) {
    const Triangles& triangles = model.surface.triangles;
    py::array_t<int> rows({static_cast<py::ssize_t>(triangles.cols()), py::ssize_t(3)});
    std::copy_n(triangles.data(), triangles.size(), rows.mutable_data());
    return rows;
}

std::string textOf(const ReducedModel& model) {
    return "<pliant.Model " + model.name + ": r = " + std::to_string(model.dimension()) + ", " +
           std::to_string(model.simulationVertexCount()) + " simulation vertices, " +
           std::to_string(model.surfaceVertexCount()) + " drawn vertices>";
}

void addProperties(py::class_<ModelHandle>& model) {
    model.def_property_readonly("name", [](const ModelHandle& m) { return m.model->name; })
        .def_property_readonly(
            "dimension", [](const ModelHandle& m) { return m.model->dimension(); }, "r, the reduced coordinates")
        .def_property_readonly(
            "mass", [](const ModelHandle& m) { return m.model->totalMass(); }, "kg")
        .def_property_readonly(
            "anchored", [](const ModelHandle& m) { return m.model->anchored; }, "whether some vertices are held")
        .def_property_readonly(
            "frequencies", [](const ModelHandle& m) { return hertz(m.model->elasticEigenvalues); },
            "of the elastic modes that the basis was made of, Hz, ascending")
        .def_property_readonly(
            "rest_frequencies", [](const ModelHandle& m) { return hertz(m.model->restEigenvalues); },
            "of the body itself at rest, Hz, one a reduced coordinate, ascending")
        .def_property_readonly(
            "vertices", [](const ModelHandle& m) { return rowsOf(deformedSurface(*m.model, VectorX())); },
            "of the drawn surface at rest, mesh frame, (d, 3), m")
        .def_property_readonly(
            "triangles", [](const ModelHandle& m) { return trianglesOf(*m.model); }, "vertex numbers, (m, 3)")
        .def_property_readonly(
            "basis", [](const py::object& self) { return viewOf(self.cast<const ModelHandle&>().model->basis, self); },
            "U, (3 n, r): displacements of the n simulation vertices, body frame, per unit of q; a view without a "
            "copy");
}

}  // namespace

Points deformedSurface(const ReducedModel& model, const VectorX& q) {
    Points points = model.surface.positions;
    if (q.size() > 0) {
        const VectorX u = model.surfaceBasis.cast<double>() * q;
        points += Eigen::Map<const Points>(u.data(), 3, points.cols());
    }
    return (model.meshFromBody.rotation * points).colwise() + model.meshFromBody.translation;
}

void addModel(py::module_& module) {
    py::class_<ModelHandle> model(module, "Model",
                                  "A reduced body: made once by reduce(), shared by any number of bodies.");
    addProperties(model);
    model
        .def(
            "deformed",
            [](const ModelHandle& m, const Numbers& q) {
                return rowsOf(deformedSurface(*m.model, toVector(q, m.model->dimension(), "q")));
            },
            py::arg("q"), "The drawn vertices in the mesh frame at reduced coordinates q (r), (d, 3), m.")
        .def(
            "save", [](const ModelHandle& m, const std::filesystem::path& path) { saveModel(*m.model, path.string()); },
            py::arg("path"), "Writes a model file, whole or not at all.")
        .def("__repr__", [](const ModelHandle& m) { return textOf(*m.model); });
    module.def(
        "load", [](const std::filesystem::path& path) { return ModelHandle{loadModel(path.string())}; },
        py::arg("path"), "Loads a model file.");
    module.def("_reduce_file", &reduceWithArguments, py::arg("path"), py::arg("arguments"), py::arg("progress"));
}

}  // namespace pliant::python
