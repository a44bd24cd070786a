// SPDX-License-Identifier: Zlib
#include "btPliantScene/SceneClock.h"

#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <limits>

#include "btPliant/btPliantCharacter.h"
#include "btPliantScene/btPliantConversions.h"
#include "pliant/math/Error.h"

namespace btPliantInternal {

using pliant::scene::Reference;
using pliant::scene::Sensor;
using pliant::scene::SensorKind;

std::vector<btRigidBody*> allBodies(const SceneData& data) {
    std::vector<btRigidBody*> all;
    for (const btPliantScene::Deformable& deformable : data.deformables) all.push_back(deformable.m_body);
    for (const btPliantScene::Rigid& rigid : data.rigids)
        if (rigid.m_body->getInvMass() > 0) all.push_back(rigid.m_body);
    return all;
}

std::vector<btRigidBody*> bodiesOf(const SceneData& data, const Reference& reference) {
    const auto found = data.named.find(reference.name);
    if (found == data.named.end()) return {data.ground.get()};  // the reader lets no other name through
    if (reference.copy < 0) return found->second;
    return {found->second[static_cast<std::size_t>(reference.copy)]};
}

namespace {

void append(const SceneData& data, const std::vector<Reference>& references, std::vector<btRigidBody*>& bodies) {
    for (const Reference& reference : references)
        for (btRigidBody* body : bodiesOf(data, reference)) bodies.push_back(body);
}

btPliantContactSensor* contactSensor(const SceneData& data, const Sensor& sensor, const SensorBodies& bodies) {
    btPliantContactSensorInfo info;
    info.m_of.assign(bodies.of.begin(), bodies.of.end());
    info.m_with.assign(bodies.with.begin(), bodies.with.end());
    info.m_material = sensor.material;
    info.m_lower = pliant::toBullet(sensor.from);
    info.m_upper = pliant::toBullet(sensor.to);
    info.m_timeConstant = sensor.filter;
    try {
        return data.system.createContactSensor(info);
    } catch (const pliant::Error& problem) {  // "WHERE: what is wrong", WHERE being a place in a program
        const std::string text = problem.what();
        throw pliant::Error(sensor.where, text.substr(text.find(": ") + 2));
    }
}

std::shared_ptr<pliant::MaterialFrame> strainedPoint(const Sensor& sensor, const btRigidBody& body) {
    if (btPliantCharacter::upcast(&body))
        throw pliant::Error(sensor.of[0].where,
                            "\"" + sensor.of[0].name + "\" is a character, whose bones stretch it, too",
                            "name a body without bones");
    const btPliantBody& soft = *btPliantBody::upcast(&body);
    const pliant::RigidTransform frame{pliant::Matrix3::Identity(), sensor.at};
    return std::make_shared<pliant::MaterialFrame>(soft.getModel(), soft.locate(pliant::toBullet(sensor.at)), frame);
}

SensorBodies bodiesOf(const SceneData& data, const Sensor& sensor) {
    SensorBodies bodies;
    if (sensor.kind == SensorKind::Joint) {
        bodies.joints = data.namedJoints.at(sensor.of[0].name);
        for (btTypedConstraint* joint : bodies.joints) {
            bodies.feedback.push_back(std::make_unique<btJointFeedback>());
            if (!joint->getJointFeedback()) joint->setJointFeedback(bodies.feedback.back().get());
        }
        return bodies;
    }
    if (sensor.kind == SensorKind::Hand) {
        while (data.scene.tools[static_cast<std::size_t>(++bodies.tool)].name != sensor.of[0].name) {
        }
        return bodies;
    }
    append(data, sensor.of, bodies.of);
    append(data, sensor.with, bodies.with);
    const bool mayBeOfAll = sensor.kind == SensorKind::Region || sensor.kind == SensorKind::Bodies;
    if (mayBeOfAll && sensor.of.empty()) bodies.of = allBodies(data);
    if (sensor.kind == SensorKind::Strain) bodies.strained = strainedPoint(sensor, *bodies.of[0]);
    if (sensor.kind == SensorKind::Contact && !bodies.of.empty()) bodies.contacts = contactSensor(data, sensor, bodies);
    return bodies;
}

}  // namespace

SceneClock::SceneClock(const SceneData& data) : timeline(data.scene.timeline, data.scene.time.step()), names(data) {
    animated.resize(data.scene.timeline.animations.size(), std::numeric_limits<double>::quiet_NaN());
    for (const Sensor& sensor : data.scene.timeline.sensors) bodies.push_back(bodiesOf(data, sensor));
}

void lead(SceneData& data, double t) {
    for (const Leading& leading : data.clock->leading) {
        pliant::scene::Placement& placement = leading.group->placement;
        const double share = leading.duration > 0.0 ? std::min(1.0, (t - leading.start) / leading.duration) : 1.0;
        const double value = leading.from + share * (leading.to - leading.from);
        (leading.component < 3 ? placement.position : placement.rotation)[leading.component % 3] = value;
    }
}

}  // namespace btPliantInternal
