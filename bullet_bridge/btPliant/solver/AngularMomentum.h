// SPDX-License-Identifier: Zlib
// Internal: angular momentum of pairs in contact.
#pragma once

#include "btPliant/solver/ContactConstraints.h"

namespace btPliantInternal {

/// After restitution and split impulses: takes from pairs of free bodies the angular momentum that they gained by being
/// moved apart and by impulses that act at two points. Reads impulses and split impulses; writes velocities of frames
/// and BodyData::angularMomentum of what `all` points to. @param step s
void keepAngularMomentum(const ContactConstraints& all, btScalar step, SolverBodies& bodies);

}  // namespace btPliantInternal
