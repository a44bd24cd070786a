// SPDX-License-Identifier: Zlib
#include "btPliantScene/SceneTouches.h"

#include "btPliantScene/SceneClock.h"
#include "pliant/math/Error.h"

namespace btPliantInternal {
namespace {

using pliant::scene::PressureWord;
using pliant::scene::Reference;
using pliant::scene::Touch;

btPliantPressureLaw lawOf(PressureWord word) {
    switch (word) {
        case PressureWord::Linear:
            return btPliantPressureLaw::Linear;
        case PressureWord::Hertz:
            return btPliantPressureLaw::Hertz;
        case PressureWord::Stiffening:
            return btPliantPressureLaw::Stiffening;
    }
    return btPliantPressureLaw::Linear;
}

btPliantTouchSettings settingsOf(const Touch& touch) {
    btPliantTouchSettings settings;
    settings.m_law = lawOf(touch.law);
    settings.m_stiffness = touch.stiffness;
    settings.m_maxDepth = touch.maxDepth;
    settings.m_damping = touch.damping;
    settings.m_friction = static_cast<btScalar>(touch.friction);
    settings.m_twoWay = touch.isTwoWay;
    settings.m_points = touch.points;
    settings.m_levels = touch.levels;
    settings.m_budgetMicroseconds = touch.budget;
    return settings;
}

std::vector<btRigidBody*> allOf(SceneData& data, const std::vector<Reference>& side) {
    std::vector<btRigidBody*> all;
    for (const Reference& reference : side)
        for (btRigidBody* body : bodiesOf(data, reference)) all.push_back(body);
    return all;
}

/// The last entry about a pair counts, so that distributed contact that an earlier one has asked for ends.
void addPenalty(SceneData& data, const Touch& touch) {
    const auto stiffness = static_cast<btScalar>(touch.penalty->stiffness);
    const auto damping = static_cast<btScalar>(touch.penalty->damping);
    const std::vector<btRigidBody*> others = allOf(data, touch.with);
    for (btRigidBody* body : allOf(data, touch.of))
        for (btRigidBody* other : others) {
            if (body == other) continue;
            btPliantBody& reduced = *btPliantBody::upcast(body);
            data.system.clearTouch(reduced, other);
            if (btPliantBody* back = btPliantBody::upcast(other)) data.system.clearTouch(*back, body);
            data.system.setPenalty(reduced, *other, stiffness, damping);
        }
}

void addTouch(SceneData& data, const Touch& touch) {
    if (touch.penalty) return addPenalty(data, touch);
    const btPliantTouchSettings settings = settingsOf(touch);
    const auto add = [&](btRigidBody* body, const btRigidBody* other) {
        if (body != other) data.system.setTouch(*btPliantBody::upcast(body), other, settings);
    };
    const std::vector<btRigidBody*> others = allOf(data, touch.with);
    for (btRigidBody* body : allOf(data, touch.of)) {
        if (others.empty()) add(body, nullptr);
        for (btRigidBody* other : others) {
            if (touch.isTwoWay) add(other, body);
            add(body, other);
        }
    }
}

}  // namespace

void addTouches(SceneData& data) {
    for (const Touch& touch : data.scene.touches) {
        try {
            addTouch(data, touch);
        } catch (const pliant::Error& problem) {
            throw pliant::Error(touch.where, problem.what());
        }
    }
}

}  // namespace btPliantInternal
