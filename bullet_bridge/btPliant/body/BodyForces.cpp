// SPDX-License-Identifier: Zlib
// Forces, impulses and positions at material points.
#include <Eigen/Geometry>
#include <algorithm>

#include "btPliant/body/CharacterPoses.h"
#include "btPliant/body/Ragdolls.h"
#include "btPliant/data/BodyCollision.h"
#include "btPliant/data/BodyMomentum.h"
#include "btPliant/data/BodyPlace.h"
#include "btPliant/data/Convert.h"
#include "btPliant/data/Sound.h"
#include "btPliant/data/SystemData.h"

using btPliantInternal::BodyData;
using btPliantInternal::isFinite;
using btPliantInternal::PointForce;
using btPliantInternal::toBullet;
using btPliantInternal::toEigen;
using pliant::MaterialPoint;
using pliant::Matrix3;
using pliant::Vector3;

namespace {

/// Where a material point rests in the body frame, metres.
Vector3 restPoint(const BodyData& data, const MaterialPoint& point) {
    Vector3 mesh = Vector3::Zero();
    for (std::size_t c = 0; c < point.vertex.size(); ++c)
        if (point.weight[c] != 0.0) mesh += point.weight[c] * data.model().mesh.positions.col(point.vertex[c]);
    return data.model().meshFromBody.inversePoint(mesh);
}

/// Deformed position of a material point in the body frame, metres.
Vector3 bodyPoint(const BodyData& data, const MaterialPoint& point) {
    return restPoint(data, point) + data.batch().displacement(data.slot, point);
}

}  // namespace

MaterialPoint btPliantBody::locate(const btVector3& restPoint) const {
    const btVector3 point = isFinite(restPoint) ? restPoint : btVector3(0, 0, 0);
    return m_data->group->locator->locate(toEigen(point));
}

btVector3 btPliantBody::getRestPoint(int triangle, const btVector3& worldPoint) const {
    const pliant::ReducedModel& model = getModel();
    if (triangle < 0 || triangle >= model.surface.triangles.cols()) return getMeshTransform().invXform(worldPoint);
    const Eigen::VectorXf q = getReducedCoordinates().cast<float>();
    Matrix3 rest, now;
    for (int c = 0; c < 3; ++c) {
        const int vertex = model.surface.triangles(c, triangle);
        rest.col(c) = model.surface.positions.col(vertex);
        now.col(c) = rest.col(c) + (model.surfaceBasis.middleRows<3>(3 * vertex) * q).cast<double>();
    }
    if (m_data->character) {
        btPliantInternal::updateCollision(*const_cast<btPliantBody*>(this)->m_data);
        for (int c = 0; c < 3; ++c)
            now.col(c) = centreOf(m_data->deformed->vertex(model.surface.triangles(c, triangle)));
    }
    // Barycentric coordinates, least squares in the triangle's plane.
    const Vector3 offset = toEigen(getWorldTransform().invXform(worldPoint)) - now.col(0);
    const Vector3 a = now.col(1) - now.col(0), b = now.col(2) - now.col(0);
    const double aa = a.squaredNorm(), ab = a.dot(b), bb = b.squaredNorm(), size = aa * bb - ab * ab;
    const double u = size > 0.0 ? (bb * a.dot(offset) - ab * b.dot(offset)) / size : 0.0;
    const double v = size > 0.0 ? (aa * b.dot(offset) - ab * a.dot(offset)) / size : 0.0;
    const Vector3 point = rest * Vector3(1.0 - u - v, u, v);
    return toBullet(model.meshFromBody.point(point));
}

void btPliantBody::applyForceAt(const btVector3& restPoint, const btVector3& force) {
    if (!isFinite(restPoint)) return btPliantInternal::refuse(*m_data);
    applyForceAt(locate(restPoint), force);
}
void btPliantBody::applyImpulseAt(const btVector3& restPoint, const btVector3& impulse) {
    if (!isFinite(restPoint)) return btPliantInternal::refuse(*m_data);
    applyImpulseAt(locate(restPoint), impulse);
}
btVector3 btPliantBody::getPointPosition(const btVector3& restPoint) const {
    return getPointPosition(locate(restPoint));
}
btVector3 btPliantBody::getPointVelocity(const btVector3& restPoint) const {
    return getPointVelocity(locate(restPoint));
}

void btPliantBody::applyForceAt(const MaterialPoint& point, const btVector3& force) {
    activate(true);
    m_data->pointForces.push_back(PointForce{point, force, false});
    if (m_data->frameIsFree) applyForce(force, getPointPosition(point) - getCenterOfMassPosition());
}

void btPliantBody::applyImpulseAt(const MaterialPoint& point, const btVector3& impulse) {
    if (!isFinite(impulse)) return btPliantInternal::refuse(*m_data);
    activate(true);
    if (m_data->ragdoll()) return btPliantInternal::pushRagdoll(*m_data, point, toEigen(impulse));
    const Matrix3 A = btPliantInternal::turnOf(*m_data, point);
    if (!m_data->frameIsFree) {
        m_data->batch().addImpulseAt(m_data->slot, point, A.transpose() * toEigen(impulse));
        m_data->collisionIsOutdated = true;
        return;
    }
    btPliantInternal::updateMomentum(*m_data);
    const Vector3 arm = A * bodyPoint(*m_data, point);
    m_data->batch().addImpulseAt(m_data->slot, point, A.transpose() * toEigen(impulse));
    m_data->angularMomentum += arm.cross(toEigen(impulse));
    m_data->collisionIsOutdated = true;
    setLinearVelocity(getLinearVelocity() + impulse * getInvMass() * getLinearFactor());
    btPliantInternal::updateInertia(*m_data);
    btPliantInternal::updateAngularVelocity(*m_data);
}

btVector3 btPliantBody::getPointPosition(const MaterialPoint& point) const {
    if (m_data->character) {
        const btPliantInternal::Carriers carriers(*m_data->character->model, point);
        const pliant::AffineMap map = carriers.map(m_data->character->bones);
        const Vector3 bent =
            carriers.turn(m_data->character->bones) * m_data->batch().displacement(m_data->slot, point);
        return toBullet(map.leftCols<3>() * restPoint(*m_data, point) + map.col(3) + bent);
    }
    return getWorldTransform() * toBullet(bodyPoint(*m_data, point));
}

btVector3 btPliantBody::getPointVelocity(const MaterialPoint& point) const {
    if (m_data->character) {
        const btPliantInternal::Carriers carriers(*m_data->character->model, point);
        const btPliantInternal::CharacterData& c = *m_data->character;
        const btPliantInternal::BoneRates rates{c};
        const pliant::AffineMap rate = carriers.map(rates);
        const Vector3 u = m_data->batch().displacement(m_data->slot, point);
        return toBullet(rate.leftCols<3>() * restPoint(*m_data, point) + rate.col(3) +
                        carriers.turnRate(c.bones, rates) * u +
                        carriers.turn(c.bones) * m_data->batch().deformationVelocity(m_data->slot, point));
    }
    const btMatrix3x3& basis = getWorldTransform().getBasis();
    const btVector3 arm = basis * toBullet(bodyPoint(*m_data, point));
    return getVelocityInLocalPoint(arm) + basis * toBullet(m_data->batch().deformationVelocity(m_data->slot, point));
}
