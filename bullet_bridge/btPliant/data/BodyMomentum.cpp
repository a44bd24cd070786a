// SPDX-License-Identifier: Zlib
#include "btPliant/data/BodyMomentum.h"

#include <Eigen/Geometry>
#include <Eigen/LU>

#include "btPliant/data/Convert.h"

namespace btPliantInternal {

using pliant::Matrix3;
using pliant::Vector3;

void updateMomentum(BodyData& data) {
    const btMatrix3x3& basis = data.body->getWorldTransform().getBasis();
    const btVector3& omega = data.body->getAngularVelocity();
    if (data.momentumIsKnown && omega == data.momentumVelocity && basis == data.momentumBasis) return;
    const Matrix3 A = toEigen(basis);
    data.angularMomentum = data.handInertia > 0.0
                               ? Vector3(data.handInertia * toEigen(omega))
                               : Vector3(A * data.batch().angularMomentum(data.slot, A.transpose() * toEigen(omega)));
    data.momentumVelocity = omega;
    data.momentumBasis = basis;
    data.momentumIsKnown = true;
}

void updateInertia(BodyData& data) {
    if (data.handInertia > 0.0) {
        data.inverseInertia = Matrix3::Identity() / data.handInertia;
        data.modalAngularMomentum.setZero();
        return;
    }
    data.inverseInertia = data.batch().inertia(data.slot).inverse();
    data.modalAngularMomentum = data.batch().modalAngularMomentum(data.slot);
}

void respondTo(const BodyData& data, int count, const double* angular, const double* modal, double* turns,
               double* bends) {
    data.batch().responses(data.slot, count, angular, modal, turns, bends);
    if (!(data.handInertia > 0.0)) return;
    for (int i = 0; i < 3 * count; ++i) turns[i] = angular[i] / data.handInertia;
}

void updateAngularVelocity(BodyData& data) {
    const btMatrix3x3& basis = data.body->getWorldTransform().getBasis();
    const Matrix3 A = toEigen(basis);
    const Vector3 W = data.inverseInertia * (A.transpose() * data.angularMomentum - data.modalAngularMomentum);
    data.body->setAngularVelocity(toBullet(A * W) * data.body->getAngularFactor());
    data.momentumVelocity = data.body->getAngularVelocity();
    data.momentumBasis = basis;
    data.momentumIsKnown = data.body->getAngularFactor() == btVector3(1, 1, 1);
}

void updateMidstepAngularVelocity(BodyData& data, double h) {
    if (data.body->getAngularFactor() != btVector3(1, 1, 1)) return;
    const Matrix3 A = toEigen(data.body->getWorldTransform().getBasis());
    Vector3 omega = A * (data.inverseInertia * (A.transpose() * data.angularMomentum - data.modalAngularMomentum));
    for (int iteration = 0; iteration < 3; ++iteration) {
        const double angle = 0.5 * h * omega.norm();
        if (angle < 1e-9) break;
        const Matrix3 middle = Eigen::AngleAxisd(angle, omega.normalized()) * A;
        omega =
            middle * (data.inverseInertia * (middle.transpose() * data.angularMomentum - data.modalAngularMomentum));
    }
    data.body->setAngularVelocity(toBullet(omega));
}

void settleEnergy(BodyData& data) {
    if (!data.batch().wasStruck(data.slot)) return;
    if (!data.frameIsFree || data.handInertia > 0.0) {
        data.batch().settleEnergy(data.slot, Vector3::Zero());
        return;
    }
    const Matrix3 A = toEigen(data.body->getWorldTransform().getBasis());
    data.batch().settleEnergy(data.slot, data.batch().angularVelocity(data.slot, A.transpose() * data.angularMomentum));
}

}  // namespace btPliantInternal
