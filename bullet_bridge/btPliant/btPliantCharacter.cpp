// SPDX-License-Identifier: Zlib
#include "btPliant/btPliantCharacter.h"

#include <algorithm>
#include <cmath>

#include "btPliant/body/BegunPose.h"
#include "btPliant/body/CharacterPoses.h"
#include "btPliant/body/Ragdolls.h"
#include "btPliant/data/Convert.h"
#include "btPliant/data/Sound.h"
#include "btPliant/data/SystemData.h"
#include "pliant/math/Error.h"

using btPliantInternal::CharacterData;
using pliant::AffineMap;

namespace {
constexpr double kLongestReturn = 1e6;  ///< s, that a return to the drive may take
}

btPliantCharacter::btPliantCharacter(const btRigidBodyConstructionInfo& info, std::unique_ptr<Data> data)
    : btPliantBody(info, std::move(data)) {}

btPliantCharacter::~btPliantCharacter() = default;

btPliantCharacter* btPliantCharacter::upcast(btCollisionObject* object) {
    btPliantBody* body = btPliantBody::upcast(object);
    return body && body->data().character ? static_cast<btPliantCharacter*>(body) : nullptr;
}

const btPliantCharacter* btPliantCharacter::upcast(const btCollisionObject* object) {
    const btPliantBody* body = btPliantBody::upcast(object);
    return body && body->data().character ? static_cast<const btPliantCharacter*>(body) : nullptr;
}

const pliant::CharacterModel& btPliantCharacter::getCharacter() const {
    return *data().character->model;
}

std::shared_ptr<const pliant::CharacterModel> btPliantCharacter::getSharedCharacter() const {
    return data().character->model;
}

pliant::RestShape btPliantCharacter::getBase() const {
    return data().character->crowd->base;
}

bool btPliantCharacter::play(const std::string& clip, double speed, double phase) {
    CharacterData& c = *data().character;
    const std::vector<pliant::Clip>& clips = c.model->clips;
    const auto found =
        std::find_if(clips.begin(), clips.end(), [&clip](const auto& each) { return each.name == clip; });
    if (found == clips.end() || !(std::abs(speed) <= btPliantInternal::kFastest) || !std::isfinite(phase)) {
        btPliantInternal::refuse(data());
        return false;
    }
    c.clip = static_cast<int>(found - clips.begin());
    c.speed = speed;
    c.time = (phase - std::floor(phase)) * (found->end - found->start);
    btPliantInternal::forgetBegun(data());
    return true;
}

bool btPliantCharacter::setPose(const pliant::Pose& pose) {
    CharacterData& c = *data().character;
    if (!btPliantInternal::isPose(*c.model, pose)) {
        btPliantInternal::refuse(data());
        return false;
    }
    c.clip = -1;
    c.time = 0.0;
    c.pose = pose;
    btPliantInternal::forgetBegun(data());
    return true;
}

std::string btPliantCharacter::startRagdoll() {
    CharacterData& c = *data().character;
    if (c.ragdoll) return {};
    std::string problem = getRagdollProblem();
    if (problem.empty()) btPliantInternal::becomeRagdoll(data());
    return problem;
}

std::string btPliantCharacter::getRagdollProblem() const {
    CharacterData& c = *data().character;
    if (c.ragdoll) return {};
    const std::string problem = btPliantInternal::problemOfRagdoll(data());
    if (!problem.empty()) return problem;
    try {
        btPliantInternal::ragdollModel(c);
    } catch (const pliant::Error& error) {
        return error.what();
    }
    return {};
}

bool btPliantCharacter::stopRagdoll(double seconds) {
    if (!data().character->ragdoll || !(seconds >= 0.0 && seconds <= kLongestReturn)) {
        btPliantInternal::refuse(data());
        return false;
    }
    btPliantInternal::becomeDriven(data(), seconds);
    return true;
}

btPliantDrive btPliantCharacter::getDrive() const {
    if (data().character->ragdoll) return btPliantDrive::Ragdoll;
    return data().character->clip < 0 ? btPliantDrive::Pose : btPliantDrive::Clip;
}

std::string btPliantCharacter::getClip() const {
    const CharacterData& c = *data().character;
    return c.clip < 0 ? std::string() : c.model->clips[static_cast<std::size_t>(c.clip)].name;
}

double btPliantCharacter::getClipTime() const {
    return data().character->time;
}

double btPliantCharacter::getSpeed() const {
    return data().character->speed;
}

void btPliantCharacter::getBones(std::vector<AffineMap>& bones) const {
    bones = data().character->bones;
}

void btPliantCharacter::getInterpolatedBones(std::vector<AffineMap>& bones) const {
    const CharacterData& c = *data().character;
    bones = c.bones;
    const double fraction = getInterpolationFraction();
    if (fraction == 0.0) return;
    for (std::size_t b = 0; b < bones.size(); ++b) bones[b] += fraction * (c.bones[b] - c.previousBones[b]);
}
