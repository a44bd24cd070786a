// SPDX-License-Identifier: Zlib
#include "btPliant/hand/NearPoints.h"

#include <Eigen/Geometry>

namespace btPliantInternal {

using pliant::ToolPose;
using pliant::Vector3;

void NearPoints::begin() {
    const std::size_t n = points.size();
    m_ahead = -1.0;
    m_dt = 0.0;
    m_moved.resize(n);
    m_local.resize(n);
    m_distances.resize(n);
    m_bristles.assign(n, Bristle());
    m_settled.resize(n);
    m_pressed.clear();
    m_pressed.reserve(n);
    m_forces.clear();
    m_forces.reserve(n);
    m_owed.assign(n, Impulse());
    m_given.assign(n, Impulse());
}

void NearPoints::takeOver(const NearPoints& last) {
    auto old = last.parts.begin();
    for (const Part& part : parts) {
        while (old != last.parts.end() && old->body < part.body) ++old;
        if (old == last.parts.end()) return;
        if (old->body != part.body) continue;
        std::size_t k = old->first;
        for (std::size_t i = part.first; i < part.end; ++i) {
            while (k < old->end && last.points[k].number < points[i].number) ++k;
            if (k == old->end) break;
            if (last.points[k].number != points[i].number) continue;
            m_bristles[i] = last.m_bristles[k];
            m_settled[i] = last.m_settled[k];
        }
    }
}

void NearPoints::beginCycle(const ToolPose& tool, double dt) {
    m_start = tool;
    m_dt = dt;
}

void NearPoints::move(const ToolPose& pose, double ahead) {
    const pliant::Matrix3 turn = pose.rotation.toRotationMatrix();
    m_worldFromField.rotation = turn * m_toolFromField.rotation;
    m_worldFromField.translation = pose.position + turn * m_toolFromField.translation;
    for (std::size_t i = 0; i < points.size(); ++i) {
        m_moved[i] = points[i].place + ahead * points[i].velocity;
        m_local[i] = m_worldFromField.inversePoint(m_moved[i]);
    }
    m_advance = m_ahead < 0.0 ? m_dt : ahead - m_ahead;
    if (!points.empty()) m_field.distances(m_local.data(), static_cast<int>(m_local.size()), m_distances.data());
}

FeltPoint NearPoints::feltPoint(std::size_t i, const ToolPose& pose) const {
    FeltPoint point;
    Vector3 rest;
    point.arm = m_moved[i] - pose.position;
    point.area = -points[i].area;
    point.deeper = m_worldFromField.rotation * m_field.normal(m_local[i], rest);
    point.depth = -m_distances[i];
    if (!(m_dt > 0.0)) return point;
    const Vector3 way = m_moved[i] - m_start.point(pose.rotation.conjugate() * point.arm);
    const Vector3 others = m_advance * points[i].velocity;
    point.rate = point.deeper.dot(way - others) / m_dt;
    // Where the step of the world has brought the point counts, not where it was foreseen: else what sticks would creep
    // by the difference in each step.
    point.slip = way - (m_bristles[i].isBent ? Vector3(m_moved[i] - m_settled[i]) : others);
    return point;
}

void NearPoints::touch(const ToolPose& pose, double ahead, pliant::WrenchAndSlope& sum) {
    move(pose, ahead);
    for (const Part& part : parts)
        for (std::size_t i = part.first; i < part.end; ++i) {
            if (!(m_distances[i] < 0.0)) continue;
            const FeltPoint point = feltPoint(i, pose);
            const Vector3 bend = pose.rotation * m_bristles[i].bend;
            addAtOther(point, foreseenForce(part.law, point, m_bristles[i], bend, m_dt), sum);
        }
}

bool NearPoints::revise(const ToolPose& pose, double ahead) {
    if (points.empty()) return false;
    move(pose, ahead);
    bool isOther = false;
    for (const Part& part : parts)
        for (std::size_t i = part.first; i < part.end; ++i) {
            if (!(m_distances[i] < 0.0)) continue;
            const Vector3 bend = pose.rotation * m_bristles[i].bend;
            if (reviseBristle(part.law, feltPoint(i, pose), bend, m_bristles[i])) isOther = true;
        }
    return isOther;
}

void NearPoints::settle(const ToolPose& pose, double ahead, pliant::Wrench& sum) {
    move(pose, ahead);
    m_pressed.clear();
    m_forces.clear();
    for (const Part& part : parts)
        for (std::size_t i = part.first; i < part.end; ++i) {
            if (!(m_distances[i] < 0.0)) {
                m_bristles[i] = Bristle();
                continue;
            }
            const FeltPoint point = feltPoint(i, pose);
            Vector3 bend = pose.rotation * m_bristles[i].bend;
            const FeltForce force = settledForce(part.law, point, m_bristles[i], bend);
            m_bristles[i].bend = pose.rotation.conjugate() * bend;
            m_settled[i] = m_moved[i];
            const Vector3 all = force.pressure + force.friction;
            sum.force += all;
            sum.torque += point.arm.cross(all);
            m_pressed.push_back(i);
            m_forces.push_back({-force.pressure, -force.friction, point.depth});
        }
    m_ahead = ahead;
}

void NearPoints::keep(double dt) {
    for (std::size_t k = 0; k < m_pressed.size(); ++k) {
        Impulse& owed = m_owed[m_pressed[k]];
        owed.pressure += dt * m_forces[k].pressure;
        owed.friction += dt * m_forces[k].friction;
        owed.depth += dt * m_forces[k].depth;
    }
}

void NearPoints::handOver() {
    m_given.swap(m_owed);
    m_owed.assign(m_given.size(), Impulse());
}

}  // namespace btPliantInternal
