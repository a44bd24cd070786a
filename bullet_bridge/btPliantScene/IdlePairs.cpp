// SPDX-License-Identifier: Zlib
#include "btPliantScene/IdlePairs.h"

#include <algorithm>
#include <iomanip>
#include <sstream>

#include "btPliant/btPliantCharacter.h"
#include "btPliant/btPliantSystem.h"
#include "btPliantScene/SceneLayers.h"

namespace btPliantInternal {

namespace {

constexpr double kLookEvery = 0.1;  // s
/// Of the smaller box' diagonal: less depth is rounding, or how a body's shape is approximated.
constexpr double kLeastDepth = 0.01;

bool isInWorld(const btRigidBody& body) {
    const btBroadphaseProxy* proxy = body.getBroadphaseProxy();
    return proxy && proxy->m_collisionFilterGroup != 0 && body.hasContactResponse();  // what waits is in no group
}

bool layersMeet(const SceneData& data, const btRigidBody& a, const btRigidBody& b) {
    const std::string &ofA = layerOf(data, a), &ofB = layerOf(data, b);
    if (ofA.empty() || ofB.empty()) return true;
    const FilterWords wordsA = filterOf(data.scene, ofA), wordsB = filterOf(data.scene, ofB);
    return (wordsA.group & wordsB.mask) != 0 && (wordsB.group & wordsA.mask) != 0;
}

}  // namespace

IdlePairs::IdlePairs(const SceneData& data) : m_names(data) {
    const auto add = [this](const btRigidBody& body, int group, bool bends, const std::string& where) {
        m_standing.push_back({&body, group, bends, where, btVector3(0, 0, 0), btVector3(0, 0, 0), true, false});
    };
    for (const btPliantScene::Deformable& d : data.deformables) {
        const bool moves = d.m_motion == pliant::scene::Motion::Free && !d.m_body->isAnchored();
        if (!moves && !btPliantCharacter::upcast(d.m_body))
            add(*d.m_body, d.m_group, true, data.scene.bodies[static_cast<std::size_t>(d.m_group)].where);
    }
    const int first = static_cast<int>(data.scene.bodies.size());
    for (const btPliantScene::Rigid& r : data.rigids) {
        const pliant::scene::RigidGroup& group = data.scene.rigid[static_cast<std::size_t>(r.m_group)];
        if (!(group.mass > 0.0)) add(*r.m_body, first + r.m_group, false, group.where);
    }
    if (data.ground) add(*data.ground, -1, false, "");
    refresh();
    forMeeting(data, [this](const Standing& a, const Standing& b) { m_known.insert({a.body, b.body}); });
}

void IdlePairs::refresh() {
    for (Standing& standing : m_standing) {
        btVector3 lower, upper;
        standing.body->getAabb(lower, upper);
        const bool isThere = isInWorld(*standing.body);
        const bool hasCome = isThere && !standing.wasThere;
        standing.hasMoved = hasCome || (isThere && !(lower == standing.lower && upper == standing.upper));
        standing.wasThere = isThere;
        standing.lower = lower;
        standing.upper = upper;
    }
}

bool IdlePairs::meet(const SceneData& data, const Standing& a, const Standing& b) const {
    if (!a.bends && !b.bends) return false;
    btVector3 here = a.upper - b.lower, there = b.upper - a.lower;
    const double overlap = static_cast<double>(btMin(here[here.minAxis()], there[there.minAxis()]));
    const double least =
        kLeastDepth * static_cast<double>(btMin((a.upper - a.lower).length(), (b.upper - b.lower).length()));
    if (!(overlap > least) || !isInWorld(*a.body) || !isInWorld(*b.body)) return false;
    if (!layersMeet(data, *a.body, *b.body)) return false;
    const btPliantBody* bends = btPliantBody::upcast(a.bends ? a.body : b.body);
    return static_cast<double>(data.system.getIdleDepth(*bends, a.bends ? *b.body : *a.body)) > least;
}

template <class Found>
void IdlePairs::forMeeting(const SceneData& data, const Found& found) {
    for (std::size_t i = 0; i < m_standing.size(); ++i)
        for (std::size_t k = i + 1; k < m_standing.size(); ++k) {
            const Standing &a = m_standing[i], &b = m_standing[k];
            if (!(a.hasMoved || b.hasMoved) || m_groups.count({a.group, b.group})) continue;
            if (!m_known.count({a.body, b.body}) && meet(data, a, b)) found(a, b);
        }
}

void IdlePairs::look(const SceneData& data) {
    if (m_standing.size() < 2 || data.time < m_next) return;
    m_next = data.time + kLookEvery;
    refresh();
    const auto hasMoved = [](const Standing& standing) { return standing.hasMoved; };
    if (std::none_of(m_standing.begin(), m_standing.end(), hasMoved)) return;
    forMeeting(data, [&](const Standing& a, const Standing& b) {
        if (!m_groups.insert({a.group, b.group}).second) return;
        std::ostringstream sentence;
        sentence << a.where << ": \"" << m_names.of(*a.body) << "\" and \"" << m_names.of(*b.body) << "\" meet by "
                 << std::setprecision(3) << data.time
                 << " s and pass through each other: neither moves freely; one of them has to (motion: free and a "
                    "joint, a model without \"fixed\", or a mass)";
        m_told.push_back(sentence.str());
    });
}

}  // namespace btPliantInternal
