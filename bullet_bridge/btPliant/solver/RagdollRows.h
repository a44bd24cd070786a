// SPDX-License-Identifier: Zlib
// Internal: ragdolls in the rows of the solver.
//
// To a row a ragdoll is a body without a frame: its Jacobian and its response are of q' and, behind it, of V of all
// limbs, 6 each (linear velocity of the mass centre, angular velocity). Joints without a limit are eliminated
// (RagdollSystem), those at an end of their range have rows here, which are solved beside those of contacts.
//
// All rows that push aim at t = min(- u_0, - gap / h), of what is within a fifth of its depth (RagdollContact.h).
#pragma once

#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>

#include "btPliant/solver/ContactConstraints.h"

namespace btPliantInternal {

/// The limbs' part of a contact row: adds nothing for r numbers, writes 6 a limb. @param at where the impulse acts,
/// world  @param axis world, with the sign of the side  @param row 6 a limb
void projectOnLimbs(const BodyData& data, int segment, float parameter, const pliant::Vector3& at,
                    const pliant::Vector3& axis, double* row);
/// Responses to `count` Jacobians, both `size` = solvedDimension() numbers a column; may be the same memory.
void respondWithLimbs(BodyData& data, int count, const double* jacobians, double* responses);

/// J (V, q') of a Jacobian as the solver has it. @param V, q1 of the same time
double velocityAlong(const btScalar* J, const pliant::ConstVectorView& q1, const pliant::VectorX& V);

/// Lists the ends of ranges that joints of the group's ragdolls may come to, with their responses. @param info of the
/// solver
void setUpLimits(const btContactSolverInfo& info, ContactConstraints& all);
/// One iteration over them. @return the largest squared change of an impulse
btScalar iterateLimits(ContactConstraints& all);

}  // namespace btPliantInternal
