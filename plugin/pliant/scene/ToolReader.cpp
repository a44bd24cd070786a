// SPDX-License-Identifier: Zlib
// The hands of a scene file.
#include <algorithm>
#include <fstream>

#include "pliant/scene/SceneParts.h"

namespace pliant::scene {
namespace {

ToolDynamics dynamicsOf(const CheckedYaml& block) {
    const auto dynamics = block.find("dynamics");
    return dynamics ? static_cast<ToolDynamics>(dynamics->word()) : ToolDynamics::Dynamic;
}

/// Keys that mean nothing for tools without mass, and in threads, where they are held at their centre.
void checkDynamicsKeys(const CheckedYaml& block, ToolDynamics dynamics) {
    const std::string other = dynamics == dynamicsOf(block) ? "" : ", or leave out --thread";
    const auto refuse = [&](const char* key, const std::string& why) {
        if (block.has(key)) block.at(key).fail("\"" + std::string(key) + "\" means nothing for this tool", why + other);
    };
    if (dynamics != ToolDynamics::Dynamic) refuse("damping", "leave it out: the tool has no mass");
    if (dynamics == ToolDynamics::Thread) refuse("grip", "leave it out: a tool in a thread is held at its centre");
}

/// Keys that belong to one kind of device each.
void checkDeviceKeys(const CheckedYaml& block, HandDeviceKind device, ToolDynamics dynamics) {
    const auto refuse = [&](const char* key, bool fits) {
        if (!fits && block.has(key)) block.at(key).fail("\"" + std::string(key) + "\" means nothing for this device");
    };
    refuse("path", device == HandDeviceKind::Path);
    refuse("port", device == HandDeviceKind::Udp);
    refuse("scale", device != HandDeviceKind::Still);
    refuse("rate", device != HandDeviceKind::Still || dynamics == ToolDynamics::Thread);
}

HandSettings readHand(const CheckedYaml& block) {
    HandSettings hand;
    readNumber(block, "stiffness", hand.coupling.stiffness);
    readNumber(block, "torque_stiffness", hand.coupling.torqueStiffness);
    readNumber(block, "max_force", hand.coupling.maxForce);
    readNumber(block, "max_torque", hand.coupling.maxTorque);
    readNumber(block, "damping", hand.dampingRatio);
    readNumber(block, "device_force", hand.limits.deviceForce);
    readNumber(block, "device_torque", hand.limits.deviceTorque);
    // More than a spring of this force holds, so that honest springs are not damped as they relax.
    const double stretch = hand.limits.deviceForce / hand.coupling.stiffness;
    hand.limits.energyCredit = std::max(hand.limits.energyCredit, hand.limits.deviceForce * stretch);
    const auto limits = block.find("limits");
    if (!limits) return hand;
    const auto items = limits->items();
    if (items.size() != 2) limits->fail("limits needs two numbers: m/s and degrees/s", limits->cureOfLength());
    hand.limits.speed = items[0].asLength().number({1e-4, 1e4});
    constexpr double radians = 3.14159265358979323846 / 180.0;  // of the file's degrees
    hand.limits.angularSpeed = items[1].number({1e-2, 1e6}) * radians;
    return hand;
}

HandPath readPath(const CheckedYaml& value, const std::string& sceneFile) {
    const std::string file = existingFile(value, sceneFile);
    std::ifstream in(file);
    return readHandPath(in, file);
}

}  // namespace

void readNumber(const CheckedYaml& block, const char* key, double& number) {
    if (const auto value = block.find(key)) number = value->number();
}

Tool readTool(const CheckedYaml& block, const std::optional<std::string>& inThread) {
    block.expectBlock("tool");
    Tool tool;
    tool.where = block.where();
    tool.name = readName(block);
    tool.body = readReference(block.at("body"));
    if (const auto value = block.find("grip")) tool.grip = value->vector();
    tool.settings = readHand(block);
    tool.device = static_cast<HandDeviceKind>(block.at("device").word());
    const bool becomesThread = inThread && (inThread->empty() || *inThread == tool.name);
    tool.dynamics = becomesThread ? ToolDynamics::Thread : dynamicsOf(block);
    checkDeviceKeys(block, tool.device, tool.dynamics);
    checkDynamicsKeys(block, tool.dynamics);
    if (tool.device == HandDeviceKind::Path) tool.path = readPath(block.at("path"), block.file());
    if (tool.device == HandDeviceKind::Udp) tool.port = block.at("port").integer();
    readNumber(block, "rate", tool.rate);
    readNumber(block, "scale", tool.scale);
    return tool;
}

bool isOfHandInThread(const SceneDescription& scene, const Touch& touch) {
    const auto isHeld = [&](const Reference& reference) {
        return std::any_of(scene.tools.begin(), scene.tools.end(), [&](const Tool& tool) {
            return tool.dynamics == ToolDynamics::Thread && tool.body.name == reference.name;
        });
    };
    const auto areHeld = [&](const std::vector<Reference>& side) {
        return !side.empty() && std::all_of(side.begin(), side.end(), isHeld);
    };
    if (!areHeld(touch.of) && !areHeld(touch.with)) return false;
    if (touch.with.empty())
        throw Error(touch.where, "what the hand feels is not named", "write between: [what it holds, what it feels]");
    if (touch.penalty || touch.isTwoWay)
        throw Error(touch.where, "a tool in a thread has no \"two_way\" and no \"penalty\"",
                    "leave it out, or let the tool be in the world, without \"dynamics: thread\" and --thread");
    return true;
}

}  // namespace pliant::scene
