// SPDX-License-Identifier: Zlib
// Fewer coordinates for bodies that nobody looks at closely. Those beyond fade in the full batch, step by step; what
// that would gain in strain energy (they are the derivatives that let a bent body be bent) is taken from q' first, then
// from q. The angular momentum stays what it is.
#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h>

#include <algorithm>
#include <cmath>

#include "btPliant/body/Convert.h"
#include "btPliant/btPliantDetail.h"
#include "btPliant/step/SystemData.h"

using btPliantInternal::toEigen;

namespace {

constexpr double kFadeTime = 0.03;    ///< s
constexpr double kLongestFade = 0.3;  ///< s; then the rest goes at once

}  // namespace

int btPliantBody::getDetail() const {
    return m_data->detail;
}

void btPliantBody::setDetail(int coordinates) {
    const int wanted = std::clamp(coordinates, 1, getModel().dimension());
    if (wanted == m_data->detail) return;
    m_data->detail = wanted;
    m_data->fadeElapsed = 0;
    // Up at once: the new coordinates are zero, nothing jumps. Down by fadeDetail().
    if (wanted > m_data->model().dimension()) {
        btPliantSystem::Data& system = m_data->system->data();
        m_data->moveTo(system.groupFor(system.truncatedModel(m_data->fullModel, wanted), getSettings()));
    }
}

double btPliantBody::Data::innerEnergy() const {
    pliant::Vector3 W = pliant::Vector3::Zero();
    if (frameIsFree) {
        const pliant::Matrix3 A = toEigen(body->getWorldTransform().getBasis());
        W = batch().angularVelocity(slot, A.transpose() * angularMomentum);
    }
    return batch().strainEnergy(slot) + batch().kineticEnergy(slot, pliant::Vector3::Zero(), W);
}

void btPliantBody::Data::limitEnergy(double allowed) {
    if (innerEnergy() <= allowed) return;
    // Largest share of `state` that the energy allows, by bisection: 2^-20 of the state is as good as nothing.
    const auto shrink = [&](pliant::VectorView state) {
        const pliant::VectorX before = state;
        double low = 0.0, high = 1.0;
        const auto at = [&](double share) {
            state = share * before;
            batch().resetAcceleration(slot);
            return innerEnergy() <= allowed;
        };
        for (int i = 0; i < 20; ++i) {
            const double middle = 0.5 * (low + high);
            (at(middle) ? low : high) = middle;
        }
        return at(low);
    };
    if (!shrink(batch().velocity(slot))) shrink(batch().q(slot));
}

void btPliantBody::Data::fadeDetail(double h) {
    const Eigen::Index r = model().dimension(), beyond = r - detail;
    if (beyond <= 0) return;
    const double before = innerEnergy();
    fadeElapsed += h;
    const double share = fadeElapsed >= kLongestFade ? 0.0 : std::exp(-h / kFadeTime);
    batch().q(slot).tail(beyond) *= share;
    batch().velocity(slot).tail(beyond) *= share;
    const double left = batch().q(slot).tail(beyond).norm();
    const bool gone = share == 0.0 || left <= 1e-4 * batch().q(slot).norm();
    if (gone) {
        batch().q(slot).tail(beyond).setZero();
        batch().velocity(slot).tail(beyond).setZero();
    }
    batch().resetAcceleration(slot);
    limitEnergy(before);
    if (gone) {
        btPliantSystem::Data& all = system->data();
        moveTo(all.groupFor(all.truncatedModel(fullModel, detail), batch().settings()));
    }
    collisionIsOutdated = true;
    if (frameIsFree) updateInertia();
}

int btPliantChooseDetail(const btPliantBody& body, const btPliantViewer& viewer, const btPliantDetailPolicy& policy) {
    const int r = body.getModel().dimension(), least = std::clamp(policy.m_least, 1, r);
    if (policy.m_quietEnergy > 0) {
        const double moving = 0.5 * body.getReducedVelocities().squaredNorm();
        if (moving + body.getStrainEnergy() < policy.m_quietEnergy * body.getModel().totalMass()) return least;
    }
    btVector3 lower, upper;
    body.getAabb(lower, upper);
    const btScalar size = (upper - lower).length();
    const btScalar distance = btMax((btScalar(0.5) * (upper + lower) - viewer.m_eye).length(), size);
    const btScalar pixels = size / distance * btScalar(viewer.m_imageHeight) /
                            (btScalar(2) * std::tan(btScalar(0.5) * viewer.m_fieldOfView));
    const btScalar share = btMin(btScalar(1), pixels / btMax(policy.m_fullPixels, btScalar(1)));
    const int step = std::max(1, policy.m_step);
    const int levels =
        static_cast<int>(std::ceil(share * static_cast<btScalar>(r - least) / static_cast<btScalar>(step)));
    return std::min(r, least + levels * step);
}

void btPliantSetLevelOfDetail(btPliantSystem& system, const btPliantViewer& viewer,
                              const btPliantDetailPolicy& policy) {
    for (int i = 0; i < system.getNumBodies(); ++i) {
        btPliantBody& body = *system.getBody(i);
        if (!body.getBroadphaseHandle()) continue;
        const int wanted = btPliantChooseDetail(body, viewer, policy), now = body.getDetail();
        const bool least = wanted <= std::max(1, policy.m_least);
        if (wanted > now || wanted <= now - 2 * policy.m_step || (least && wanted < now)) body.setDetail(wanted);
    }
}
