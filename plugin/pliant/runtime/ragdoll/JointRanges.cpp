// SPDX-License-Identifier: Zlib
// How far joints turn: the axis about which a joint turns most is the first of its axes, for the angle about it has no
// limit of its own, and that about the second has to stay below a right angle.
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "pliant/runtime/ragdoll/RagdollMotion.h"

namespace pliant {
namespace {

constexpr int kSamples = 48;        ///< poses of a clip
constexpr double kHinge = 0.03;     ///< rad, that a hinge may turn about its other axes
constexpr double kSteepest = 1.45;  ///< rad, about the second axis

/// R_parent' R_limb in every sample of every clip.
std::vector<std::vector<Matrix3>> turnsOf(const RagdollModel& model) {
    const CharacterModel& character = *model.character;
    std::vector<std::vector<Matrix3>> turns(model.limbs.size());
    Pose pose;
    std::vector<Similarity> maps;
    const auto add = [&] {
        restToNow(character.skeleton, pose, maps);
        for (std::size_t i = 0; i < model.limbs.size(); ++i) {
            if (model.limbs[i].parent < 0) continue;
            const Limb& parent = model.limbs[static_cast<std::size_t>(model.limbs[i].parent)];
            const Rotation turn = maps[static_cast<std::size_t>(parent.bone)].rotation.conjugate() *
                                  maps[static_cast<std::size_t>(model.limbs[i].bone)].rotation;
            turns[i].push_back(turn.normalized().toRotationMatrix());
        }
    };
    for (const Clip& clip : character.clips)
        for (int s = 0; s <= kSamples; ++s) {
            poseAt(character.skeleton, clip, clip.start + (clip.end - clip.start) * s / kSamples, pose);
            add();
        }
    if (character.clips.empty()) {
        pose = stance(character.skeleton);
        add();
    }
    return turns;
}

Vector3 logarithm(const Matrix3& turn) {
    const Eigen::AngleAxisd both(turn);
    return both.angle() * both.axis();
}

/// The rotation that the others are least far from, to second order.
Matrix3 meanOf(const std::vector<Matrix3>& turns) {
    Matrix3 mean = turns.front();
    for (int i = 0; i < 8; ++i) {
        Vector3 way = Vector3::Zero();
        for (const Matrix3& turn : turns) way += logarithm(mean.transpose() * turn) / static_cast<double>(turns.size());
        if (way.norm() < 1e-12) break;
        mean = mean * Eigen::AngleAxisd(way.norm(), way.normalized()).toRotationMatrix();
    }
    return mean;
}

/// Columns: the axes about which `turns` go from their mean, the most first; of no turn at all the axes as they are.
Matrix3 principalAxes(const Matrix3& mean, const std::vector<Matrix3>& turns) {
    Matrix3 spread = Matrix3::Zero();
    for (const Matrix3& turn : turns) {
        const Vector3 way = logarithm(mean.transpose() * turn);
        spread += way * way.transpose();
    }
    if (spread.trace() < 1e-12) return Matrix3::Identity();
    const Eigen::SelfAdjointEigenSolver<Matrix3> solver(spread);
    Matrix3 axes;
    axes.col(0) = solver.eigenvectors().col(2);
    axes.col(1) = solver.eigenvectors().col(1);
    for (int k = 0; k < 2; ++k) {
        Eigen::Index largest = 0;
        axes.col(k).cwiseAbs().maxCoeff(&largest);
        if (axes(largest, k) < 0.0) axes.col(k) = -axes.col(k);
    }
    axes.col(2) = axes.col(0).cross(axes.col(1));
    return axes;
}

JointRange rangeOf(const std::vector<Matrix3>& turns, double room, double margin) {
    JointRange range;
    const Matrix3 mean = meanOf(turns);
    range.axes = principalAxes(mean, turns);
    range.middle = mean * range.axes;
    range.lower.setConstant(1e30);
    range.upper.setConstant(-1e30);
    for (const Matrix3& turn : turns) {
        const Vector3 angles = jointAngles(range.middle.transpose() * turn * range.axes);
        range.lower = range.lower.cwiseMin(angles);
        range.upper = range.upper.cwiseMax(angles);
    }
    const Vector3 width = range.upper - range.lower;
    const bool hinge = width[0] > 4.0 * kHinge && width.tail<2>().maxCoeff() < kHinge;
    for (Eigen::Index k = 0; k < 3; ++k) {
        const double more = room * width[k] + margin;
        range.lower[k] = hinge && k > 0 ? 0.0 : range.lower[k] - more;
        range.upper[k] = hinge && k > 0 ? 0.0 : range.upper[k] + more;
    }
    range.lower[1] = std::max(range.lower[1], -kSteepest);
    range.upper[1] = std::min(range.upper[1], kSteepest);
    return range;
}

}  // namespace

std::vector<JointRange> jointRanges(const RagdollModel& model, double room, double margin, double free) {
    const std::vector<std::vector<Matrix3>> turns = turnsOf(model);
    std::vector<JointRange> ranges(model.limbs.size());
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        if (turns[i].empty()) continue;
        ranges[i] = rangeOf(turns[i], room, margin);
        if (!model.character->clips.empty()) continue;
        ranges[i].lower.setConstant(-free);
        ranges[i].upper.setConstant(free);
    }
    return ranges;
}

}  // namespace pliant
