// SPDX-License-Identifier: Zlib
#include "pliant/basis/CentrifugalShapes.h"

namespace pliant {

MatrixX centrifugalShapes(const StaticCompliance& compliance) {
    const FullModel& model = compliance.model();
    const SparseMatrix& M = model.massMatrix();
    Vector3 centre;
    for (int axis = 0; axis < 3; ++axis) {
        const VectorX along = linearField(model.mesh(), Matrix3::Zero(), Vector3::Unit(axis));
        const VectorX place = linearField(model.mesh(), Matrix3(Matrix3::Identity()));
        centre[axis] = along.dot(M * place) / model.totalMass();
    }
    MatrixX loads(model.degreesOfFreedom(), 6);
    Eigen::Index column = 0;
    for (int a = 0; a < 3; ++a)
        for (int b = a; b < 3; ++b) {
            Matrix3 B = Matrix3::Zero();
            B(a, b) = B(b, a) = 1.0;
            loads.col(column++) = M * linearField(model.mesh(), B, -B * centre);
        }
    return compliance.apply(loads);
}

}  // namespace pliant
