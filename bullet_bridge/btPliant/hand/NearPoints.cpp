// SPDX-License-Identifier: Zlib
#include "btPliant/hand/NearPoints.h"

#include <Eigen/Geometry>
#include <utility>

namespace btPliantInternal {

using pliant::Matrix3;
using pliant::RigidTransform;
using pliant::ToolPose;
using pliant::Vector3;
using pliant::WrenchAndSlope;

void NearPoints::begin() {
    const std::size_t n = points.size();
    m_moved.resize(n);
    m_local.resize(n);
    m_distances.resize(n);
    m_pressed.clear();
    m_pressed.reserve(n);
    m_forces.clear();
    m_forces.reserve(n);
    m_owed.assign(n, Vector3::Zero());
    m_given.assign(n, Vector3::Zero());
}

// The tool gets -p a. As it moves by t and turns by w, a point that stays comes deeper by n.(t + w x r), with the
// field's normal n and the arm r: d(force) = -p' a (n, r x n).(t, w), d(torque) = r x d(force) - t x force.
void NearPoints::press(const Part& part, std::size_t i, const ToolPose& pose, const RigidTransform& worldFromField,
                       WrenchAndSlope& sum) {
    const double depth = -m_distances[i];
    const Vector3 force = -pliant::elasticPressure(part.law, depth) * points[i].area;
    const Vector3 arm = m_moved[i] - pose.position;
    Vector3 rest;
    const Vector3 normal = worldFromField.rotation * m_field.normal(m_local[i], rest);
    const Vector3 steep = -pliant::pressureSlope(part.law, depth) * points[i].area;
    const Vector3 turning = arm.cross(normal), steepTorque = arm.cross(steep);
    m_pressed.push_back(i);
    m_forces.push_back(-force);
    sum.wrench.force += force;
    sum.wrench.torque += arm.cross(force);
    sum.slope.topLeftCorner<3, 3>() += steep * normal.transpose();
    sum.slope.topRightCorner<3, 3>() += steep * turning.transpose();
    sum.slope.bottomLeftCorner<3, 3>() += steepTorque * normal.transpose();
    sum.slope.bottomRightCorner<3, 3>() += steepTorque * turning.transpose();
    Matrix3 across;
    across << 0, -force.z(), force.y(), force.z(), 0, -force.x(), -force.y(), force.x(), 0;
    sum.slope.bottomLeftCorner<3, 3>() += across;  // -t x force = force x t
}

WrenchAndSlope NearPoints::touch(const ToolPose& pose, double ahead) {
    const Matrix3 turn = pose.rotation.toRotationMatrix();
    RigidTransform worldFromField;
    worldFromField.rotation = turn * m_toolFromField.rotation;
    worldFromField.translation = pose.position + turn * m_toolFromField.translation;
    for (std::size_t i = 0; i < points.size(); ++i) {
        m_moved[i] = points[i].place + ahead * points[i].velocity;
        m_local[i] = worldFromField.rotation.transpose() * (m_moved[i] - worldFromField.translation);
    }
    m_pressed.clear();
    m_forces.clear();
    WrenchAndSlope sum;
    if (points.empty()) return sum;
    m_field.distances(m_local.data(), static_cast<int>(m_local.size()), m_distances.data());
    for (const Part& part : parts)
        for (std::size_t i = part.first; i < part.end; ++i)
            if (m_distances[i] < 0.0) press(part, i, pose, worldFromField, sum);
    return sum;
}

void NearPoints::keep(double dt) {
    for (std::size_t k = 0; k < m_pressed.size(); ++k) m_owed[m_pressed[k]] += dt * m_forces[k];
}

void NearPoints::handOver() {
    m_given.swap(m_owed);
    m_owed.assign(m_given.size(), Vector3::Zero());
}

}  // namespace btPliantInternal
