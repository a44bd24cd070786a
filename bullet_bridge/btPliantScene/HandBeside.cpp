// SPDX-License-Identifier: Zlib
#include "btPliantScene/HandBeside.h"

#include "btPliantScene/btPliantConversions.h"
#include "pliant/math/Error.h"

namespace btPliantInternal {

bool SceneDevice::read(double time, pliant::ToolPose& pose) {
    const std::lock_guard<std::mutex> lock(m_mutex);
    if (!m_device || !m_device->read(time, pose)) return false;
    if (!pliant::isFinite(pose)) return true;
    if (!m_origin) m_origin = pose;
    pose.position = m_origin->position + m_scale * (pose.position - m_origin->position);
    return true;
}

void SceneDevice::write(double time, const pliant::Wrench& wrench) {
    const std::lock_guard<std::mutex> lock(m_mutex);
    if (m_device) m_device->write(time, wrench);
}

void SceneDevice::set(std::shared_ptr<pliant::HandDevice> device, std::optional<pliant::ToolPose> origin) {
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_device = std::move(device);
    m_origin = std::move(origin);
}

namespace {

pliant::ToolPose poseOf(const btRigidBody& body) {
    const pliant::RigidTransform place = pliant::fromBullet(body.getCenterOfMassTransform());
    return {place.translation, pliant::Rotation(place.rotation).normalized()};
}

/// The body is seen where the tool is, and nothing in the world meets it.
void takeOutOfContact(SceneData& data, btRigidBody& body) {
    data.world.removeRigidBody(&body);
    data.movingMass -= body.getInvMass() > 0 ? 1.0 / static_cast<double>(body.getInvMass()) : 0.0;
    body.setMassProps(0, btVector3(0, 0, 0));
    body.setCollisionFlags((body.getCollisionFlags() & ~btCollisionObject::CF_STATIC_OBJECT) |
                           btCollisionObject::CF_KINEMATIC_OBJECT | btCollisionObject::CF_NO_CONTACT_RESPONSE);
    body.setActivationState(DISABLE_DEACTIVATION);
    body.setLinearVelocity(btVector3(0, 0, 0));
    body.setAngularVelocity(btVector3(0, 0, 0));
    data.world.addRigidBody(&body, 0, 0);
}

/// Puts the body where the tool is, with the velocity that it came with.
void showTool(HandBeside& beside, const pliant::ToolPose& tool, double step) {
    const pliant::Vector6 way = pliant::poseGap(poseOf(*beside.body), tool);
    btRigidBody& body = *beside.body;
    pliant::RigidTransform place;
    place.rotation = tool.rotation.toRotationMatrix();
    place.translation = tool.position;
    body.setCenterOfMassTransform(pliant::toBullet(place));
    body.setLinearVelocity(pliant::toBullet(pliant::Vector3(way.head<3>() / step)));
    body.setAngularVelocity(pliant::toBullet(pliant::Vector3(way.tail<3>() / step)));
}

}  // namespace

std::unique_ptr<HandBeside> makeHandBeside(SceneData& data, const pliant::scene::Tool& tool, btRigidBody& body) {
    constexpr double kCycles = 1000.0;  // in a second
    if (btPliantBody::upcast(&body))
        throw pliant::Error(tool.body.where, "\"" + tool.body.name + "\" deforms, and tools in threads do not",
                            "name a rigid sphere, box, capsule or cylinder, or leave \"dynamics\" out");
    auto beside = std::make_unique<HandBeside>();
    beside->device = std::make_shared<SceneDevice>(tool.scale);
    beside->body = &body;
    beside->hand = std::make_unique<btPliantHandThread>(*body.getCollisionShape(), poseOf(body), beside->device,
                                                        tool.settings, tool.rate > 0.0 ? tool.rate : kCycles);
    beside->hand->setSystem(data.system, &body);
    takeOutOfContact(data, body);
    return beside;
}

void stepBeside(HandBeside& beside, double step) {
    if (!beside.hasBegun) beside.hand->afterStep(step);
    beside.hasBegun = true;
    beside.hand->beforeStep(step);
}

pliant::Wrench showBeside(HandBeside& beside, double step) {
    beside.hand->afterStep(step);
    const pliant::HandReport report = beside.hand->getThread().report();
    showTool(beside, report.tool, step);
    return report.felt;
}

}  // namespace btPliantInternal
