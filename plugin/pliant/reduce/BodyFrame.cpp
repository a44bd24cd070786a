// SPDX-License-Identifier: Zlib
#include "pliant/reduce/BodyFrame.h"

namespace pliant {

BodyFrame bodyFrame(const FullModel& model) {
    return bodyFrame(model.massMatrix(), model.mesh().positions);
}

BodyFrame bodyFrame(const SparseMatrix& M, const Points& X) {
    const Eigen::Index n = X.cols();
    const VectorX weights = M * VectorX::Ones(3 * n);  // row sums: mass that each vertex stands for
    BodyFrame frame;
    Vector3 moment = Vector3::Zero();
    for (Eigen::Index v = 0; v < n; ++v) {
        frame.mass += weights[3 * v];
        moment += weights[3 * v] * X.col(v);
    }
    frame.meshFromBody.translation = moment / frame.mass;

    const Points centred = X.colwise() - frame.meshFromBody.translation;
    const VectorX weighted = M * Eigen::Map<const VectorX>(centred.data(), 3 * n);
    const Matrix3 second = centred * Eigen::Map<const Points>(weighted.data(), 3, n).transpose();
    const Matrix3 symmetric = 0.5 * (second + second.transpose());
    const Matrix3 inertia = symmetric.trace() * Matrix3::Identity() - symmetric;
    const Matrix3 R = principalAxes(inertia);
    frame.meshFromBody.rotation = R;
    frame.principalInertia = (R.transpose() * inertia * R).diagonal();
    return frame;
}

}  // namespace pliant
