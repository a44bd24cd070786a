// SPDX-License-Identifier: Zlib
#include "pliant/view/InterpolatePoses.h"

#include <Eigen/Geometry>

namespace pliant {
namespace {

bool areAlike(const std::vector<Poses>& a, const std::vector<Poses>& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i].count() != b[i].count() || a[i].dimension != b[i].dimension) return false;
    return true;
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
        for (std::size_t j = 0; j < b.q.size(); ++j) poses[i].q[j] = a.q[j] + share * (b.q[j] - a.q[j]);
    }
}

}  // namespace pliant
