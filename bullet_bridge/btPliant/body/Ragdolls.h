// SPDX-License-Identifier: Zlib
// Internal: characters whose bones nobody drives, through a substep (docs/internals/ragdolls.md). To the solver such a
// body has no frame: the velocities of its limbs stand behind q' in one vector (solver/RagdollRows.h).
#pragma once

#include "btPliant/data/SystemData.h"

namespace btPliantInternal {

/// The limbs of a model, made when there are none. @throws pliant::Error for a model that cannot fall
std::shared_ptr<const pliant::RagdollModel> ragdollModel(CharacterData& character);
/// Numbers of the velocities of its limbs; 0 where it cannot fall.
int limbNumbers(CharacterData& character);
/// Empty, or why a character cannot be a ragdoll as it is.
std::string problemOfRagdoll(const BodyData& data);

/// Nobody drives the bones from now on; limbs have the velocities that they had. q and q' stay.
void becomeRagdoll(BodyData& data);
/// The bones are driven again. @param seconds that they take from where they are; 0: they are there at once
void becomeDriven(BodyData& data, double seconds);

/// Notes how the pose pulls at the flesh: after bones have been put elsewhere.
void notePull(BodyData& data);

/// Where its bones would be at the end of a substep of h seconds if nothing touched it.
void predictRagdoll(BodyData& data, double h);
/// Before the free step of the flesh: what gravity and forces from outside do to it, and places the limbs.
void beginFall(BodyData& data, const pliant::Vector3& gravity);
/// After it: limbs and flesh fall together, joints held.
void fallFreely(BodyData& data, double h);
/// At the end of a substep: limbs go where their velocities take them.
void finishRagdoll(BodyData& data);

/// An impulse from outside on a point of the flesh between substeps. @param impulse world, N s
void pushRagdoll(BodyData& data, const pliant::MaterialPoint& point, const pliant::Vector3& impulse);
/// Kinetic energy of limbs and flesh, J.
double kineticEnergyOf(BodyData& data);
/// Linear momentum, kg m/s, and angular momentum about `about`, world.
void momentaOf(BodyData& data, const pliant::Vector3& about, pliant::Vector3& linear, pliant::Vector3& angular);
/// The mass centre of the limbs, world, m.
pliant::Vector3 centreOfRagdoll(BodyData& data);
/// Whether a limb moves faster than Bullet lets a body sleep at.
bool isFastRagdoll(const BodyData& data);

}  // namespace btPliantInternal
