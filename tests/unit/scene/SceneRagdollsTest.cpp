// SPDX-License-Identifier: Zlib
// Characters that scenes let go of, and take back to their clips.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "../character/BarCharacter.h"
#include "SceneInWorld.h"
#include "btPliant/btPliantCharacter.h"

namespace {

using namespace pliant::test;
using pliant::AffineMap;
using pliant::Error;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double kBarMass = 40.0;  // kg
/// What is kept to rounding, of 1.
constexpr double kRagdollRounding = sizeof(btScalar) == sizeof(double) ? 1e-9 : 2e-5;

/// The bar that nods, whose pose is the artist's. @param grows its lower bone grows meanwhile
std::shared_ptr<const pliant::CharacterModel> skinBar(bool grows = false) {
    const auto make = [](bool scaled) {
        const pliant::VolumeMesh mesh = barMesh(0.1);
        pliant::Rig rig = barRig(mesh);
        rig.clips = {nod(0.6)};
        pliant::MatrixX scales(1, 3);
        scales << 1.0, 1.2, 1.0;
        if (scaled) rig.clips[0].motions[0].scale = pliant::smoothTrack({0.0, 0.5, 1.0}, scales, false);
        pliant::CharacterOptions options = barOptions();
        options.base = pliant::RestShape::Skin;
        return makeCharacter(rig, mesh, options, "bar");
    };
    static const std::shared_ptr<const pliant::CharacterModel> plain = make(false), growing = make(true);
    return grows ? growing : plain;
}

/// Scenes name a file that has to be there.
const std::string kRagdollFile = testing::TempDir() + "scene_ragdolls.glb";
const std::string kLimbs = "models: {bar: {file: " + kRagdollFile + ", rig: {}}}\n";
const std::string kAnalytic = "models: {bar: {file: " + kRagdollFile + ", integrator: analytic, rig: {}}}\n";
const std::string kNoPull = "gravity: [0, 0, 0]\n";

struct SceneRagdolls : testing::Test {
    void SetUp() override { std::ofstream(kRagdollFile) << "any"; }
    void TearDown() override { std::filesystem::remove(kRagdollFile); }

    static SceneInWorld made(const std::string& text, bool grows = false) {
        return SceneInWorld(kLimbs + text, 120, 1, skinBar(grows));
    }
    static const btPliantCharacter& bar(SceneInWorld& scene) {
        return *btPliantCharacter::upcast(static_cast<const btCollisionObject*>(&scene.soft(0)));
    }
    static std::vector<AffineMap> bones(SceneInWorld& scene) {
        std::vector<AffineMap> all;
        bar(scene).getBones(all);
        return all;
    }
    /// Where the first bone's head is, m.
    static pliant::Vector3 head(SceneInWorld& scene) {
        return pliant::fromBullet(bar(scene).getBoneTransform(0).getOrigin());
    }
    static std::string mistake(const std::string& text, const pliant::scene::LoadedModel& model = skinBar()) {
        try {
            SceneInWorld scene(text, 120, 1, model);
        } catch (const Error& problem) {
            return problem.what();
        }
        return {};
    }
};

TEST_F(SceneRagdolls, FallFromTheStartWithTheVelocityOfTheirPlace) {
    SceneInWorld scene =
        made("gravity: [0, 0, -9.81]\nbodies: [{model: bar, drive: ragdoll, speed: 0, velocity: [2, 0, 1]}]\n");
    EXPECT_EQ(bar(scene).getDrive(), btPliantDrive::Ragdoll);
    const double t = 0.5;
    scene.step(t);
    const btVector3 p = bar(scene).getLinearMomentum();
    EXPECT_NEAR(p.x(), kBarMass * 2.0, kRagdollRounding * kBarMass);
    EXPECT_NEAR(p.y(), 0.0, kRagdollRounding * kBarMass);
    EXPECT_NEAR(p.z(), kBarMass * (1.0 - 9.81 * t), kRagdollRounding * 10.0 * kBarMass);
    EXPECT_NEAR(head(scene).x(), 2.0 * t, 1e-3) << "what the flesh had sagged by comes back, across its way";
}

TEST_F(SceneRagdolls, AreLetGoByEventsAndGoBackToWhereTheClipIs) {
    SceneInWorld scene =
        made(kNoPull +
             "bodies: [{model: bar, name: it, clip: nod}]\n"
             "events:\n  - {at: 0.25, do: [{ragdoll: it}]}\n  - {at: 0.75, do: [{clip: {of: it, in: 0.5}}]}\n");
    SceneInWorld driven = made(kNoPull + "bodies: [{model: bar, clip: nod}]\n");
    scene.step(0.24);
    EXPECT_EQ(bar(scene).getDrive(), btPliantDrive::Clip);
    scene.step(0.02);
    EXPECT_EQ(bar(scene).getDrive(), btPliantDrive::Ragdoll);
    scene.step(0.4);
    driven.step(0.66);
    EXPECT_GT((bones(scene)[1] - bones(driven)[1]).norm(), 0.05) << "it still does what the clip does";
    scene.step(0.11);
    EXPECT_EQ(bar(scene).getDrive(), btPliantDrive::Clip);
    scene.step(0.51);
    // Half a second was nobody's: the clip went on from where it was let go.
    driven.step(scene.scene().getTime() - 0.5 - driven.scene().getTime());
    EXPECT_NEAR(bar(scene).getClipTime(), bar(driven).getClipTime(), 1e-6);
    for (std::size_t b = 0; b < 2; ++b) EXPECT_LT((bones(scene)[b] - bones(driven)[b]).norm(), 1e-5) << b;
}

TEST_F(SceneRagdolls, SleepersAreTakenBack) {
    SceneInWorld scene = made(
        "gravity: [0, -9.81, 0]\nbodies: [{model: bar, name: it, drive: ragdoll, speed: 0, friction: 1}]\n"
        "ground: {height: -0.12, friction: 1}\n"
        "events: [{at: 8, do: [{clip: {of: it}}]}]\n");
    scene.step(7.9);
    ASSERT_FALSE(bar(scene).isActive()) << "it has not fallen asleep";
    EXPECT_NEAR(head(scene).y(), -0.02, 0.02) << "it lies on the ground";
    scene.step(0.1 + 0.5 + 0.05);
    EXPECT_EQ(bar(scene).getDrive(), btPliantDrive::Clip);
    EXPECT_LT(head(scene).norm(), 1e-5) << "in half a second by default";
}

TEST_F(SceneRagdolls, GoBackToWhereTheirPathIs) {
    SceneInWorld scene =
        made(kNoPull +
             "bodies: [{model: bar, name: it, speed: 0, motion: kinematic, position: ['= min(t, 0.5)', 0, 0]}]\n"
             "events:\n  - {at: 0.25, do: [{ragdoll: it}]}\n  - {at: 2, do: [{clip: {of: it, in: 0.2}}]}\n");
    scene.step(1.9);
    EXPECT_GT(head(scene).x(), 1.5) << "it goes on as it was let go, past the end of the path";
    scene.step(0.4);
    EXPECT_NEAR(head(scene).x(), 0.5, 1e-5);
}

TEST_F(SceneRagdolls, RestoredWorldsFallAgainWithTheSameBits) {
    SceneInWorld scene = made(
        "gravity: [0, -9.81, 0]\nbodies: [{model: bar, name: it, position: [0, 0.4, 0], friction: 0.5}]\nground: {}\n"
        "events:\n  - {at: 0.1, do: [{ragdoll: it}]}\n  - {at: 0.2, do: [{save: falling}]}\n"
        "  - {at: 0.5, do: [{clip: {of: it, in: 0.1}}]}\n  - {at: 1, do: [{restore: falling}]}\n");
    scene.step(0.2);
    scene.step(0.2);
    const std::vector<double> first = scene.state();
    const std::vector<AffineMap> lying = bones(scene);
    scene.step(0.6);
    EXPECT_EQ(bar(scene).getDrive(), btPliantDrive::Ragdoll) << "nothing was restored";
    scene.step(0.2);
    EXPECT_EQ(scene.state(), first);
    EXPECT_EQ(bones(scene), lying);
    EXPECT_THAT(scene.scene().getWarnings(), IsEmpty());
}

TEST_F(SceneRagdolls, ThatAreNotThereStayAway) {
    SceneInWorld scene = made(kNoPull +
                              "bodies: [{model: bar, name: it, drive: ragdoll, velocity: [1, 0, 0]}]\n"
                              "events:\n  - {at: 0.1, do: [{remove: it}]}\n"
                              "  - {at: 0.2, do: [{ragdoll: it}, {clip: {of: it}}, {ragdoll: it}]}\n");
    scene.step(0.15);
    const std::vector<AffineMap> before = bones(scene);
    EXPECT_EQ(scene.presentBodies(), 0);
    scene.step(0.3);
    EXPECT_EQ(scene.presentBodies(), 0);
    EXPECT_EQ(bones(scene), before);
}

TEST_F(SceneRagdolls, APushAtAPointGivesItsMomentum) {
    SceneInWorld scene =
        made(kNoPull +
             "bodies: [{model: bar, name: it, drive: ragdoll, speed: 0}]\n"
             "events: [{at: 0.1, do: [{push: {of: it, impulse: [0, 20, 0], point: [0.5, 0.1, 0]}}]}]\n");
    scene.step(0.3);
    EXPECT_NEAR(bar(scene).getLinearMomentum().y(), 20.0, kRagdollRounding * 20.0);
}

TEST_F(SceneRagdolls, BonesThatTheClipHasScaledAreToldOnce) {
    SceneInWorld scene = made(kNoPull +
                                  "bodies: [{model: bar, name: it, clip: nod, grid: {count: [2, 1, 1], spacing: 3}}]\n"
                                  "events: [{every: 0.1, from: 0.3, do: [{ragdoll: it}]}]\n",
                              true);
    scene.step(0.62);
    EXPECT_EQ(bar(scene).getDrive(), btPliantDrive::Clip);
    EXPECT_THAT(scene.scene().getWarnings(),
                ElementsAre(AllOf(HasSubstr("timed.yaml:5:"), HasSubstr("a bone is scaled"))));
}

TEST_F(SceneRagdolls, WhatCannotFallIsToldBeforeTheRun) {
    const std::string bodies = "bodies:\n  - {model: bar, name: it}\n";
    const std::string falls = "events:\n  - {at: 1, do: [{ragdoll: it}]}\n";
    EXPECT_EQ(mistake(kLimbs + bodies + falls), "");
    EXPECT_THAT(mistake(kAnalytic + bodies + falls),
                AllOf(HasSubstr("timed.yaml:6:"), HasSubstr("\"it\" cannot be a ragdoll"),
                      HasSubstr("set the integrator newmark")));
    EXPECT_THAT(
        mistake(kAnalytic + "bodies:\n  - {model: bar, drive: ragdoll}\n"),
        AllOf(HasSubstr("timed.yaml:4:"), HasSubstr("cannot be a ragdoll"), HasSubstr("set the integrator newmark")));
    EXPECT_THAT(mistake(kLimbs + bodies + falls, makeBar()),
                AllOf(HasSubstr("timed.yaml:6:"), HasSubstr("\"it\" has no bones")));
    const std::string ball = "rigid: [{name: ball, shape: sphere, mass: 1}]\n";
    EXPECT_THAT(mistake(ball + "events: [{at: 1, do: [{ragdoll: ball}]}]\n"), HasSubstr("\"ball\" has no bones"));
    EXPECT_THAT(mistake(ball + "events: [{at: 1, do: [{clip: {of: ball}}]}]\n"), HasSubstr("\"ball\" has no bones"));
    EXPECT_THAT(mistake(kLimbs + bodies + "events: [{at: 1, do: [{ragdoll: if}]}]\n"),
                HasSubstr("did you mean \"it\""));
    EXPECT_THAT(mistake(kLimbs + bodies + "events: [{at: 1, do: [{clip: {of: it, in: -1}}]}]\n"), HasSubstr("in"));
    EXPECT_THAT(mistake(kLimbs + bodies + "events: [{at: 1, do: [{push: {of: it, impulse: [0, 1, 0]}}]}]\n"),
                HasSubstr("pushed at a point"));
    EXPECT_THAT(mistake(kLimbs + "bodies: [{model: bar, drive: ragdoll, motion: anchored}]\n"),
                HasSubstr("does not stand still"));
    EXPECT_THAT(mistake(kLimbs + "bodies: [{model: bar, drive: ragdoll, angular_velocity: [0, 1, 0]}]\n"),
                HasSubstr("leave angular_velocity out"));
}

}  // namespace
