// SPDX-License-Identifier: Zlib
// Internal: Bullet's numbers in a saved state, as doubles in both precisions.
#pragma once

#include <BulletCollision/NarrowPhaseCollision/btManifoldPoint.h>
#include <LinearMath/btTransform.h>

#include <cmath>
#include <limits>

#include "btPliant/data/Convert.h"
#include "pliant/runtime/snapshot/StateBlob.h"

namespace btPliantInternal {

/// Writes what it is shown.
struct PutNumbers {
    pliant::StateWriter& out;
    void operator()(btScalar x) const { out.put(static_cast<double>(x)); }
    void operator()(int x) const { out.put(static_cast<std::int32_t>(x)); }
    void operator()(bool x) const { out.put(static_cast<std::uint8_t>(x)); }
    void operator()(const btVector3& v) const {
        for (int k = 0; k < 3; ++k) (*this)(v[k]);
    }
    void operator()(const btMatrix3x3& m) const {
        for (int k = 0; k < 3; ++k) (*this)(m[k]);
    }
    void operator()(const btTransform& t) const {
        (*this)(t.getBasis());
        (*this)(t.getOrigin());
    }
    void operator()(const pliant::Vector3& v) const { out.put(v.data(), 3); }
};

/// Reads into what it is shown.
struct GetNumbers {
    pliant::StateReader& in;
    void operator()(btScalar& x) const {
        double value = 0;
        in.get(&value, 1);
        // A finite double may be an infinite float.
        if (!(std::abs(value) <= static_cast<double>(std::numeric_limits<btScalar>::max())))
            in.fail(pliant::StateStatus::BadNumber);
        x = in.ok() ? static_cast<btScalar>(value) : btScalar(0);
    }
    void operator()(int& x) const { x = in.get<std::int32_t>(); }
    void operator()(bool& x) const { x = in.getFlag(); }
    void operator()(btVector3& v) const {
        v.setValue(0, 0, 0);
        for (int k = 0; k < 3; ++k) (*this)(v[k]);
    }
    void operator()(btMatrix3x3& m) const {
        for (int k = 0; k < 3; ++k) (*this)(m[k]);
    }
    void operator()(btTransform& t) const {
        (*this)(t.getBasis());
        (*this)(t.getOrigin());
    }
    void operator()(pliant::Vector3& v) const { in.get(v.data(), 3); }
};

inline bool isRotation(const btMatrix3x3& m) {
    const pliant::Matrix3 R = toEigen(m);
    return (R.transpose() * R - pliant::Matrix3::Identity()).norm() < 1e-3;
}

/// Every number of a contact point but the user's pointer.
template <typename Point, typename Visit>
void visitPoint(Point& p, const Visit& visit) {
    for (auto* v : {&p.m_localPointA, &p.m_localPointB, &p.m_positionWorldOnB, &p.m_positionWorldOnA,
                    &p.m_normalWorldOnB, &p.m_lateralFrictionDir1, &p.m_lateralFrictionDir2})
        visit(*v);
    for (auto* x : {&p.m_distance1, &p.m_combinedFriction, &p.m_combinedRollingFriction, &p.m_combinedSpinningFriction,
                    &p.m_combinedRestitution, &p.m_appliedImpulse, &p.m_prevRHS, &p.m_appliedImpulseLateral1,
                    &p.m_appliedImpulseLateral2, &p.m_contactMotion1, &p.m_contactMotion2, &p.m_contactCFM,
                    &p.m_contactERP, &p.m_frictionCFM})
        visit(*x);
    for (auto* i : {&p.m_partId0, &p.m_partId1, &p.m_index0, &p.m_index1, &p.m_contactPointFlags, &p.m_lifeTime})
        visit(*i);
}

}  // namespace btPliantInternal
