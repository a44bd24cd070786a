// SPDX-License-Identifier: Zlib
// Internal: one end of a joint.
#pragma once

#include <memory>

#include "btPliant/btPliantJoint.h"
#include "btPliant/data/BodyData.h"
#include "pliant/runtime/MaterialFrame.h"

struct btPliantJoint::Side {
    Side(btRigidBody& rigid, const btTransform& frame);

    btRigidBody* body;
    btPliantBody* reduced;                            ///< the same, where it is a reduced body
    std::unique_ptr<pliant::MaterialFrame> material;  ///< of reduced bodies

    pliant::VectorX midstepCoordinates;  ///< r

    /// Of reduced bodies: brings `material` up to date. @return the frame, in the body frame.
    /// While a substep is under way, at q + (h / 2) q' of its start. For frames move by h v_1 alone, so their positions
    /// belong to the middle of the step when their velocities belong to its ends, as those of q do; a gap between the
    /// plain positions would hold h / 2 of the material's velocity, and taking that back works on the modes'
    /// vibrations.
    btTransform follow();
};
