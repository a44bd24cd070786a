// SPDX-License-Identifier: Zlib
// Who asks for distributed contact, and what is read of it.
#include "btPliant/btPliantTouch.h"

#include <algorithm>

#include "btPliant/btPliantSystem.h"
#include "btPliant/data/ContactPair.h"
#include "btPliant/data/SystemData.h"
#include "btPliant/data/TouchShells.h"

using btPliantInternal::ContactPair;
using btPliantInternal::TouchRequest;

void btPliantSystem::setTouch(btPliantBody& body, const btCollisionObject* other,
                              const btPliantTouchSettings& settings) {
    btPliantInternal::checkTouch("btPliantSystem::setTouch", body, settings);
    auto shell = btPliantInternal::shellFor(m_data->touchRequests, body, settings);
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
    for (const auto& each : m_data->hands) {
        const auto hand = each.lock();
        btPliantContactPatch pressed;
        if (!hand || hand->tool != &other || !btPliantInternal::patchOf(*hand, body, pressed)) continue;
        patch = pressed;
        return true;
    }
    return false;
}
