// SPDX-License-Identifier: Zlib
#include "btPliant/tool/CouplingBlock.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "pliant/hand/VirtualCoupling.h"

namespace btPliantInternal {

using pliant::Matrix3;
using pliant::Matrix6;
using pliant::Vector3;
using pliant::Vector6;

namespace {

constexpr double kHalfTurn = 3.14159265358979323846;

/// Force or torque at the distance r; torques stay what they are at half a turn.
double forceAt(const CouplingGroup& group, double r) {
    const double stretch = group.isAngular ? std::sin(0.5 * std::min(r, kHalfTurn)) : r;
    return pliant::saturatedForce(group.stiffness, group.limit, stretch);
}

/// Stiffness at the distance 0.
double slopeAtRest(const CouplingGroup& group) {
    return group.isAngular ? 0.5 * group.stiffness : group.stiffness;
}

/// P on the eigenvectors. @param c |z| / (h rho)
Vector3 impulseFor(const CouplingGroup& group, const Vector3& b, double c) {
    return b.cwiseQuotient(Vector3(group.mobility.array() + c));
}

/// The one root r of |c(r) P(c(r))| = r between 0 and |b|, and the P there.
Vector3 radialSolution(const CouplingGroup& group, double h, const Vector3& b) {
    const double most = b.norm(), atRest = 1.0 / (h * slopeAtRest(group));
    if (!(most > 0.0) || !std::isfinite(most)) return Vector3::Zero();
    if (!group.isAngular && 2.0 * group.stiffness * most <= group.limit) return impulseFor(group, b, atRest);
    const auto compliance = [&](double r) { return r / (h * forceAt(group, r)); };
    const auto excess = [&](double r) {
        const double c = compliance(r);
        return c * impulseFor(group, b, c).norm() - r;
    };
    double low = 0.0, high = most, lowExcess = atRest * impulseFor(group, b, atRest).norm(), highExcess = excess(most);
    double r = most;
    for (int i = 0; i < 80 && highExcess < 0.0 && high - low > 1e-13 * most; ++i) {
        r = high - highExcess * (high - low) / (highExcess - lowExcess);
        if (i % 3 == 2) r = 0.5 * (low + high);  // A chord may stay at one end for long.
        const double e = excess(r);
        if (e > 0.0) {
            low = r;
            lowExcess = e;
        } else {
            high = r;
            highExcess = e;
        }
        if (std::abs(e) <= 1e-14 * most) break;
    }
    return r > 0.0 ? impulseFor(group, b, compliance(r)) : impulseFor(group, b, atRest);
}

/// What is left of an impulse that would drive the grip beyond its limit of speed; brakes are left alone.
/// @param without velocity of the grip without the impulse  @param by velocity that the impulse adds
Vector3 limited(const CouplingGroup& group, const Vector3& impulse, const Vector3& without, const Vector3& by) {
    const Vector3 with = without + by;
    const double most = group.speedLimit;
    if (!(with.squaredNorm() > most * most) || impulse.dot(with) <= 0.0) return impulse;
    // |without + s by| = most.
    const double a = by.squaredNorm(), b = without.dot(by), c = without.squaredNorm() - most * most;
    if (!(a > 0.0) || c >= 0.0) return c >= 0.0 && b >= 0.0 ? Vector3(Vector3::Zero()) : impulse;
    const double s = (-b + std::sqrt(std::max(b * b - a * c, 0.0))) / a;
    return std::clamp(s, 0.0, 1.0) * impulse;
}

/// The impulse of a group while the other one stays.
/// @param old present impulse  @param z, velocity that it has led to
Vector3 solveGroup(const CouplingBlock& block, int g, const Vector3& old, const Vector3& z, const Vector3& velocity) {
    const CouplingGroup& group = block.groups[g];
    if (!(group.stiffness > 0.0)) return Vector3::Zero();
    const Matrix3 A = block.approach.block<3, 3>(3 * g, 3 * g), W = block.response.block<3, 3>(3 * g, 3 * g);
    const Vector3 without = group.braked * (velocity - W * old), brake = -group.brake * without;
    const Vector3 b = group.axes.transpose() * (z + A * (old - brake));
    const Vector3 found = group.axes * radialSolution(group, block.h, b);
    const Matrix3 response = group.braked * W;
    const Vector3 spring = limited(group, found, without, response * found);
    return spring + brake - group.brake * (response * spring);
}

CouplingGroup makeGroup(const CouplingSide& side, double hold, bool isAngular, double damping, double h,
                        const Vector3& startModes) {
    CouplingGroup group;
    group.isAngular = isAngular;
    group.stiffness = hold * side.stiffness;
    group.limit = hold * side.limit;
    group.speedLimit = side.speedLimit;
    group.gap = side.gap;
    if (group.stiffness > 0.0) group.lean = damping / (h * slopeAtRest(group));
    // The gap at the start of the step: modes have been taken on by half a step (JointSide::follow).
    const Vector3 start = side.gap + 0.5 * h * startModes;
    group.shift = group.lean * (start - h * side.aimVelocity);
    return group;
}

/// h^2 G of the file's header.
Matrix3 brakeOf(const CouplingGroup& linear, const Vector3& arm, double h) {
    const double distance = linear.gap.norm();
    if (!(distance > 0.0)) return Matrix3::Zero();
    const Vector3 force = forceAt(linear, distance) / distance * linear.gap;
    const Matrix3 product = arm * force.transpose();
    const Matrix3 slope = arm.dot(force) * Matrix3::Identity() - 0.5 * (product + product.transpose());
    const Eigen::SelfAdjointEigenSolver<Matrix3> modes(slope);
    return h * h * modes.eigenvectors() * modes.eigenvalues().cwiseMax(0.0).asDiagonal() *
           modes.eigenvectors().transpose();
}

}  // namespace

CouplingBlock makeBlock(const ToolCoupling& coupling, const CouplingResponse& response, double h) {
    CouplingBlock block;
    block.h = h;
    block.response = response.frames + response.modes;
    const auto own = [&block](int first) {
        const double trace = block.response.diagonal().segment<3>(first).sum();
        return trace > 0.0 ? 3.0 / trace : 0.0;
    };
    const double mass = response.mass > 0.0 ? response.mass : own(0);
    const double inertia = response.inertia > 0.0 ? response.inertia : own(3);
    const double hold = std::max(0.0, coupling.hold), ratio = 2.0 * coupling.dampingRatio;
    block.groups[0] =
        makeGroup(coupling.linear, hold, false, ratio * std::sqrt(hold * coupling.linear.stiffness * mass), h,
                  response.startModes.head<3>());
    block.groups[1] =
        makeGroup(coupling.angular, hold, true, ratio * std::sqrt(0.5 * hold * coupling.angular.stiffness * inertia), h,
                  response.startModes.tail<3>());
    block.approach = h * response.frames + 0.5 * h * response.modes;
    block.approach = 0.5 * (block.approach + block.approach.transpose()).eval();
    block.groups[1].brake = brakeOf(block.groups[0], response.arm, h);
    for (int g = 0; g < 2; ++g) {
        CouplingGroup& group = block.groups[g];
        block.approach.middleRows<3>(3 * g) *= 1.0 + group.lean;
        const Matrix3 W = block.response.block<3, 3>(3 * g, 3 * g), A = block.approach.block<3, 3>(3 * g, 3 * g);
        group.braked = (Matrix3::Identity() + W * group.brake).inverse();
        const Matrix3 braked = A * (Matrix3::Identity() - group.brake * group.braked * W);
        const Eigen::SelfAdjointEigenSolver<Matrix3> modes(Matrix3(0.5 * (braked + braked.transpose())));
        group.axes = modes.eigenvectors();
        group.mobility = modes.eigenvalues().cwiseMax(0.0);
    }
    return block;
}

Vector6 solveBlock(const CouplingBlock& block, const Vector6& impulse, const Vector6& frames, const Vector6& modes) {
    constexpr int kMostTurns = 30;
    Vector6 solved = impulse, velocity = frames + modes, z;
    for (int g = 0; g < 2; ++g) {
        const CouplingGroup& group = block.groups[g];
        const Vector3 end = group.gap - block.h * (frames.segment<3>(3 * g) + 0.5 * modes.segment<3>(3 * g));
        z.segment<3>(3 * g) = (1.0 + group.lean) * end - group.shift;
    }
    for (int turn = 0; turn < kMostTurns; ++turn) {
        double change = 0.0, size = 0.0;
        for (int g = 0; g < 2; ++g) {
            const int first = 3 * g;
            const Vector3 old = solved.segment<3>(first);
            const Vector3 next = solveGroup(block, g, old, z.segment<3>(first), velocity.segment<3>(first));
            const Vector3 step = next - old;
            solved.segment<3>(first) = next;
            z -= block.approach.middleCols<3>(first) * step;
            velocity += block.response.middleCols<3>(first) * step;
            // In velocities: force and torque have different units.
            change = std::max(change, (block.response.middleCols<3>(first) * step).cwiseAbs().maxCoeff());
            size = std::max(size, (block.response.middleCols<3>(first) * next).cwiseAbs().maxCoeff());
        }
        if (change <= 1e-10 * size) break;
    }
    return solved.allFinite() ? solved : impulse;
}

}  // namespace btPliantInternal
