// SPDX-License-Identifier: Zlib
// Internal: joints that hold two bodies where their contacts forbid it. Bullet lets bodies collide that a joint holds
// together. Impulses of both that cancel each other grow in every iteration, and with those of the last step to start
// from in every step, without bound. What rests on what it is linked to shares a load with the joint, and starts from
// it as everything does: only what pulls against the contacts, and is far from where one of both wants it, does not.
#pragma once

#include <vector>

#include "btPliant/data/SystemData.h"

namespace btPliantInternal {

/// The joints that start the substep without their last impulses: those that contradict contacts, and beside them all
/// of both bodies. Contacts of such pairs lose theirs (warmStartShare).
/// @param joints written, ascending by address
void findContestedJoints(SystemData& system, std::vector<const btTypedConstraint*>& joints);

}  // namespace btPliantInternal
