// SPDX-License-Identifier: Zlib
#include "pliant/view/InterpolatePoses.h"

#include <Eigen/Geometry>

namespace pliant {
namespace {

bool areAlike(const std::vector<Poses>& a, const std::vector<Poses>& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i].count() != b[i].count() || a[i].dimension != b[i].dimension || a[i].boneCount != b[i].boneCount)
            return false;
    return true;
}

/// A rotation with a scale and a translation: rotations on the shortest arc.
Matrix<double, 3, 4> between(const Matrix<double, 3, 4>& a, const Matrix<double, 3, 4>& b, double share) {
    const double sizeA = a.col(0).norm(), sizeB = b.col(0).norm();
    const Matrix3 turnA = a.leftCols<3>() / sizeA, turnB = b.leftCols<3>() / sizeB;
    const Eigen::Quaternion<double, Eigen::DontAlign> before(turnA), after(turnB);
    Matrix<double, 3, 4> result;
    result.leftCols<3>() = (sizeA + share * (sizeB - sizeA)) * before.slerp(share, after).toRotationMatrix();
    result.col(3) = a.col(3) + share * (b.col(3) - a.col(3));
    return result;
}

}  // namespace

void interpolatePoses(const std::vector<Poses>& from, const std::vector<Poses>& to, double share,
                      std::vector<Poses>& poses) {
    if (!(share < 1.0) || !areAlike(from, to)) {
        poses = to;
        return;
    }
    if (!(share > 0.0)) {
        poses = from;
        return;
    }
    poses.resize(to.size());
    for (std::size_t i = 0; i < to.size(); ++i) {
        const Poses &a = from[i], &b = to[i];
        poses[i].resize(b.count(), b.dimension);
        poses[i].time = a.time + share * (b.time - a.time);
        for (std::size_t body = 0; body < b.worldFromBody.size(); ++body) {
            const RigidTransform &A = a.worldFromBody[body], &B = b.worldFromBody[body];
            const Eigen::Quaternion<double, Eigen::DontAlign> before(A.rotation), after(B.rotation);
            poses[i].worldFromBody[body].rotation = before.slerp(share, after).toRotationMatrix();
            poses[i].worldFromBody[body].translation = A.translation + share * (B.translation - A.translation);
        }
        poses[i].resizeBones(b.boneCount);
        for (std::size_t j = 0; j < b.bones.size(); ++j) poses[i].bones[j] = between(a.bones[j], b.bones[j], share);
        for (std::size_t j = 0; j < b.q.size(); ++j) poses[i].q[j] = a.q[j] + share * (b.q[j] - a.q[j]);
    }
}

}  // namespace pliant
