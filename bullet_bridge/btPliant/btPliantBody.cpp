// SPDX-License-Identifier: Zlib
#include "btPliant/btPliantBody.h"

#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h>
#include <LinearMath/btTransformUtil.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>

#include "btPliant/body/Batches.h"
#include "btPliant/body/CharacterPoses.h"
#include "btPliant/body/ForgetBody.h"
#include "btPliant/body/Ragdolls.h"
#include "btPliant/btPliantShape.h"
#include "btPliant/data/BodyCollision.h"
#include "btPliant/data/BodyMomentum.h"
#include "btPliant/data/Convert.h"
#include "btPliant/data/Sound.h"
#include "btPliant/data/SystemData.h"
#include "btPliant/narrowphase/SelfContact.h"
#include "btPliant/narrowphase/ShapeCollider.h"

using btPliantInternal::toBullet;
using btPliantInternal::toEigen;
using pliant::Matrix3;
using pliant::Vector3;

namespace {

/// Bullet's clock since the last substep is protected; a derived class may name it.
struct WorldClock : btDiscreteDynamicsWorld {
    static btScalar local(const btDiscreteDynamicsWorld& world) { return world.*(&WorldClock::m_localTime); }
    static btScalar fixedStep(const btDiscreteDynamicsWorld& world) { return world.*(&WorldClock::m_fixedTimeStep); }
};

/// Seconds from the end of the last substep to what is drawn; negative when Bullet draws late (its default).
btScalar interpolationTime(const btDiscreteDynamicsWorld& world) {
    const btScalar fixedStep = WorldClock::fixedStep(world);
    if (fixedStep == btScalar(0)) return 0;
    const btScalar local = WorldClock::local(world);
    return world.getLatencyMotionStateInterpolation() ? local - fixedStep : local;
}

/// Whether there are numbers for all coordinates that move, and the sum of their squares is one. (Those that are merely
/// too large for a body have the next step put it back.)
bool canBe(const pliant::VectorX& numbers, const pliant::ReducedModel& model) {
    return numbers.size() >= model.dimension() && std::isfinite(numbers.squaredNorm());
}

const char* const kNotTaken =
    "Reduced coordinates or velocities of a body were not taken: there were fewer than it has, or a number that cannot "
    "be. ";

}  // namespace

void* btPliantBody::operator new(std::size_t bytes) {
    return pliant::allocateCacheAligned(bytes);
}

void btPliantBody::operator delete(void* from, std::size_t bytes) {
    pliant::freeCacheAligned(from, bytes);
}

btPliantBody::btPliantBody(const btRigidBodyConstructionInfo& info, std::unique_ptr<Data> data)
    : btRigidBody(info), m_data(std::move(data)) {
    m_data->body = this;
    m_data->shape = std::make_unique<btPliantShape>(*this);
    setCollisionShape(m_data->shape.get());
    // The bridge carries the angular momentum, of rigid frame and deformation together.
    setFlags(getFlags() & ~(BT_ENABLE_GYROSCOPIC_FORCE_EXPLICIT | BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_WORLD |
                            BT_ENABLE_GYROSCOPIC_FORCE_IMPLICIT_BODY));
    if (!m_data->frameIsFree) {
        setCollisionFlags((getCollisionFlags() & ~CF_STATIC_OBJECT) | CF_KINEMATIC_OBJECT);
    }
    setMotionState(m_data->motionState.get());
    m_data->deformedTransform = getWorldTransform();
    btPliantInternal::updateMomentum(*m_data);
}

btPliantBody::~btPliantBody() {
    btPliantInternal::SystemData& system = btPliantInternal::dataOf(*m_data->system);
    btPliantInternal::forgetBody(system, *this);
    btPliantInternal::BatchGroup& group = *m_data->group;
    const int slot = m_data->slot;
    btPliantInternal::CharacterCrowd* crowd = m_data->character ? m_data->character->crowd : nullptr;
    m_data.reset();
    btPliantInternal::removeFromGroup(system, group, slot);
    if (crowd) btPliantInternal::leaveCrowd(system, *crowd);
}

btPliantBody* btPliantBody::upcast(btCollisionObject* object) {
    return const_cast<btPliantBody*>(upcast(const_cast<const btCollisionObject*>(object)));
}

const btPliantBody* btPliantBody::upcast(const btCollisionObject* object) {
    const btPliantShape* shape = object ? btPliantShape::upcast(object->getCollisionShape()) : nullptr;
    return shape && &shape->getBody() == object ? &shape->getBody() : nullptr;
}

btPliantSystem& btPliantBody::getSystem() const {
    return *m_data->system;
}
const pliant::ReducedModel& btPliantBody::getModel() const {
    return *m_data->fullModel;
}
std::shared_ptr<const pliant::ReducedModel> btPliantBody::getSharedModel() const {
    return m_data->fullModel;
}
const btPliantShape& btPliantBody::getPliantShape() const {
    return *m_data->shape;
}
const pliant::BodyBatch& btPliantBody::getBatch() const {
    return m_data->batch();
}
int btPliantBody::getSlot() const {
    return m_data->slot;
}
pliant::BodyStatus btPliantBody::getStatus() const {
    return m_data->batch().status(m_data->slot);
}
bool btPliantBody::isAnchored() const {
    return m_data->model().anchored;
}

btTransform btPliantBody::getMeshTransform() const {
    if (m_data->character) return toBullet(m_data->character->placement.next);
    return getWorldTransform() * m_data->bodyFromMesh;
}

void btPliantBody::setMeshTransform(const btTransform& worldFromMesh) {
    const btTransform worldFromBody = worldFromMesh * m_data->meshFromBody;
    if (!btPliantInternal::isRigidPlace(worldFromBody)) return btPliantInternal::refuse(*m_data);
    if (m_data->character) return btPliantInternal::place(*m_data, toEigen(worldFromMesh));
    if (m_data->frameIsFree)
        setCenterOfMassTransform(worldFromBody);
    else
        setWorldTransform(worldFromBody);  // Bullet derives the frame's velocity from the last transform
    activate(true);
}

btTransform btPliantBody::getInterpolatedMeshTransform() const {
    if (!m_data->frameIsFree || !btPliantInternal::dataOf(*m_data->system).isInWorld(*this)) return getMeshTransform();
    btTransform worldFromBody;
    btTransformUtil::integrateTransform(getInterpolationWorldTransform(), getInterpolationLinearVelocity(),
                                        getInterpolationAngularVelocity(),
                                        interpolationTime(*m_data->system->getWorld()), worldFromBody);
    return worldFromBody * m_data->bodyFromMesh;
}

void btPliantBody::getInterpolatedReducedCoordinates(pliant::VectorX& q) const {
    q = getReducedCoordinates();
    const Eigen::Index moving = m_data->previousQ.size();
    if (const double fraction = getInterpolationFraction(); fraction != 0.0)
        q.head(moving) += fraction * (q.head(moving) - m_data->previousQ);
}

double btPliantBody::getInterpolationFraction() const {
    if (m_data->stepLength <= 0 || !isActive()) return 0.0;
    return std::clamp(interpolationTime(*m_data->system->getWorld()) / m_data->stepLength, -1.0, 1.0);
}

namespace {

/// `moving`, with zeros for the coordinates that the body does without.
pliant::ConstVectorView whole(const pliant::ConstVectorView& moving, Eigen::Index r, pliant::VectorX& memory) {
    if (moving.size() == r) return moving;
    memory.setZero(r);
    memory.head(moving.size()) = moving;
    return pliant::ConstVectorView(memory.data(), r);
}

}  // namespace

pliant::ConstVectorView btPliantBody::getReducedCoordinates() const {
    return whole(getBatch().q(m_data->slot), getModel().dimension(), m_data->paddedCoordinates);
}
pliant::ConstVectorView btPliantBody::getReducedVelocities() const {
    return whole(getBatch().velocity(m_data->slot), getModel().dimension(), m_data->paddedVelocities);
}

void btPliantBody::setReducedCoordinates(const pliant::VectorX& q) {
    if (!canBe(q, m_data->model())) return btPliantInternal::dataOf(*m_data->system).say(kNotTaken);
    const Eigen::Index moving = m_data->model().dimension();
    m_data->batch().q(m_data->slot) = q.head(moving);
    m_data->previousQ = q.head(moving);
    btPliantInternal::stateWasSet(*m_data);
}

void btPliantBody::setReducedVelocities(const pliant::VectorX& velocity) {
    if (!canBe(velocity, m_data->model())) return btPliantInternal::dataOf(*m_data->system).say(kNotTaken);
    m_data->batch().velocity(m_data->slot) = velocity.head(m_data->model().dimension());
    btPliantInternal::stateWasSet(*m_data);
}

double btPliantBody::getStrainEnergy() const {
    return m_data->batch().strainEnergy(m_data->slot);
}

double btPliantBody::getKineticEnergy() const {
    if (m_data->ragdoll()) return btPliantInternal::kineticEnergyOf(*m_data);
    if (m_data->character) return m_data->batch().kineticEnergy(m_data->slot, Vector3::Zero(), Vector3::Zero());
    const Matrix3 A = toEigen(getWorldTransform().getBasis());
    return m_data->batch().kineticEnergy(m_data->slot, A.transpose() * toEigen(getLinearVelocity()),
                                         A.transpose() * toEigen(getAngularVelocity()));
}

namespace {
/// Linear, and angular about the mass centre of the limbs.
std::array<btVector3, 2> momentaOfRagdoll(btPliantInternal::BodyData& data) {
    Vector3 linear, angular;
    btPliantInternal::momentaOf(data, btPliantInternal::centreOfRagdoll(data), linear, angular);
    return {toBullet(linear), toBullet(angular)};
}
}  // namespace

btVector3 btPliantBody::getLinearMomentum() const {
    if (m_data->ragdoll()) return momentaOfRagdoll(*m_data)[0];
    const Matrix3 A = toEigen(getWorldTransform().getBasis());
    const Vector3 momentum = m_data->batch().linearMomentum(m_data->slot, A.transpose() * toEigen(getLinearVelocity()),
                                                            A.transpose() * toEigen(getAngularVelocity()));
    return toBullet(A * momentum);
}

void btPliantBody::getModalEnergies(pliant::VectorX& energies) const {
    energies.resize(m_data->model().dimension());
    m_data->batch().modalEnergies(m_data->slot, energies.data());
}

const pliant::VectorX& btPliantBody::getModalFrequencies() const {
    return m_data->batch().modalFrequencies();
}

btVector3 btPliantBody::getAngularMomentum() const {
    if (m_data->ragdoll()) return momentaOfRagdoll(*m_data)[1];
    btPliantInternal::updateMomentum(*m_data);
    return toBullet(m_data->angularMomentum);
}

void btPliantBody::setSelfContact(bool on) {
    if (on == (m_data->selfPair != nullptr)) return;
    if (m_data->character) {
        btPliantInternal::dataOf(*m_data->system)
            .say("Characters do not touch themselves: setSelfContact() has no effect on them. ");
        return;
    }
    m_data->selfPair.reset();
    activate(true);
    if (!on) return;
    btPliantInternal::BatchGroup& own = *m_data->group;
    for (const auto& group : btPliantInternal::dataOf(*m_data->system).groups)
        if (!own.restNeighbours && group->model == own.model) own.restNeighbours = group->restNeighbours;
    if (!own.restNeighbours) own.restNeighbours = std::make_shared<pliant::RestNeighbours>(own.collision);
    m_data->restNeighbours = own.restNeighbours;
    const btCollisionObjectWrapper wrap(nullptr, getCollisionShape(), this, getWorldTransform(), -1, -1);
    m_data->selfPair = btPliantInternal::makeSelfPair(*this, *btPliantInternal::colliderOf(wrap));
}

bool btPliantBody::getSelfContact() const {
    return m_data->selfPair != nullptr;
}
