// SPDX-License-Identifier: Zlib
#include "btPliantScene/EnergySensor.h"

#include <btBulletDynamicsCommon.h>

#include <cmath>

#include "btPliantScene/ScenePool.h"
#include "btPliantScene/btPliantConversions.h"

namespace btPliantInternal {
namespace {

using pliant::fromBullet;
using pliant::toBullet;
using pliant::Vector3;

}  // namespace

Vector3 momentOf(const btRigidBody& body) {
    const Vector3 centre = fromBullet(body.getCenterOfMassPosition());
    if (const btPliantBody* soft = btPliantBody::upcast(&body)) {
        const pliant::InertiaIntegrals& inertia = soft->getModel().inertia;
        Vector3 moment = inertia.mass * centre;
        if (inertia.translation.cols() > 0) {
            const Vector3 own = inertia.translation * soft->getReducedCoordinates();
            moment += fromBullet(soft->getWorldTransform().getBasis() * toBullet(own));
        }
        return moment;
    }
    if (!(body.getInvMass() > 0)) return Vector3::Zero();
    return centre / static_cast<double>(body.getInvMass());
}

double kineticEnergyOf(const btRigidBody& body) {
    if (const btPliantBody* soft = btPliantBody::upcast(&body)) return soft->getKineticEnergy();
    if (!(body.getInvMass() > 0)) return 0.0;
    const Vector3 turning = fromBullet(body.getAngularVelocity() * body.getWorldTransform().getBasis());
    const Vector3 inverse = fromBullet(body.getInvInertiaDiagLocal());
    double energy = 0.5 * massOf(body) * static_cast<double>(body.getLinearVelocity().length2());
    for (int k = 0; k < 3; ++k)
        if (inverse[k] > 0.0) energy += 0.5 * turning[k] * turning[k] / inverse[k];
    return energy;
}

namespace {

/// @return how many of the bodies are there
int sumEnergies(const SceneData& data, const std::vector<btRigidBody*>& bodies, double* numbers) {
    int present = 0;
    numbers[0] = numbers[1] = numbers[2] = 0.0;
    for (const btRigidBody* body : bodies) {
        if (!isPresent(*body)) continue;
        ++present;
        const btPliantBody* soft = btPliantBody::upcast(body);
        numbers[0] += kineticEnergyOf(*body);
        numbers[1] += soft ? soft->getStrainEnergy() : 0.0;
        numbers[2] -= data.scene.gravity.dot(momentOf(*body));
    }
    return present;
}

}  // namespace

double massOf(const btRigidBody& body) {
    if (const btPliantBody* soft = btPliantBody::upcast(&body)) return soft->getModel().totalMass();
    return body.getInvMass() > 0 ? 1.0 / static_cast<double>(body.getInvMass()) : 0.0;
}

void measureEnergy(SceneData& data, const pliant::scene::Sensor& sensor, SensorBodies& bodies, double* numbers) {
    const bool whole = sensor.of.empty();
    const std::vector<btRigidBody*> all = whole ? allBodies(data) : bodies.of;
    bool isThere = whole;
    if (whole) {
        const btPliantStats& stats = data.system.getStats();
        numbers[0] = stats.m_kineticEnergy;
        numbers[1] = stats.m_elasticEnergy;
        numbers[2] = stats.m_potentialEnergy;
    } else {
        isThere = sumEnergies(data, all, numbers) > 0;
    }
    double ground = 0.0;
    if (data.scene.ground)
        for (const btRigidBody* body : all)
            if (whole || isPresent(*body))
                ground += massOf(*body) * data.scene.gravity.norm() * data.scene.ground->height;
    numbers[2] -= ground;
    numbers[3] = numbers[0] + numbers[1] + numbers[2];
    if (!bodies.startEnergy && isThere) bodies.startEnergy = numbers[3];
    const double start = bodies.startEnergy.value_or(0.0);
    numbers[4] = start != 0.0 ? (numbers[3] - start) / std::abs(start) : 0.0;
}

}  // namespace btPliantInternal
