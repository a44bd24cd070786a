// SPDX-License-Identifier: Zlib
// Internal: the motion state of a body.
#pragma once

#include <LinearMath/btMotionState.h>

#include "btPliant/data/BodyData.h"

namespace btPliantInternal {

/// Bullet asks and tells motion states in the body frame; the user's speaks in the mesh's. It also marks where one
/// stepSimulation ends and the next begins, which is when Bullet drops its forces.
class MeshMotionState : public btMotionState, public pliant::CacheAligned {
public:
    MeshMotionState(BodyData& data, btMotionState* user) : m_data(data), m_user(user) {}
    void getWorldTransform(btTransform& worldFromBody) const override;
    void setWorldTransform(const btTransform& worldFromBody) override;

private:
    BodyData& m_data;
    btMotionState* m_user;
};

}  // namespace btPliantInternal
