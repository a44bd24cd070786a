// SPDX-License-Identifier: Zlib
// The substep on one screen: its stages in their order, with what each of them reads and writes. Bullet's callbacks
// (PairAlgorithm.cpp, btPliantConstraintSolver, btPliantSystem::updateAction) call these functions and do nothing else;
// docs/architecture.md tells the same with the reasons. All stages run on Bullet's thread and use the system's workers
// within.
#pragma once

#include <memory>

#include "btPliant/data/ContactPair.h"
#include "btPliant/data/SystemData.h"
#include "btPliant/step/SolverGroup.h"

class btManifoldResult;

namespace btPliantInternal {

// ---- Bullet's discrete collision detection ----

/// 1. Pairs. Bullet's broadphase has found two boxes that overlap. Reads the other object's shape; writes a new pair
/// into SystemData::pairs, or SystemData::status where bodies do not touch that shape (then the result is null).
std::unique_ptr<ContactPair> makePair(const btCollisionObjectWrapper& first, const btCollisionObjectWrapper& second,
                                      bool swapped, bool query, btDispatcher& dispatcher);

/// 2. Contacts found, before the first pair of the substep is asked for. Reads q, frames and velocities of all bodies;
/// writes their collision geometry and ContactPair::contacts, clustered, of all pairs that may be tested in parallel,
/// and before these, once a substep, the poses that characters will have at its end.
void findContacts(SystemData& system, double step);

/// Before stages 2 and 3 of a pair: whether stage 2 has found it without contacts, and no manifold is there to be
/// emptied, as of most pairs whose boxes overlap. Then neither stage is asked, and what the pair had found is used up.
bool hasNothingToKeep(ContactPair& pair);

/// 3. Contacts kept, when Bullet asks for a pair. Reads its contacts (finds them first where stage 2 could not) and the
/// manifolds of the last substep; writes the manifolds of this one, with the impulses that contacts carry over, and, in
/// a world with Bullet's own solver, the softness of its contacts.
void keepContacts(ContactPair& pair, const btCollisionObjectWrapper& first, const btCollisionObjectWrapper& second,
                  btManifoldResult& result);

// ---- Bullet's solver: prepareSolve, then group by group ----

/// 4. Free motion. Reads q, q', angular momentum, forces and the contact impulses of the last substep, which act as
/// constant forces; writes q and q' of all bodies that are awake as if nothing new touched them, the factored system of
/// each, and the angular velocity that belongs to its momentum. Bodies whose place or velocity cannot be are put back
/// to their last good state first, and poses of characters are made where stage 2 has had no pair to make them for.
void moveFreely(SystemData& system, double step);
/// The same for bodies that Bullet's islands have woken since.
void moveLateBodies(SystemData& system, SolverGroup& group, const Island& island);

/// 5. Rows set up. Reads manifold points, joints, frames, velocities before and after the free motion; writes contacts
/// in partitions and colours that share no moving body, their Jacobians and right-hand sides, and the rows of joints.
/// What touches no reduced body is listed for Bullet, which makes its own rows in between.
/// @return the island's bodies in the order in which Bullet shall make solver bodies of them
btCollisionObject** orderSolverBodies(SolverGroup& group, const Island& island);
void listJoints(SolverGroup& group, btTypedConstraint** joints, int count);
void setUpJoints(SystemData& system, SolverGroup& group, const BulletSolver& solver, const btContactSolverInfo& info);
void listContacts(SystemData& system, SolverGroup& group, const BulletSolver& solver, btPersistentManifold** manifolds,
                  int count);
void setUpContacts(SystemData& system, SolverGroup& group, const BulletSolver& solver, const btContactSolverInfo& info);

/// 6. Responses. Reads Jacobians and factored systems; writes what a unit impulse of each row does to q' and to the
/// frames, effective masses, and the impulses that rows start with into the solver bodies.
void computeResponses(SystemData& system, SolverGroup& group, const BulletSolver& solver,
                      const btContactSolverInfo& info);

/// 7. Iterations, each in two parts around Bullet's own over its rows. Reads rows; writes impulses, velocities of
/// solver bodies and modal velocities; between iterations all of these are extrapolated along conjugate directions.
void beginIteration(SolverGroup& group, const BulletSolver& solver);
/// @param bulletChange largest squared change of Bullet's own rows @return the same of all rows
btScalar iterate(SystemData& system, SolverGroup& group, const BulletSolver& solver, int iteration,
                 btScalar bulletChange, const btContactSolverInfo& info);

/// 8. Split impulses. Reads penetrations; writes pseudo-velocities of the frames alone, so that no strain is stored.
void iterateSplitImpulses(SystemData& system, SolverGroup& group, const BulletSolver& solver,
                          const btContactSolverInfo& info);

/// 9. Write back. Makes impulses smaller that together brought in energy (ragdolls, pressed solids), rejects what has
/// diverged, adds restitution to the frames, takes back the angular momentum that split impulses gave, notes what
/// sticking contacts of solids slipped and what the springs of penalty contacts hold. Reads impulses and modal
/// velocities; writes joints, manifold points, q', angular momenta, and what touched a character to its bones.
void writeBack(SystemData& system, SolverGroup& group, const BulletSolver& solver, const Island& island,
               const btContactSolverInfo& info);

/// Between 9 and 10: joints and contacts that no island holds because Bullet moves neither of their bodies. They go
/// through stages 5 to 9 as one more group. @return whether there are any
bool listDrivenIsland(SystemData& system, std::vector<btTypedConstraint*>& joints,
                      std::vector<btPersistentManifold*>& manifolds);

/// Between 9 and 10: contact sensors. Reads manifold points and centres of mass; writes what sensors show.
void readContactSensors(SystemData& system, double step);

/// 10. Integration, by Bullet. Reads angular momentum and inertia at the new q; writes the angular velocity that Bullet
/// turns each frame by, after hard contacts were settled by the energy guard.
void settleVelocities(SystemData& system);

// ---- Bullet's actions, after it has moved the frames ----

/// 11. End of the step. Reads the new frames; writes where the bones of characters have come to, angular velocities
/// from the momenta, levels of detail, collision geometry and bounds for the next broadphase, contacts of bodies with
/// themselves, and statistics. Bodies whose place or velocity cannot be are put back. In a world with Bullet's own
/// solver the deformation steps here, and sensors are read.
/// 12. Sleep. Reads what Bullet has put to sleep and the energy of q'; writes q' = 0 of what sleeps, and holds awake
/// what still deforms.
void endSubstep(SystemData& system, double step);

}  // namespace btPliantInternal
