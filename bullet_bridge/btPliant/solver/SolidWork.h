// SPDX-License-Identifier: Zlib
// Internal: an account of the energy that the contacts of solids have brought in, once the iterations are over.
//
// The rows of a contact do the work W = sum_k P_k w_k on its two bodies, w being the mean of their velocities against
// each other over the step: of frames (v_0 + v_1) / 2, of modes (q_1 - q_0) / h. Where rows agree it is none or
// negative (ContactConstraints.h, BodyBatch.h), for kinematic bodies too, whose own work is what they move by. Not in
// the account are contacts that are meant to give back what they took (penalties) and those of ragdolls, which have one
// of their own (RagdollWork.h); what a row does by taking depth back is not counted.
//
// Rows cannot agree where a body is pressed into less room than its modes can take: then each iteration adds to the
// impulses what the last one has taken back, their sum grows with the number of iterations, and the next step begins
// with impulses that cancel by the last step's directions and not by its own. A cube of jelly between a plate and the
// ground, pressed to 15 % of its height, gained 5e5 J in a step so with 200 iterations, where the plate had done 130 J.
//
// Kinematic bodies take any impulse, so those that touch one have smaller impulses from little on. Where all are free
// or stand still, what a body gains others have mostly lost, and cutting impacts that the iterations have not brought
// to their end does harm. But what is light, soft and pressed by something heavy throws that about: an apple of 0.16 kg
// under a cube of jelly of 7.8 kg that fell onto it was squeezed flat, its free step began with impulses of 30 N s, and
// cube and apple gained 740 J where 70 had been. So contacts of such a body that have brought in more than 30 % of its
// energy and of the motion of what it touches are made to bring in 10 %. Of a solid that touches no other one, what
// contacts have brought in is taken from the motion of the modes at the end of the step, at most half of q': the bound
// on the gap (ContactConstraints.h) lets a contact gain up to P g h / 2, rows of friction stop at the end of the step
// what has turned round in it, and firm solids trembled by that for ever, at velocities of g h. Where contacts or modes
// move by more than twice that, nothing is taken, nor of solids on each other: piles crept no less for it.
//
// With all contact impulses of a body times s, W(s) = s a + s^2 b. Where W(1) is more than the energy guard lets pass
// (EnergyGuard.cpp), a fiftieth of what the body has, they are made smaller to W(s) = 0. Both sides of each contact get
// less, so momenta are kept. Torsional friction keeps its impulse: it takes energy, and its limit follows in the next
// step.
#pragma once

#include "btPliant/solver/ContactConstraints.h"
#include "pliant/runtime/Workers.h"

namespace btPliantInternal {

/// Reads impulses, velocities and meanVelocities; writes those impulses and velocities of solids whose contacts have
/// brought in energy, and ReducedBody::contactGain of what nothing kinematic presses.
/// @param h of the step, s
void boundSolidWork(double h, const pliant::Workers& workers, SolverBodies& bodies, ContactConstraints& all);

/// Takes ReducedBody::contactGain from q' in the batches, which has to be that of the step's end (WriteBack.h). Neither
/// the body's place nor its angular momentum is touched, nor its linear momentum where its modes have none (D = 0).
void takeContactGains(const ContactConstraints& all);

}  // namespace btPliantInternal
