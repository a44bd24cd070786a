// SPDX-License-Identifier: Zlib
#include "btPliant/btPliantShape.h"

#include <BulletCollision/CollisionShapes/btTriangleCallback.h>

#include <algorithm>

#include "btPliant/body/AddedTwice.h"
#include "btPliant/data/BodyCollision.h"
#include "btPliant/data/Convert.h"
#include "btPliant/data/Sound.h"
#include "btPliant/data/SystemData.h"
#include "btPliant/narrowphase/MotionPrediction.h"
#include "pliant/collision/body/TriangleQueries.h"
#include "pliant/math/CacheAligned.h"

using btPliantInternal::dataOf;
using btPliantInternal::toBullet;
using btPliantInternal::toEigen;
using pliant::Aabb;
using pliant::Vector3;

namespace {
const char* const shapeName = "Pliant";  // its address is the mark of our shapes
}

namespace {

/// Of a body in another frame. Bullet asks for every body's box at its predicted frame (continuous collision), which is
/// turned a little against the present one: no point x moves farther than |R - R0| |x|. Where that is much, the bounds
/// are those of all spheres.
Aabb rotatedBounds(const pliant::DeformedBody& deformed, const btTransform& present, const btTransform& frame,
                   double radius) {
    const pliant::Matrix3 turn = toEigen(frame.getBasis()) - toEigen(present.getBasis());
    Aabb box = deformed.worldBounds();
    const Vector3 origin = toEigen(present.getOrigin());
    const double farthest = (box.upper - origin).cwiseAbs().cwiseMax((box.lower - origin).cwiseAbs()).norm();
    const double moved = turn.norm() * farthest;  // the Frobenius norm is the larger one
    if (!(moved < radius)) return deformed.bounds(toEigen(frame));
    const Vector3 shift = toEigen(frame.getOrigin()) - origin, reach = Vector3::Constant(1.001 * moved);
    return {box.lower + shift - reach, box.upper + shift + reach};
}

/// Where a fast body goes in the step that the world is making: Bullet asks compounds with this box for the parts that
/// it may touch.
void addPredictedMotion(const btPliantBody& body, const btTransform& frame, Aabb& box) {
    const auto step = static_cast<double>(dataOf(body.getSystem()).world->getDispatchInfo().m_timeStep);
    const btVector3 way = btPliantInternal::predictedFastMotion(body, step);
    if (way.isZero()) return;
    const btMatrix3x3 turn = frame.getBasis() * body.getWorldTransform().getBasis().transpose();
    const Vector3 shift = toEigen(btVector3(turn * way));
    box.lower += shift.cwiseMin(0.0);
    box.upper += shift.cwiseMax(0.0);
}

/// Metres that bones carry a character in the step that is made: as in the last one, for Bullet asks before their next
/// pose is known. One that has just been put there goes on as its clip says.
double wayAhead(const btPliantInternal::BodyData& data) {
    const btPliantInternal::CharacterData& c = *data.character;
    if (data.substepTravel <= c.crowd->skin->size()) return data.substepTravel;
    const auto step = static_cast<double>(dataOf(*data.system).world->getDispatchInfo().m_timeStep);
    static thread_local std::vector<pliant::AffineMap> ahead;
    ahead.resize(c.bones.size());
    for (std::size_t b = 0; b < ahead.size(); ++b) ahead[b] = c.bones[b] + step * c.rate(b);
    return std::min(c.crowd->skin->longestWays(c.bones.data(), ahead.data()).whole, c.crowd->skin->size());
}

}  // namespace

void* btPliantShape::operator new(std::size_t bytes) {
    return pliant::allocateCacheAligned(bytes);
}

void btPliantShape::operator delete(void* from, std::size_t bytes) {
    pliant::freeCacheAligned(from, bytes);
}

btPliantShape::btPliantShape(const btPliantBody& body) : m_body(body), m_scaling(1, 1, 1) {
    m_shapeType = FAST_CONCAVE_MESH_PROXYTYPE;
    m_collisionMargin = body.getSystem().getInfo().m_margin;
}

btPliantShape::~btPliantShape() = default;

const btPliantShape* btPliantShape::upcast(const btCollisionShape* shape) {
    if (!shape || shape->getShapeType() != FAST_CONCAVE_MESH_PROXYTYPE || shape->getName() != shapeName) return nullptr;
    return static_cast<const btPliantShape*>(shape);
}

void btPliantShape::getAabb(const btTransform& frame, btVector3& aabbMin, btVector3& aabbMax) const {
    // The cache of deformed spheres is the body's; nothing of the body that a user can see changes.
    auto& data = dataOf(const_cast<btPliantBody&>(m_body));
    btPliantInternal::noticeSecondAdding(data);
    btPliantInternal::updateCollision(data);
    // Bullet takes what has no finite box out of its world for good.
    const btTransform& worldFromBody = btPliantInternal::isPlace(frame) ? frame : data.deformedTransform;
    Aabb box;
    if (worldFromBody.getBasis() == data.deformedTransform.getBasis()) {
        box = data.deformed->worldBounds();
        const Vector3 shift = toEigen(btVector3(worldFromBody.getOrigin() - data.deformedTransform.getOrigin()));
        box.lower += shift;
        box.upper += shift;
    } else {
        box = rotatedBounds(*data.deformed, data.deformedTransform, worldFromBody, data.largestRadius);
    }
    addPredictedMotion(m_body, worldFromBody, box);
    const double contacts = static_cast<double>(m_collisionMargin) +
                            static_cast<double>(m_body.getSystem().getInfo().m_speculativeRadii) * data.largestRadius;
    const btScalar reach = static_cast<btScalar>(std::max(contacts, data.deformed->surfaceExcess()));
    if (data.character) {
        const btScalar way = static_cast<btScalar>(wayAhead(data));
        aabbMin = toBullet(box.lower) - btVector3(reach + way, reach + way, reach + way);
        aabbMax = toBullet(box.upper) + btVector3(reach + way, reach + way, reach + way);
        return;
    }
    aabbMin = toBullet(box.lower) - btVector3(reach, reach, reach);
    aabbMax = toBullet(box.upper) + btVector3(reach, reach, reach);
}

void btPliantShape::getBoundingSphere(btVector3& centre, btScalar& radius) const {
    btVector3 lower, upper;
    getAabb(btTransform::getIdentity(), lower, upper);
    centre = (lower + upper) * btScalar(0.5);
    radius = (upper - lower).length() * btScalar(0.5);
}

btScalar btPliantShape::getAngularMotionDisc() const {
    btVector3 centre;
    btScalar radius;
    getBoundingSphere(centre, radius);
    return centre.length() + radius;
}

btScalar btPliantShape::getContactBreakingThreshold(btScalar defaultFactor) const {
    return defaultFactor * static_cast<btScalar>(dataOf(m_body).largestRadius);
}

void btPliantShape::processAllTriangles(btTriangleCallback* callback, const btVector3& aabbMin,
                                        const btVector3& aabbMax) const {
    auto& data = dataOf(const_cast<btPliantBody&>(m_body));
    btPliantInternal::updateCollision(data);
    Aabb box;
    box.lower = toEigen(aabbMin);
    box.upper = toEigen(aabbMax);
    pliant::visitTriangles(*data.deformed, box,
                           [callback](const Vector3& a, const Vector3& b, const Vector3& c, int triangle) {
                               btVector3 corners[3] = {toBullet(a), toBullet(b), toBullet(c)};
                               callback->processTriangle(corners, 0, triangle);
                           });
}

void btPliantShape::setLocalScaling(const btVector3&) {}
const btVector3& btPliantShape::getLocalScaling() const {
    return m_scaling;
}

void btPliantShape::calculateLocalInertia(btScalar mass, btVector3& inertia) const {
    const pliant::InertiaIntegrals& rest = m_body.getModel().inertia;
    inertia = toBullet(rest.principalInertia) * (mass / static_cast<btScalar>(rest.mass));
}

void btPliantShape::setMargin(btScalar margin) {
    m_collisionMargin = margin;
}
btScalar btPliantShape::getMargin() const {
    return m_collisionMargin;
}
const char* btPliantShape::getName() const {
    return shapeName;
}
