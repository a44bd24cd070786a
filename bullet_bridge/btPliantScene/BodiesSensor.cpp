// SPDX-License-Identifier: Zlib
#include "btPliantScene/BodiesSensor.h"

#include <btBulletDynamicsCommon.h>

#include "btPliantScene/EnergySensor.h"
#include "btPliantScene/ScenePool.h"
#include "btPliantScene/btPliantConversions.h"

namespace btPliantInternal {
namespace {

using pliant::fromBullet;
using pliant::Vector3;

/// What has no mass counts as if it had one kilogram, among its like.
struct Sums {
    double mass = 0.0;                  ///< kg
    Vector3 moment = Vector3::Zero();   ///< kg m
    Vector3 impetus = Vector3::Zero();  ///< Momentum, kg m/s.

    void add(double bodyMass, const Vector3& bodyMoment, const Vector3& bodyMomentum) {
        mass += bodyMass;
        moment += bodyMoment;
        impetus += bodyMomentum;
    }
};

bool isLost(const SceneData& data, const btRigidBody& body) {
    const Vector3 place = fromBullet(body.getCenterOfMassPosition());
    if (!place.allFinite()) return true;
    return data.scene.ground && data.scene.up().dot(place) < data.scene.ground->height;
}

Vector3 momentumOf(const btRigidBody& body) {
    if (const btPliantBody* soft = btPliantBody::upcast(&body)) return fromBullet(soft->getLinearMomentum());
    return massOf(body) * fromBullet(body.getLinearVelocity());
}

constexpr int kKineticEnergy = 10, kStrainEnergy = 11;  ///< In the order of quantitiesOf().

/// J, kinetic or of the strain.
double energyOf(const SensorBodies& bodies, bool isKinetic) {
    double sum = 0.0;
    for (const btRigidBody* body : bodies.of) {
        if (!isPresent(*body)) continue;
        const btPliantBody* soft = btPliantBody::upcast(body);
        sum += isKinetic ? kineticEnergyOf(*body) : soft ? soft->getStrainEnergy() : 0.0;
    }
    return sum;
}

}  // namespace

void measureBodies(const SceneData& data, int sensor, const SensorBodies& bodies, double* numbers) {
    const bool wantsKinetic = data.clock->timeline.isRead(sensor, kKineticEnergy);
    const bool wantsStrain = data.clock->timeline.isRead(sensor, kStrainEnergy);
    Sums heavy, massless;
    double present = 0.0, lost = 0.0;
    for (const btRigidBody* body : bodies.of) {
        if (!isPresent(*body)) continue;
        present += 1.0;
        lost += isLost(data, *body) ? 1.0 : 0.0;
        const double mass = massOf(*body);
        if (mass > 0.0)
            heavy.add(mass, momentOf(*body), momentumOf(*body));
        else
            massless.add(1.0, fromBullet(body->getCenterOfMassPosition()), fromBullet(body->getLinearVelocity()));
    }
    const Sums& told = heavy.mass > 0.0 ? heavy : massless;
    const double share = told.mass > 0.0 ? 1.0 / told.mass : 0.0;
    numbers[0] = present;
    numbers[1] = lost;
    numbers[2] = heavy.mass;
    for (int i = 0; i < 3; ++i) {
        numbers[3 + i] = share * told.moment[i];
        numbers[6 + i] = share * told.impetus[i];
    }
    numbers[9] = share * told.impetus.norm();
    if (wantsKinetic) numbers[kKineticEnergy] = energyOf(bodies, true);
    if (wantsStrain) numbers[kStrainEnergy] = energyOf(bodies, false);
}

void measureUnread(SceneClock& clock, int sensor, int number) {
    const auto index = static_cast<std::size_t>(sensor);
    const bool isOfBodies = clock.timeline.description().sensors[index].kind == pliant::scene::SensorKind::Bodies;
    if (!isOfBodies || number < kKineticEnergy || clock.timeline.isRead(sensor, number)) return;
    clock.timeline.numbers(sensor)[number] = energyOf(clock.bodies[index], number == kKineticEnergy);
}

}  // namespace btPliantInternal
