// SPDX-License-Identifier: Zlib
#include "btPliantScene/SceneTouches.h"

#include "btPliantScene/HandBeside.h"
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

/// The hand in a thread that holds a body; null where none does.
HandBeside* handOf(const SceneData& data, const btRigidBody* body) {
    for (const SceneTool& tool : data.tools)
        if (tool.beside && tool.beside->body == body) return tool.beside.get();
    return nullptr;
}

/// Friction is that of both bodies, where the entry has none.
void addFelt(HandBeside& hand, btRigidBody& felt, btPliantTouchSettings settings) {
    if (settings.m_friction < 0) settings.m_friction = hand.body->getFriction() * felt.getFriction();
    hand.hand->addBody(felt, settings);
}

void addPair(SceneData& data, btRigidBody& body, btRigidBody* other, const btPliantTouchSettings& settings) {
    HandBeside* hand = handOf(data, &body);
    HandBeside* back = other ? handOf(data, other) : nullptr;
    if (hand && back) throw pliant::Error("two tools in threads do not feel each other", "leave the pair out");
    if (hand && other) return addFelt(*hand, *other, settings);
    if (back) return addFelt(*back, body, settings);
    btPliantBody* reduced = btPliantBody::upcast(&body);
    if (!reduced) throw pliant::Error("a pair of rigid bodies does not touch by distributed contact", "leave it out");
    data.system.setTouch(*reduced, other, settings);
}

/// What an entry of one side says to hands in threads: they are among whatever its bodies touch.
void addToHands(SceneData& data, const Touch& touch) {
    if (!touch.with.empty()) return;
    for (const SceneTool& tool : data.tools)
        for (btRigidBody* body : allOf(data, touch.of))
            if (tool.beside && tool.beside->body != body) addFelt(*tool.beside, *body, settingsOf(touch));
}

void addTouch(SceneData& data, const Touch& touch) {
    if (touch.penalty) return addPenalty(data, touch);
    const btPliantTouchSettings settings = settingsOf(touch);
    const auto add = [&](btRigidBody* body, btRigidBody* other) {
        if (body != other) addPair(data, *body, other, settings);
    };
    const std::vector<btRigidBody*> others = allOf(data, touch.with);
    for (btRigidBody* body : allOf(data, touch.of)) {
        if (others.empty()) add(body, nullptr);
        for (btRigidBody* other : others) {
            if (touch.isTwoWay && !handOf(data, body) && !handOf(data, other)) add(other, body);
            add(body, other);
        }
    }
}

}  // namespace

void addTouches(SceneData& data) {
    // Entries that name both sides come before those that name one, whatever their order is.
    for (const auto add : {addToHands, addTouch})
        for (const Touch& touch : data.scene.touches) {
            try {
                add(data, touch);
            } catch (const pliant::Error& problem) {
                throw pliant::Error(touch.where, problem.what());
            }
        }
}

}  // namespace btPliantInternal
