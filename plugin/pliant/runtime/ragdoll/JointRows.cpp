// SPDX-License-Identifier: Zlib
#include "pliant/runtime/ragdoll/JointRows.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace pliant {
namespace {

constexpr double kSmallestCosine = 0.05;  ///< of the second angle, that rates are reckoned with

bool isHeld(const RagdollModel& model, const std::vector<LimbHold>& holds, std::size_t limb) {
    return holds[limb].isJoined && model.limbs[limb].parent >= 0;
}

bool isLocked(const JointRange& range, int axis) {
    return range.lower[axis] == range.upper[axis];
}

Eigen::Index countRows(const RagdollModel& model, const std::vector<LimbHold>& holds) {
    Eigen::Index count = 0;
    for (std::size_t i = 0; i < holds.size(); ++i) {
        if (!isHeld(model, holds, i)) continue;
        count += 3;
        for (int k = 0; k < 3; ++k) count += isLocked(holds[i].range, k) ? 1 : 0;
    }
    return count;
}

/// The angles of a joint, and in the columns of `rates` the vectors whose products with the angular velocity of the
/// limb less that of its parent are their rates, world.
struct JointTurn {
    Vector3 angles = Vector3::Zero();
    Matrix3 rates = Matrix3::Identity();

    JointTurn(const RagdollModel& model, const Limb& limb, const JointRange& range,
              const std::vector<AffineMap>& bones) {
        const int parent = model.limbs[static_cast<std::size_t>(limb.parent)].bone;
        const Matrix3 inner = bones[static_cast<std::size_t>(parent)].leftCols<3>() * range.middle;
        const Matrix3 outer = bones[static_cast<std::size_t>(limb.bone)].leftCols<3>() * range.axes;
        angles = jointAngles(inner.transpose() * outer);
        const double sine = std::sin(angles[1]);
        const double cosine = std::max(kSmallestCosine, std::cos(angles[1]));
        Matrix3 G;
        G << 1.0, 0.0, sine, 0.0, std::cos(angles[0]), -std::sin(angles[0]) * cosine, 0.0, std::sin(angles[0]),
            std::cos(angles[0]) * cosine;
        rates = inner * G.inverse().transpose();
    }
};

Vector3 jointPoint(const RagdollModel& model, const Limb& limb, const std::vector<AffineMap>& bones) {
    const Vector3 rest = model.character->skeleton.bones[static_cast<std::size_t>(limb.joint)].head();
    const int inner = model.limbs[static_cast<std::size_t>(limb.parent)].bone;
    const AffineMap both = 0.5 * (bones[static_cast<std::size_t>(inner)] + bones[static_cast<std::size_t>(limb.bone)]);
    return both.leftCols<3>() * rest + both.col(3);
}

}  // namespace

MatrixX jointRows(const RagdollSystem& system, const std::vector<LimbHold>& holds,
                  const std::vector<AffineMap>& bones) {
    MatrixX J;
    jointRows(system, holds, bones, J);
    return J;
}

void jointRows(const RagdollSystem& system, const std::vector<LimbHold>& holds, const std::vector<AffineMap>& bones,
               MatrixX& J) {
    const RagdollModel& model = system.model();
    J.setZero(system.size(), countRows(model, holds));
    Eigen::Index column = 0;
    for (std::size_t i = 0; i < holds.size(); ++i) {
        if (!isHeld(model, holds, i)) continue;
        const Limb& limb = model.limbs[i];
        const int sides[2] = {limb.parent, static_cast<int>(i)};
        const Vector3 point = jointPoint(model, limb, bones);
        for (int k = 0; k < 3; ++k, ++column)
            for (int s = 0; s < 2; ++s) {
                const Vector3 axis = (s == 0 ? 1.0 : -1.0) * Vector3::Unit(k);
                J.col(column).segment<3>(6 * sides[s]) = axis;
                J.col(column).segment<3>(6 * sides[s] + 3) = (point - system.centre(sides[s])).cross(axis);
            }
        const JointTurn turn(model, limb, holds[i].range, bones);
        for (int k = 0; k < 3; ++k) {
            if (!isLocked(holds[i].range, k)) continue;
            J.col(column).segment<3>(6 * sides[0] + 3) = -turn.rates.col(k);
            J.col(column++).segment<3>(6 * sides[1] + 3) = turn.rates.col(k);
        }
    }
}

void jointLimits(const RagdollModel& model, const std::vector<LimbHold>& holds, const std::vector<AffineMap>& bones,
                 double reach, std::vector<JointLimit>& limits) {
    limits.clear();
    for (std::size_t i = 0; i < holds.size(); ++i) {
        if (!isHeld(model, holds, i)) continue;
        const JointRange& range = holds[i].range;
        const JointTurn turn(model, model.limbs[i], range, bones);
        for (int k = 0; k < 3; ++k) {
            if (range.lower[k] >= range.upper[k]) continue;
            for (const bool upper : {false, true}) {
                JointLimit limit;
                limit.gap = upper ? range.upper[k] - turn.angles[k] : turn.angles[k] - range.lower[k];
                if (!(limit.gap < reach)) continue;
                limit.limb = static_cast<int>(i);
                limit.axis = k;
                limit.isUpper = upper;
                limit.turn = (upper ? -1.0 : 1.0) * turn.rates.col(k);
                limits.push_back(limit);
            }
        }
    }
}

double gapRate(const RagdollModel& model, const JointLimit& limit, const VectorX& V) {
    const int parent = model.limbs[static_cast<std::size_t>(limit.limb)].parent;
    return limit.turn.dot(Vector3(V.segment<3>(6 * limit.limb + 3)) - Vector3(V.segment<3>(6 * parent + 3)));
}

}  // namespace pliant
