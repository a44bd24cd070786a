// SPDX-License-Identifier: Zlib
// What tests of static tools share: settings of a hand, and steps in which a device stands at a place.
#pragma once

#include "TestWorld.h"
#include "btPliant/btPliantTool.h"

namespace pliant::test {

constexpr double kStaticStep = 1.0 / 120.0;  // s

inline HandSettings staticHand(double stiffness = 1000.0) {
    HandSettings settings;
    settings.coupling.stiffness = stiffness;
    settings.coupling.torqueStiffness = 10.0;
    settings.limits.deviceForce = settings.limits.deviceTorque = settings.limits.energyCredit = 1e6;
    return settings;
}

inline ToolPose deviceAt(const Vector3& position) {
    ToolPose pose;
    pose.position = position;
    return pose;
}

inline Wrench stepHeld(TestWorld& scene, btPliantTool& tool, const ToolPose& device, int steps) {
    Wrench felt;
    for (int i = 0; i < steps; ++i) {
        tool.follow(&device, btScalar(kStaticStep));
        scene.step(1, kStaticStep);
        felt = tool.feel(btScalar(kStaticStep));
    }
    return felt;
}

}  // namespace pliant::test
