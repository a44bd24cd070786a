// SPDX-License-Identifier: Zlib
// Characters in scenes: how their bones move, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "../character/BarCharacter.h"
#include "SceneInWorld.h"
#include "pliant/scene/Placing.h"

namespace {

using namespace pliant::test;
using pliant::AffineMap;
using pliant::Error;
using pliant::Vector3;
using testing::HasSubstr;

std::shared_ptr<const pliant::CharacterModel> character() {
    static const auto made = [] {
        const pliant::VolumeMesh mesh = barMesh();
        pliant::Rig rig = barRig(mesh);
        for (const char* name : {"nod", "lift"}) {
            pliant::Clip clip;
            clip.name = name;
            clip.end = 1.0;
            clip.motions.resize(1);
            pliant::MatrixX keys = pliant::MatrixX::Zero(3, 3);
            keys(1, 1) = name == std::string("nod") ? 0.1 : 0.3;
            clip.motions[0].translation = pliant::smoothTrack({0.0, 0.5, 1.0}, keys, false);
            rig.clips.push_back(clip);
        }
        return makeCharacter(rig, mesh, barOptions(), "bar");
    }();
    return made;
}

/// Scenes name a file that has to be there.
const std::string kCharacterFile = testing::TempDir() + "scene_characters.glb";
const std::string kModel = "models: {bar: {file: " + kCharacterFile + ", rig: {}}}\n";

SceneInWorld made(const std::string& text) {
    return SceneInWorld(kModel + text, 120, 1, character());
}

const btPliantCharacter& characterOf(SceneInWorld& scene, int i) {
    return *btPliantCharacter::upcast(static_cast<const btCollisionObject*>(&scene.soft(i)));
}

struct SceneCharacters : testing::Test {
    void SetUp() override { std::ofstream(kCharacterFile) << "any"; }
    void TearDown() override { std::filesystem::remove(kCharacterFile); }

    static std::string mistake(const std::string& text, const pliant::scene::LoadedModel& model = character()) {
        try {
            SceneInWorld scene(text, 120, 1, model);
        } catch (const Error& problem) {
            return problem.what();
        }
        return {};
    }
};

TEST_F(SceneCharacters, PlayTheFirstClipOrTheOneThatIsNamed) {
    SceneInWorld scene =
        made("bodies:\n  - {model: bar}\n  - {model: bar, position: [0, 0, 5], clip: lift, speed: 0.5, phase: 0.25}\n");
    EXPECT_EQ(characterOf(scene, 0).getClip(), "nod");
    EXPECT_EQ(characterOf(scene, 1).getClip(), "lift");
    EXPECT_NEAR(characterOf(scene, 1).getClipTime(), 0.25, 1e-12);
    scene.step(0.5);
    EXPECT_NEAR(characterOf(scene, 0).getClipTime(), 0.5, 1e-5);
    EXPECT_NEAR(characterOf(scene, 1).getClipTime(), 0.5, 1e-5);
    EXPECT_NEAR(characterOf(scene, 0).getBoneTransform(0).getOrigin().y(), 0.1, 1e-4);
    EXPECT_NEAR(characterOf(scene, 1).getBoneTransform(0).getOrigin().y(), 0.3, 1e-4);
    EXPECT_NEAR(characterOf(scene, 1).getBoneTransform(0).getOrigin().z(), 5.0, 1e-5);
}

TEST_F(SceneCharacters, RandomPhasesDifferAndAreTheSameEachTime) {
    const std::string text =
        "bodies: [{model: bar, phase: random, grid: {count: [3, 1, 1], spacing: 2}, jitter: {seed: 5}}]\n";
    SceneInWorld first = made(text), second = made(text);
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(characterOf(first, i).getClipTime(), characterOf(second, i).getClipTime());
        EXPECT_GE(characterOf(first, i).getClipTime(), 0.0);
        EXPECT_LT(characterOf(first, i).getClipTime(), 1.0);
    }
    EXPECT_NE(characterOf(first, 0).getClipTime(), characterOf(first, 1).getClipTime());
    EXPECT_NE(characterOf(first, 1).getClipTime(), characterOf(first, 2).getClipTime());
}

TEST_F(SceneCharacters, WalkAsKinematicBodiesDoWithoutAJolt) {
    SceneInWorld scene =
        made("gravity: [0, 0, 0]\nbodies: [{model: bar, motion: kinematic, velocity: [2, 0, 1], speed: 0}]\n");
    const double before = characterOf(scene, 0).getReducedCoordinates().norm();
    double most = 0.0;
    for (int i = 0; i < 60; ++i) {
        scene.scene().step();
        most = std::max(most, characterOf(scene, 0).getReducedCoordinates().norm());
    }
    EXPECT_NEAR(characterOf(scene, 0).getBoneTransform(0).getOrigin().x(), 1.0, 1e-5);
    EXPECT_NEAR(characterOf(scene, 0).getBoneTransform(0).getOrigin().z(), 0.5, 1e-5);
    EXPECT_LT(most, before + 1e-3);
}

TEST_F(SceneCharacters, TouchTheGroundAndWhatFalls) {
    SceneInWorld scene = made(
        "gravity: [0, -9.81, 0]\nbodies: [{model: bar, speed: 0, position: [0, 0.095, 0]}]\nground: {}\n"
        "rigid: [{shape: sphere, radius: 0.05, mass: 0.3, position: [0.5, 0.3, 0]}]\n");
    scene.step(0.5);
    EXPECT_GT(scene.place().y(), 0.2);
    EXPECT_LT(scene.place().y(), 0.26);
    EXPECT_GT((characterOf(scene, 0).getBoneImpulse(0) + characterOf(scene, 0).getBoneImpulse(1)).length(), 1e-3);
}

TEST_F(SceneCharacters, PosesHaveTheBones) {
    SceneInWorld scene = made("bodies: [{model: bar, grid: {count: [2, 1, 1], spacing: 3}}]\n");
    scene.step(0.25);
    const pliant::Poses& poses = scene.scene().getPoses().models[0];
    ASSERT_EQ(poses.boneCount, 2);
    for (int i = 0; i < 2; ++i) {
        std::vector<AffineMap> bones;
        characterOf(scene, i).getBones(bones);
        for (int b = 0; b < 2; ++b) EXPECT_EQ(poses.bonesOf(i)[b], bones[static_cast<std::size_t>(b)]);
    }
    EXPECT_NE(poses.bonesOf(0)[0], poses.bonesOf(1)[0]);
}

TEST_F(SceneCharacters, MistakesAreToldWithTheirPlace) {
    const std::string model = kModel;
    EXPECT_THAT(mistake(model + "bodies:\n  - {model: bar, clip: run}\n"),
                AllOf(HasSubstr("timed.yaml:4:"), HasSubstr("no clip \"run\""), HasSubstr("nod, lift")));
    EXPECT_THAT(mistake(model + "bodies:\n  - {model: bar, phase: random}\n", makeBar()),
                AllOf(HasSubstr("timed.yaml:4:"), HasSubstr("no bones")));
    EXPECT_THAT(mistake(model + "bodies:\n  - {model: bar, name: one, clip: nod, spawn: {most: 3}}\n"),
                HasSubstr("characters do not wait"));
    EXPECT_THAT(mistake(model + "bodies:\n  - {model: bar, speed: fast}\n"), HasSubstr("speed"));
    EXPECT_THAT(mistake(model + "bodies:\n  - {model: bar, phase: often}\n"), HasSubstr("phase"));
    EXPECT_THAT(mistake(model + "bodies:\n  - {model: bar, drive: nobody}\n"), HasSubstr("drive"));
    EXPECT_THAT(mistake("models: {bar: {file: " + kCharacterFile + ", rig: {}, reduce: {}}}\nbodies: [{model: bar}]\n"),
                HasSubstr("not both"));
}

}  // namespace
