// SPDX-License-Identifier: Zlib
// What tests of contact sensors share: bodies that come to rest or are thrown, and sensors that watch them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "TestWorld.h"
#include "validation/contact/SolidBodies.h"

namespace pliant::test {

constexpr double kGravity = 9.81;  // m/s^2
constexpr double kStep = 1.0 / 120.0;

using Objects = std::vector<const btCollisionObject*>;

inline btPliantContactSensor* watch(TestWorld& scene, const Objects& of, const Objects& with = {},
                                    double timeConstant = 0.1) {
    btPliantContactSensorInfo info;
    info.m_of = of;
    info.m_with = with;
    info.m_timeConstant = timeConstant;
    return scene.system->createContactSensor(info);
}

inline btPliantBodyInfo damped() {
    btPliantBodyInfo info;
    info.m_damping.mass = 1.0;
    info.m_damping.stiffness = 2e-3;
    return info;
}

inline btPliantBodyInfo thrown(const btVector3& velocity) {
    btPliantBodyInfo info;
    info.m_linearVelocity = velocity;
    return info;
}

inline std::shared_ptr<const ReducedModel> cube() {
    static const auto model = solidBox({0.2, 0.2, 0.2});
    return model;
}

inline double weight(const btPliantBody& body) {
    return kGravity * body.getModel().totalMass();
}

inline btPliantContactSensorInfo ofRegion(const btPliantBody& body, const std::string& material) {
    btPliantContactSensorInfo info;
    info.m_of = {&body};
    info.m_material = material;
    return info;
}

}  // namespace pliant::test
