// SPDX-License-Identifier: Zlib
// Internal: the geometric stiffness of joints. A force F that acts on a body at the arm a from its centre has the
// moment a x F, which changes as the body turns: by a turn phi it is less by K phi with
//
//     K = (a . F) 1 - (a F' + F a') / 2        (symmetric part; the other one turns the moment, and stores nothing).
//
// Frames step semi-implicitly: moments are those of the start of the step, so that an oscillation of the stiffness K
// and the inertia I needs h^2 K < 4 I. Light bars between heavy loads are far beyond: their ends are pulled sideways
// and back, faster in each step. A mass matrix M + h^2 K in place of M bounds omega h [TNGF15]; as the moments of added
// inertia would have no counterpart, ours acts between the two bodies of the joint, against a change of the velocity u
// at which they turn relative to each other:
//
//     P = -b (u_1 - u_0),   b = max(0, h^2 K+ / 2 - 1 / W),    along the eigenvectors of K+, the positive part of K,
//
// W the mobility of the relative turning. One body on a joint to the world: h^2 K < 4 (I + b) whatever K is; in chains,
// modes that turn neighbours alike get less of it, and are slower. Linear and angular momentum are kept to rounding.
// What P takes out of the motion is b (u_1^2 - u_0^2) / 2, which it gives back as u falls: slow motions keep their
// energy, and their frequency up to a share of (h omega)^2 / 4. As b grows from one step to the next, u_0 gets a factor
// s by which no more is given back than was stored: P = b (s u_0 - u_1) has the work -b/2 (u_1 + (1 - s) u_0 / 2)^2 +
// b/2 ((1 + s) / 2)^2 u_0^2, so that s = 2 sqrt(b_before / b) - 1, not below 0. Where h^2 K / 2 < 1 / W nothing is
// added, and results keep their bits.
#pragma once

#include "btPliant/joints/JointConstraints.h"

namespace btPliantInternal {

/// Adds the rows behind those of Bullet, where last substep's force of the joint asks for them. Reads the joint's
/// points and impulse; writes rows without a share. @param h of the step, s
void addGeometricRows(JointConstraint& joint, const SolverBodies& bodies, btScalar h, JointConstraints& all);

/// Turns the stiffness of these rows to b, now that their mobility is known.
void weighGeometricRow(const JointConstraint& joint, const SolverBodies& bodies, JointConstraintRow& entry);

}  // namespace btPliantInternal
