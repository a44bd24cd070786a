// SPDX-License-Identifier: Zlib
// Fewer coordinates for bodies that nobody looks at closely. Those beyond fade in the full batch, step by step; what
// that would gain in strain energy (they are the derivatives that let a bent body be bent) is taken from q' first, then
// from q. The angular momentum stays what it is.
#include "btPliant/body/LevelOfDetail.h"

#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorld.h>

#include <algorithm>
#include <cmath>

#include "btPliant/body/Batches.h"
#include "btPliant/btPliantDetail.h"
#include "btPliant/data/BodyMomentum.h"
#include "btPliant/data/Convert.h"

using btPliantInternal::dataOf;
using btPliantInternal::groupFor;
using btPliantInternal::moveToGroup;
using btPliantInternal::SystemData;
using btPliantInternal::toEigen;
using btPliantInternal::truncatedModel;

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
        SystemData& system = dataOf(*m_data->system);
        moveToGroup(*m_data, groupFor(system, truncatedModel(system, m_data->fullModel, wanted), getSettings()));
    }
}

namespace btPliantInternal {

namespace {

/// J, of the deformation and the rotation that belongs to `angularMomentum`.
double innerEnergy(const BodyData& data) {
    pliant::Vector3 W = pliant::Vector3::Zero();
    if (data.frameIsFree && !(data.handInertia > 0.0)) {
        const pliant::Matrix3 A = toEigen(data.body->getWorldTransform().getBasis());
        W = data.batch().angularVelocity(data.slot, A.transpose() * data.angularMomentum);
    }
    return data.batch().strainEnergy(data.slot) + data.batch().kineticEnergy(data.slot, pliant::Vector3::Zero(), W);
}

/// Takes q' and then q back until innerEnergy() is no more than `allowed`.
void limitEnergy(BodyData& data, double allowed) {
    if (innerEnergy(data) <= allowed) return;
    // Largest share of `state` that the energy allows, by bisection: 2^-20 of the state is as good as nothing.
    const auto shrink = [&](pliant::VectorView state) {
        const pliant::VectorX before = state;
        double low = 0.0, high = 1.0;
        const auto at = [&](double share) {
            state = share * before;
            data.batch().resetAcceleration(data.slot);
            return innerEnergy(data) <= allowed;
        };
        for (int i = 0; i < 20; ++i) {
            const double middle = 0.5 * (low + high);
            (at(middle) ? low : high) = middle;
        }
        return at(low);
    };
    if (!shrink(data.batch().velocity(data.slot))) shrink(data.batch().q(data.slot));
}

}  // namespace

void fadeDetail(BodyData& data, double h) {
    const Eigen::Index r = data.model().dimension(), beyond = r - data.detail;
    if (beyond <= 0) return;
    const double before = innerEnergy(data);
    data.fadeElapsed += h;
    const double share = data.fadeElapsed >= kLongestFade ? 0.0 : std::exp(-h / kFadeTime);
    data.batch().q(data.slot).tail(beyond) *= share;
    data.batch().velocity(data.slot).tail(beyond) *= share;
    const double left = data.batch().q(data.slot).tail(beyond).norm();
    const bool gone = share == 0.0 || left <= 1e-4 * data.batch().q(data.slot).norm();
    if (gone) {
        data.batch().q(data.slot).tail(beyond).setZero();
        data.batch().velocity(data.slot).tail(beyond).setZero();
    }
    data.batch().resetAcceleration(data.slot);
    limitEnergy(data, before);
    if (gone) {
        SystemData& all = dataOf(*data.system);
        moveToGroup(data, groupFor(all, truncatedModel(all, data.fullModel, data.detail), data.batch().settings()));
    }
    data.collisionIsOutdated = true;
    if (data.frameIsFree) updateInertia(data);
}

}  // namespace btPliantInternal

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
