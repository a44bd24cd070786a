// SPDX-License-Identifier: Zlib
/// @file
/// What presses on bodies: contact impulses and forces, point by point and in sum, raw and filtered.
#pragma once

#include <LinearMath/btVector3.h>

#include <memory>
#include <string>
#include <vector>

#include "pliant/math/Api.h"

namespace btPliantInternal {
struct Access;
}  // namespace btPliantInternal

class btCollisionObject;
class btPliantSystem;

/// Which contacts a sensor looks at. Objects are compared by address only, and may be removed or deleted before it.
struct btPliantContactSensorInfo {
    /// The watched side: reduced bodies and Bullet's own objects; at least one. Impulses and forces are those that act
    /// on it.
    std::vector<const btCollisionObject*> m_of;
    /// The other side; empty: whatever the watched side touches, itself included.
    std::vector<const btCollisionObject*> m_with;
    /// A material of the model (pliant::VolumeMesh::materials): contacts count only where the watched body is of it.
    /// Empty: all of them. With a material or a box, m_of holds reduced bodies alone.
    std::string m_material;
    /// Two corners of a box along the axes of the mesh frame, m: contacts count only where the watched body's material
    /// lies in it at rest. The first corner is the lower one; equal corners (the default) mean no box.
    btVector3 m_lower = btVector3(0, 0, 0);
    /// The upper corner of that box, m.
    btVector3 m_upper = btVector3(0, 0, 0);
    /// Time constant of the filtered forces, s: after a jump they have come 63 % of the way in this time. 0: filtered
    /// forces are the raw ones.
    double m_timeConstant = 0.05;
};

/// One contact point of the last substep, as the watched side sees it; world frame.
struct btPliantContactReading {
    const btCollisionObject* m_body = nullptr;   ///< The watched object.
    const btCollisionObject* m_other = nullptr;  ///< What touches it.
    btVector3 m_position = btVector3(0, 0, 0);   ///< Where the impulse acts on the watched object, m.
    btVector3 m_normal = btVector3(0, 0, 0);     ///< Unit; out of the other, the way that the watched one is pushed.
    /// Metres between the surfaces when the contact was found, and of distributed contact at the end of the substep;
    /// negative: penetration. Contacts of fast bodies (continuous collision) carry an impulse at positive distances.
    btScalar m_distance = 0;
    btScalar m_normalImpulse = 0;                      ///< N s, along the normal; restitution included.
    btVector3 m_frictionImpulse = btVector3(0, 0, 0);  ///< N s, on the watched object, across the normal.
    /// Impulse along the normal by which penetration was taken back, kg m/s. It moves bodies without giving them
    /// velocity, and is no part of any force. Contacts between two of Bullet's own bodies do not tell it: 0.
    btScalar m_splitImpulse = 0;
    /// Both sides are watched: the contact counts once, and its forces cancel in the sums.
    bool m_isInternal = false;

    /// The whole impulse on the watched object, N s.
    btVector3 getImpulse() const { return m_normal * m_normalImpulse + m_frictionImpulse; }
};

/// Measures in every substep what presses on bodies; made and owned by a btPliantSystem.
///
///     btPliantContactSensorInfo info;
///     info.m_of = {foot};
///     btPliantContactSensor* sensor = pliantSystem.createContactSensor(info);
///     ... world.stepSimulation(dt) ...
///     btVector3 weight = sensor->getForce();
///
/// All numbers are those of the last substep but for the filtered and the accumulated ones, which every substep adds
/// to. Impulses are what the solver gave: what two bodies do to each other is equal and opposite to the last bit, and a
/// body on which nothing else acts gains just the impulse. (Where two free bodies take back penetration or touch on
/// their way, a turn of the pair about its centre keeps angular momentum; it belongs to no contact.) Bodies that sleep
/// go on with the impulses that they fell asleep with.
class PLIANT_API btPliantContactSensor {
public:
    /// Called by btPliantSystem::destroyContactSensor() and by the system's destructor. The system owns its sensors: to
    /// delete one directly frees it twice, other than with bodies.
    ~btPliantContactSensor();
    btPliantContactSensor(const btPliantContactSensor&) = delete;
    btPliantContactSensor& operator=(const btPliantContactSensor&) = delete;

    /// What the sensor was made with.
    const btPliantContactSensorInfo& getInfo() const;
    /// Every contact point, those without an impulse too, in the order of Bullet's manifolds; of distributed contact
    /// every point that presses, which may be thousands; then those of hands beside the world (btPliantHandThread).
    /// Valid until the next substep.
    const std::vector<btPliantContactReading>& getContacts() const;

    /// The number of points that carry an impulse.
    int getCount() const;
    /// The impulse on the watched side, world frame, N s: normal and friction of all points.
    btVector3 getImpulse() const;
    /// The friction's part of getImpulse(), N s.
    btVector3 getFrictionImpulse() const;
    /// The normal impulses of all points, summed as numbers without direction, N s.
    double getNormalImpulse() const;
    /// The split impulses of all points, summed as numbers without direction, kg m/s; no part of any force.
    double getSplitImpulse() const;
    /// How deep the deepest of the points with an impulse is, m; 0 where none is inside.
    double getDepth() const;
    /// The force on the watched side, world frame, N: getImpulse() by the length of the substep.
    btVector3 getForce() const;
    /// The torque on the watched side, world frame, N m: of each contact about the centre of mass of the body that it
    /// acts on. Without the torques of rolling and spinning friction.
    btVector3 getTorque() const;

    /// Gives getForce() through a filter of first order (m_timeConstant), N; at first 0.
    btVector3 getFilteredForce() const;
    /// Gives getTorque() through the same filter, N m.
    btVector3 getFilteredTorque() const;
    /// Gives getNormalImpulse() by the length of the substep, through the same filter, N.
    double getFilteredNormalForce() const;
    /// Sets the time constant of the filter from the next substep on.
    /// @param seconds at least 0; anything else changes nothing
    void setTimeConstant(double seconds);

    /// Gives getImpulse() summed over all substeps since resetAccumulated(), N s.
    btVector3 getAccumulatedImpulse() const;
    /// The time of these substeps, s.
    double getAccumulatedSeconds() const;
    /// Starts new sums.
    void resetAccumulated();

private:
    friend struct btPliantInternal::Access;
    struct PLIANT_HIDDEN Data;
    Data& data() { return *m_data; }
    const Data& data() const { return *m_data; }
    friend class btPliantSystem;
    explicit btPliantContactSensor(std::unique_ptr<Data> data);
    std::unique_ptr<Data> m_data;
};
