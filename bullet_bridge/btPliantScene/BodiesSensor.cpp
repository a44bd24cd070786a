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

}  // namespace

void measureBodies(const SceneData& data, int sensor, const SensorBodies& bodies, double* numbers) {
    constexpr int kineticEnergy = 10, strainEnergy = 11;  // in the order of quantitiesOf()
    const bool wantsKinetic = data.clock->timeline.isRead(sensor, kineticEnergy);
    const bool wantsStrain = data.clock->timeline.isRead(sensor, strainEnergy);
    Sums heavy, massless;
    double present = 0.0, lost = 0.0, kinetic = 0.0, strain = 0.0;
    for (const btRigidBody* body : bodies.of) {
        if (!isPresent(*body)) continue;
        present += 1.0;
        lost += isLost(data, *body) ? 1.0 : 0.0;
        const double mass = massOf(*body);
        if (mass > 0.0)
            heavy.add(mass, momentOf(*body), momentumOf(*body));
        else
            massless.add(1.0, fromBullet(body->getCenterOfMassPosition()), fromBullet(body->getLinearVelocity()));
        if (wantsKinetic) kinetic += kineticEnergyOf(*body);
        const btPliantBody* soft = wantsStrain ? btPliantBody::upcast(body) : nullptr;
        if (soft) strain += soft->getStrainEnergy();
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
    numbers[kineticEnergy] = kinetic;
    numbers[strainEnergy] = strain;
}

}  // namespace btPliantInternal
