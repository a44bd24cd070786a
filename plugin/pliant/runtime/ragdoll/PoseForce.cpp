// SPDX-License-Identifier: Zlib
#include "pliant/runtime/ragdoll/PoseForce.h"

namespace pliant {

void poseForce(const CharacterModel& character, const std::vector<AffineMap>& bones, VectorX& force) {
    const SkinForcing& forcing = character.forcing;
    force.setZero(forcing.pose.rows());
    for (Eigen::Index p = 0; p < forcing.pairs.cols(); ++p) {
        const int b = forcing.pairs(0, p), c = forcing.pairs(1, p);
        if (b == c) continue;
        const AffineMap &first = bones[static_cast<std::size_t>(b)], &second = bones[static_cast<std::size_t>(c)];
        const double scale = first.col(0).norm();
        const Matrix3 back = first.leftCols<3>().transpose() / scale;
        AffineMap shape;
        shape.leftCols<3>().noalias() = back * second.leftCols<3>();
        shape.leftCols<3>().diagonal().array() -= scale;
        shape.col(3).noalias() = back * Vector3(second.col(3) - first.col(3));
        for (int k = 0; k < 12; ++k) force -= shape.data()[k] * forcing.pose.col(12 * p + k);
    }
}

}  // namespace pliant
