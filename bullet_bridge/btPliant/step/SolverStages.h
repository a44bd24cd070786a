// SPDX-License-Identifier: Zlib
// Internal: the parts of those stages of a substep (Substep.h) that work on a group of Bullet's solver.
#pragma once

#include "btPliant/data/SystemData.h"
#include "btPliant/step/SolverGroup.h"

namespace btPliantInternal {

// ---- What is in the group (SolverLists.cpp) ----

/// Lists the bodies that the island has woken and that have not stepped, in the order of their numbers.
void listLateBodies(SolverGroup& group, const Island& island);
/// Splits the contacts of an island into those that touch a reduced body, and Bullet's.
void listManifolds(SystemData& system, SolverGroup& group, btPersistentManifold** manifolds, int count);
/// Adds the rows of a joint.
void addJoint(SolverGroup& group, btTypedConstraint& constraint, const BulletSolver& solver,
              const btContactSolverInfo& info);
/// Describes the contacts of reduced bodies, and numbers these bodies.
void describeContacts(SystemData& system, SolverGroup& group, const BulletSolver& solver);

// ---- Set-up (SolverSetUp.cpp) ----

/// Brings contacts into the order of the iterations, and makes room for their rows.
void orderContacts(SystemData& system, SolverGroup& group, const BulletSolver& solver, const btContactSolverInfo& info);
/// Fills Jacobians and biases.
void makeConstraints(SystemData& system, SolverGroup& group, const BulletSolver& solver,
                     const btContactSolverInfo& info);
/// Iterations of the penetration recovery, more where solids have sunk in.
int splitIterations(const SolverGroup& group, const btContactSolverInfo& info);
/// Responses of contacts, and rows of ragdolls' joints at the ends of their ranges.
void computeModalResponses(SystemData& system, SolverGroup& group, const btContactSolverInfo& info);
/// Effective masses, and the impulses that contacts and joints start with; right-hand sides of joints after that.
void warmStart(SystemData& system, SolverGroup& group, const BulletSolver& solver, const btContactSolverInfo& info);

// ---- Iterations and write back (SolverEnd.cpp) ----

/// Whether iterations of the group are extrapolated; the rows of reduced bodies' joints, and elements, keep state of
/// their own.
bool extrapolates(const SolverGroup& group);
ConjugateDirections::State iteratedState(SolverGroup& group, const BulletSolver& solver);
/// Whether the next iteration has to be a plain one.
bool isAmongTheLast(int iteration, btScalar largestChange, const BulletSolver& solver, const btContactSolverInfo& info);
/// J, the sum of |P c| over the impulses P of Bullet's rows, c the velocity that a row was to add.
double workOfBulletRows(const BulletSolver& solver);
/// Adds the angular momentum of outside torques and of Bullet's own rows.
void addOtherMomenta(const BulletSolver& solver, const Island& island, const btContactSolverInfo& info);
/// Drops the impulses of joints that hold a body whose solution was rejected.
void forgetDivergedImpulses(SolverGroup& group);

}  // namespace btPliantInternal
