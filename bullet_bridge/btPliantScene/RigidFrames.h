// SPDX-License-Identifier: Zlib
// Internal: frames of a scene's rigid bodies whose principal axes are not those of the file.
#pragma once

#include <BulletDynamics/Dynamics/btRigidBody.h>

#include <unordered_map>

namespace btPliantInternal {

/// Between bodies of Bullet's and the frames that a scene's file means. These have one origin; the axes differ for
/// hulls with products of inertia, whose bodies lie along their principal axes.
class RigidFrames {
public:
    /// @param axes columns: the body's axes in the file's frame
    void setAxes(const btRigidBody& body, const btMatrix3x3& axes) {
        if (!(axes == btMatrix3x3::getIdentity())) m_axes[&body] = axes;
    }
    /// Where a body has to be, so that its frame of the file is at `place`; both in the world.
    btTransform bodyAt(const btRigidBody& body, const btTransform& place) const {
        const auto found = m_axes.find(&body);
        return found == m_axes.end() ? place : btTransform(place.getBasis() * found->second, place.getOrigin());
    }
    /// The frame of the file in the world.
    btTransform placeOf(const btRigidBody& body) const {
        const btTransform& at = body.getCenterOfMassTransform();
        const auto found = m_axes.find(&body);
        return found == m_axes.end() ? at : btTransform(at.getBasis() * found->second.transpose(), at.getOrigin());
    }
    /// A frame on the body, from the file's frame to the body's.
    btTransform inBody(const btRigidBody& body, const btTransform& local) const {
        const auto found = m_axes.find(&body);
        return found == m_axes.end() ? local : btTransform(found->second.transpose()) * local;
    }

private:
    std::unordered_map<const btRigidBody*, btMatrix3x3> m_axes;  ///< of those whose axes differ
};

}  // namespace btPliantInternal
