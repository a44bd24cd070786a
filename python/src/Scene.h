// SPDX-License-Identifier: Zlib
// pliant.Scene.
#pragma once

#include "Bodies.h"

namespace pliant::python {

void addScene(py::module_& module);

}  // namespace pliant::python
