// SPDX-License-Identifier: Zlib
// Characters that events let go of, and take back to their clips.
#include <btBulletDynamicsCommon.h>

#include "btPliant/btPliantCharacter.h"
#include "btPliantScene/SceneClock.h"
#include "btPliantScene/ScenePool.h"
#include "pliant/math/Error.h"

namespace btPliantInternal {
namespace {

using pliant::scene::Action;
using pliant::scene::ActionKind;
using pliant::scene::Reference;

btPliantCharacter* characterOf(btRigidBody* body) {
    return btPliantCharacter::upcast(static_cast<btCollisionObject*>(body));
}

/// Whether an action needs bones: an impulse on a body as a whole moves neither driven bones nor limbs.
bool mindsBones(const Action& action) {
    return action.kind == ActionKind::Ragdoll || action.kind == ActionKind::Clip ||
           (action.kind == ActionKind::Push && !action.at);
}

void checkCharacter(const Action& action, const Reference& reference, btRigidBody* body) {
    const btPliantCharacter* character = characterOf(body);
    if (action.kind == ActionKind::Push) {
        if (character)
            throw pliant::Error(reference.where, "\"" + reference.name + "\" has bones, and is pushed at a point",
                                "say with \"point\" where on the material at rest");
        return;
    }
    if (!character)
        throw pliant::Error(reference.where, "\"" + reference.name + "\" has no bones",
                            "name characters: bodies whose model has a \"rig\"");
    const std::string problem = character->getRagdollProblem();
    if (!problem.empty())
        throw pliant::Error(reference.where, "\"" + reference.name + "\" cannot be a ragdoll: " + problem);
}

}  // namespace

void checkCharacters(const SceneData& data) {
    for (const pliant::scene::Event& event : data.scene.timeline.events)
        for (const Action& action : event.actions)
            for (const Reference& reference : action.of)
                if (mindsBones(action))
                    for (btRigidBody* body : bodiesOf(data, reference)) checkCharacter(action, reference, body);
}

void letFall(SceneData& data, const Action& action) {
    for (const Reference& reference : action.of)
        for (btRigidBody* body : bodiesOf(data, reference)) {
            if (!isPresent(*body)) continue;
            // What was no problem when the scene was built may be one now: bones that the clip has scaled.
            const std::string problem = characterOf(body)->startRagdoll();
            if (!problem.empty() && data.clock->warnedOf.insert(&action).second)
                data.clock->timeline.warn(action.where + ": \"" + reference.name + "\" was not let go: " + problem);
        }
}

void driveAgain(SceneData& data, const Action& action) {
    for (const Reference& reference : action.of)
        for (btRigidBody* body : bodiesOf(data, reference)) {
            btPliantCharacter* character = characterOf(body);
            if (isPresent(*body) && character->getDrive() == btPliantDrive::Ragdoll)
                character->stopRagdoll(action.duration);
        }
}

}  // namespace btPliantInternal
