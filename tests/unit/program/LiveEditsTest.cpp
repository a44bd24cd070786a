// SPDX-License-Identifier: Zlib
// What of a scene can follow its file while it runs.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "pliant/math/Error.h"
#include "pliant/scene/LiveEdits.h"

namespace pliant::test {
namespace {

using scene::LiveEdit;
using scene::LivePath;

const std::string kScene =
    "gravity: [0, 0, -9.81]\nmodels: {basket: {file: live_basket.pliant, damping: {mass: 0.2, stiffness: 0.002}}}\n"
    "bodies: [{name: it, model: basket, friction: 0.5}, {name: other, model: basket, motion: kinematic}]\n"
    "rigid: [{shape: box, mass: 1}, {name: crate, shape: box, mass: 2, position: [0, 0, 3]}]\n"
    "ground: {friction: 0.8}\n"
    "joints: [{name: axle, kind: hinge, between: [it, crate], at: [0, 0, 1], axis: [0, 0, 1], "
    "motor: {velocity: 1, strength: 5}}]\n";

/// The edits of a file in which `old` has become `now`.
std::optional<std::vector<LiveEdit>> edits(const std::string& old, const std::string& now) {
    std::string after = kScene;
    const std::size_t at = after.find(old);
    EXPECT_NE(at, std::string::npos) << old;
    after.replace(at, old.size(), now);
    const std::string folder = ::testing::TempDir() + "/";
    std::ofstream(folder + "live_basket.pliant") << "nobody opens it";
    return scene::liveEdits(kScene, after, folder + "live.yaml");
}

void expectOne(const std::string& old, const std::string& now, const std::string& name, LivePath::Kind kind, int axis,
               double value) {
    const auto found = edits(old, now);
    ASSERT_TRUE(found) << now;
    ASSERT_EQ(found->size(), 1u) << now;
    EXPECT_EQ((*found)[0].name, name);
    EXPECT_EQ((*found)[0].path.kind, kind) << now;
    EXPECT_EQ((*found)[0].path.axis, axis) << now;
    EXPECT_DOUBLE_EQ((*found)[0].value, value);
}

TEST(LiveEdits, AreTheNumbersThatEventsMaySet) {
    expectOne("-9.81", "-1.6", "gravity.z", LivePath::Kind::Gravity, 2, -1.6);
    expectOne("friction: 0.5", "friction: 0.25", "it.friction", LivePath::Kind::Friction, 0, 0.25);
    expectOne("mass: 2,", "mass: 2, restitution: 0.5,", "crate.restitution", LivePath::Kind::Restitution, 0, 0.5);
    expectOne("velocity: 1,", "velocity: -2,", "axle.motor.velocity", LivePath::Kind::MotorVelocity, 0, -2.0);
    const auto damping = edits("stiffness: 0.002", "stiffness: 0.004");
    ASSERT_TRUE(damping && damping->size() == 2) << "of each body of the model";
    EXPECT_EQ((*damping)[0].name, "it.damping.stiffness");
    EXPECT_EQ((*damping)[1].path.of.name, "other");
    EXPECT_DOUBLE_EQ((*damping)[1].value, 0.004);
}

TEST(LiveEdits, AreNoneWhereNothingOfTheSceneHasChanged) {
    const auto found = edits("ground: {friction: 0.8}", "# a comment\nground: {friction: 0.8}");
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->empty());
}

// Every block may be missing: a change of what is left is one all the same.
TEST(LiveEdits, NeedNoBlockOfTheScene) {
    const std::string boxes = "rigid: [{name: crate, shape: box, mass: 2}]\n";
    const std::string path = ::testing::TempDir() + "/live.yaml";
    const auto edits = [&](const std::string& before, const std::string& after) {
        return scene::liveEdits(before, after, path);
    };
    EXPECT_FALSE(edits(boxes, "rigid: [{name: crate, shape: box, mass: 3}]\n"));
    const auto friction = edits(boxes, "rigid: [{name: crate, shape: box, mass: 2, friction: 0.1}]\n");
    ASSERT_TRUE(friction && friction->size() == 1);
    EXPECT_EQ((*friction)[0].name, "crate.friction");
    EXPECT_FALSE(edits(boxes, boxes + "ground: {}\n"));
    EXPECT_FALSE(edits(boxes + "ground: {}\n", boxes));
    EXPECT_FALSE(edits(boxes, boxes + "gravity: [0, 0, 0]\n")) << "its default is the reader's";
    const auto models = edits("models: {m: {file: m.obj, damping: {mass: 1}}}\n" + boxes,
                              "models: {m: {file: m.obj, damping: {mass: 2}}}\n" + boxes);
    EXPECT_TRUE(!models || models->empty()) << "nobody has this model";
}

TEST(LiveEdits, LeaveToANewStartWhatOnlyThatCanHave) {
    const char* const changes[][2] = {{"mass: 2,", "mass: 3,"},
                                      {"position: [0, 0, 3]", "position: [0, 0, 4]"},
                                      {"mass: 1}", "mass: 1, friction: 0.2}"},  // nobody can name it
                                      {"{friction: 0.8}", "{}"},
                                      {", friction: 0.5", ""},
                                      {"friction: 0.8", "friction: = 0.1*t"},
                                      {"friction: 0.8", "friction: 0.8, height: 1"},
                                      {"{name: crate", "{name: box"},
                                      {"file: live_basket.pliant", "file: other.pliant"},
                                      {"strength: 5", "strength: [5]"}};
    for (const auto& change : changes) EXPECT_FALSE(edits(change[0], change[1])) << change[1];
}

}  // namespace
}  // namespace pliant::test
