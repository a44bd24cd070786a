// SPDX-License-Identifier: Zlib
// Internal: what the springs of a pair of solids (PenaltySpring.h) may give, in stages 5 and 9.
//
// A spring gives back what it took as long as the depth at the start of a step is the one that the last step ended
// with. Frames that turn take points elsewhere than the row of the last step has said, by r (h omega)^2 / 2, and points
// are found that were not there: of a stiff spring that is energy that nobody has given. So each pair has an account of
// what its springs hold: what they have taken, less what they have given. Where the depths of a step would hold more,
// all of them are made smaller by one factor; what is too much in the account stays there, and pays for the next one.
//
// What is deeper than where the last step has left it, by more than the motion of a few steps, has been put there: its
// account gets the energy of the way. So it is of a pair whose points are all new, of a body or an obstacle that its
// user moves, after a solution that was rejected (SolutionGuard.h), and where a pair gets its penalty as it touches. A
// new point alone is no sign of it in a pair that has others: it may be one that had looked away from what it meets.
// (A step of less than a ninth of the one before shifts what is half of it back by more than that, too.)
//
// The account is kept in m_contactMotion2 of the pair's points, J, and the depth that the step has ended with in
// m_frictionCFM, m: friction anchors have no use for them there.
#pragma once

#include "btPliant/solver/ContactConstraints.h"

namespace btPliantInternal {

/// Bounds of the row of a spring: the signs of how fast it would part from what it touches.
void setBounds(const PenaltySpring& spring, ContactConstraint& contact);
/// Makes the depths of springs no larger than the account of their pair. Reads points and velocities; writes springs,
/// springSurplus and bounds of rows. After the biases of all contacts.
void boundSpringEnergy(const SolverBodies& bodies, ContactConstraints& all);
/// Books the step. Reads impulses and velocities; writes points. Once nothing changes velocities any more.
void keepSpringEnergy(const SolverBodies& bodies, ContactConstraints& all);

}  // namespace btPliantInternal
