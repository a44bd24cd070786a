// SPDX-License-Identifier: Zlib
#include "LoadAndStep.h"

#include "../Door.h"
#include "pliant/math/Error.h"
#include "pliant/model/CharacterModel.h"
#include "pliant/runtime/BodyBatch.h"
#include "pliant/runtime/SkinForces.h"

namespace pliant::fuzz {
namespace {

const MemoryFolder& folder() {
    static const MemoryFolder made;
    return made;
}

/// Two bodies: one falls with its frame turning, one is pushed by a force in every coordinate.
void stepBodies(const std::shared_ptr<const ReducedModel>& model) {
    static const Workers workers(1);
    BodyBatch batch(model, BatchSettings());
    batch.add();
    batch.add();
    const VectorX force = VectorX::Constant(model->dimension(), 1e-3);
    FrameMotion turning;
    turning.angularVelocity = Vector3(1.0, 2.0, -0.5);
    turning.acceleration = Vector3(0.0, 9.81, 0.0);
    for (int i = 0; i < 3; ++i) {
        batch.setFrame(0, turning);
        batch.setFrame(1, FrameMotion());
        batch.addForce(1, force.data());
        batch.step(1.0 / 120.0, {0, 1}, workers);
    }
    for (const int body : {0, 1})
        expect(batch.q(body).allFinite() && batch.velocity(body).allFinite() && batch.acceleration(body).allFinite(),
               "bodies of an accepted model have finite numbers");
}

/// A character in its first clip, or at rest where it has none, with gravity.
void moveCharacter(const std::shared_ptr<const CharacterModel>& character) {
    static const Workers workers(1);
    BatchSettings settings;
    settings.coupling = Coupling::None;
    BodyBatch batch(character->flesh, settings);
    const int body = batch.add();
    FrameMotion driven;
    driven.driven = true;
    SkinForces skin(character, character->base);
    std::vector<MovingFrame> bones;
    VectorX force(character->flesh->dimension());
    for (int i = 0; i < 3; ++i) {
        if (character->clips.empty())
            motionOf(character->skeleton, bindPose(character->skeleton), bones);
        else
            motionAt(character->skeleton, character->clips[0], i / 120.0, bones);
        skin.evaluate({bones.data()}, Vector3(0.0, 0.0, -9.81), force.data(), workers);
        batch.setFrame(body, driven);
        batch.addForce(body, force.data());
        batch.step(1.0 / 120.0, {body}, workers);
        expect(batch.q(body).allFinite() && batch.velocity(body).allFinite(),
               "flesh of an accepted character has finite numbers");
    }
}

template <typename Model, typename Load, typename Save>
std::shared_ptr<const Model> loadAgain(const std::string& path, const Load& load, const Save& save, bool& accepted) {
    const std::shared_ptr<const Model> first = load(path);
    accepted = true;
    const std::string once = folder().path("once.pliant"), twice = folder().path("twice.pliant");
    save(*first, once);
    save(*load(once), twice);
    expect(MemoryFolder::read(once) == MemoryFolder::read(twice), "what is saved, loaded and saved again is the same");
    return first;
}

}  // namespace

bool loadAndStep(const std::uint8_t* data, std::size_t size) {
    const std::string path = folder().write("a.pliant", data, size);
    const MemoryLimit limit(size);
    bool accepted = false;
    try {
        if (isCharacterFile(path)) {
            const auto character = loadAgain<CharacterModel>(path, loadCharacter, saveCharacter, accepted);
            stepBodies(character->flesh);
            moveCharacter(character);
        } else {
            stepBodies(loadAgain<ReducedModel>(path, loadModel, saveModel, accepted));
        }
    } catch (const Error& error) {
        if (accepted) expect(false, error.what());
    }
    return accepted;
}

}  // namespace pliant::fuzz
