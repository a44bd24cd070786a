// SPDX-License-Identifier: Zlib
#include "pliant/hand/StaticTool.h"

#include <algorithm>
#include <cmath>

#include "pliant/hand/ScaledSolve.h"

namespace pliant {

namespace {

/// Stiffness below which a direction counts as free, N/m: a thousandth of what the coupling holds it with before it
/// saturates.
double freeBelow(const HandSettings& settings) {
    const double r = settings.gyrationRadius;
    return 1e-3 * std::min(settings.coupling.stiffness, 0.5 * settings.coupling.torqueStiffness / (r * r));
}

/// A step no longer than the limits allow in dt; its direction stays.
Vector6 limitedStep(const HandLimits& limits, const Vector6& step, double dt) {
    const double length = step.head<3>().norm(), angle = step.tail<3>().norm();
    const double most = limits.speed * dt, mostAngle = limits.angularSpeed * dt;
    Vector6 limited = step;
    if (length > most) limited.head<3>() *= most / length;
    if (angle > mostAngle) limited.tail<3>() *= mostAngle / angle;
    return limited;
}

}  // namespace

ToolPose followedPose(const HandLimits& limits, const ToolPose& last, const ToolPose& aim, double dt) {
    return moved(last, limitedStep(limits, poseGap(last, aim), dt));
}

ToolStep StaticTool::solve(const ToolPose& device, const ContactFunction& contact, double dt, ToolPose& next) const {
    const WrenchAndSlope touch = contact ? contact(m_pose) : WrenchAndSlope();
    const WrenchAndSlope spring = couple(m_settings.coupling, device, m_pose);
    const Matrix6 slope = touch.slope + spring.slope;
    const ScaledStep solved = solveScaled(slope, touch.wrench.vector() + spring.wrench.vector(),
                                          m_settings.gyrationRadius, freeBelow(m_settings));
    Vector6 step = (1.0 - m_settings.staticDamping) * solved.step;
    if (solved.freeCount > 0) step += freePart(solved, poseGap(m_pose, device), m_settings.gyrationRadius);
    next = moved(m_pose, limitedStep(m_settings.limits, step, dt));
    return {Wrench(), touch.wrench, solved.freeCount};
}

ToolStep StaticTool::step(const ToolPose& device, const ContactFunction& contact, double dt,
                          const ContactRevision& revise) {
    ToolPose next;
    ToolStep found = solve(device, contact, dt, next);
    for (int i = 0; i < kMostRevisions && revise && isFinite(next) && revise(next); ++i)
        found = solve(device, contact, dt, next);
    if (isFinite(next)) m_pose = next;  // What a contact function of the user's says may not be finite.
    found.coupling = couple(m_settings.coupling, device, m_pose).wrench;
    return found;
}

}  // namespace pliant
