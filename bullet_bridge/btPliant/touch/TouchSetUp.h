// SPDX-License-Identifier: Zlib
// Internal: stage 5 and 6 of distributed contact: elements of the pairs that touch.
#pragma once

#include "btPliant/touch/TouchConstraint.h"

namespace btPliantInternal {

/// Adds the element of a pair. Reads nothing but who its bodies are.
/// @param solverBodies, reducedBodies numbers of the pair's `a` and of the other; -1: none
TouchConstraint& addTouch(ContactPair& pair, const int (&solverBodies)[2], const int (&reducedBodies)[2],
                          TouchConstraints& all);
/// Points, rows and metric of an element. Reads what the pair has found, frames, and responses of the bodies' batches;
/// after the responses of contacts. @param h s
void setUpTouch(double h, const ContactConstraints& contacts, const SolverBodies& bodies, TouchConstraint& touch);
/// Gives bristles to points that the last solve has brought in: most points within reach do not come to touch, and have
/// none. Where a row of points takes over from another one, what both hold would be let go for a step without.
/// @return whether there were any
bool addMissingBristles(TouchConstraint& touch);

}  // namespace btPliantInternal
