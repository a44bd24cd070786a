// SPDX-License-Identifier: Zlib
// Who asks for distributed contact, and what is read of it.
#include "btPliant/btPliantTouch.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "btPliant/btPliantSystem.h"
#include "btPliant/data/ContactPair.h"
#include "btPliant/data/SystemData.h"
#include "pliant/math/Error.h"
#include "pliant/touch/SampleShell.h"

using btPliantInternal::ContactPair;
using btPliantInternal::dataOf;
using btPliantInternal::TouchRequest;

namespace {

void check(const btPliantTouchSettings& settings) {
    const char* where = "btPliantSystem::setTouch";
    if (!(settings.m_stiffness > 0) || !std::isfinite(settings.m_stiffness))
        throw pliant::Error(where, "the stiffness is not a positive number", "give it in Pa/m");
    if (!(settings.m_maxDepth > 0) || !std::isfinite(settings.m_maxDepth))
        throw pliant::Error(where, "the largest depth is not a positive number", "give it in metres");
    if (!(settings.m_damping >= 0) || !std::isfinite(settings.m_damping))
        throw pliant::Error(where, "the damping is negative or not finite", "give it in seconds");
    if (!std::isfinite(settings.m_friction))
        throw pliant::Error(where, "the friction is not finite", "negative: that of both objects");
    if (settings.m_points < 1 || settings.m_points > pliant::kMostShellPoints)
        throw pliant::Error(where, std::to_string(settings.m_points) + " points are asked for",
                            "ask for 1 to " + std::to_string(pliant::kMostShellPoints));
    if (!(settings.m_budgetMicroseconds >= 0) || !std::isfinite(settings.m_budgetMicroseconds))
        throw pliant::Error(where, "the budget is negative or not finite", "0: any time");
}

pliant::ShellSamples samplesOf(const pliant::DenseShell& shell) {
    return {shell.positions.cast<double>(), shell.areas.cast<double>()};
}

/// The points of a body, those of an earlier request where its model and what it asks for are the same.
std::shared_ptr<const pliant::DistributedShell> shellFor(const std::vector<TouchRequest>& requests,
                                                         const std::shared_ptr<const pliant::ReducedModel>& model,
                                                         const btPliantTouchSettings& settings) {
    for (const TouchRequest& request : requests)
        if (dataOf(*request.body).originalModel == model &&
            (model->contactSurface.touch.count() > 0 ||
             (request.settings.m_points == settings.m_points && request.settings.m_levels == settings.m_levels)))
            return request.shell;
    const pliant::ContactSurface& surface = model->contactSurface;
    if (surface.touch.count() > 0)
        return std::make_shared<pliant::DistributedShell>(samplesOf(surface.touch), surface.touch.levels,
                                                          &surface.lattice);
    return std::make_shared<pliant::DistributedShell>(
        pliant::sampleShell(model->surface, model->meshFromBody, settings.m_points, &surface.field), settings.m_levels,
        &surface.lattice);
}

}  // namespace

void btPliantSystem::setTouch(btPliantBody& body, const btCollisionObject* other,
                              const btPliantTouchSettings& settings) {
    check(settings);
    btPliantInternal::BodyData& data = body.data();
    if (data.character)
        throw pliant::Error("btPliantSystem::setTouch", "characters do not touch by distributed contact",
                            "leave out the request: their flesh touches by its points and field");
    if (!data.field)
        throw pliant::Error("btPliantSystem::setTouch",
                            "the body of model \"" + data.originalModel->name + "\" is no solid",
                            "reduce its surface with --solid");
    auto shell = shellFor(m_data->touchRequests, data.originalModel, settings);
    clearTouch(body, other);
    m_data->touchRequests.push_back({&body, other, settings, std::move(shell)});
}

void btPliantSystem::clearTouch(btPliantBody& body, const btCollisionObject* other) {
    ++m_data->touchVersion;
    auto& requests = m_data->touchRequests;
    requests.erase(
        std::remove_if(requests.begin(), requests.end(),
                       [&](const TouchRequest& request) { return request.body == &body && request.other == other; }),
        requests.end());
}

bool btPliantSystem::getContactPatch(const btPliantBody& body, const btCollisionObject& other,
                                     btPliantContactPatch& patch) const {
    for (const ContactPair* pair : m_data->pairs) {
        const bool asA = &pair->a == &body && pair->other == &other, asB = pair->b == &body && &pair->a == &other;
        if (!pair->touch || !(asA || asB)) continue;
        patch = pair->touch->patch;
        if (asA) return true;
        patch.m_torque = pair->touch->otherTorque;
        patch.m_force = -patch.m_force;
        for (btPliantContactPatch::Point& point : patch.m_points) point.m_normal = -point.m_normal;
        return true;
    }
    return false;
}
