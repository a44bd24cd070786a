// SPDX-License-Identifier: Zlib
// Numbers between NumPy and the library.
#pragma once

#include <pybind11/numpy.h>

#include <string>

#include "pliant/math/Types.h"

namespace pliant::python {

namespace py = pybind11;

/// What a user hands over: anything that NumPy makes doubles of, row by row.
using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// What a keyword that may be None was given. @throws Error at `name` where NumPy makes no numbers of it
Numbers toNumbers(const py::object& value, const char* name);

/// Largest length, speed, mass, force and the like that a world takes, in its SI unit.
constexpr double kLargest = 1e15;
/// Smallest one that is not nothing.
constexpr double kSmallest = 1e-15;

/// Three numbers up to kLargest. @throws Error at `name`
Vector3 toVector3(const Numbers& numbers, const char* name);
/// A unit quaternion x, y, z, w as a rotation. @throws Error at `name`, where its length is not 1 within 1e-3
Matrix3 toRotation(const double* xyzw, const char* name);
/// Rows of `columns` numbers up to kLargest: one row for all of `count`, or a row each. @throws Error at `name`
Numbers toRows(const Numbers& numbers, py::ssize_t count, py::ssize_t columns, const char* name);
/// Finite numbers in any shape with as many elements. @throws Error at `name`
VectorX toVector(const Numbers& numbers, Eigen::Index size, const char* name);

/// A read-only view of an array: users see its changes and make none.
py::array readOnlyView(const py::array& array);
/// Columns of `points` (3 x n) as an n x 3 array of its own.
py::array_t<double> rowsOf(const Points& points);
/// A matrix as a view without a copy. @param owner keeps the memory
py::array viewOf(const MatrixX& matrix, const py::object& owner);
/// Numbers as an array of its own.
py::array_t<double> arrayOf(const VectorX& numbers);

}  // namespace pliant::python
