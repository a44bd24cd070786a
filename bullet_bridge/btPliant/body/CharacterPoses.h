// SPDX-License-Identifier: Zlib
// Internal: where the bones of characters are at the start and the end of a substep.
#pragma once

#include "btPliant/data/SystemData.h"

namespace btPliantInternal {

/// Poses of all characters in the world at the end of a substep of h seconds, unless they are known already. May be
/// called whenever a stage needs them.
void beginPoses(SystemData& system, double h);
/// The substep is over: characters are where beginPoses() has told.
void finishPoses(SystemData& system);
/// Where an author wants a character at the end of the coming substep; at once where it is in no world.
void place(BodyData& data, const pliant::RigidTransform& worldFromFile);

/// Whether a pose has a frame for each bone that can be: finite, unit quaternions, scales above 0.
bool isPose(const pliant::CharacterModel& model, const pliant::Pose& pose);

/// The crowd of a model, made when there is none.
CharacterCrowd& crowdFor(SystemData& system, const std::shared_ptr<const pliant::CharacterModel>& model,
                         pliant::RestShape base);
void leaveCrowd(SystemData& system, CharacterCrowd& crowd);

/// How the place of a character that has just been put there has moved up to now, m/s.
void setPlaceVelocity(CharacterData& character, const pliant::Vector3& velocity);
/// Puts a character where its drive and placement say, flesh at rest.
void standStill(SystemData& system, BodyData& data);
/// Sets q of flesh without motion in the poses at the end of the substep: R(q) = f, by Newton's method. q' = 0.
void settleFlesh(SystemData& system, BodyData& data);
/// Contacts of the last substep have done nothing to its bones.
void forgetImpulses(CharacterData& character);
/// Adds what bones do to the flesh of the characters in the list that are about to step.
void addSkinForces(SystemData& system, const std::vector<btPliantBody*>& list);

/// Puts a bone's body where the bone is; its velocity is that of the substep under way, where one has begun.
void placeBone(const CharacterData& character, int bone);
/// Gives the bodies of all bones numbers that nothing in the world has; before each step, for objects come and go.
void numberBones(SystemData& system);
/// Puts Bullet's frame and the bones' bodies where the bones are.
void placeFrame(BodyData& data);

}  // namespace btPliantInternal
