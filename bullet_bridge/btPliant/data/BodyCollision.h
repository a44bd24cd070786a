// SPDX-License-Identifier: Zlib
// Internal: what collision knows of a body, brought up to date with q and the world transform.
#pragma once

#include "btPliant/data/BodyData.h"

namespace btPliantInternal {

/// Whether `deformed` is behind q or the world transform.
bool collisionNeedsUpdate(const BodyData& data);
/// The state that `deformed` has to be moved to. Writes that it counts as moved from this call on.
pliant::DeformedBody::NewState beginCollisionUpdate(BodyData& data);
/// Brings `deformed` up to date with q and the world transform, inner bounding volumes left out
/// (DeformedBody::refit()).
void updateCollision(BodyData& data);
/// The state that `field`, which there is, has to be brought to; after `deformed`.
pliant::DeformedField::NewState fieldState(BodyData& data);
/// Where the mesh of the body stands, as `deformed` has it.
pliant::RigidTransform worldFromMesh(const BodyData& data);
/// Records how far the body came, at the end of a substep with `deformed` up to date. Writes its travel and relative
/// motion.
void recordSubstepMotion(BodyData& data);
/// Brings `deformed` up to date; the way there was no motion: somebody has put the body there.
void forgetMotion(BodyData& data);
/// Whether penalty contacts of a solid may be springs by area: a surface with a field, no character, and modes that
/// move by half a step of what an impulse changes their velocities by, as the law of the springs takes for granted.
/// Modes that swing exactly within a step do not have the mean velocity that the springs' work is counted with. Those
/// of Integrator::Analytic do so in the first substep of a contact, in which its springs begin; in those that follow
/// they have it (BodyBatch::expectImpulses()), but springs by area have not been tried with them.
bool takesSurfaceSprings(const BodyData& data);
/// Whether the free step of a body has to know beforehand that rows will act on it (BodyBatch::expectImpulses()).
bool asksForImpulses(const BodyData& data);
/// Follows a q that was changed from outside: accelerations, bounds and momentum follow, and the body wakes.
void stateWasSet(BodyData& data);

}  // namespace btPliantInternal
