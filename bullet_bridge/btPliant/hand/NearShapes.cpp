// SPDX-License-Identifier: Zlib
#include "btPliant/hand/NearShapes.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>

namespace btPliantInternal {

using pliant::RigidTransform;
using pliant::ToolPose;
using pliant::Vector3;

namespace {

RigidTransform fieldAhead(const NearShapes::Shape& shape, double ahead) {
    const RigidTransform& start = shape.worldFromField;
    RigidTransform there = start;
    there.translation += ahead * shape.velocity;
    const double angle = ahead * shape.angularVelocity.norm();
    if (!(angle > 0.0)) return there;
    const pliant::Matrix3 turn = Eigen::AngleAxisd(angle, shape.angularVelocity.normalized()).toRotationMatrix();
    there.rotation = turn * start.rotation;
    there.translation = shape.centre + ahead * shape.velocity + turn * (start.translation - shape.centre);
    return there;
}

}  // namespace

void NearShapes::begin() {
    m_dt = 0.0;
    m_ahead = -1.0;
    if (m_felt.size() < shapes.size()) m_felt.resize(shapes.size());  // what goes out of reach keeps its memory
    std::size_t most = 0;
    for (std::size_t s = 0; s < shapes.size(); ++s) {
        const std::size_t n = shapes[s].points->positions.size();
        most = std::max(most, n);
        m_felt[s].bristles.assign(n, Bristle());
        m_felt[s].isTouched = false;
        m_felt[s].force = Impulse();
        m_felt[s].slots.assign(n, -1);
        for (auto* list : {&m_felt[s].forces, &m_felt[s].owed, &m_felt[s].given}) {
            list->clear();
            list->reserve(n);  // cycles allocate nothing
        }
    }
    m_world.resize(most);
    m_local.resize(most);
    m_distances.resize(most);
    m_owed.assign(shapes.size(), Impulse());
    m_given.assign(shapes.size(), Impulse());
}

void NearShapes::takeOver(NearShapes& last) {
    std::size_t k = 0;
    for (std::size_t s = 0; s < shapes.size(); ++s) {
        while (k < last.shapes.size() && last.shapes[k].body < shapes[s].body) ++k;
        if (k == last.shapes.size()) return;
        if (last.shapes[k].body != shapes[s].body || last.shapes[k].points != shapes[s].points) continue;
        m_felt[s].bristles.swap(last.m_felt[k].bristles);
        m_felt[s].isTouched = last.m_felt[k].isTouched;
        m_felt[s].settled = last.m_felt[k].settled;
    }
}

void NearShapes::beginCycle(const ToolPose& tool, double dt) {
    m_start = tool;
    m_dt = dt;
}

bool NearShapes::move(std::size_t s, const ToolPose& pose, double ahead) {
    const Shape& shape = shapes[s];
    const pliant::AnalyticField& field = shape.field;
    Felt& felt = m_felt[s];
    felt.now = fieldAhead(shape, ahead);
    felt.foreseen = fieldAhead(shape, m_ahead < 0.0 ? ahead - m_dt : m_ahead);
    if (field.distance(felt.now.inversePoint(pose.position)) > m_farthest) return false;
    const std::vector<Vector3>& positions = shape.points->positions;
    for (const ToolPoints::Cluster& cluster : shape.points->clusters) {
        const bool isNear = field.distance(felt.now.inversePoint(pose.point(cluster.centre))) <= cluster.radius;
        if (!isNear)
            std::fill_n(m_distances.begin() + static_cast<std::ptrdiff_t>(cluster.first), cluster.end - cluster.first,
                        std::numeric_limits<double>::infinity());
        if (!isNear) continue;
        for (std::size_t i = cluster.first; i < cluster.end; ++i) {
            m_world[i] = pose.point(positions[i]);
            m_local[i] = felt.now.inversePoint(m_world[i]);
        }
        field.distances(&m_local[cluster.first], static_cast<int>(cluster.end - cluster.first),
                        &m_distances[cluster.first]);
    }
    return true;
}

FeltPoint NearShapes::feltPoint(std::size_t s, std::size_t i, const ToolPose& pose) const {
    const Shape& shape = shapes[s];
    const Felt& felt = m_felt[s];
    FeltPoint point;
    Vector3 rest;
    point.arm = m_world[i] - pose.position;
    point.area = pose.rotation * shape.points->areas[i];
    point.deeper = -(felt.now.rotation * shape.field.normal(m_local[i], rest));
    point.depth = -m_distances[i];
    if (!(m_dt > 0.0)) return point;
    const Vector3 way = m_world[i] - m_start.point(shape.points->positions[i]);
    const Vector3 others = m_world[i] - felt.foreseen.point(m_local[i]);
    point.rate = point.deeper.dot(way - others) / m_dt;
    // Where the step of the world has brought the body counts, not where it was foreseen: else what sticks would creep
    // by the difference in each step.
    point.slip = way - (felt.bristles[i].isBent ? Vector3(m_world[i] - felt.settled.point(m_local[i])) : others);
    return point;
}

void NearShapes::touch(const ToolPose& pose, double ahead, pliant::WrenchAndSlope& sum) {
    for (std::size_t s = 0; s < shapes.size(); ++s) {
        if (!move(s, pose, ahead)) continue;
        const Felt& felt = m_felt[s];
        for (std::size_t i = 0; i < felt.bristles.size(); ++i) {
            if (!(m_distances[i] < 0.0)) continue;
            const FeltPoint point = feltPoint(s, i, pose);
            const Vector3 bend = felt.now.rotation * felt.bristles[i].bend;
            addAtTool(point, foreseenForce(shapes[s].law, point, felt.bristles[i], bend, m_dt), sum);
        }
    }
}

bool NearShapes::revise(const ToolPose& pose, double ahead) {
    bool isOther = false;
    for (std::size_t s = 0; s < shapes.size(); ++s) {
        if (!move(s, pose, ahead)) continue;
        Felt& felt = m_felt[s];
        for (std::size_t i = 0; i < felt.bristles.size(); ++i) {
            if (!(m_distances[i] < 0.0)) continue;
            const Vector3 bend = felt.now.rotation * felt.bristles[i].bend;
            if (reviseBristle(shapes[s].law, feltPoint(s, i, pose), bend, felt.bristles[i])) isOther = true;
        }
    }
    return isOther;
}

void NearShapes::settleShape(std::size_t s, const ToolPose& pose, double ahead, pliant::Wrench& sum) {
    Felt& felt = m_felt[s];
    const Vector3 centre = shapes[s].centre + ahead * shapes[s].velocity;
    bool isTouched = false;
    for (std::size_t i = 0; i < felt.bristles.size(); ++i) {
        if (!(m_distances[i] < 0.0)) {
            felt.bristles[i] = Bristle();
            continue;
        }
        isTouched = true;
        const FeltPoint point = feltPoint(s, i, pose);
        Vector3 bend = felt.now.rotation * felt.bristles[i].bend;
        const FeltForce force = settledForce(shapes[s].law, point, felt.bristles[i], bend);
        felt.bristles[i].bend = felt.now.rotation.transpose() * bend;
        const Vector3 all = force.pressure + force.friction;
        sum.force += all;
        sum.torque += point.arm.cross(all);
        felt.force.linear -= all;
        const Vector3 arm = m_world[i] - centre, moment = -arm.cross(all);
        felt.force.angular += moment;
        const double weight = force.pressure.norm();
        felt.forces.push_back({i, -force.pressure, -force.friction, moment, weight * arm, weight, point.depth});
    }
    felt.isTouched = isTouched;
    felt.settled = felt.now;
}

void NearShapes::settle(const ToolPose& pose, double ahead, pliant::Wrench& sum) {
    for (std::size_t s = 0; s < shapes.size(); ++s) {
        m_felt[s].force = Impulse();
        m_felt[s].forces.clear();
        if (move(s, pose, ahead)) {
            settleShape(s, pose, ahead, sum);
        } else if (m_felt[s].isTouched) {
            std::fill(m_felt[s].bristles.begin(), m_felt[s].bristles.end(), Bristle());
            m_felt[s].isTouched = false;
        }
    }
    m_ahead = ahead;
}

void NearShapes::addPressed(double dt, Felt& felt) {
    for (const Pressed& force : felt.forces) {
        int& slot = felt.slots[force.point];
        if (slot < 0) {
            slot = static_cast<int>(felt.owed.size());
            felt.owed.emplace_back();
            felt.owed.back().point = force.point;
        }
        Pressed& owed = felt.owed[static_cast<std::size_t>(slot)];
        owed.pressure += dt * force.pressure;
        owed.friction += dt * force.friction;
        owed.angular += dt * force.angular;
        owed.lever += dt * force.lever;
        owed.weight += dt * force.weight;
        owed.depth += dt * force.depth;
    }
}

void NearShapes::keep(double dt) {
    for (std::size_t s = 0; s < shapes.size(); ++s) {
        m_owed[s].linear += dt * m_felt[s].force.linear;
        m_owed[s].angular += dt * m_felt[s].force.angular;
        addPressed(dt, m_felt[s]);
    }
}

void NearShapes::handOver() {
    m_given.swap(m_owed);
    m_owed.assign(m_given.size(), Impulse());
    for (Felt& felt : m_felt) {
        for (const Pressed& owed : felt.owed) felt.slots[owed.point] = -1;
        felt.given.swap(felt.owed);
        felt.owed.clear();
    }
}

}  // namespace btPliantInternal
