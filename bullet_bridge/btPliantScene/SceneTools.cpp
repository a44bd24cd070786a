// SPDX-License-Identifier: Zlib
#include "btPliantScene/SceneTools.h"

#include <algorithm>
#include <cmath>

#include "btPliantScene/HandBeside.h"
#include "btPliantScene/SceneClock.h"
#include "btPliantScene/btPliantConversions.h"
#include "pliant/hand/GamepadDevice.h"
#include "pliant/hand/SpaceMouseDevice.h"
#include "pliant/hand/SpaceMouseHidDevice.h"
#include "pliant/hand/UdpDevice.h"
#include "pliant/math/Error.h"

namespace btPliantInternal {
namespace {

using pliant::ToolPose;
using pliant::scene::HandDeviceKind;
using pliant::scene::Tool;
using pliant::scene::ToolDynamics;

/// Along what the scene's camera sees, where it has one that does not look straight down.
pliant::RateSettings rateSettings(const pliant::scene::SceneDescription& scene) {
    pliant::RateSettings rates;
    rates.up = scene.up();
    const pliant::Vector3 away = scene.camera ? pliant::Vector3(scene.camera->to - scene.camera->from)
                                              : pliant::Vector3(pliant::Vector3::UnitY());
    pliant::Vector3 right = away.cross(rates.up);
    if (right.norm() < 1e-3 * away.norm()) right = rates.up.unitOrthogonal();
    rates.right = right.normalized();
    return rates;
}

std::shared_ptr<pliant::HandDevice> makeDevice(const pliant::scene::SceneDescription& scene, const Tool& tool,
                                               const ToolPose& held) {
    switch (tool.device) {
        case HandDeviceKind::Path:
            return std::make_shared<pliant::PathDevice>(tool.path);
        case HandDeviceKind::Still:
            return std::make_shared<pliant::IdentityDevice>(held);
        case HandDeviceKind::Udp:
            return std::make_shared<pliant::UdpDevice>(static_cast<std::uint16_t>(tool.port));
        case HandDeviceKind::Gamepad:
            return std::make_shared<pliant::GamepadDevice>(held, rateSettings(scene),
                                                           std::max(tool.settings.limits.deviceForce, 1e-3));
        case HandDeviceKind::SpaceMouse:
            return std::make_shared<pliant::SpaceMouseDevice>(held, rateSettings(scene));
        case HandDeviceKind::SpaceMouseHid:
            return std::make_shared<pliant::SpaceMouseHidDevice>(held, rateSettings(scene));
        case HandDeviceKind::Mouse:
            return nullptr;  // whoever has one hands it over
    }
    return nullptr;
}

}  // namespace

ToolPose gripOf(const SceneTool& tool) {
    return tool.beside ? tool.beside->hand->getThread().report().tool : tool.tool->getGripPose();
}

void setDevice(const Tool& said, std::shared_ptr<pliant::HandDevice> device, SceneTool& tool) {
    tool.device = std::move(device);
    tool.origin.reset();
    if (!tool.beside) return;
    std::optional<ToolPose> origin;
    if (!said.path.keys.empty()) origin = said.path.keys.front().pose;
    tool.beside->device->set(tool.device, origin);
}

namespace {

/// Tools that are not dynamic have their bodies to themselves.
void expectNoOtherHand(const SceneData& data) {
    const std::vector<Tool>& tools = data.scene.tools;
    for (std::size_t i = 0; i < tools.size(); ++i)
        for (std::size_t k = 0; k < tools.size(); ++k) {
            if (k == i || tools[i].dynamics == ToolDynamics::Dynamic) continue;
            if (bodiesOf(data, tools[i].body).front() == bodiesOf(data, tools[k].body).front())
                throw pliant::Error(tools[std::max(i, k)].where,
                                    "\"" + tools[i].body.name + "\" is in the hand of a tool without mass already",
                                    "let both be dynamic, or give each a body of its own");
        }
}

SceneTool makeTool(SceneData& data, const Tool& tool) {
    btRigidBody& body = *bodiesOf(data, tool.body).front();
    const btTransform grip =
        data.frames.inBody(body, btTransform(btMatrix3x3::getIdentity(), pliant::toBullet(tool.grip)));
    SceneTool made;
    try {
        if (tool.dynamics == ToolDynamics::Thread)
            made.beside = makeHandBeside(data, tool, body);
        else
            made.tool = std::make_unique<btPliantTool>(
                body, grip, tool.settings,
                tool.dynamics == ToolDynamics::Static ? btPliantToolDynamics::Static : btPliantToolDynamics::Dynamic);
        setDevice(tool, makeDevice(data.scene, tool, gripOf(made)), made);
    } catch (const pliant::Error& problem) {
        throw pliant::Error(tool.where, problem.what());
    }
    return made;
}

/// Whether a reading is due within the step that begins at t.
bool isDue(const Tool& tool, double t, double step) {
    if (tool.rate <= 0.0 || tool.rate * step >= 1.0) return true;
    constexpr double kRounding = 1e-6;  // of a reading
    return std::floor((t + step) * tool.rate + kRounding) > std::floor(t * tool.rate + kRounding);
}

}  // namespace

void addTools(SceneData& data) {
    expectNoOtherHand(data);
    for (const Tool& tool : data.scene.tools) {
        data.tools.push_back(makeTool(data, tool));
        if (data.tools.back().tool) data.world.addConstraint(data.tools.back().tool.get());
    }
}

void followDevices(SceneData& data) {
    const double h = data.scene.time.step();
    for (std::size_t i = 0; i < data.tools.size(); ++i) {
        SceneTool& tool = data.tools[i];
        const Tool& said = data.scene.tools[i];
        if (tool.beside) {
            stepBeside(*tool.beside, h);
            continue;
        }
        ToolPose pose;
        bool has = tool.device && isDue(said, data.time, h) && tool.device->read(data.time + h, pose);
        if (has && pliant::isFinite(pose)) {
            if (!tool.origin) tool.origin = said.path.keys.empty() ? pose : said.path.keys.front().pose;
            const pliant::Vector3& origin = tool.origin->position;
            pose.position = origin + said.scale * (pose.position - origin);
        }
        tool.tool->follow(has ? &pose : nullptr, static_cast<btScalar>(h));
    }
}

void tellDevices(SceneData& data) {
    const double h = data.scene.time.step();
    for (SceneTool& tool : data.tools) {
        if (tool.beside) {
            tool.felt = showBeside(*tool.beside, h);
            continue;
        }
        tool.felt = tool.tool->feel(static_cast<btScalar>(h));
        if (tool.device) tool.device->write(data.time, tool.felt);
    }
}

std::vector<std::string> failedDevices(const SceneData& data) {
    std::vector<std::string> told;
    for (std::size_t i = 0; i < data.tools.size(); ++i) {
        const Tool& said = data.scene.tools[i];
        const SceneTool& tool = data.tools[i];
        const std::string message =
            tool.beside ? tool.beside->hand->getThread().deviceMessage() : tool.tool->getDeviceMessage();
        if (message.empty()) continue;
        const std::string whose = said.name.empty() ? "the hand's device" : "the device of \"" + said.name + "\"";
        told.push_back(said.where + ": " + whose + " " + message);
    }
    return told;
}

}  // namespace btPliantInternal
