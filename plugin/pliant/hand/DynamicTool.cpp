// SPDX-License-Identifier: Zlib
#include "pliant/hand/DynamicTool.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

namespace pliant {

namespace {

/// Coefficients of damping, N s/m and N m s: a share of the critical ones of the coupling's springs.
Vector6 dampingOf(const HandSettings& settings, const ToolMass& mass) {
    const double inertia = mass.inertia.trace() / 3.0;
    const double linear = 2.0 * std::sqrt(settings.coupling.stiffness * mass.mass);
    const double angular = 2.0 * std::sqrt(0.5 * settings.coupling.torqueStiffness * inertia);  // k_T sin(theta / 2)
    Vector6 damping;
    damping << Vector3::Constant(linear), Vector3::Constant(angular);
    return settings.dampingRatio * damping;
}

void limitSpeed(const HandLimits& limits, Vector6& velocity) {
    const double speed = velocity.head<3>().norm(), angular = velocity.tail<3>().norm();
    if (speed > limits.speed) velocity.head<3>() *= limits.speed / speed;
    if (angular > limits.angularSpeed) velocity.tail<3>() *= limits.angularSpeed / angular;
}

}  // namespace

ToolStep DynamicTool::step(const ToolPose& device, const Vector6& deviceVelocity, const ContactFunction& contact,
                           double dt) {
    const WrenchAndSlope touch = contact ? contact(m_pose) : WrenchAndSlope();
    const WrenchAndSlope spring = couple(m_settings.coupling, device, m_pose);
    const Matrix3 turn = m_pose.rotation.toRotationMatrix();
    const Matrix3 inertia = turn * m_mass.inertia * turn.transpose();
    const Vector3 spin = m_velocity.tail<3>();
    const Vector6 damping = dampingOf(m_settings, m_mass);

    Vector6 force = touch.wrench.vector() + spring.wrench.vector();
    force += damping.cwiseProduct(deviceVelocity - m_velocity);
    force.tail<3>() -= spin.cross(inertia * spin);
    const Matrix6 slope = touch.slope + spring.slope;
    // (M + h D - h^2 K) dv = h (f + h K v).
    Eigen::Matrix<double, 6, 6> system = -dt * dt * slope;
    system.topLeftCorner<3, 3>() += m_mass.mass * Matrix3::Identity();
    system.bottomRightCorner<3, 3>() += inertia;
    system.diagonal() += dt * damping;
    const Eigen::Matrix<double, 6, 1> impulse = dt * (force + dt * (slope * m_velocity));

    Vector6 velocity = m_velocity + system.partialPivLu().solve(impulse);
    limitSpeed(m_settings.limits, velocity);
    const ToolPose next = moved(m_pose, dt * velocity);
    if (isFinite(next)) {  // What a contact function of the user's says may not be finite.
        m_pose = next;
        m_velocity = velocity;
    }
    return {couple(m_settings.coupling, device, m_pose).wrench, touch.wrench, 0};
}

}  // namespace pliant
