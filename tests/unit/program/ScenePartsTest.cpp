// SPDX-License-Identifier: Zlib
// Scenes of several files: includes, units, overrides, and what of two files is appended.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "ScenePartsWorld.h"

namespace pliant::scene {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

TEST_F(ScenePartsTest, AnIncludedFileComesFirst) {
    write("more/yard.yaml",
          "variables: {wide: 3}\ntime: {duration: 2}\nmodels: {calf: {file: calf.obj}}\n"
          "rigid: [{name: fence, shape: box, position: [= wide, 0, 0]}]\nground: {height: = wide}\n");
    const SceneDescription scene = parse(
        "include: [more/yard.yaml]\ntime: {substeps: 7}\nmodels: {cow: {file: cow.obj}}\n"
        "bodies: [{model: calf}, {model: cow, position: [= wide, 0, 0]}]\n" +
        kBall);
    EXPECT_EQ(scene.time.duration, 2.0);
    EXPECT_EQ(scene.time.substeps, 7);
    ASSERT_THAT(scene.models, SizeIs(2));
    EXPECT_EQ(scene.models[0].name, "calf");
    EXPECT_THAT(scene.models[0].file, HasSubstr("more/calf.obj")) << "paths are relative to the file they stand in";
    ASSERT_THAT(scene.rigid, SizeIs(2));
    EXPECT_EQ(scene.rigid[0].name, "fence");
    EXPECT_EQ(scene.rigid[0].placement.position.x(), 3.0);
    EXPECT_EQ(scene.bodies[1].placement.position.x(), 3.0);
    EXPECT_EQ(scene.ground->height, 3.0);
}

TEST_F(ScenePartsTest, AFileMayHaveItsOwnUnitOfLength) {
    write("more/yard.yaml",
          "units: {length: in}\nprefabs: {post: {parameters: {high: 10}, rigid: [{name: p, shape: box, size: [1, 1, = "
          "high], position: [0, 0, = high/2], mass: 2}]}}\n");
    const SceneDescription scene = parse(
        "include: [more/yard.yaml]\nunits: {length: cm}\nvariables: {wide: 50}\ngravity: [0, 0, -981]\n"
        "instances: [{prefab: post, name: a, position: [= wide, 100, 0]}]\n"
        "rigid:\n  - {name: disc, shape: cylinder, radius: 20, height: = 2*wide, kinematic: true, velocity: [0, 0, "
        "3],\n"
        "     position: [0, = 100*t, 0], rotation: [0, 0, 90], angular_velocity: [0, 0, 2], rolling_friction: 1}\n"
        "joints: [{kind: slider, between: [disc], at: [0, 0, 10], limits: [-5, 5], motor: {velocity: 10, strength: "
        "7}}]\n"
        "events: [{at: 1, do: [{set: {what: gravity.z, to: -500}}, {set: {what: disc.friction, to: 3}}]}]\n"
        "animate: [{what: disc.position.x, keys: [[0, 0], [2, 30]]}]\n"
        "environment: {haze: 0.01}\n");
    ASSERT_THAT(scene.rigid, SizeIs(2));
    const auto near = [](const Vector3& a, const Vector3& b) { return (a - b).norm() < 1e-12; };
    EXPECT_PRED2(near, scene.gravity, Vector3(0, 0, -9.81));
    EXPECT_PRED2(near, scene.rigid[1].size, Vector3(0.0254, 0.0254, 0.254)) << "of an included file: inches";
    EXPECT_PRED2(near, scene.rigid[1].placement.position, Vector3(0, 0, 0.127));
    EXPECT_PRED2(near, scene.rigid[1].placement.frame->translation, Vector3(0.5, 1, 0));
    EXPECT_EQ(scene.rigid[1].mass, 2.0) << "lengths alone have the unit";
    const RigidGroup& disc = scene.rigid[0];
    EXPECT_DOUBLE_EQ(disc.radius, 0.2);
    EXPECT_DOUBLE_EQ(disc.height, 1.0);
    EXPECT_PRED2(near, disc.velocity.linear, Vector3(0, 0, 0.03));
    EXPECT_EQ(disc.velocity.angular.z(), 2.0);
    EXPECT_EQ(disc.placement.rotation.z(), 90.0);
    EXPECT_DOUBLE_EQ(disc.surface.rollingFriction, 0.01);
    EXPECT_DOUBLE_EQ(disc.path->at(1.5, disc.placement).position.y(), 1.5);
    EXPECT_DOUBLE_EQ((*scene.joints[0].limits)[1], 0.05);
    EXPECT_DOUBLE_EQ(scene.joints[0].motor->velocity, 0.1);
    EXPECT_DOUBLE_EQ(scene.joints[0].motor->strength, 7.0);
    EXPECT_DOUBLE_EQ(scene.timeline.animations[0].keys[1].second, 0.3);
    EXPECT_DOUBLE_EQ(scene.timeline.animations[0].keys[1].first, 2.0);
    EXPECT_DOUBLE_EQ(scene.timeline.events[0].actions[0].value.bind({})(), -5.0);
    EXPECT_DOUBLE_EQ(scene.timeline.events[0].actions[1].value.bind({})(), 3.0);
    EXPECT_DOUBLE_EQ(*scene.environment.haze, 1.0);
    EXPECT_THAT(complaint("units: {length: yard}\n" + kBall), HasSubstr("length cannot be \"yard\""));
    EXPECT_THAT(complaint("units: {length: km}\nrigid: [{shape: sphere, radius: 200}]\n"),
                HasSubstr("radius is 200 (200000); it must be at most 100000"));
}

// The unit of these depends on what they belong to, or stands beside another one in the table of keys.
TEST_F(ScenePartsTest, UnitsOfLengthHoldWhereTheKeyAloneDoesNotTell) {
    const std::string more =
        "rigid: [{name: ball, shape: sphere, mass: 1}]\ntool: [{body: ball, device: still, limits: [60, 90]}]\n";
    const SceneDescription scene = parse("units: {length: cm}\n" + more +
                                         "fields: [{kind: attractor, strength: 2.0e+6}, {kind: attractor, strength: "
                                         "= 1e6*t}, {kind: vortex, strength: 3}]\n");
    EXPECT_DOUBLE_EQ(scene.tools[0].settings.limits.speed, 0.6);
    EXPECT_DOUBLE_EQ(scene.tools[0].settings.limits.angularSpeed, 1.5707963267948966) << "degrees/s in files";
    EXPECT_DOUBLE_EQ(scene.fields[0].strength.bind({})(), 2.0);
    const double t = 3.0;
    EXPECT_DOUBLE_EQ(scene.fields[1].strength.bind({{"t", &t}})(), 3.0);
    EXPECT_DOUBLE_EQ(scene.fields[2].strength.bind({})(), 3.0) << "rad/s";
    const auto slider = [&](const std::string& unit, const std::string& velocity) {
        return "units: {length: " + unit + "}\n" + more +
               "joints: [{kind: slider, between: [ball], at: [0, 0, 0], motor: {velocity: " + velocity +
               ", strength: 1}}]\n";
    };
    EXPECT_DOUBLE_EQ(parse(slider("cm", "2.0e+4")).joints[0].motor->velocity, 200.0);
    EXPECT_THAT(complaint(slider("km", "20")), HasSubstr("velocity is 20 (20000); it must be at most 10000"));
    EXPECT_THAT(complaint(slider("cm", "2.0e+4, stength: 2")), Not(HasSubstr("at most"))) << "beside a mistake";
}

TEST_F(ScenePartsTest, TheSameNameTwiceIsAMistakeUnlessItOverrides) {
    write("a.yaml",
          "variables: {n: 3}\ntime: {duration: 2}\nmodels: {cow: {file: more/calf.obj}}\n"
          "gravity: [0, 0, -1]\nrigid: [{name: box, shape: box}, {name: post, shape: box}]\n");
    const std::string a = "include: [a.yaml]\n";
    EXPECT_THAT(complaint(a + "models: {cow: {file: cow.obj}}\n"),
                AllOf(HasSubstr("test.yaml:2:15: \"cow\" stands in another file, too: "), HasSubstr("a.yaml:3:15"),
                      HasSubstr("override: true")));
    EXPECT_THAT(parse(a + "models: {cow: {file: cow.obj, override: true}}\n").models[0].file, Not(HasSubstr("calf")));
    EXPECT_THAT(complaint(a + "time: {duration: 3}\n"), HasSubstr("\"duration\" stands in another file"));
    EXPECT_EQ(parse(a + "time: {override: true, duration: 3}\n").time.duration, 3.0);
    EXPECT_THAT(complaint(a + "variables: {n: 4}\n"), HasSubstr("\"n\" stands in another file"));
    EXPECT_NO_THROW(parse(a + "variables: {override: true, n: 4}\n"));
    EXPECT_THAT(complaint(a + "gravity: [0, 0, 0]\n"), HasSubstr("\"gravity\" stands in another file"));
    EXPECT_THAT(complaint(a + "rigid: [{name: box, shape: box}]\n"), HasSubstr("there is another \"box\""));
    const SceneDescription scene = parse(a + "rigid: [{name: box, shape: sphere, override: true}]\n");
    ASSERT_THAT(scene.rigid, SizeIs(2));
    EXPECT_EQ(scene.rigid[0].name, "post");
    EXPECT_EQ(scene.rigid[1].shape, RigidShape::Sphere);
    EXPECT_THAT(complaint(a + "rigid: [{name: bax, shape: box, override: true}]\n"),
                HasSubstr("\"bax\" overrides nothing"));
    EXPECT_THAT(complaint("rigid: [{name: box, shape: box, override: true}]\n"), HasSubstr("unknown key \"override\""));
}

// Every list of the file is one of entries that stand for themselves: those of two files come one after the other.
TEST_F(ScenePartsTest, PairsAndHandsOfTwoFilesAreAppended) {
    write("a.yaml",
          "models: {cow: {file: cow.obj}}\nbodies: [{name: cow, model: cow}]\n"
          "touch: [{between: [cow], stiffness: 1e6}]\ntool: [{name: left, body: cow, device: still}]\n");
    for (const std::string whole : {"", "override: true, "}) {
        const SceneDescription scene = parse(
            "include: [a.yaml]\nbodies: [{name: calf, model: cow, position: [1, 0, 0]}]\n"
            "touch: [{" +
            whole + "between: [calf], stiffness: 2e6}]\ntool: [{name: right, body: calf, device: still}]\n");
        ASSERT_THAT(scene.touches, SizeIs(2));
        EXPECT_EQ(scene.touches[0].stiffness, 1e6);
        EXPECT_EQ(scene.touches[1].stiffness, 2e6);
        ASSERT_THAT(scene.tools, SizeIs(2));
        EXPECT_EQ(scene.tools[1].name, "right");
    }
    const SceneDescription replaced = parse(
        "include: [a.yaml]\nbodies: [{name: calf, model: cow, position: [1, 0, 0]}]\n"
        "tool: [{name: left, body: calf, device: still, override: true}]\n");
    ASSERT_THAT(replaced.tools, SizeIs(1));
    EXPECT_EQ(replaced.tools[0].body.name, "calf");
}

TEST_F(ScenePartsTest, PairsAndHandsRepeat) {
    const SceneDescription scene = parse(
        "models: {cow: {file: cow.obj}}\nbodies: [{name: cow, model: cow, repeat: {i: 3}, position: [= 9*i, 0, 0]}]\n"
        "touch: [{repeat: {i: 2}, between: [\"cow[= i]\", \"cow[= i + 1]\"], stiffness: = 1e6*(i + 1)}]\n"
        "tool: [{repeat: {i: 2}, name: hand, body: \"cow[= i]\", device: still}]\n"
        "sensors: [{name: felt, kind: hand, of: \"hand[1]\"}]\n");
    ASSERT_THAT(scene.touches, SizeIs(2));
    EXPECT_EQ(scene.touches[1].of[0].name, "cow[1]");
    EXPECT_EQ(scene.touches[1].with[0].name, "cow[2]");
    EXPECT_EQ(scene.touches[1].stiffness, 2e6);
    ASSERT_THAT(scene.tools, SizeIs(2));
    EXPECT_EQ(scene.tools[1].name, "hand[1]");
    EXPECT_EQ(scene.tools[1].body.name, "cow[1]");
}

// Of entries about the same pair the last one counts: whoever uses a prefab has the last word.
TEST_F(ScenePartsTest, IncludesAreReadOnceAndEnd) {
    write("a.yaml", "include: [c.yaml]\n");
    write("b.yaml", "include: [c.yaml]\n");
    write("c.yaml", kBall);
    EXPECT_THAT(parse("include: [a.yaml, b.yaml]\n").rigid, SizeIs(1)) << "by two ways";
    write("d.yaml", "include: [e.yaml]\n");
    write("e.yaml", "include: [d.yaml]\n");
    EXPECT_THAT(complaint("include: [d.yaml]\n"), AllOf(HasSubstr("e.yaml:1:11"), HasSubstr("includes itself")));
    EXPECT_THAT(complaint("include: [none.yaml]\n"), AllOf(HasSubstr("test.yaml:1:11"), HasSubstr("cannot read")));
    write("f.yaml", "rigid: [{shape: bxo}]\n");
    EXPECT_THAT(complaint("include: [f.yaml]\n" + kBall), HasSubstr("f.yaml:1:17: shape cannot be \"bxo\""));
}

}  // namespace
}  // namespace pliant::scene
