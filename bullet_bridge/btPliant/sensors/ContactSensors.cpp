// SPDX-License-Identifier: Zlib
// One pass over Bullet's manifolds for all sensors. It is made when all groups are solved and before Bullet moves the
// frames, so that points, centres of mass and impulses belong together; where Bullet's own solver has solved there is
// no such moment, and centres are taken back to where they were. Distributed contact has many points for each of its
// manifold's, which are read in their place: four equal shares tell neither a torque nor a region. Sums are in double
// precision and in the order of the manifolds, which a restored world has again.
#include "btPliant/sensors/ContactSensors.h"

#include <BulletCollision/NarrowPhaseCollision/btPersistentManifold.h>

#include <algorithm>
#include <cmath>

#include "btPliant/data/BodyData.h"
#include "btPliant/data/ContactPair.h"
#include "btPliant/data/Convert.h"
#include "btPliant/data/ManifoldPoint.h"
#include "btPliant/data/SensorData.h"
#include "btPliant/sensors/HandReadings.h"
#include "btPliant/sensors/SensorRegions.h"
#include "btPliant/sensors/SensorSums.h"

namespace btPliantInternal {

using pliant::Vector3;

namespace {

/// The two objects of a manifold, and which of its contacts each watching sensor takes.
struct SensedManifold {
    const btPersistentManifold& manifold;
    const btPliantBody* reduced[2];
    const ContactPair* touching = nullptr;  ///< Its pair where that is of distributed contact and presses.
    double moved = 0.0;  ///< Time that frames have moved by since it was solved, s: of Bullet's solver.

    explicit SensedManifold(const btPersistentManifold& of)
        : manifold(of), reduced{btPliantBody::upcast(of.getBody0()), btPliantBody::upcast(of.getBody1())} {}
    /// Centre of mass of a side where its contacts were solved. What sleeps or stands still has not moved.
    btVector3 centre(int side) const {
        const btVector3& now = object(side)->getWorldTransform().getOrigin();
        const btRigidBody* body = btRigidBody::upcast(object(side));
        const CharacterData* character = reduced[side] ? dataOf(*reduced[side]).character.get() : nullptr;
        if (moved > 0.0 && character && !character->ragdoll)  // a pose moves it, whatever its velocity is
            return toBullet(character->origin(character->previousBones));
        if (!(moved > 0.0) || !body || body->isStaticOrKinematicObject() || !body->isActive()) return now;
        return now - body->getLinearVelocity() * static_cast<btScalar>(moved);
    }
    const btCollisionObject* object(int side) const { return side == 0 ? manifold.getBody0() : manifold.getBody1(); }

    /// Of the thinner reduced side, m; 1e30 where there is none.
    double smallerRadius(const btManifoldPoint& point) const {
        double radius = 1e30;
        for (int side = 0; side < 2; ++side)
            if (reduced[side])
                radius =
                    std::min(radius, segmentRadius(reduced[side]->getModel().skeleton,
                                                   side == 0 ? point.m_index0 : point.m_index1,
                                                   decodeParameter(side == 0 ? point.m_partId0 : point.m_partId1)));
        return radius;
    }
    /// Where the impulse of a point acts on both objects.
    void applicationPoints(const btManifoldPoint& point, btVector3& on0, btVector3& on1) const {
        on0 = point.getPositionWorldOnA();
        on1 = point.getPositionWorldOnB();
        // Bullet's own rows act at the points themselves.
        if ((reduced[0] || reduced[1]) && !(moved > 0.0))
            btPliantInternal::applicationPoints(point, smallerRadius(point), on0, on1);
    }
    /// Whether the material of a side is in a region.
    bool isInside(const SensorRegion* region, const btManifoldPoint& point, int side) const {
        if (!region) return true;
        const pliant::ContactSkeleton& skeleton = reduced[side]->getModel().skeleton;
        const int segment = side == 0 ? point.m_index0 : point.m_index1;
        const int part = side == 0 ? point.m_partId0 : point.m_partId1;
        const int end = decodeParameter(part) > 0.5f ? 1 : 0;
        return (*region->spheres)[static_cast<std::size_t>(skeleton.segments(end, segment))] != 0;
    }
};

btPliantContactReading readPoint(const SensedManifold& sensed, const btManifoldPoint& point, int side,
                                 const btVector3& position) {
    const btScalar sign = side == 0 ? btScalar(1) : btScalar(-1);
    btPliantContactReading reading;
    reading.m_body = sensed.object(side);
    reading.m_other = sensed.object(1 - side);
    reading.m_position = position;
    reading.m_normal = point.m_normalWorldOnB * sign;
    reading.m_distance = point.getDistance();
    reading.m_normalImpulse = point.m_appliedImpulse;
    reading.m_frictionImpulse = (point.m_lateralFrictionDir1 * point.m_appliedImpulseLateral1 +
                                 point.m_lateralFrictionDir2 * point.m_appliedImpulseLateral2) *
                                sign;
    reading.m_splitImpulse = sensed.reduced[0] || sensed.reduced[1] ? splitImpulseOf(point) : btScalar(0);
    return reading;
}

/// The same of a point of distributed contact, whose pair's body `a` is at side 0 or, swapped, at side 1.
btPliantContactReading readGiven(const SensedManifold& sensed, const TouchRole::Given& given, int side) {
    const bool isA = sensed.object(side) == static_cast<const btCollisionObject*>(&sensed.touching->a);
    const btScalar sign = isA ? btScalar(1) : btScalar(-1);
    btPliantContactReading reading;
    reading.m_body = sensed.object(side);
    reading.m_other = sensed.object(1 - side);
    reading.m_position = toBullet(given.place);
    reading.m_normal = toBullet(given.normal) * sign;
    reading.m_distance = static_cast<btScalar>(-given.depth);
    reading.m_normalImpulse = static_cast<btScalar>(given.normalImpulse);
    reading.m_frictionImpulse = toBullet(given.friction) * sign;
    return reading;
}

/// Whether the material of a side is in a region, at a point of distributed contact.
bool isGivenInside(const SensedManifold& sensed, const SensorSide& watched, const btPliantContactSensorInfo& info,
                   const TouchRole& role, const TouchRole::Given& given, int side) {
    if (!watched.region) return true;
    const bool isA = sensed.object(side) == static_cast<const btCollisionObject*>(&sensed.touching->a);
    const Vector3 rest = isA == role.shellIsA ? role.query->placed().shell().restPoint(given.point) : given.fieldRest;
    return isInRegion(*sensed.reduced[side], *watched.region, info, rest);
}

/// The angular impulse about the centre of mass of the watched object, N m s.
Vector3 angularImpulse(const btPliantContactReading& reading, const btVector3& centre, const Vector3& impulse) {
    return toEigen(btVector3(reading.m_position - centre)).cross(impulse);
}

/// What a sensor takes of a manifold. @param hit[k] the sensor as it watches side k; null: it does not
void addPoints(const SensedManifold& sensed, const SensorSide* const (&hit)[2], SensorData& sensor) {
    bool watches[2];
    const auto angular = [&](int side, const btPliantContactReading& reading, const Vector3& impulse) {
        return angularImpulse(reading, sensed.centre(side), impulse);
    };
    if (sensed.touching) {
        for (const TouchRole& role : sensed.touching->touch->roles)
            for (const TouchRole::Given& given : role.given) {
                for (int k = 0; k < 2; ++k)
                    watches[k] = hit[k] && isGivenInside(sensed, *hit[k], sensor.info, role, given, k);
                addToSensor(
                    watches, [&](int side) { return readGiven(sensed, given, side); }, angular, sensor);
            }
        return;
    }
    for (int i = 0; i < sensed.manifold.getNumContacts(); ++i) {
        const btManifoldPoint& point = sensed.manifold.getContactPoint(i);
        for (int k = 0; k < 2; ++k) watches[k] = hit[k] && sensed.isInside(hit[k]->region, point, k);
        btVector3 on[2];
        sensed.applicationPoints(point, on[0], on[1]);
        addToSensor(
            watches, [&](int side) { return readPoint(sensed, point, side, on[side]); }, angular, sensor);
    }
}

/// All points of a manifold, for the sensors that watch `side`, and both sides where they watch these.
void addManifold(const SensedManifold& sensed, int side, SystemData& system) {
    const SensorHits mine = hitsOf(system.sensorIndex.of, sensed.object(side));
    if (mine.first == mine.last) return;
    const SensorHits others = hitsOf(system.sensorIndex.of, sensed.object(1 - side));
    const SensorHits with = hitsOf(system.sensorIndex.with, sensed.object(1 - side));
    const SensorHits withMine = hitsOf(system.sensorIndex.with, sensed.object(side));
    for (auto hit = mine.first; hit != mine.last; ++hit) {
        SensorData& sensor = dataOf(*system.sensors[static_cast<std::size_t>(hit->sensor)]);
        const bool all = sensor.info.m_with.empty();
        const SensorSide* other = all || withMine.of(hit->sensor) ? others.of(hit->sensor) : nullptr;
        const bool taken = all || with.of(hit->sensor);
        if (!taken || (side == 1 && other)) continue;  // those that watch both have come with side 0
        const SensorSide* watching[2] = {};
        watching[side] = &*hit;
        watching[1 - side] = other;
        addPoints(sensed, watching, sensor);
    }
}

/// The pairs of distributed contact that press, by their manifolds.
using Touching = std::vector<std::pair<const btPersistentManifold*, const ContactPair*>>;

void listTouching(const SystemData& system, Touching& touching) {
    touching.clear();
    if (!system.solver) return;  // Bullet's own solves the manifolds' points
    for (const ContactPair* pair : system.pairs) {
        if (!pair->touch || pair->manifolds.empty()) continue;
        if (!pair->a.hasContactResponse() || !pair->other->hasContactResponse()) continue;  // it is not solved
        bool presses = false;
        for (const TouchRole& role : pair->touch->roles) presses |= !role.given.empty();
        if (presses) touching.emplace_back(pair->manifolds.front(), pair);
    }
    std::sort(touching.begin(), touching.end());
}

const ContactPair* touchingPair(const Touching& touching, const btPersistentManifold& manifold) {
    const auto found = std::lower_bound(touching.begin(), touching.end(), &manifold,
                                        [](const auto& entry, const auto* sought) { return entry.first < sought; });
    return found != touching.end() && found->first == &manifold ? found->second : nullptr;
}

void filter(double timeConstant, double step, SensorNumbers& numbers) {
    numbers.step = step;
    if (!(step > 0)) return;
    const double share = timeConstant > 0 ? -std::expm1(-step / timeConstant) : 1.0;
    numbers.filteredForce += share * (numbers.sums.impulse / step - numbers.filteredForce);
    numbers.filteredTorque += share * (numbers.sums.angularImpulse / step - numbers.filteredTorque);
    numbers.filteredNormalForce += share * (numbers.sums.normal / step - numbers.filteredNormalForce);
    numbers.accumulatedImpulse += numbers.sums.impulse;
    numbers.accumulatedSeconds += step;
}

}  // namespace

void indexSensors(SystemData& system) {
    SensorIndex& index = system.sensorIndex;
    index.of.clear();
    index.with.clear();
    for (std::size_t s = 0; s < system.sensors.size(); ++s) {
        const SensorData& sensor = dataOf(*system.sensors[s]);
        for (std::size_t i = 0; i < sensor.info.m_of.size(); ++i)
            index.of.push_back(
                {sensor.info.m_of[i], static_cast<int>(s), sensor.regions.empty() ? nullptr : &sensor.regions[i]});
        for (const btCollisionObject* object : sensor.info.m_with)
            index.with.push_back({object, static_cast<int>(s), nullptr});
    }
    for (std::vector<SensorSide>* sides : {&index.of, &index.with})
        std::sort(sides->begin(), sides->end(), [](const SensorSide& x, const SensorSide& y) {
            if (x.object != y.object) return std::less<const btCollisionObject*>()(x.object, y.object);
            return x.sensor < y.sensor;
        });
}

void measureContacts(SystemData& system, double step) {
    if (system.sensors.empty()) return;
    for (const auto& sensor : system.sensors) {
        dataOf(*sensor).readings.clear();
        dataOf(*sensor).numbers.sums = ContactSums();
    }
    static thread_local Touching touching;  // kept, so that a step allocates nothing
    listTouching(system, touching);
    btDispatcher& dispatcher = *system.world->getDispatcher();
    for (int m = 0; m < dispatcher.getNumManifolds(); ++m) {
        const btPersistentManifold& manifold = *dispatcher.getManifoldByIndexInternal(m);
        if (manifold.getNumContacts() == 0) continue;
        SensedManifold sensed(manifold);
        sensed.touching = touchingPair(touching, manifold);
        sensed.moved = system.solver ? 0.0 : step;
        addManifold(sensed, 0, system);
        addManifold(sensed, 1, system);
    }
    addHandReadings(system, step);
    for (const auto& sensor : system.sensors)
        filter(dataOf(*sensor).info.m_timeConstant, step, dataOf(*sensor).numbers);
}

}  // namespace btPliantInternal
