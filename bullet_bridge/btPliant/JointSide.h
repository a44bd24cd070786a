// SPDX-License-Identifier: Zlib
// Internal: one end of a joint.
#pragma once

#include <memory>

#include "btPliant/BodyData.h"
#include "btPliant/btPliantJoint.h"
#include "pliant/runtime/MaterialFrame.h"

struct btPliantJoint::Side {
    Side(btRigidBody& rigid, const btTransform& frame);

    btRigidBody* body;
    btPliantBody* soft;                               ///< the same, where it is ours
    std::unique_ptr<pliant::MaterialFrame> material;  ///< of reduced bodies

    /// Of reduced bodies: the frame at the q that belongs to the body's world transform. @return it, in the body frame
    btTransform follow();
};
