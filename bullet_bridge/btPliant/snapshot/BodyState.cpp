// SPDX-License-Identifier: Zlib
// A reduced body's state: that of its batch, and what the bridge carries beside it.
#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "btPliant/body/Batches.h"
#include "btPliant/body/CharacterPoses.h"
#include "btPliant/body/Ragdolls.h"
#include "btPliant/data/BodyCollision.h"
#include "btPliant/data/BodyData.h"
#include "btPliant/data/Sound.h"
#include "btPliant/snapshot/SavedLevels.h"
#include "btPliant/snapshot/StateNumbers.h"
#include "btPliant/snapshot/WorldState.h"

using pliant::StateReader;
using pliant::StateStatus;
using pliant::StateWriter;

namespace btPliantInternal {

namespace {

template <typename Carried, typename Visit>
void visitCarried(Carried& c, const Visit& visit) {
    visit(c.lastLinearVelocity);
    visit(c.stepLength);
    visit(c.isAsleep);
    visit(c.angularMomentum);
    visit(c.momentumVelocity);
    visit(c.momentumBasis);
    visit(c.momentumIsKnown);
    visit(c.substepTravel);
    visit(c.substepRelativeMotionBound);
}

void putReach(const pliant::DeformedBody::OuterReach& reach, StateWriter& out) {
    for (const auto& corner : {reach.box.lower, reach.box.negUpper})
        for (int k = 0; k < 3; ++k) out.put(static_cast<double>(corner[k]));
    out.put(reach.slack);
}

void getReach(StateReader& in, pliant::DeformedBody::OuterReach& reach) {
    for (const auto& corner : {reach.box.lower, reach.box.negUpper})
        for (int k = 0; k < 3; ++k) {
            double x = 0.0;
            in.get(&x, 1);
            if (in.ok() && !(std::abs(x) <= static_cast<double>(std::numeric_limits<float>::max())))
                in.fail(StateStatus::BadNumber);
            corner[k] = in.ok() ? static_cast<float>(x) : 0.0f;
        }
    in.get(&reach.slack, 1);
    if (in.ok() && reach.slack < 0.0) in.fail(StateStatus::BadNumber);
}

template <typename Force, typename Visit>
void visitForce(Force& f, const Visit& visit) {
    for (auto& vertex : f.point.vertex) visit(vertex);
    for (auto& weight : f.point.weight) visit(weight);
    visit(f.point.element);
    visit(f.point.distance);
    visit(f.force);
    visit(f.consumed);
}

/// Doubles where btScalar is a float.
struct PutAll : PutNumbers {
    using PutNumbers::operator();
#ifndef BT_USE_DOUBLE_PRECISION
    void operator()(double x) const {
        out.put(x);
    }
#endif
};
struct GetAll : GetNumbers {
    using GetNumbers::operator();
#ifndef BT_USE_DOUBLE_PRECISION
    void operator()(double& x) const {
        in.get(&x, 1);
    }
#endif
};

}  // namespace

namespace {

/// Every number of a character that the next step reads, (begin, count).
template <typename State, typename Visit>
void visitCharacter(State& c, const Visit& visit) {
    visit(&c.speed, std::size_t(1));
    visit(&c.time, std::size_t(1));
    for (auto& frame : c.pose) {
        visit(frame.rotation.coeffs().data(), std::size_t(4));
        visit(frame.translation.data(), std::size_t(3));
        visit(&frame.scale, std::size_t(1));
    }
    for (auto* place : {&c.placement.now, &c.placement.next}) {
        visit(place->rotation.data(), std::size_t(9));
        visit(place->translation.data(), std::size_t(3));
    }
    visit(c.placement.velocity.data(), std::size_t(12));
    for (auto* maps : {&c.bones, &c.previousBones, &c.rates})
        for (auto& map : *maps) visit(map.data(), std::size_t(12));
    visit(c.lastForce.data(), static_cast<std::size_t>(c.lastForce.size()));
}

/// Every number of a way back, (begin, count).
template <typename Way, typename Visit>
void visitReturn(Way& way, const Visit& visit) {
    if (way.bones.empty()) return;
    visit(&way.seconds, std::size_t(1));
    visit(&way.elapsed, std::size_t(1));
    for (auto& bone : way.bones) {
        visit(bone.turn.data(), std::size_t(9));
        visit(bone.way.coeffs().data(), std::size_t(4));
        for (auto* vector : {&bone.head, &bone.spin, &bone.velocity}) visit(vector->data(), std::size_t(3));
        visit(&bone.scale, std::size_t(1));
    }
}

void putCharacter(CharacterData& c, StateWriter& out) {
    c.formRates();
    out.put(static_cast<std::int32_t>(c.clip));
    visitCharacter(c, [&out](const double* numbers, std::size_t count) { out.put(numbers, count); });
    out.put(static_cast<std::int32_t>(c.ragdoll ? c.ragdoll->V.size() : 0));
    if (c.ragdoll) out.put(c.ragdoll->V.data(), static_cast<std::size_t>(c.ragdoll->V.size()));
    out.put(static_cast<std::int32_t>(c.back.bones.empty() ? 0 : 1));
    visitReturn(c.back, [&out](const double* numbers, std::size_t count) { out.put(numbers, count); });
}

bool isRigid(const pliant::RigidTransform& place) {
    return (place.rotation.transpose() * place.rotation - pliant::Matrix3::Identity()).norm() < 1e-3 &&
           place.translation.cwiseAbs().maxCoeff() <= kFarthest;
}

bool canBe(const CharacterData& now, const CharacterState& c) {
    const std::vector<pliant::Clip>& clips = now.model->clips;
    if (c.clip < -1 || c.clip >= static_cast<int>(clips.size()) || std::abs(c.speed) > kFastest) return false;
    const double length =
        c.clip < 0 ? 0.0 : clips[static_cast<std::size_t>(c.clip)].end - clips[static_cast<std::size_t>(c.clip)].start;
    if (c.time < -1e-9 * (1.0 + length) || c.time > length * (1.0 + 1e-9)) return false;
    if (!isPose(*now.model, c.pose) || !isRigid(c.placement.now) || !isRigid(c.placement.next)) return false;
    for (const auto* maps : {&c.bones, &c.previousBones})
        for (const pliant::AffineMap& map : *maps)
            if (map.leftCols<3>().norm() > 1e7 || std::abs(map.leftCols<3>().determinant()) < 1e-20 ||
                map.col(3).cwiseAbs().maxCoeff() > kFarthest)
                return false;
    return true;
}

void getLimbs(CharacterData& now, StateReader& in, CharacterState& c) {
    const auto size = in.get<std::int32_t>();
    c.isRagdoll = size != 0;
    c.limbVelocities.resize(0);
    if (!in.ok() || !c.isRagdoll) return;
    if (size != limbNumbers(now)) return in.fail(StateStatus::OtherModel);
    c.limbVelocities.resize(size);
    in.get(c.limbVelocities.data(), static_cast<std::size_t>(size));
    if (in.ok() && c.limbVelocities.cwiseAbs().maxCoeff() > kFastest) in.fail(StateStatus::BadNumber);
}

bool canReturn(const BoneReturn& way) {
    if (!(way.seconds > 0.0 && way.elapsed >= 0.0 && way.elapsed <= way.seconds)) return false;
    for (const BonePlace& bone : way.bones)
        if ((bone.turn.transpose() * bone.turn - pliant::Matrix3::Identity()).norm() > 1e-3 ||
            !(std::abs(bone.way.norm() - 1.0) < 1e-3) || !(bone.scale > 1e-6 && bone.scale < 1e6) ||
            bone.head.cwiseAbs().maxCoeff() > kFarthest ||
            std::max(bone.spin.cwiseAbs().maxCoeff(), bone.velocity.cwiseAbs().maxCoeff()) > kFastest)
            return false;
    return true;
}

void getReturn(const CharacterData& now, StateReader& in, BoneReturn& way) {
    way = BoneReturn();
    if (in.get<std::int32_t>() == 0 || !in.ok()) return;
    way.bones.resize(static_cast<std::size_t>(now.boneCount()));
    visitReturn(way, [&in](double* numbers, std::size_t count) { in.get(numbers, count); });
    if (in.ok() && !canReturn(way)) in.fail(StateStatus::BadNumber);
}

void getCharacter(CharacterData& now, StateReader& in, CharacterState& c) {
    const auto bones = static_cast<std::size_t>(now.boneCount());
    c.pose.resize(bones);
    for (auto* maps : {&c.bones, &c.previousBones, &c.rates}) maps->resize(bones, pliant::AffineMap::Identity());
    c.lastForce.setZero(now.model->flesh->dimension());
    c.clip = in.get<std::int32_t>();
    visitCharacter(c, [&in](double* numbers, std::size_t count) { in.get(numbers, count); });
    getLimbs(now, in, c);
    getReturn(now, in, c.back);
    if (in.ok() && !canBe(now, c)) in.fail(StateStatus::BadNumber);
}

/// As saved or now, which asks nothing of the numbers that are restored after it.
void applyDrive(BodyData& data, bool isRagdoll) {
    if (isRagdoll == (data.ragdoll() != nullptr)) return;
    const int activation = data.body->getActivationState();
    const btScalar time = data.body->getDeactivationTime();
    isRagdoll ? becomeRagdoll(data) : becomeDriven(data, 0.0);
    data.body->forceActivationState(activation);
    data.body->setDeactivationTime(time);
}

void applyCharacter(BodyData& data, const CharacterState& state) {
    CharacterData& c = *data.character;
    applyDrive(data, state.isRagdoll);
    c.clip = state.clip;
    c.speed = state.speed;
    c.time = state.time;
    c.pose = state.pose;
    c.placement = state.placement;
    c.bones = state.bones;
    c.previousBones = state.previousBones;
    c.rates = state.rates;
    c.ratesStep = 0.0;
    c.lastForce = state.lastForce;
    c.back = state.back;
    c.begunStep = 0.0;
    dataOf(*data.system).posesAreBegun = false;
    if (c.ragdoll) {
        c.ragdoll->V = c.ragdoll->startV = state.limbVelocities;
        notePull(data);
    }
    placeFrame(data);
}

}  // namespace

void putBody(const btPliantBody& body, std::vector<std::byte>& scratch, StateWriter& out) {
    // The way of a change of q since the last substep belongs to the travel of the coming one.
    BodyData& data = dataOf(const_cast<btPliantBody&>(body));
    updateCollision(data);
    const PutAll put{{out}};
    put(data.travel.until(data.deformed->motionBound()));
    put(data.relativeTravel.until(data.deformed->relativeMotionBound()));
    putReach(data.deformed->outerReach(), out);
    put(data.frameIsFree);
    put(data.model().dimension());
    put(data.detail);
    put(data.fadeElapsed);
    visitCarried(data, put);
    out.put(data.previousQ.data(), static_cast<std::size_t>(data.previousQ.size()));
    out.put(static_cast<std::uint64_t>(data.pointForces.size()));
    for (const PointForce& force : data.pointForces) visitForce(force, put);
    data.batch().saveState(data.slot, scratch);
    out.putBytes(scratch);
    if (data.character) putCharacter(*data.character, out);
}

bool getBody(const btPliantBody& body, StateReader& in, SavedLevels& levels, BodyState& state) {
    const BodyData& data = dataOf(body);
    const GetAll get{{in}};
    get(state.travelSince);
    get(state.relativeMotionBoundSince);
    getReach(in, state.outerReach);
    bool free = false;
    get(free);
    get(state.moving);
    get(state.detail);
    get(state.fadeElapsed);
    if (in.ok() && free != data.frameIsFree) in.fail(StateStatus::OtherWorld);
    if (in.ok() && state.moving > data.fullModel->dimension()) in.fail(StateStatus::OtherModel);
    if (in.ok() && (state.detail < 1 || state.detail > state.moving)) in.fail(StateStatus::BadNumber);
    if (!in.ok()) return false;
    visitCarried(state, get);
    state.previousQ.resize(state.moving);
    in.get(state.previousQ.data(), static_cast<std::size_t>(state.previousQ.size()));
    state.pointForces.clear();
    const std::size_t forces = in.getCount(100000);
    const int vertices = data.model().mesh.vertexCount();
    for (std::size_t i = 0; i < forces && in.ok(); ++i) {
        state.pointForces.emplace_back();
        visitForce(state.pointForces.back(), get);
        for (const int vertex : state.pointForces.back().point.vertex)
            if (vertex < 0 || vertex >= vertices) in.fail(StateStatus::BadNumber);
    }
    state.batch = in.getBytes(state.batchSize);
    if (in.ok() && !isRotation(state.momentumBasis)) in.fail(StateStatus::BadNumber);
    if (in.ok()) {
        state.model = levels.model(data, state.moving);
        in.fail(levels.check(data, state.model, state.batch, state.batchSize));
    }
    if (in.ok() && data.character) getCharacter(*data.character, in, state.character);
    return in.ok();
}

void applyBody(btPliantBody& body, BodyState& state) {
    BodyData& data = dataOf(body);
    if (state.moving != data.model().dimension()) {
        SystemData& system = dataOf(*data.system);
        keepTruncated(system, data.fullModel, state.model);
        moveToGroup(data, groupFor(system, state.model, data.batch().settings()));
    }
    data.batch().restoreState(data.slot, state.batch, state.batchSize);
    data.lastLinearVelocity = state.lastLinearVelocity;
    data.stepLength = state.stepLength;
    data.isAsleep = state.isAsleep;
    data.angularMomentum = state.angularMomentum;
    data.momentumVelocity = state.momentumVelocity;
    data.momentumBasis = state.momentumBasis;
    // Of a hand's tool the momentum is that of the hand's inertia, which its next step tells.
    data.momentumIsKnown = state.momentumIsKnown && !(data.handInertia > 0.0);
    data.previousQ = state.previousQ;
    data.pointForces.swap(state.pointForces);
    data.detail = state.detail;
    data.fadeElapsed = state.fadeElapsed;
    data.hasStepped = false;
    data.collisionIsOutdated = true;
    if (data.character) applyCharacter(data, state.character);
    updateCollision(data);
    data.travel.begin(data.deformed->motionBound(), state.travelSince);
    data.relativeTravel.begin(data.deformed->relativeMotionBound(), state.relativeMotionBoundSince);
    data.deformed->setOuterReach(state.outerReach);
    data.substepRelativeMotionBound = state.substepRelativeMotionBound;
    data.substepTravel = state.substepTravel;
}

}  // namespace btPliantInternal

void btPliantBody::saveState(std::vector<std::byte>& blob) const {
    std::vector<std::byte> scratch;
    StateWriter out(pliant::StateKind::WorldBody, blob);
    btPliantInternal::putObject(*this, out);
    btPliantInternal::putBody(*this, scratch, out);
    out.seal();
}

StateStatus btPliantBody::restoreState(const std::byte* blob, std::size_t size) {
    StateReader in(pliant::StateKind::WorldBody, blob, size);
    btPliantInternal::ObjectState object;
    btPliantInternal::BodyState state;
    btPliantInternal::SavedLevels levels(btPliantInternal::dataOf(*m_data->system));
    if (btPliantInternal::getObject(*this, in, object)) btPliantInternal::getBody(*this, in, levels, state);
    if (in.ok() && !in.atEnd()) in.fail(StateStatus::Damaged);
    if (!in.ok()) return in.status();
    btPliantInternal::applyObject(*this, object);
    btPliantInternal::applyBody(*this, state);
    return StateStatus::Ok;
}
