// SPDX-License-Identifier: Zlib
// Gaps and angles beyond a range are taken back as places, not as velocities: a velocity that closes a gap is energy
// that comes from nowhere. What a step has made of them goes at once, what was there before it (a pose that no joint
// allows) fades.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "pliant/runtime/ragdoll/RagdollMotion.h"

namespace pliant {
namespace {

constexpr double kStays = 0.8;       ///< share of what was too much before, that is left after a step
constexpr double kRounding = 1e-12;  ///< rad, and of the lever

Matrix3 turnOf(const Vector3& angles) {
    return (Eigen::AngleAxisd(angles[0], Vector3::UnitX()) * Eigen::AngleAxisd(angles[1], Vector3::UnitY()) *
            Eigen::AngleAxisd(angles[2], Vector3::UnitZ()))
        .toRotationMatrix();
}

Vector3 centreOf(const Limb& limb, const std::vector<AffineMap>& bones) {
    const AffineMap& lead = bones[static_cast<std::size_t>(limb.bone)];
    return lead.leftCols<3>() * limb.mass.centre + lead.col(3);
}

/// Turns a limb about its mass centre.
void turnLimb(const RagdollModel& model, int limb, const Matrix3& turn, std::vector<AffineMap>& bones) {
    const Vector3 centre = centreOf(model.limbs[static_cast<std::size_t>(limb)], bones);
    for (std::size_t b = 0; b < bones.size(); ++b) {
        if (model.limbOf[b] != limb) continue;
        bones[b].leftCols<3>() = Rotation(Matrix3(turn * bones[b].leftCols<3>())).normalized().toRotationMatrix();
        bones[b].col(3) = centre + turn * (bones[b].col(3) - centre);
    }
}

/// The axes of a joint on both limbs, world.
struct JointAxes {
    Matrix3 inner, outer;
    JointAxes(const RagdollModel& model, const Limb& own, const JointRange& range, const std::vector<AffineMap>& bones)
        : inner(bones[static_cast<std::size_t>(model.limbs[static_cast<std::size_t>(own.parent)].bone)].leftCols<3>() *
                range.middle),
          outer(bones[static_cast<std::size_t>(own.bone)].leftCols<3>() * range.axes) {}
    Vector3 angles() const { return jointAngles(inner.transpose() * outer); }
};

double beyond(double angle, double lower, double upper) {
    const double excess = lower > upper ? 0.0 : angle - std::clamp(angle, lower, upper);
    return std::abs(excess) > kRounding ? excess : 0.0;
}

void keepRange(const RagdollModel& model, int limb, const JointRange& range, const std::vector<AffineMap>& start,
               std::vector<AffineMap>& bones) {
    const Limb& own = model.limbs[static_cast<std::size_t>(limb)];
    const JointAxes axes(model, own, range, bones);
    const Vector3 before = JointAxes(model, own, range, start).angles(), angles = axes.angles();
    Vector3 kept = angles;
    for (int k = 0; k < 3; ++k) {
        if (beyond(angles[k], range.lower[k], range.upper[k]) == 0.0) continue;
        const double was = kStays * beyond(before[k], range.lower[k], range.upper[k]);
        kept[k] = std::clamp(angles[k], range.lower[k] + std::min(0.0, was), range.upper[k] + std::max(0.0, was));
    }
    if (kept != angles) turnLimb(model, limb, axes.inner * turnOf(kept) * axes.outer.transpose(), bones);
}

/// From a limb to its parent where they are to meet, in axes of the parent.
Vector3 gapOf(const RagdollModel& model, const Limb& limb, const std::vector<AffineMap>& bones) {
    const Vector3 rest = model.character->skeleton.bones[static_cast<std::size_t>(limb.joint)].head();
    const AffineMap &inner = bones[static_cast<std::size_t>(model.limbs[static_cast<std::size_t>(limb.parent)].bone)],
                    &outer = bones[static_cast<std::size_t>(limb.bone)];
    const Vector3 gap = (inner - outer).leftCols<3>() * rest + (inner - outer).col(3);
    return gap.norm() <= kRounding * limb.lever ? Vector3(Vector3::Zero())
                                                : Vector3(inner.leftCols<3>().transpose() * gap);
}

/// How a limb has to move so that it meets its parent.
Vector3 wayToParent(const RagdollModel& model, const Limb& limb, const std::vector<AffineMap>& start,
                    const std::vector<AffineMap>& bones) {
    const int parent = model.limbs[static_cast<std::size_t>(limb.parent)].bone;
    return bones[static_cast<std::size_t>(parent)].leftCols<3>() *
           Vector3(gapOf(model, limb, bones) - kStays * gapOf(model, limb, start));
}

}  // namespace

Vector3 jointAngles(const Matrix3& turn) {
    return {std::atan2(-turn(1, 2), turn(2, 2)), std::asin(std::clamp(turn(0, 2), -1.0, 1.0)),
            std::atan2(-turn(0, 1), turn(0, 0))};
}

void joinLimbs(const RagdollModel& model, const std::vector<LimbHold>& holds, const std::vector<Vector3>& centres,
               const std::vector<AffineMap>& start, std::vector<AffineMap>& bones) {
    const std::size_t count = model.limbs.size();
    static thread_local std::vector<int> group;  // the first limb of what hangs together
    static thread_local std::vector<Vector3> shares;
    static thread_local std::vector<double> masses;
    group.resize(count);
    shares.assign(count, Vector3(Vector3::Zero()));
    masses.assign(count, 0.0);
    const auto moveLimb = [&](std::size_t i, const Vector3& way) {
        if (way.isZero(0.0)) return;
        for (std::size_t b = 0; b < bones.size(); ++b)
            if (model.limbOf[b] == static_cast<int>(i)) bones[b].col(3) += way;
    };
    for (std::size_t i = 0; i < count; ++i) {
        const Limb& limb = model.limbs[i];
        group[i] = static_cast<int>(i);
        if (holds[i].isJoined && limb.parent >= 0) {
            group[i] = group[static_cast<std::size_t>(limb.parent)];
            keepRange(model, static_cast<int>(i), holds[i].range, start, bones);
            moveLimb(i, wayToParent(model, limb, start, bones));
        }
        const auto g = static_cast<std::size_t>(group[i]);
        shares[g] += limb.mass.mass * (centres[i] - centreOf(limb, bones));
        masses[g] += limb.mass.mass;
    }
    for (std::size_t i = 0; i < count; ++i) {
        const auto g = static_cast<std::size_t>(group[i]);
        moveLimb(i, shares[g] / masses[g]);
    }
}

}  // namespace pliant
