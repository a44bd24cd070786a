// SPDX-License-Identifier: Zlib
// pliant.Model, pliant.load() and pliant.reduce().
#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include "pliant/model/ReducedModel.h"

namespace pliant::python {

/// pliant.Model.
struct ModelHandle {
    std::shared_ptr<const ReducedModel> model;  ///< never null
};

/// The drawn surface in the mesh frame, deformed by q (r x 1).
Points deformedSurface(const ReducedModel& model, const VectorX& q);

void addModel(pybind11::module_& module);

}  // namespace pliant::python
