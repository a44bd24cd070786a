// SPDX-License-Identifier: Zlib
#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <limits>

#include "btPliant/joints/FrameSwing.h"
#include "btPliant/joints/HeldDirections.h"

namespace btPliantInternal {

using pliant::Matrix3;
using pliant::Vector3;

namespace {

/// Of the largest gap: how far the point that moves most easily may be moved for the sake of others.
constexpr double kMostLeverage = 10.0;
/// Angle by which gaps may turn a body, rad: rows know rotations only as long as they are small.
constexpr double kMostTurn = 0.5;
/// Share of the points' spread by which a rotation is drawn to none, about axes that they do not tell.
constexpr double kStillness = 1e-3;

/// Largest h^2 K / I, of the stiffness K with which the forces that keep a body bent turn its frame, of the inertia I:
/// from 4 on frames, which take moments from the start of the step, swing faster in each (GeometricRows.h).
constexpr double kMostSwing = 4.0;

/// The largest x that leaves |before + x more| at most `most`, where `before` is no more.
double shareOfTurn(const Vector3& before, const Vector3& more, double most) {
    const double a = more.squaredNorm(), b = before.dot(more), c = most * most - before.squaredNorm();
    if (!(a > 0.0)) return std::numeric_limits<double>::infinity();
    return (std::sqrt(b * b + a * std::max(0.0, c)) - b) / a;
}

}  // namespace

/// Whether the frame of a side moves.
bool HeldDirections::isFree(int side) const {
    if (const ReducedBody* reduced = reducedBody(m_reducedBodies, m_joint.reduced[side]))
        return dataOf(*reduced->body).frameIsFree;
    return m_bodies[m_joint.body[side]].internalGetInvMass().x() > 0;
}

/// Where a point has to be.
Vector3 HeldDirections::place(int p) const {
    return toEigen(dataOf(*m_joint.joint).points[static_cast<std::size_t>(p)]->position[1]);
}

/// The velocity that its target has of its own.
Vector3 HeldDirections::velocity(int p) const {
    return toEigen(dataOf(*m_joint.joint).points[static_cast<std::size_t>(p)]->velocity);
}

/// Way of a point from where it would be at rest, in the present frame, to where it has to be; none where gaps are not
/// taken back. What deforms the body already is asked for again, so that what is asked for does not come and go.
Vector3 HeldDirections::gap(int p) const {
    Vector3 way = Vector3::Zero();
    for (int a = 0; a < 3 && m_rate > 0.0; ++a) {
        const JointConstraintRow& row = m_all.rows[m_joint.first + 3 * p + a];
        way[a] = (static_cast<double>(row.targetVelocity) - velocity(p)[a]) / m_rate +
                 static_cast<double>(row.modalDisplacement);
    }
    return m_rate > 0.0 ? Vector3(way + besideArc(p)) : way;
}

/// The part of it that a motion of a rigid body has.
Vector3 HeldDirections::carried(int p) const {
    if (!m_isCarried) return Vector3::Zero();
    const Vector3 from = place(p) - gap(p);
    return m_to + m_turn * (from - m_from) - from;
}

/// The velocity by which a row takes the material along the turn of that motion, m/s; by its chord where that is not
/// known well enough. Of what Bullet turns by the whole rotation, about its centre of mass, rows know the velocity at
/// the start of it alone: with the chord's they would bring the material nearer to the centre, by deformation.
Vector3 HeldDirections::carriedAlong(int p) const {
    if (!m_turnsAlong) return m_rate * carried(p);
    const Vector3 from = place(p) - gap(p);
    return m_move + m_turnRate.cross(from - m_centreNow);
}

/// Whether rows go along the turn, and how fast. @param share of a gap that is taken back in the step
void HeldDirections::fitTurn(double h, double share) {
    m_turnsAlong = false;
    if (!m_isCarried || !isFree(0) || isFree(1)) return;
    const Eigen::AngleAxisd turn(m_turn);
    const double angle = share * turn.angle();
    if (!(angle > 0.0) || angle > kMostTurn) return;
    m_centreNow = toEigen(dataOf(*m_joint.joint).points.front()->sides[0].reduced->getCenterOfMassPosition());
    m_turnRate = angle / h * turn.axis();
    const Vector3 arm = m_from - m_centreNow;
    m_move = (share * (m_to - m_from) + arm - Eigen::AngleAxisd(angle, turn.axis()) * arm) / h;
    m_turnsAlong = true;
    double turning = 0.0, rest = 0.0, change = 0.0;
    for (int p = 0; p < m_joint.count / 3; ++p) {
        turning += (m_rate * carried(p) - share / h * (m_to - m_from)).squaredNorm();
        rest += (m_rate * (gap(p) - carried(p))).squaredNorm();
        change += (carriedAlong(p) - m_rate * carried(p)).squaredNorm();
    }
    m_turnsAlong = rest <= turning && change <= turning;
}

/// The rigid motion that comes nearest to the gaps, where a frame is free.
void HeldDirections::fitMotion(double h, double share) {
    m_rate = share / h;
    m_isFree = isFree(0) || isFree(1);
    m_isCarried = m_rate > 0.0 && m_isFree;
    const int n = m_joint.count / 3;
    m_from.setZero();
    m_to.setZero();
    for (int p = 0; p < n; ++p) m_to += place(p) / n;
    fitVelocity();
    fitArc(h);
    m_turnsAlong = false;
    if (!m_isCarried) return;
    for (int p = 0; p < n; ++p) m_from += (place(p) - gap(p)) / n;
    Matrix3 M = Matrix3::Zero();
    for (int p = 0; p < n; ++p) M += (place(p) - m_to) * (place(p) - gap(p) - m_from).transpose();
    M += (kStillness * M.norm() + std::numeric_limits<double>::min()) * Matrix3::Identity();
    const Eigen::JacobiSVD<Matrix3> svd(M, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Vector3 signs(1.0, 1.0, 1.0);
    if (svd.matrixU().determinant() * svd.matrixV().determinant() < 0.0) signs[2] = -1.0;
    m_turn = svd.matrixU() * signs.asDiagonal() * svd.matrixV().transpose();
    fitTurn(h, share);
}

/// The velocity of a rigid body that comes nearest to the targets' own.
void HeldDirections::fitVelocity() {
    m_linear.setZero();
    m_angular.setZero();
    if (!m_isFree) return;
    const int n = m_joint.count / 3;
    for (int p = 0; p < n; ++p) m_linear += velocity(p) / n;
    Matrix3 spread = Matrix3::Zero();
    Vector3 moment = Vector3::Zero();
    for (int p = 0; p < n; ++p) {
        const Vector3 arm = place(p) - m_to;
        spread += arm.squaredNorm() * Matrix3::Identity() - arm * arm.transpose();
        moment += arm.cross(velocity(p));
    }
    // About an axis that all points lie on they tell no rotation, and none at all where they lie at one place.
    const double least = static_cast<double>(kFarShare * dataOf(*m_joint.joint).pointSize);
    spread += (kStillness * spread.trace() + n * least * least) * Matrix3::Identity();
    m_angular = spread.ldlt().solve(moment);
    if (!turnTogether()) m_angular.setZero();
}

/// Whether most of what the targets' velocities differ by is a rotation. Velocities by chance near one of the body's
/// ends would have the whole of it turn faster than any of them.
bool HeldDirections::turnTogether() const {
    double turning = 0.0, rest = 0.0;
    for (int p = 0; p < m_joint.count / 3; ++p) {
        turning += (carriedVelocity(p) - m_linear).squaredNorm();
        rest += (velocity(p) - carriedVelocity(p)).squaredNorm();
    }
    return rest <= turning;
}

/// The part of a target's own velocity that a motion of a rigid body has.
Vector3 HeldDirections::carriedVelocity(int p) const {
    return m_isFree ? Vector3(m_linear + m_angular.cross(place(p) - m_to)) : Vector3(Vector3::Zero());
}

/// The turn of targets that move in the world as a rigid body does, of what has a frame to turn along.
void HeldDirections::fitArc(double h) {
    m_step = 0.0;
    const Vector3 angle = h * m_angular;
    if (!isFree(0) || isFree(1) || !(angle.norm() > 0.0) || angle.norm() > kMostTurn) return;
    m_arc = Eigen::AngleAxisd(angle.norm(), angle.normalized()).toRotationMatrix();
    m_centre = toEigen(dataOf(*m_joint.joint).points.front()->sides[0].reduced->getCenterOfMassPosition());
    m_step = h;
    if (!knowsArc()) m_step = 0.0;
}

/// Whether the arc changes the velocities by no more than the targets turn at. Points near each other that are far from
/// the centre of mass tell of its way by their small differences, which the arc would magnify.
bool HeldDirections::knowsArc() const {
    double turning = 0.0, change = 0.0;
    for (int p = 0; p < m_joint.count / 3; ++p) {
        turning = std::max(turning, (carriedVelocity(p) - m_linear).norm());
        change = std::max({change, (arcVelocity(p) - carriedVelocity(p)).norm(), besideArc(p).norm() / m_step});
    }
    return change <= turning;
}

/// Where a target that moves so has been at the start of the step.
Vector3 HeldDirections::startOfArc(int p) const {
    return m_to - m_step * m_linear + m_arc.transpose() * (place(p) - m_to);
}

/// By how much its velocity, which belongs to the end of the step, leads beside the arc if it has it all along, m.
Vector3 HeldDirections::besideArc(int p) const {
    if (!(m_step > 0.0)) return Vector3::Zero();
    return m_step * carriedVelocity(p) - (place(p) - startOfArc(p));
}

/// The velocity by which a row takes the material along the arc, m/s: Bullet turns the frame by the whole rotation,
/// about its centre of mass, and rows have the velocity at the start of that. With the target's, which has turned
/// already, they would bring the material nearer to the centre, by deformation.
Vector3 HeldDirections::arcVelocity(int p) const {
    if (!(m_step > 0.0)) return carriedVelocity(p);
    const Vector3 before = m_to - m_step * m_linear - m_centre;
    return (m_to - m_centre - m_arc * before) / m_step + m_angular.cross(startOfArc(p) - m_centre);
}

/// The largest velocity that asks for a deformation, or for what is too little to be told.
double HeldDirections::fastestBend() const {
    double fastest = m_rate * static_cast<double>(kFarShare * dataOf(*m_joint.joint).pointSize);
    for (int p = 0; p < m_joint.count / 3; ++p)
        fastest = std::max(fastest, (m_rate * (gap(p) - carried(p)) + velocity(p) - carriedVelocity(p)).norm());
    return fastest;
}

/// Change of a side's angular velocity by the i-th row of L^-1.
Vector3 HeldDirections::turn(std::size_t i, int side) const {
    Vector3 sum = Vector3::Zero();
    for (std::size_t k = 0; k <= i; ++k)
        for (int a = 0; a < 3; ++a) {
            const int row = 3 * m_directions[k].point + a;
            const ConstraintRow& candidate = m_all.rows[m_joint.first + row].row;
            const Vector3 one =
                m_joint.reduced[side] < 0
                    ? toEigen(side == 0 ? candidate.responseA : candidate.responseB)
                    : Vector3(Eigen::Map<const Vector3>(m_all.heldVectors[side].turns.data() + 3 * row));
            sum += m_inverse[rowAt(i) + k] * m_directions[k].weights[a] * one;
        }
    return sum;
}

/// What a direction asks for beside a rigid motion by the end of the step, if nothing is left for later, m.
double HeldDirections::wayOf(double h, const Direction& direction) const {
    const int p = direction.point;
    return direction.weights.dot(gap(p) - carried(p) + h * (velocity(p) - carriedVelocity(p)));
}

/// The share of a direction, from 0 to 1, that does not turn a side faster than m_spin.
double HeldDirections::largestShare(double wanted, const Vector3 turns[2], const Vector3 turned[2]) const {
    double share = 1.0;
    for (int side = 0; side < 2; ++side)
        share = std::min(share, shareOfTurn(turned[side], wanted * turns[side], m_spin));
    return share;
}

/// What a direction asks for beside a rigid motion, m/s.
double HeldDirections::bendOf(const Direction& direction) const {
    const int p = direction.point;
    return direction.weights.dot(m_rate * (gap(p) - carried(p)) + velocity(p) - carriedVelocity(p));
}

/// Largest eigenvalue of h^2 I^-1 K of a side under impulses along the directions.
double HeldDirections::swing(double h, int side, const std::vector<double>& impulses) const {
    if (!isFree(side)) return 0.0;
    const btRigidBody& body = *m_bodies[m_joint.body[side]].m_originalBody;
    Matrix3 K = Matrix3::Zero();
    for (std::size_t i = 0; i < m_directions.size(); ++i) {
        const HeldPoint& point = *dataOf(*m_joint.joint).points[static_cast<std::size_t>(m_directions[i].point)];
        const Vector3 arm = toEigen(btVector3(point.position[side] - body.getCenterOfMassPosition()));
        const Vector3 force = (side == 0 ? 1.0 : -1.0) / h * impulses[i] * m_directions[i].weights;
        K += arm.dot(force) * Matrix3::Identity() - 0.5 * (arm * force.transpose() + force * arm.transpose());
    }
    Matrix3 response = toEigen(body.getInvInertiaTensorWorld());
    if (const ReducedBody* reduced = reducedBody(m_reducedBodies, m_joint.reduced[side])) {
        const Matrix3 A = toEigen(body.getWorldTransform().getBasis());
        response = A * dataOf(*reduced->body).inverseInertia * A.transpose();
    }
    return h * h * largestSwing(K, response);
}

/// The share of what is asked for beside a rigid motion at which the frames stand the forces that keep it. A way d of
/// what is stiff is kept by some (4 / h) W^-1 d in each step: W^-1 is the mass and h^2 / 4 times the stiffness. Ways go
/// to the end of the step: the targets' own velocities have it to add to the gaps, which rows take a share of.
double HeldDirections::steadyShare(double h) const {
    if (!m_isFree || !(m_rate > 0.0)) return 1.0;
    static thread_local std::vector<double> reduced, impulses;
    reduced.clear();
    impulses.assign(m_directions.size(), 0.0);
    for (std::size_t i = 0; i < m_directions.size(); ++i) {
        double way = wayOf(h, m_directions[i]);
        for (std::size_t j = 0; j < i; ++j) way -= m_factor[rowAt(i) + j] * reduced[j];
        reduced.push_back(way / m_factor[rowAt(i) + i]);
        for (std::size_t j = 0; j <= i; ++j) impulses[j] += 4.0 / h * m_inverse[rowAt(i) + j] * reduced[i];
    }
    const double swings = std::max(swing(h, 0, impulses), swing(h, 1, impulses));
    return swings > kMostSwing ? kMostSwing / swings : 1.0;
}

void HeldDirections::ask(double h, double part) {
    const JointData& data = dataOf(*m_joint.joint);
    fitMotion(h, part);
    double speed = 0.0, energy = 0.0;
    for (int p = 0; p < m_joint.count / 3; ++p) speed = std::max(speed, velocity(p).norm());
    m_spin = kMostTurn * m_rate + kMostLeverage * speed / static_cast<double>(data.pointSize);
    const double most = std::pow(kMostLeverage * fastestBend(), 2) / m_largest;
    const double steady = steadyShare(h), far = m_rate * static_cast<double>(kFarShare * data.pointSize);
    Vector3 turned[2] = {Vector3::Zero(), Vector3::Zero()};
    m_rigid.clear();
    m_bent.clear();
    m_cuts.clear();
    m_isMet.clear();
    for (std::size_t i = 0; i < m_directions.size(); ++i) {
        const auto& [p, unit] = m_directions[i];
        const double* L = m_factor.data() + rowAt(i);
        // What a row has been told lacks the arc and the turn.
        const Vector3 along = carriedAlong(p);
        const double lacking =
            unit.dot(m_rate * (besideArc(p) - carried(p)) + along + arcVelocity(p) - carriedVelocity(p));
        // Where the frame stands a part alone, that is a place, which has no velocity of its own.
        const double asked = bendOf(m_directions[i]),
                     tooMuch = steady < 1.0 ? asked - m_rate * steady * wayOf(h, m_directions[i]) : 0.0;
        double rigid = unit.dot(along + arcVelocity(p)), bend = asked - tooMuch;
        for (std::size_t j = 0; j < i; ++j) {
            rigid -= L[j] * m_rigid[j];
            bend -= L[j] * m_bent[j];
        }
        const double room = std::sqrt(std::max(0.0, most - energy)), wanted = bend / L[i],
                     bent = std::max(-room, std::min(room, wanted)), sum = rigid / L[i] + bent;
        const Vector3 turns[2] = {turn(i, 0), turn(i, 1)};
        const double share = largestShare(sum, turns, turned);
        for (int side = 0; side < 2; ++side) turned[side] += share * sum * turns[side];
        m_rigid.push_back(share * rigid / L[i]);
        m_bent.push_back(share * bent);
        m_cuts.push_back((share == 1.0 && bent == wanted ? 0.0 : rigid + bend - share * sum * L[i]) + tooMuch -
                         lacking);
        m_isMet.push_back(bent == wanted && std::abs(tooMuch) <= far ? 1 : 0);
        energy += bent * bent;
    }
}

}  // namespace btPliantInternal
