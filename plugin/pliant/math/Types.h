// SPDX-License-Identifier: Zlib
/// @file
/// The number types of every public header.
///
/// Dynamic matrices carry Eigen::DontAlign: a translation unit compiled with -mavx and one without it otherwise
/// disagree about the alignment of Eigen's heap blocks (and about how to free them). Vector3 and Matrix3 are 24 and 72
/// bytes, which Eigen never aligns. Fixed-size types whose size is a multiple of 16 bytes must not be public members.
#pragma once

#include <Eigen/Core>
#include <cstdint>

namespace pliant {

/// A matrix without alignment requirements; rows are contiguous in row vectors, columns otherwise.
template <typename Scalar, int Rows, int Cols>
using Matrix = Eigen::Matrix<Scalar, Rows, Cols,
                             ((Rows == 1 && Cols != 1) ? Eigen::RowMajor : Eigen::ColMajor) | Eigen::DontAlign>;

using Vector3 = Eigen::Vector3d;                                 ///< Three doubles.
using Matrix3 = Eigen::Matrix3d;                                 ///< 3 x 3 doubles.
using VectorX = Matrix<double, Eigen::Dynamic, 1>;               ///< A column of doubles.
using MatrixX = Matrix<double, Eigen::Dynamic, Eigen::Dynamic>;  ///< A matrix of doubles, column-major.
using VectorXf = Matrix<float, Eigen::Dynamic, 1>;               ///< A column of floats.
using MatrixXf = Matrix<float, Eigen::Dynamic, Eigen::Dynamic>;  ///< A matrix of floats, column-major.
using Points = Matrix<double, 3, Eigen::Dynamic>;                ///< 3 x n, a point a column.
using PointsF = Matrix<float, 3, Eigen::Dynamic>;                ///< 3 x n, a point a column.
/// 3 x m, 0-based vertex numbers, counter-clockwise seen from outside.
using Triangles = Matrix<int, 3, Eigen::Dynamic>;
using VectorView = Eigen::Map<VectorX>;  ///< A column in memory that somebody else owns.
/// A column in memory that somebody else owns, not to be written.
using ConstVectorView = Eigen::Map<const VectorX>;

/// Matrix of the linear map x -> a x x.
inline Matrix3 crossMatrix(const Vector3& a) {
    Matrix3 m;
    m << 0.0, -a.z(), a.y(), a.z(), 0.0, -a.x(), -a.y(), a.x(), 0.0;
    return m;
}

/// A rotation followed by a translation: x -> rotation * x + translation.
struct RigidTransform {
    Matrix3 rotation = Matrix3::Identity();  ///< Rotation, 3 x 3, orthonormal.
    Vector3 translation = Vector3::Zero();   ///< Translation, m.

    /// The image of a point.
    Vector3 point(const Vector3& x) const { return rotation * x + translation; }
    /// The image of a direction, which is only rotated.
    Vector3 direction(const Vector3& d) const { return rotation * d; }
    /// The point whose image is x.
    Vector3 inversePoint(const Vector3& x) const { return rotation.transpose() * (x - translation); }
};

}  // namespace pliant
