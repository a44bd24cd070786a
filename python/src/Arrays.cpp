// SPDX-License-Identifier: Zlib
#include "Arrays.h"

#include <Eigen/Geometry>
#include <cmath>

#include "pliant/math/Error.h"

namespace pliant::python {
namespace {

void expectFinite(const double* numbers, py::ssize_t count, const char* name) {
    for (py::ssize_t i = 0; i < count; ++i)
        if (!std::isfinite(numbers[i])) throw Error(name, "number " + std::to_string(i) + " is not finite");
}

/// Bullet's numbers of single precision are squared and multiplied; what is larger comes to infinity there.
void expectMeasured(const double* numbers, py::ssize_t count, const char* name) {
    expectFinite(numbers, count, name);
    for (py::ssize_t i = 0; i < count; ++i)
        if (std::abs(numbers[i]) > kLargest)
            throw Error(name, "number " + std::to_string(i) + " is beyond 1e15", "give it in SI units");
}

}  // namespace

Numbers realNumbers(const py::handle& value) {
    const py::array array = py::array::ensure(value);
    Numbers numbers(py::reinterpret_steal<Numbers>(nullptr));
    if (array && array.dtype().kind() != 'c') numbers = Numbers::ensure(array);
    if (!numbers) PyErr_Clear();
    return numbers;
}

Numbers toNumbers(const py::object& value, const char* name) {
    Numbers numbers = realNumbers(value);
    if (!numbers) throw Error(name, "no real numbers");
    return numbers;
}

Vector3 toVector3(const Numbers& numbers, const char* name) {
    return toMeasured(numbers, 3, name);
}

VectorX toMeasured(const Numbers& numbers, Eigen::Index size, const char* name) {
    const VectorX vector = toVector(numbers, size, name);
    expectMeasured(vector.data(), size, name);
    return vector;
}

VectorX toVector(const Numbers& numbers, Eigen::Index size, const char* name) {
    if (numbers.size() != size)
        throw Error(name, std::to_string(numbers.size()) + " numbers in place of " + std::to_string(size));
    expectFinite(numbers.data(), numbers.size(), name);
    return Eigen::Map<const VectorX>(numbers.data(), size);
}

Matrix3 toRotation(const double* xyzw, const char* name) {
    constexpr double kRounding = 1e-3;
    const Eigen::Quaterniond rotation(xyzw[3], xyzw[0], xyzw[1], xyzw[2]);
    if (!(std::abs(rotation.norm() - 1.0) < kRounding))
        throw Error(name, "a quaternion x, y, z, w of length " + std::to_string(rotation.norm()),
                    "rotations have length 1");
    return rotation.normalized().toRotationMatrix();
}

Numbers toRows(const Numbers& numbers, py::ssize_t count, py::ssize_t columns, const char* name) {
    expectMeasured(numbers.data(), numbers.size(), name);
    const bool isOneRow = numbers.ndim() == 1 || (numbers.ndim() == 2 && numbers.shape(0) == 1);
    if (isOneRow && numbers.size() == columns) {  // the same for all
        Numbers rows({count, columns});
        for (py::ssize_t row = 0; row < count; ++row)
            std::copy_n(numbers.data(), columns, rows.mutable_data() + row * columns);
        return rows;
    }
    if (numbers.ndim() == 2 && numbers.shape(0) == count && numbers.shape(1) == columns) return numbers;
    throw Error(name, "neither " + std::to_string(columns) + " numbers nor an array of shape (" +
                          std::to_string(count) + ", " + std::to_string(columns) + ")");
}

py::array readOnlyView(const py::array& array) {
    py::array view = array.attr("view")();
    view.attr("flags").attr("writeable") = false;
    return view;
}

py::array_t<double> rowsOf(const Points& points) {
    py::array_t<double> rows({static_cast<py::ssize_t>(points.cols()), py::ssize_t(3)});
    Eigen::Map<Points>(rows.mutable_data(), 3, points.cols()) = points;  // column-major 3 x n is row-major n x 3
    return rows;
}

py::array viewOf(const MatrixX& matrix, const py::object& owner) {
    constexpr py::ssize_t kBytes = sizeof(double);
    const py::array_t<double> whole({matrix.rows(), matrix.cols()}, {kBytes, kBytes * matrix.rows()}, matrix.data(),
                                    owner);
    return readOnlyView(whole);
}

py::array_t<double> arrayOf(const VectorX& numbers) {
    return py::array_t<double>(numbers.size(), numbers.data());
}

}  // namespace pliant::python
