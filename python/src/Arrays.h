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

/// An object as numbers, null where NumPy makes none of it, and where they are complex: their half would be lost.
Numbers realNumbers(const py::handle& value);
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
/// Numbers up to kLargest in any shape with as many elements. @throws Error at `name`
VectorX toMeasured(const Numbers& numbers, Eigen::Index size, const char* name);
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

namespace pybind11::detail {

/// Arguments are converted by realNumbers(); others are a TypeError.
template <>
struct type_caster<pliant::python::Numbers> {
    PYBIND11_TYPE_CASTER(pliant::python::Numbers, handle_type_name<pliant::python::Numbers>::name);
    bool load(handle given, bool convert) {
        if (!convert && !pliant::python::Numbers::check_(given)) return false;
        value = pliant::python::realNumbers(given);
        return static_cast<bool>(value);
    }
    static handle cast(const pliant::python::Numbers& numbers, return_value_policy, handle) {
        return numbers.inc_ref();
    }
};

}  // namespace pybind11::detail
