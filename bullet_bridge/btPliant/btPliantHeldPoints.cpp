// SPDX-License-Identifier: Zlib
#include "btPliant/btPliantHeldPoints.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "btPliant/btPliantBody.h"
#include "btPliant/data/Convert.h"
#include "btPliant/data/JointData.h"
#include "btPliant/data/Sound.h"
#include "pliant/math/Error.h"

using btPliantInternal::dataOf;
using btPliantInternal::HeldPoint;
using btPliantInternal::isFinite;
using btPliantInternal::JointData;

namespace btPliantInternal {
namespace {

btTransform pointFrame(const btVector3& place) {
    return btTransform(btMatrix3x3::getIdentity(), place);
}

}  // namespace

HeldPoint::HeldPoint(btRigidBody& A, btRigidBody& B, const btVector3& inA, const btVector3& inB)
    : sides{{A, pointFrame(inA)}, {B, pointFrame(inB)}}, rest{inA, inB} {
    follow();
}

void HeldPoint::follow() {
    for (int side = 0; side < 2; ++side) {
        JointSide& held = sides[side];
        const btVector3 local = held.reduced ? held.follow().getOrigin() : rest[side];
        position[side] = held.body->getCenterOfMassTransform() * local;
    }
}

}  // namespace btPliantInternal

namespace {

constexpr btScalar kTolerance = btScalar(1e-4);
constexpr std::size_t kPointNumbers = 9;  // of a point in a saved world

/// Diagonal of the box around the mesh at rest, m.
btScalar sizeOf(const btPliantBody& body) {
    const pliant::Points& all = body.getModel().mesh.positions;
    return static_cast<btScalar>((all.rowwise().maxCoeff() - all.rowwise().minCoeff()).norm());
}

/// Null where there is no such point.
HeldPoint* find(const JointData& data, int point) {
    const bool isThere = point >= 0 && point < static_cast<int>(data.points.size());
    return isThere ? data.points[static_cast<std::size_t>(point)].get() : nullptr;
}

/// Where a point is now on a side, which nobody sees being brought up to date.
btVector3 placeOf(const JointData& data, int point, int side) {
    HeldPoint* held = find(data, point);
    if (!held) return btVector3(0, 0, 0);
    held->follow();
    return held->position[side];
}

/// What slept with other points would go on sleeping, in the air where it has been let go.
void wake(btRigidBody& a, btRigidBody& b) {
    a.activate();
    b.activate();
}

}  // namespace

btPliantHeldPoints::btPliantHeldPoints(btPliantBody& A) : btPliantHeldPoints(A, getFixedBody()) {}

btPliantHeldPoints::btPliantHeldPoints(btPliantBody& A, btRigidBody& B)
    : btTypedConstraint(MAX_CONSTRAINT_TYPE, A, B),
      btPliantJoint(A, B, btTransform::getIdentity(), btTransform::getIdentity()) {
    setTolerance(kTolerance);
    dataOf(*this).pointSize = sizeOf(A);
}

int btPliantHeldPoints::addPoint(const btVector3& restPoint) {
    const btVector3 now = frameInWorld(m_rbA, btPliantInternal::pointFrame(restPoint)).getOrigin();
    return addPoint(restPoint, restFrame(m_rbB, btPliantInternal::pointFrame(now)).getOrigin());
}

int btPliantHeldPoints::addPoint(const btVector3& restPoint, const btVector3& restPointInB) {
    if (getNumPoints() >= kMostPoints)
        throw pliant::Error("btPliantHeldPoints", "one constraint holds " + std::to_string(kMostPoints) + " points",
                            "hold the others by a second one");
    if (!isFinite(restPoint) || !isFinite(restPointInB))
        throw pliant::Error("btPliantHeldPoints", "a point is not finite");
    dataOf(*this).points.push_back(std::make_unique<HeldPoint>(m_rbA, m_rbB, restPoint, restPointInB));
    dataOf(*this).solvedRows.resize(0);
    wake(m_rbA, m_rbB);
    return getNumPoints() - 1;
}

void btPliantHeldPoints::clearPoints() {
    if (getNumPoints() == 0) return;
    dataOf(*this).points.clear();
    dataOf(*this).solvedRows.resize(0);
    wake(m_rbA, m_rbB);
}

int btPliantHeldPoints::getNumPoints() const {
    return static_cast<int>(dataOf(*this).points.size());
}

bool btPliantHeldPoints::setTarget(int point, const btVector3& position, const btVector3& velocity) {
    if (point < 0 || point >= getNumPoints() || &m_rbB != &getFixedBody()) return false;
    if (!isFinite(position) || !isFinite(velocity)) return false;
    HeldPoint& held = *dataOf(*this).points[static_cast<std::size_t>(point)];
    const bool isNew = !(held.rest[1] == position && held.velocity == velocity);
    held.rest[1] = position;
    held.velocity = velocity;
    if (isNew) m_rbA.activate();
    return true;
}

btVector3 btPliantHeldPoints::getTarget(int point) const {
    return placeOf(dataOf(*this), point, 1);
}

btVector3 btPliantHeldPoints::getPosition(int point) const {
    return placeOf(dataOf(*this), point, 0);
}

btVector3 btPliantHeldPoints::getPointImpulse(int point) const {
    const HeldPoint* held = find(dataOf(*this), point);
    return held ? held->impulse : btVector3(0, 0, 0);
}

int btPliantHeldPoints::getHeldDirections(int point) const {
    const HeldPoint* held = find(dataOf(*this), point);
    return held ? held->directions : 0;
}

bool btPliantHeldPoints::isGivenUp(int point) const {
    if (!find(dataOf(*this), point) || getHeldDirections(point) == 3) return false;
    return getPosition(point).distance(getTarget(point)) > btPliantInternal::kFarShare * dataOf(*this).pointSize;
}

int btPliantHeldPoints::getNumGivenUp() const {
    int count = 0;
    for (int i = 0; i < getNumPoints(); ++i) count += isGivenUp(i) ? 1 : 0;
    return count;
}

std::string btPliantHeldPoints::getStatus() const {
    std::ostringstream text;
    const int count = getNumGivenUp();
    int told = 0;
    for (int i = 0; i < getNumPoints(); ++i) {
        if (!isGivenUp(i)) continue;
        text << (told == 0 ? (count == 1 ? "point " : "points ") : ", ") << i << " ("
             << getPosition(i).distance(getTarget(i)) << " m off)";
        ++told;
    }
    if (told == 0) return {};
    text << (count == 1 ? " cannot be where it should be" : " cannot be where they should be")
         << ": the points before in the order leave the body no such shape, or one far from all that is asked; bring "
            "the targets together, hold fewer "
            "points, or reduce the model with more coordinates";
    return text.str();
}

void btPliantHeldPoints::setTolerance(btScalar tolerance) {
    if (std::isnan(tolerance)) return;
    m_tolerance = btMax(btScalar(0), btMin(tolerance, btScalar(1)));
    dataOf(*this).pointTolerance = m_tolerance;
}

void btPliantHeldPoints::buildJacobian() {
    for (const auto& point : dataOf(*this).points) point->follow();
}

void btPliantHeldPoints::getInfo1(btConstraintInfo1* info) {
    info->m_numConstraintRows = 3 * getNumPoints();
    info->nub = 0;
}

void btPliantHeldPoints::getInfo2(btConstraintInfo2* info) {
    const btScalar rate = info->fps * (m_erp >= 0 ? m_erp : info->erp);
    const btVector3 centres[2] = {m_rbA.getCenterOfMassPosition(), m_rbB.getCenterOfMassPosition()};
    for (int i = 0; i < 3 * getNumPoints(); ++i) {
        const HeldPoint& point = *dataOf(*this).points[static_cast<std::size_t>(i / 3)];
        const int k = i % 3, row = i * info->rowskip;
        btVector3 axis(0, 0, 0);
        axis[k] = 1;
        const btVector3 momentA = (point.position[0] - centres[0]).cross(axis),
                        momentB = (point.position[1] - centres[1]).cross(axis);
        for (int j = 0; j < 3; ++j) {
            info->m_J1linearAxis[row + j] = axis[j];
            info->m_J2linearAxis[row + j] = -axis[j];
            info->m_J1angularAxis[row + j] = momentA[j];
            info->m_J2angularAxis[row + j] = -momentB[j];
        }
        // The target belongs to the end of the step, the gap to its start.
        const btVector3 gap = point.position[1] - point.velocity / info->fps - point.position[0];
        info->m_constraintError[row] = rate * gap[k] + point.velocity[k];
    }
}

void btPliantHeldPoints::setParam(int num, btScalar value, int) {
    if ((num == BT_CONSTRAINT_ERP || num == BT_CONSTRAINT_STOP_ERP) && value >= 0) m_erp = btMin(value, btScalar(1));
}

btScalar btPliantHeldPoints::getParam(int num, int) const {
    return num == BT_CONSTRAINT_ERP || num == BT_CONSTRAINT_STOP_ERP ? m_erp : btScalar(0);
}

void btPliantHeldPoints::getNumbers(std::vector<double>& numbers) const {
    numbers.clear();
    for (const auto& point : dataOf(*this).points)
        for (const btVector3* v : {&point->rest[1], &point->velocity, &point->impulse})
            for (int k = 0; k < 3; ++k) numbers.push_back(static_cast<double>((*v)[k]));
}

bool btPliantHeldPoints::acceptsNumbers(const std::vector<double>& numbers) const {
    constexpr auto most = static_cast<double>(std::numeric_limits<btScalar>::max());
    return numbers.size() == kPointNumbers * dataOf(*this).points.size() &&
           std::all_of(numbers.begin(), numbers.end(), [](double x) { return std::abs(x) <= most; });
}

void btPliantHeldPoints::setNumbers(const std::vector<double>& numbers) {
    const double* next = numbers.data();
    for (const auto& point : dataOf(*this).points)
        for (btVector3* v : {&point->rest[1], &point->velocity, &point->impulse})
            for (int k = 0; k < 3; ++k) (*v)[k] = static_cast<btScalar>(*next++);
}

btTransform btPliantHeldPoints::getFrame(int) const {
    return btTransform::getIdentity();
}

void btPliantHeldPoints::setFrame(int, const btTransform&) {}
