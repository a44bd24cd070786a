// SPDX-License-Identifier: Zlib
// What the sensors of a scene show.
#include <btBulletDynamicsCommon.h>

#include <Eigen/Eigenvalues>
#include <algorithm>

#include "btPliant/btPliantHeldPoints.h"
#include "btPliant/btPliantJoint.h"
#include "btPliantScene/BodiesSensor.h"
#include "btPliantScene/EnergySensor.h"
#include "btPliantScene/HandBeside.h"
#include "btPliantScene/SceneClock.h"
#include "btPliantScene/ScenePool.h"
#include "btPliantScene/btPliantConversions.h"

namespace btPliantInternal {
namespace {

using pliant::fromBullet;
using pliant::Vector3;
using pliant::scene::Sensor;
using pliant::scene::SensorKind;

void put(const btVector3& v, double* numbers) {
    for (int i = 0; i < 3; ++i) numbers[i] = static_cast<double>(v[i]);
}

/// count, impulse, force, torque, friction, filtered, split, depth: of the last step.
void measureContacts(const SceneData& data, const btPliantContactSensor* sensor, double* numbers) {
    if (!sensor) return;  // a layer without bodies
    numbers[0] = sensor->getCount();
    numbers[1] = sensor->getNormalImpulse();
    put(sensor->getForce(), numbers + 2);
    put(sensor->getTorque(), numbers + 5);
    put(sensor->getFrictionImpulse() / static_cast<btScalar>(data.scene.time.step()), numbers + 8);
    put(sensor->getFilteredForce(), numbers + 11);
    numbers[14] = sensor->getSplitImpulse();
    numbers[15] = sensor->getDepth();
}

/// The contacts with an impulse, where a record wants them.
void listContacts(SceneClock& clock, int sensor) {
    std::vector<pliant::scene::RecordedContact>* contacts = clock.timeline.contacts(sensor);
    const btPliantContactSensor* source = clock.bodies[static_cast<std::size_t>(sensor)].contacts;
    if (!contacts) return;
    contacts->clear();
    if (!source) return;
    for (const btPliantContactReading& reading : source->getContacts())
        if (reading.m_normalImpulse > btScalar(0))
            contacts->push_back({&clock.names.of(*reading.m_body), &clock.names.of(*reading.m_other),
                                 fromBullet(reading.m_position), fromBullet(reading.m_normal),
                                 static_cast<double>(reading.m_normalImpulse)});
}

/// count, mass.
void measureRegion(const Sensor& sensor, const SensorBodies& bodies, double* numbers) {
    numbers[0] = numbers[1] = 0.0;
    for (const btRigidBody* body : bodies.of) {
        if (!isInside(sensor, *body)) continue;
        numbers[0] += 1.0;
        numbers[1] += massOf(*body);
    }
}

/// position, velocity, speed.
void measurePoint(const SceneData& data, const Sensor& sensor, const btRigidBody& body, double* numbers) {
    const btVector3 rest = pliant::toBullet(sensor.at);
    const btPliantBody* soft = btPliantBody::upcast(&body);
    const btVector3 arm = data.frames.placeOf(body).getBasis() * rest;
    const Vector3 position = fromBullet(soft ? soft->getPointPosition(rest) : body.getCenterOfMassPosition() + arm);
    const Vector3 velocity = fromBullet(soft ? soft->getPointVelocity(rest) : body.getVelocityInLocalPoint(arm));
    for (int i = 0; i < 3; ++i) {
        numbers[i] = position[i];
        numbers[3 + i] = velocity[i];
    }
    numbers[6] = velocity.norm();
}

/// Largest impulse of a joint's points, N s, and how far they are from where they should be, m.
void measurePoints(const btPliantHeldPoints& held, double& impulse, double& gap, double& givenUp) {
    for (int i = 0; i < held.getNumPoints(); ++i) {
        impulse = std::max(impulse, fromBullet(held.getPointImpulse(i)).norm());
        gap = std::max(gap, fromBullet(btVector3(held.getPosition(i) - held.getTarget(i))).norm());
    }
    givenUp += held.getNumGivenUp();
}

/// force, impulse, broken, gap, given_up: the largest of the joints of the name, how many have let go, and how many
/// points cannot be held.
void measureJoint(const SceneData& data, const std::vector<btTypedConstraint*>& joints, double* numbers) {
    double impulse = 0.0, broken = 0.0, gap = 0.0, givenUp = 0.0;
    for (btTypedConstraint* joint : joints) {
        broken += joint->isEnabled() ? 0.0 : 1.0;
        if (!joint->isEnabled()) continue;
        const btPliantJoint* ours = btPliantJoint::upcast(joint);
        if (const auto* held = dynamic_cast<const btPliantHeldPoints*>(ours)) {
            measurePoints(*held, impulse, gap, givenUp);
            continue;
        }
        const double onMaterial = ours ? fromBullet(ours->getLinearImpulse()).norm() : 0.0;
        const double ofBullet = fromBullet(joint->getJointFeedback()->m_appliedForceBodyA).norm();
        impulse = std::max({impulse, onMaterial, ofBullet * data.scene.time.step()});
        if (ours && !ours->isSliding())
            gap = std::max(gap, fromBullet(btVector3(ours->getPivotPosition(0) - ours->getPivotPosition(1))).norm());
    }
    numbers[0] = impulse / data.scene.time.step();
    numbers[1] = impulse;
    numbers[2] = broken;
    numbers[3] = gap;
    numbers[4] = givenUp;
}

/// force, torque, felt, felt_torque, position, gap, hold.
void measureHand(const SceneData& data, const SceneTool& tool, double* numbers) {
    pliant::HandReport report;
    if (tool.beside) {
        report = tool.beside->hand->getThread().report();
    } else {
        report.coupling = tool.tool->getWrench(static_cast<btScalar>(data.scene.time.step()));
        report.tool = tool.tool->getGripPose();
        report.followed = tool.tool->getFollowedPose();
        report.hold = tool.tool->getHold();
    }
    const pliant::Wrench& wrench = report.coupling;
    const Vector3& position = report.tool.position;
    double* next = numbers;
    for (const Vector3& v : {wrench.force, wrench.torque, tool.felt.force, tool.felt.torque, position})
        for (int i = 0; i < 3; ++i) *next++ = v[i];
    *next++ = (report.followed.position - position).norm();
    *next = report.hold;
}

/// xx, yy, zz, xy, yz, zx, largest, least, volume: Green's strain E = (F'F - 1) / 2 along the axes of the mesh, its
/// largest and its least principal value, and det F - 1.
void measureStrain(const pliant::MaterialFrame& point, const btPliantBody& body, double* numbers) {
    const pliant::Matrix3 F = point.deformationGradient(body.getReducedCoordinates().data());
    const pliant::Matrix3& mesh = body.getModel().meshFromBody.rotation;
    const pliant::Matrix3 E = 0.5 * (mesh * F.transpose() * F * mesh.transpose() - pliant::Matrix3::Identity());
    for (int i = 0; i < 3; ++i) {
        numbers[i] = E(i, i);
        numbers[3 + i] = E(i, (i + 1) % 3);
    }
    const Vector3 principal = Eigen::SelfAdjointEigenSolver<pliant::Matrix3>(E).eigenvalues();
    numbers[6] = principal[2];
    numbers[7] = principal[0];
    numbers[8] = F.determinant() - 1.0;
}

}  // namespace

bool isInside(const Sensor& sensor, const btRigidBody& body) {
    if (!isPresent(body)) return false;
    Vector3 centre = fromBullet(body.getCenterOfMassPosition());
    if (sensor.frame) centre = sensor.frame->rotation.transpose() * (centre - sensor.frame->translation);
    return (centre.array() >= sensor.from.array()).all() && (centre.array() <= sensor.to.array()).all();
}

void measureSensors(SceneData& data) {
    SceneClock& clock = *data.clock;
    const std::vector<Sensor>& sensors = data.scene.timeline.sensors;
    for (std::size_t s = 0; s < sensors.size(); ++s) {
        double* numbers = clock.timeline.numbers(static_cast<int>(s));
        switch (sensors[s].kind) {
            case SensorKind::Contact:
                measureContacts(data, clock.bodies[s].contacts, numbers);
                listContacts(clock, static_cast<int>(s));
                break;
            case SensorKind::Region:
                measureRegion(sensors[s], clock.bodies[s], numbers);
                break;
            case SensorKind::Point:
                measurePoint(data, sensors[s], *clock.bodies[s].of[0], numbers);
                break;
            case SensorKind::Joint:
                measureJoint(data, clock.bodies[s].joints, numbers);
                break;
            case SensorKind::Hand:
                measureHand(data, data.tools[static_cast<std::size_t>(clock.bodies[s].tool)], numbers);
                break;
            case SensorKind::Strain:
                measureStrain(*clock.bodies[s].strained, *btPliantBody::upcast(clock.bodies[s].of[0]), numbers);
                break;
            case SensorKind::Bodies:
                measureBodies(data, static_cast<int>(s), clock.bodies[s], numbers);
                break;
            case SensorKind::Energy:
                measureEnergy(data, sensors[s], clock.bodies[s], numbers);
                break;
        }
    }
}

}  // namespace btPliantInternal
