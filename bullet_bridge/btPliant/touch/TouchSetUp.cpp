// SPDX-License-Identifier: Zlib
#include "btPliant/touch/TouchSetUp.h"

#include <BulletCollision/CollisionDispatch/btManifoldResult.h>

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <algorithm>

#include "btPliant/data/BodyMomentum.h"
#include "btPliant/data/Convert.h"
#include "btPliant/data/TouchShells.h"
#include "btPliant/touch/TouchRows.h"

namespace btPliantInternal {

using pliant::Matrix3;
using pliant::MatrixX;
using pliant::Vector3;
using pliant::VectorX;

namespace {

/// Stiffness of a bristle over that of the pressure: of a layer of rubber, shear modulus over Young's modulus.
constexpr double kBristleShare = 1.0 / 3.0;
/// Between the normals of a point and of the field, as which a smaller one counts: the force of a point beside an edge,
/// which looks past the other surface, hardly changes in the step.
constexpr double kLeastCosine = 0.02;
/// What a row of modes along a steep normal is lengthened by at most, where that of frames goes along the field's.
constexpr double kMostModal = 2.0;

/// A factor of side.response, which need not be definite: frames that do not turn about an axis have zeros. Written to
/// the last rows and columns of the metric, `n` of them from `first` on.
void takeRoot(int first, TouchSide& side) {
    const int n = static_cast<int>(side.response.rows());
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < j; ++i)
            side.response(i, j) = side.response(j, i) = 0.5 * (side.response(i, j) + side.response(j, i));
    side.factor.compute(side.response);
    auto root = side.metric.block(first, first, n, n);
    if (side.factor.info() == Eigen::Success) {
        root = side.factor.matrixL();
        return;
    }
    const Eigen::LDLT<MatrixX> pivoted(side.response);
    root = pivoted.matrixL();
    for (int j = 0; j < n; ++j) root.col(j) *= std::sqrt(std::max(0.0, pivoted.vectorD()[j]));
    root = (pivoted.transpositionsP().transpose() * root).eval();
}

/// Response of omega (world) and q' to torques about the world's axes and unit modal impulses: side.response.
void computeResponse(TouchSide& side) {
    const int turns = side.frame / 2, n = turns + side.modes;
    const BodyData& data = dataOf(*side.body);
    const Matrix3 A = toEigen(side.object->getWorldTransform().getBasis());
    const Matrix3 factor = toEigen(side.body->getAngularFactor()).asDiagonal();
    side.angular.setZero(3, n);
    side.modal.setZero(side.modes, n);
    side.turns.resize(3, n);
    side.bends.resize(side.modes, n);
    if (turns > 0) side.angular.leftCols(3) = A.transpose();
    side.modal.rightCols(side.modes).setIdentity();
    respondTo(data, n, side.angular.data(), side.modal.data(), side.turns.data(), side.bends.data());
    side.response.resize(n, n);
    for (int j = 0; turns > 0 && j < n; ++j) side.response.col(j).head(3) = factor * (A * Vector3(side.turns.col(j)));
    side.response.bottomRows(side.modes) = side.bends;
}

void makeMetric(const SolverBodies& bodies, TouchSide& side) {
    side.metric.setZero(side.size(), side.size());
    side.applied.setZero(side.size());
    side.turned.setZero();
    if (side.frame > 0)
        side.metric.topLeftCorner(3, 3).diagonal() =
            toEigen(bodies[side.solverBody].internalGetInvMass()).cwiseMax(0.0).cwiseSqrt();
    if (!side.body) {
        if (side.frame == 0) return;
        const btRigidBody& rigid = *btRigidBody::upcast(side.object);
        const Matrix3 factor = toEigen(rigid.getAngularFactor()).asDiagonal();
        side.response = factor * toEigen(rigid.getInvInertiaTensorWorld()) * factor;
        takeRoot(3, side);
        return;
    }
    computeResponse(side);
    const double half = std::sqrt(2.0);  // D^-1/2 of modes
    side.response.rightCols(side.modes) *= half;
    side.response.bottomRows(side.modes) *= half;
    takeRoot(side.frame / 2, side);
    if (!side.isWhitened) return;
    side.whitening.setIdentity(side.modes, side.modes);
    const BodyData& data = dataOf(*side.body);
    data.batch().whiten(data.slot, side.modes, side.whitening.data(), side.whitening.data());
}

/// What the normal and tangents of a point do not get from z: velocities at the start of the step, and of bodies that
/// the solver does not move.
/// @param count of rows, 1 or 3
void setBase(double h, const TouchConstraint& touch, int count, const double* rows, TouchPoint& point) {
    const bool shellIsA = touch.pair->touch->roles[static_cast<std::size_t>(point.role)].shellIsA;
    const Vector3 given = (shellIsA ? 1.0 : -1.0) *
                          (givenVelocity(touch.side[0], point.place) - givenVelocity(touch.side[1], point.place));
    const Vector3* directions[3] = {&point.normal, &point.tangent[0], &point.tangent[1]};
    double sums[3] = {0.0, 0.0, 0.0};
    for (int k = 0; k < count; ++k) {
        sums[k] = (k == 0 ? point.cosine : 1.0) * directions[k]->dot(given);
        for (const TouchSide& side : touch.side) {
            if (side.modes == 0) continue;
            const BodyData& data = dataOf(*side.body);
            const pliant::ConstVectorView modal(rows + k * touch.dimension() + side.first + side.frame, side.modes);
            sums[k] += modal.dot(data.batch().startVelocity(data.slot));
        }
    }
    point.baseDepth -= h * sums[0];
    for (int k = 0; k < 2; ++k) point.baseBend[k] += h * sums[k + 1];
}

const TouchRole::Bristle* bristleOf(const TouchRole& role, int point) {
    const auto found = std::lower_bound(role.bristles.begin(), role.bristles.end(), point,
                                        [](const TouchRole::Bristle& b, int number) { return b.point < number; });
    return found != role.bristles.end() && found->point == point ? &*found : nullptr;
}

/// Rows of a point, and the point of the element. Those of its tangents are made where it has a bristle: most points
/// within reach do not touch.
void addRowsOf(double h, const pliant::ConvexElementPoint& element, TouchPoint& point, TouchConstraint& touch) {
    const auto n = static_cast<std::size_t>(touch.dimension());
    const int count = element.bristle > 0.0 ? 3 : 1;
    touch.scratch.reserve(3 * touch.points.capacity());
    touch.scratch.resize(6 * n);
    double *rows = touch.scratch.data(), *b = rows + 3 * n;
    makeTouchRows(touch, point, count, rows);
    setBase(h, touch, count, rows, point);
    touch.rows.insert(touch.rows.end(), rows, rows + n);
    // Whichever points get a bristle in a step, a settled one allocates nothing.
    if (touch.tangents.capacity() < 2 * touch.rows.capacity()) touch.tangents.reserve(2 * touch.rows.capacity());
    if (count == 3) {
        point.bristle = touch.bristles++;
        touch.tangents.insert(touch.tangents.end(), rows + n, rows + 3 * n);
    }
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k)
        for (const TouchSide& side : touch.side)
            Eigen::Map<VectorX>(b + k * n + side.first, side.size()).noalias() =
                side.metric.transpose() * Eigen::Map<const VectorX>(rows + k * n + side.first, side.size());
    touch.element.add(element, b, count == 3 ? b + n : nullptr, count == 3 ? b + 2 * n : nullptr);
}

/// Stiffness of a point's bristle at a depth, N/m.
double bristleStiffness(const TouchRole& from, double area, const pliant::DistributedLaw& law, double depth) {
    return kBristleShare * from.share * area * pliant::elasticPressure(law, depth) / depth;
}

/// Sets the directions of a point's force (TouchConstraint.h). @param normal of the point, field's frame
/// @return area of the element's point over that of the shell's
double direct(const TouchRole& from, int found, const Vector3& normal, TouchPoint& point) {
    const auto number = static_cast<std::size_t>(found);
    Vector3 direction = normal;
    double cosine = 1.0;
    if (!from.found[number].passed) {
        const Vector3& field = from.fieldNormal[number];
        cosine = std::max(kLeastCosine, field.dot(normal));
        const double flat = from.flatness[number];
        if (flat > 0.0) direction = (normal + flat * (field - normal)).normalized();
        point.cosine = std::max(kLeastCosine, field.dot(direction));
    }
    const double square = point.cosine * point.cosine;
    point.pressure = std::min(square / cosine, kMostModal) * from.worldFromField.direction(normal);
    point.normal = from.worldFromField.direction(direction);
    point.tangent[0] = point.normal.unitOrthogonal();
    point.tangent[1] = point.normal.cross(point.tangent[0]);
    return cosine / square;
}

/// Where the force of a point acts, for the torques of both bodies: where it is, and on by what the body of the shell
/// turns it in the step, since the depths are those at the end of the step, and what rolls has the deepest points under
/// its centre then, not in front of it.
void turnLever(double h, const TouchSide& shell, const SolverBodies& bodies, TouchPoint& point) {
    point.lever = point.place;
    if (shell.frame == 0) return;
    const btSolverBody& body = bodies[shell.solverBody];
    const Vector3 omega = toEigen(body.m_angularVelocity);
    const Vector3 arm = point.place - toEigen(shell.object->getWorldTransform().getOrigin());
    const Vector3 turned = h * omega.cross(arm);
    point.lever += turned;
    // The row has all of what the turn of the arm adds to the way, which takes half of it.
    point.baseDepth += 0.5 * h * point.cosine * point.normal.dot(omega.cross(turned));
}

void addPoint(double h, int role, int found, const pliant::DistributedLaw& law, const SolverBodies& bodies,
              TouchConstraint& touch) {
    const TouchRole& from = touch.pair->touch->roles[static_cast<std::size_t>(role)];
    const pliant::DistributedPoint& at = from.found[static_cast<std::size_t>(found)];
    const double size = at.area.norm();
    if (!(size > 0.0)) return;
    TouchPoint point;
    point.role = role;
    point.found = found;
    point.place = from.worldFromField.point(at.place);
    point.baseDepth = -at.distance;
    pliant::ConvexElementPoint element;
    element.area = from.share * size * direct(from, found, at.area / size, point);
    element.depth = -at.distance;
    turnLever(h, touch.side[from.shellIsA ? 0 : 1], bodies, point);
    if (touch.friction > 0.0 && element.depth > 0.0) {
        element.bristle = bristleStiffness(from, size, law, element.depth);
        if (const TouchRole::Bristle* bristle = bristleOf(from, at.point)) {
            const Vector3 bend = from.worldFromField.direction(bristle->bend);
            for (int k = 0; k < 2; ++k) point.baseBend[k] = point.tangent[k].dot(bend);
            element.limit = touch.friction * bristle->normalForce;
        }
    }
    addRowsOf(h, element, point, touch);
    touch.points.push_back(point);
}

}  // namespace

TouchConstraint& addTouch(ContactPair& pair, const int (&solverBodies)[2], const int (&reducedBodies)[2],
                          TouchConstraints& all) {
    if (all.count == static_cast<int>(all.elements.size())) all.elements.push_back(std::make_unique<TouchConstraint>());
    TouchConstraint& touch = *all.elements[static_cast<std::size_t>(all.count++)];
    touch.pair = &pair;
    touch.hasSolved = false;
    for (int s = 0; s < 2; ++s) {
        TouchSide& side = touch.side[s];
        side.object = s == 0 ? &pair.a : pair.other;
        side.solverBody = solverBodies[s];
        side.reduced = reducedBodies[s];
        side.body = side.reduced >= 0 ? (s == 0 ? &pair.a : pair.b) : nullptr;
    }
    return touch;
}

void setUpTouch(double h, const ContactConstraints& contacts, const SolverBodies& bodies, TouchConstraint& touch) {
    const btPliantTouchSettings& settings = touch.pair->touch->settings;
    int first = 0;
    for (TouchSide& side : touch.side) {
        const btSolverBody& body = bodies[side.solverBody];
        const ReducedBody* reduced = reducedBody(contacts.reducedBodies, side.reduced);
        const bool moves = side.body ? dataOf(*side.body).frameIsFree : body.m_originalBody != nullptr;
        side.frame = moves && body.internalGetInvMass().length2() > 0 ? 6 : 0;
        side.modes = side.body ? dataOf(*side.body).model().dimension() : 0;
        side.isWhitened = reduced && reduced->whitened;
        side.basis.forget();
        side.first = first;
        first += side.size();
        makeMetric(bodies, side);
    }
    touch.friction = static_cast<double>(settings.m_friction >= 0 ? settings.m_friction
                                                                  : btManifoldResult::calculateCombinedFriction(
                                                                        touch.side[0].object, touch.side[1].object));
    const pliant::DistributedLaw law = lawOf(settings);
    touch.points.clear();
    touch.rows.clear();
    touch.tangents.clear();
    touch.bristles = 0;
    for (pliant::VectorX* v : {&touch.target, &touch.lastTarget, &touch.velocity}) v->setZero(touch.dimension());
    touch.element.start(touch.dimension(), law, h);
    const std::vector<TouchRole>& roles = touch.pair->touch->roles;
    for (int role = 0; role < static_cast<int>(roles.size()); ++role)
        for (int i = 0; i < static_cast<int>(roles[static_cast<std::size_t>(role)].found.size()); ++i)
            addPoint(h, role, i, law, bodies, touch);
}

bool addMissingBristles(TouchConstraint& touch) {
    if (!(touch.friction > 0.0)) return false;
    const double h = touch.element.step();
    const pliant::DistributedLaw law = lawOf(touch.pair->touch->settings);
    const auto n = static_cast<std::size_t>(touch.dimension());
    bool found = false;
    for (int i = 0; i < touch.element.pointCount(); ++i) {
        TouchPoint& point = touch.points[static_cast<std::size_t>(i)];
        if (point.bristle >= 0 || !(touch.element.normalImpulse(i) > 0.0)) continue;
        found = true;
        touch.scratch.resize(6 * n);
        double *rows = touch.scratch.data(), *b = rows + 3 * n;
        makeTouchRows(touch, point, 3, rows);
        const double baseDepth = point.baseDepth;
        setBase(h, touch, 3, rows, point);
        point.baseDepth = baseDepth;
        point.bristle = touch.bristles++;
        touch.tangents.insert(touch.tangents.end(), rows + n, rows + 3 * n);
        for (std::size_t k = 1; k < 3; ++k)
            for (const TouchSide& side : touch.side)
                Eigen::Map<VectorX>(b + k * n + side.first, side.size()).noalias() =
                    side.metric.transpose() * Eigen::Map<const VectorX>(rows + k * n + side.first, side.size());
        const TouchRole& from = touch.pair->touch->roles[static_cast<std::size_t>(point.role)];
        const double area = from.found[static_cast<std::size_t>(point.found)].area.norm();
        touch.element.addBristle(i, bristleStiffness(from, area, law, touch.element.depth(i)), b + n, b + 2 * n);
    }
    return found;
}

}  // namespace btPliantInternal
