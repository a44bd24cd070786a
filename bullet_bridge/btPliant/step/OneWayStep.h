// SPDX-License-Identifier: Zlib
// Internal: the substep in a world whose solver is Bullet's own. It solves contacts between rigid frames, and knows of
// the deformation what a contact point can tell it: a softness and a distance. What it has found then acts on q.
//
// A contact i of a body whose other contacts are j, with the velocity u of the deformation along its normals, the
// impulses P, and W = J Y_c J' the response of the deformation: after the step
//
//     u_i = u^_i + sum_j W_ij (P_j - P^_j),
//
// where P^ are the impulses of the last substep and u^ the velocities at the end of this one if they acted again.
// Bullet's rows have no place for the sum, but for its own impulse they have one (constraint force mixing):
//
//     v_i + u^_i + D_i (P_i - P^_i) >= t_i,    D_i = m rho W_ii,
//
// v the velocity of the frames and t the target of BodyBatch.h, m the number of pairs that touch the body, and rho no
// less than x'W x / x'diag(W) x of the contacts of one pair. W is positive semidefinite, so that no more than m times
// its blocks of one pair each, and D - W is, too. Hence
// - a load that stays is carried exactly: P = P^ and v + u = 0 solve all rows, whatever D is;
// - the deformation yields less than the row has reckoned with, and what is left over works P.(W - D)(P - P^) / 2. Its
//   sum over the substeps is -(P'(D - W) P + sum dP'(D - W) dP) / 4 and never positive: no energy comes of it.
// Friction is Bullet's, between rigid bodies; its impulses act on q all the same.
#pragma once

#include "btPliant/data/SystemData.h"

namespace btPliantInternal {

/// Before contacts are found: where the deformation of each body goes in this substep (BodyData::loadedVelocity) if
/// the contact impulses of the last one act again. Reads manifolds of the last substep.
void predictLoadedBodies(SystemData& system);
/// After a pair's contacts are in its manifolds: gives them what Bullet's solver shall know of the deformation.
void softenContacts(ContactPair& pair, double h);
/// After Bullet has solved: its points tell distances again.
void restoreContacts(SystemData& system);
/// Steps the deformation under the impulses that Bullet has found, and turns the frames by the angular momentum that
/// these have given; characters follow their bones alone.
void stepOneWay(SystemData& system);

}  // namespace btPliantInternal
