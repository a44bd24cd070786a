// SPDX-License-Identifier: Zlib
#include "pliant/model/PairColumns.h"

namespace pliant {

void pairColumns(const Matrix<int, 2, Eigen::Dynamic>& pairs, const MovingFrame* bones, const Vector3& gravity,
                 double* inertia, double* pose) {
    for (Eigen::Index p = 0; p < pairs.cols(); ++p) {
        const MovingFrame &b = bones[pairs(0, p)], &c = bones[pairs(1, p)];
        const double scale = b.scale();
        const Matrix3 turnBack = b.map.leftCols<3>().transpose() / scale;
        Eigen::Map<AffineMap> accelerated(inertia + 12 * p), displaced(pose + 12 * p);
        accelerated.leftCols<3>() = turnBack * c.acceleration.leftCols<3>();
        accelerated.col(3) = turnBack * (c.acceleration.col(3) - gravity);
        displaced.setZero();
        if (pairs(0, p) == pairs(1, p)) continue;
        displaced.leftCols<3>() = turnBack * c.map.leftCols<3>();
        displaced.leftCols<3>().diagonal().array() -= scale;
        displaced.col(3) = turnBack * (c.map.col(3) - b.map.col(3));
    }
}

}  // namespace pliant
