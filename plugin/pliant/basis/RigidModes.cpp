// SPDX-License-Identifier: Zlib
#include "pliant/basis/RigidModes.h"

#include <cmath>

#include "pliant/basis/MassPca.h"

namespace pliant {

MatrixX rigidModes(const FullModel& model) {
    return rigidModes(model.mesh(), model.massMatrix(), model.totalMass());
}

MatrixX rigidModes(const VolumeMesh& mesh, const SparseMatrix& M, double totalMass) {
    MatrixX R(M.rows(), 6);
    for (int axis = 0; axis < 3; ++axis) R.col(axis) = linearField(mesh, Matrix3::Zero(), Vector3::Unit(axis));
    // u' M 1 with u = (X, Y, Z): the first moment
    const VectorX weight = M * R.leftCols<3>().rowwise().sum();
    Vector3 centre = Vector3::Zero();
    for (Eigen::Index v = 0; v < mesh.positions.cols(); ++v)
        centre += weight.segment<3>(3 * v).cwiseProduct(mesh.positions.col(v)) / totalMass;
    for (int axis = 0; axis < 3; ++axis) {
        const Matrix3 rotation = crossMatrix(Vector3::Unit(axis));
        R.col(3 + axis) = linearField(mesh, rotation, -rotation * centre);
    }
    for (Eigen::Index j = 0; j < 6; ++j) R.col(j) /= std::sqrt(R.col(j).dot(M * R.col(j)));
    orthonormalise(M, R);
    return R;
}

MatrixX withoutRigidMotion(const SparseMatrix& M, const MatrixX& rigid, const MatrixX& X) {
    if (rigid.cols() == 0) return X;
    return X - rigid * (rigid.transpose() * (M * X));
}

}  // namespace pliant
