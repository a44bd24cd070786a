// SPDX-License-Identifier: Zlib
// The keywords of pliant.reduce().
#pragma once

#include <pybind11/pybind11.h>

#include <filesystem>

#include "Model.h"

namespace pliant::python {

/// pliant.reduce() of a file. @param arguments keywords and values; an unknown keyword is a TypeError that tells all
/// of them. @param progress a callable or None
/// @throws Error for bad input
ModelHandle reduceWithArguments(const std::filesystem::path& path, const pybind11::dict& arguments,
                                const pybind11::object& progress);

}  // namespace pliant::python
