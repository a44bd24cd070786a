// SPDX-License-Identifier: Zlib
#include "pliant/runtime/SpinInertia.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>

namespace pliant {

Matrix3 withLeastSpinInertia(const Matrix3& inertia, const Matrix3& carried) {
    constexpr double leastShare = 0.3;
    const Eigen::LLT<Matrix3> enough((1.0 - leastShare) * inertia - carried);
    if (enough.info() == Eigen::Success) return inertia;
    const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix3> shares(inertia - carried, inertia);
    if (shares.info() != Eigen::Success) return inertia;
    Matrix3 sum = inertia;
    for (int k = 0; k < 3; ++k) {
        const Vector3 axis = inertia * shares.eigenvectors().col(k);
        sum += std::max(0.0, leastShare - shares.eigenvalues()[k]) * axis * axis.transpose();
    }
    return sum;
}

}  // namespace pliant
