// SPDX-License-Identifier: Zlib
#include "btPliant/body/Ragdolls.h"

#include <algorithm>
#include <cmath>

#include "btPliant/body/BegunPose.h"
#include "btPliant/body/BoneReturn.h"
#include "btPliant/data/CharacterLimbs.h"
#include "btPliant/data/Convert.h"
#include "btPliant/data/Sound.h"
#include "pliant/math/Error.h"
#include "pliant/runtime/IntegratorTraits.h"
#include "pliant/runtime/ragdoll/PoseForce.h"
#include "pliant/runtime/ragdoll/RagdollMotion.h"

namespace btPliantInternal {

using pliant::AffineMap;
using pliant::Matrix3;
using pliant::Vector3;
using pliant::VectorX;

namespace {

constexpr double kScaled = 1e-6;  ///< by which the scale of a bone may be off 1
/// Ends of ranges that a joint may come to in a step are looked for this much farther than its velocity takes it, rad.
constexpr double kReach = 0.1;

Vector3 gravityOf(const BodyData& data) {
    return toEigen(dataOf(*data.system).world->getGravity());
}

/// Velocities of the limbs that bones at T_b with these rates have.
VectorX velocitiesOf(CharacterData& c) {
    c.formRates();
    return limbVelocities(c.ragdoll->model(), c.bones, c.rates);
}

/// Bullet's view of it: a body that forces and impulses leave where it is, and that islands hold for one that moves.
void setMass(btRigidBody& body, double mass) {
    const auto m = static_cast<btScalar>(mass);
    const btVector3 factor = m > 0 ? btVector3(0, 0, 0) : btVector3(1, 1, 1);
    body.setMassProps(m, btVector3(m, m, m));
    body.setLinearFactor(factor);
    body.setAngularFactor(factor);
    body.updateInertiaTensor();
    const int flags =
        body.getCollisionFlags() & ~(btCollisionObject::CF_STATIC_OBJECT | btCollisionObject::CF_KINEMATIC_OBJECT);
    body.setCollisionFlags(m > 0 ? flags : flags | btCollisionObject::CF_KINEMATIC_OBJECT);
}

/// U_s' F of a force in axes of the flesh. @param sum r
void addAtPoint(const pliant::ReducedModel& model, const pliant::MaterialPoint& point, const Vector3& force,
                VectorX& sum) {
    for (std::size_t c = 0; c < point.vertex.size(); ++c)
        if (point.weight[c] != 0.0)
            sum += model.basis.middleRows<3>(3 * static_cast<Eigen::Index>(point.vertex[c])).transpose() *
                   (point.weight[c] * force);
}

/// Adds what a force (N) or an impulse (N s) on a point of the flesh, world, does to limbs and coordinates.
void addAtPoint(const BodyData& data, const pliant::MaterialPoint& point, const Vector3& force, VectorX& onLimbs,
                VectorX& onFlesh) {
    const CharacterData& c = *data.character;
    const Carriers carriers(*c.model, point);
    addOnLimbs(c, carriers, toEigen(data.body->getPointPosition(point)), force, Vector3::Zero(), onLimbs);
    addAtPoint(data.model(), point, carriers.turn(c.bones).transpose() * force, onFlesh);
}

/// Flesh keeps its way q - q_s from the shape that the pose wants as limbs turn: that way alone has energy.
void takeShapeAlong(BodyData& data) {
    CharacterData& c = *data.character;
    RagdollData& d = *c.ragdoll;
    if (d.pull.size() == 0) return;
    poseForce(*c.model, c.nextBones, d.nextPull);
    d.pull = d.nextPull - d.pull;
    c.crowd->stiffness.solveInPlace(d.pull);
    data.batch().q(data.slot) += d.pull.head(data.model().dimension());
    d.pull.swap(d.nextPull);
}

void placeSystem(BodyData& data) {
    data.ragdoll()->system.place(data.character->bones.data(), data.model().dimension());
}

}  // namespace

std::shared_ptr<const pliant::RagdollModel> ragdollModel(CharacterData& character) {
    std::shared_ptr<const pliant::RagdollModel>& limbs = character.crowd->limbs;
    if (!limbs) limbs = std::make_shared<pliant::RagdollModel>(character.model);
    return limbs;
}

int limbNumbers(CharacterData& character) {
    try {
        return 6 * ragdollModel(character)->limbCount();
    } catch (const pliant::Error&) {
        return 0;
    }
}

/// Their words, joined by "or".
std::string integratorsOfLimbs() {
    std::string words;
    const std::size_t count = pliant::integratorNames().size();
    for (std::size_t i = 0; i < count; ++i) {
        const pliant::IntegratorTraits& traits = pliant::traitsOf(static_cast<pliant::Integrator>(i));
        if (traits.joinsLimbs) words += (words.empty() ? "" : " or ") + std::string(traits.name);
    }
    return words;
}

std::string problemOfRagdoll(const BodyData& data) {
    const CharacterData& c = *data.character;
    if (!dataOf(*data.system).solver)
        return "limbs are moved by a btPliantConstraintSolver alone: hand one to the world";
    if (c.crowd->base != pliant::RestShape::Skin && !c.model->linear)
        return "its flesh takes a shape of its own in every pose (RestShape::Flesh), which only linear flesh takes "
               "along "
               "without a change of its energy: make it linear, or with RestShape::Skin (pliant rig --base skin)";
    if (!pliant::traitsOf(data.batch().settings().integrator).joinsLimbs)
        return "limbs and flesh do not move together by the steps of its integrator: set the integrator " +
               integratorsOfLimbs();
    for (const AffineMap& bone : c.bones)
        if (std::abs(bone.col(0).norm() - 1.0) > kScaled) return "a bone is scaled, and limbs do not grow as they fall";
    return {};
}

void becomeRagdoll(BodyData& data) {
    CharacterData& c = *data.character;
    c.back = BoneReturn();
    c.ragdoll = std::make_unique<RagdollData>(ragdollModel(c), data.fullModel->dimension());
    c.ragdoll->V = c.ragdoll->startV = velocitiesOf(c);
    notePull(data);
    placeSystem(data);
    setMass(*data.body, data.fullModel->totalMass());
    forgetBegun(data);
}

void becomeDriven(BodyData& data, double seconds) {
    CharacterData& c = *data.character;
    placeSystem(data);
    c.back = seconds > 0.0 ? beginReturn(c, seconds) : BoneReturn();
    c.placement.now = c.placement.next;
    c.placement.velocity.setZero();
    std::vector<pliant::MovingFrame> frames;  // rates of the last substep are those of its middle
    boneMotions(c.ragdoll->model(), c.bones, c.ragdoll->V, frames);
    c.ratesStep = 0.0;
    for (std::size_t b = 0; b < c.rates.size(); ++b) c.rates[b] = frames[b].velocity;
    // A ragdoll's q'' is that of the state alone; driven flesh goes on from one that has the pull of the pose in it.
    if (seconds > 0.0 && c.ragdoll->pull.size() > 0) {
        data.batch().resetAcceleration(data.slot);
        data.batch().acceleration(data.slot) += c.ragdoll->pull.head(data.model().dimension());
    }
    c.ragdoll.reset();
    setMass(*data.body, 0.0);
    forgetBegun(data);
}

void notePull(BodyData& data) {
    CharacterData& c = *data.character;
    if (c.crowd->base == pliant::RestShape::Flesh) poseForce(*c.model, c.bones, c.ragdoll->pull);
}

void predictRagdoll(BodyData& data, double h) {
    CharacterData& c = *data.character;
    VectorX& V = c.ragdoll->ahead;
    V = c.ragdoll->V;
    if (data.body->isActive()) {
        const Vector3 fall = h * gravityOf(data);
        for (Eigen::Index i = 0; i < V.size(); i += 6) V.segment<3>(i) += fall;
    }
    if (V.isZero(0.0))
        c.nextBones = c.bones;
    else
        advance(c.ragdoll->model(), c.bones, V, h, c.nextBones);
    c.frames.resize(c.bones.size());
    for (std::size_t b = 0; b < c.bones.size(); ++b) {
        c.frames[b] = pliant::MovingFrame();
        c.frames[b].map = c.bones[b];
    }
    c.nextTime = c.time;
}

void beginFall(BodyData& data, const Vector3& gravity) {
    CharacterData& c = *data.character;
    RagdollData& d = *c.ragdoll;
    placeSystem(data);
    d.startV = d.V;
    // f acts from the beginning of the step to its end, and leaves no trace in q''.
    data.batch().resetAcceleration(data.slot);
    d.fall.setZero(d.size());
    d.weights.setZero(d.size());
    for (std::size_t i = 0; i < d.model().limbs.size(); ++i) {
        const auto at = 6 * static_cast<Eigen::Index>(i);
        d.fall.segment<3>(at) = gravity;
        d.weights.segment<3>(at) = d.model().limbs[i].mass.mass * gravity;
    }
    d.force.noalias() = d.system.coupling() * d.fall;
    if (d.pull.size() > 0) d.force += d.pull.head(d.force.size());
    for (PointForce& force : data.pointForces) {
        addAtPoint(data, force.point, toEigen(force.force), d.weights, d.force);
        force.consumed = true;
    }
    data.batch().addContactForce(data.slot, d.force.data());
}

void fallFreely(BodyData& data, double h) {
    CharacterData& c = *data.character;
    RagdollData& d = *c.ragdoll;
    pliant::BodyBatch& batch = data.batch();
    const pliant::MatrixX& H = d.system.coupling();
    d.couplingResponses.resize(H.rows(), H.cols());
    const int count = static_cast<int>(H.cols());
    d.still.setZero(3, count);
    batch.responses(data.slot, count, d.still.data(), H.data(), d.still.data(), d.couplingResponses.data());
    jointRows(d.system, d.holds, c.bones, d.joints);
    d.system.factor(d.couplingResponses, d.joints);
    d.change = batch.velocity(data.slot) - batch.startVelocity(data.slot);
    d.fall = h * d.weights;
    static const VectorX atRest;
    d.system.fall(d.V, d.fall, d.change, atRest, d.dV, d.dq1);
    d.V += d.dV;
    batch.addVelocity(data.slot, d.dq1.data());
    const double fastest = std::max(d.startV.cwiseAbs().maxCoeff(), d.V.cwiseAbs().maxCoeff());
    jointLimits(d.model(), d.holds, c.bones, kReach + 2.0 * h * fastest, d.limits);
}

void finishRagdoll(BodyData& data) {
    CharacterData& c = *data.character;
    RagdollData& d = *c.ragdoll;
    c.nextBones = c.bones;
    if (!data.body->isActive()) {
        d.V.setZero();
        data.body->setLinearVelocity(btVector3(0, 0, 0));
    }
    if (!data.hasStepped || !data.body->isActive()) return;
    pliant::RagdollMotion& motion = d.motion;
    motion.bones = c.bones;
    motion.V = d.V;
    motion.q1 = data.batch().velocity(data.slot);
    moveOn(d.system, d.holds, c.begunStep, motion, d.scratch);
    bool isSound = motion.V.allFinite() && motion.q1.allFinite() && motion.V.cwiseAbs().maxCoeff() <= kFastest;
    for (const AffineMap& bone : motion.bones)
        isSound = isSound && bone.allFinite() && bone.col(3).cwiseAbs().maxCoeff() <= kFarthest;
    if (!isSound) {
        d.V.setZero();
        data.batch().putBack(data.slot, data.previousQ.data());
        return;
    }
    c.nextBones = motion.bones;
    takeShapeAlong(data);
    data.body->setLinearVelocity(toBullet(Vector3((c.origin(c.nextBones) - c.origin(c.bones)) / c.begunStep)));
    d.V = motion.V;
    data.batch().velocity(data.slot) = motion.q1;
}

void pushRagdoll(BodyData& data, const pliant::MaterialPoint& point, const Vector3& impulse) {
    RagdollData& d = *data.ragdoll();
    placeSystem(data);
    d.system.factor(d.system.coupling(), jointRows(d.system, d.holds, data.character->bones));
    VectorX onLimbs = VectorX::Zero(d.size()), onFlesh = VectorX::Zero(data.model().dimension());
    addAtPoint(data, point, impulse, onLimbs, onFlesh);
    d.system.respond(onLimbs, onFlesh);
    d.V += onLimbs;
    data.batch().velocity(data.slot) += onFlesh;
    data.batch().resetAcceleration(data.slot);
    forgetBegun(data);
}

double kineticEnergyOf(BodyData& data) {
    placeSystem(data);
    return data.ragdoll()->system.kineticEnergy(data.ragdoll()->V, data.batch().velocity(data.slot));
}

void momentaOf(BodyData& data, const Vector3& about, Vector3& linear, Vector3& angular) {
    placeSystem(data);
    const RagdollData& d = *data.ragdoll();
    const VectorX momenta = d.system.momentum(d.V, data.batch().velocity(data.slot));
    linear.setZero();
    angular.setZero();
    for (int i = 0; i < d.model().limbCount(); ++i) {
        const Vector3 p = momenta.segment<3>(6 * i);
        linear += p;
        angular += Vector3(momenta.segment<3>(6 * i + 3)) + Vector3(d.system.centre(i) - about).cross(p);
    }
}

Vector3 centreOfRagdoll(BodyData& data) {
    placeSystem(data);
    const RagdollData& d = *data.ragdoll();
    Vector3 sum = Vector3::Zero();
    double mass = 0.0;
    for (int i = 0; i < d.model().limbCount(); ++i) {
        const double own = d.model().limbs[static_cast<std::size_t>(i)].mass.mass;
        sum += own * d.system.centre(i);
        mass += own;
    }
    return sum / mass;
}

bool isFastRagdoll(const BodyData& data) {
    const VectorX& V = data.ragdoll()->V;
    const auto linear = static_cast<double>(data.body->getLinearSleepingThreshold());
    const auto angular = static_cast<double>(data.body->getAngularSleepingThreshold());
    for (Eigen::Index i = 0; i < V.size(); i += 6)
        if (V.segment<3>(i).norm() > linear || V.segment<3>(i + 3).norm() > angular) return true;
    return false;
}

}  // namespace btPliantInternal
