// SPDX-License-Identifier: Zlib
// Prefabs and their instances: what they come to, and every mistake.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "ScenePartsWorld.h"
#include "pliant/scene/Placing.h"

namespace pliant::scene {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST_F(ScenePartsTest, PairsOfTheFileComeAfterThoseOfItsPrefabs) {
    const SceneDescription scene = parse(R"(
models: {cow: {file: cow.obj}}
touch: [{between: [herd.cow.x], stiffness: 4e6}]
prefabs:
  one: {bodies: [{name: x, model: cow}], touch: [{repeat: {k: 1}, between: [x], stiffness: 1e6}]}
  more:
    instances: [{prefab: one, name: cow}]
    touch: [{between: [cow.x], stiffness: 2e6}]
instances: [{prefab: more, name: herd}, {prefab: one, name: alone, position: [9, 0, 0]}]
)");
    ASSERT_THAT(scene.touches, SizeIs(4));
    std::vector<std::pair<std::string, double>> found;
    for (const Touch& touch : scene.touches) found.emplace_back(touch.of[0].name, touch.stiffness);
    using Pair = std::pair<std::string, double>;
    EXPECT_THAT(found, ElementsAre(Pair("herd.cow.x", 1e6), Pair("herd.cow.x", 2e6), Pair("alone.x", 1e6),
                                   Pair("herd.cow.x", 4e6)));
}

TEST_F(ScenePartsTest, AnInstanceHasNamesParametersAndAPlace) {
    const SceneDescription scene = parse(kCrane + R"(
instances:
  - {prefab: crane, name: left}
  - {prefab: crane, name: right, position: [0, 5, 0], rotation: [0, 0, 90], with: {reach: 3}}
events:
  - {when: right.near.count > 0, do: [{part: right.rope}, {push: {of: right.hook, impulse: [0, 0, 1]}}]}
)");
    ASSERT_THAT(scene.rigid, SizeIs(4));
    EXPECT_EQ(scene.rigid[1].name, "left.hook");
    EXPECT_EQ(scene.rigid[3].name, "right.hook");
    const Vector3 up = Vector3::UnitZ();
    EXPECT_LT((place(scene.rigid[1].placement, up)[0].translation - Vector3(2, 0, 1)).norm(), 1e-12);
    EXPECT_LT((place(scene.rigid[3].placement, up)[0].translation - Vector3(0, 8, 1.5)).norm(), 1e-12);
    EXPECT_LT((scene.rigid[3].velocity.linear - Vector3(0, 1, 0)).norm(), 1e-12);
    ASSERT_THAT(scene.joints, SizeIs(2));
    EXPECT_EQ(scene.joints[1].name, "right.rope");
    EXPECT_EQ(scene.joints[1].ends[0].name, "right.hook");
    EXPECT_LT((scene.joints[1].at - Vector3(0, 8, 2)).norm(), 1e-12);
    EXPECT_LT((scene.joints[1].axis - Vector3(0, 1, 0)).norm(), 1e-12);
    EXPECT_EQ(scene.timeline.sensors[1].name, "right.near");
    EXPECT_EQ(scene.timeline.sensors[1].of[0].name, "right.hook");
}

TEST_F(ScenePartsTest, InstancesNestAndRepeat) {
    const SceneDescription scene = parse(kCrane + R"(
  yard:
    instances: [{prefab: crane, name: crane, repeat: {i: 2}, position: [= 10*i, 0, 0]}]
    joints: [{kind: point, between: ["crane[0].hook", "crane[= 1].hook"], at: [0, 0, 0]}]
instances: [{prefab: yard, name: yard, position: [0, 0, 7]}]
sensors: [{name: tip, kind: point, of: "yard.crane[1].hook"}]
)");
    ASSERT_THAT(scene.rigid, SizeIs(4));
    EXPECT_EQ(scene.rigid[3].name, "yard.crane[1].hook");
    EXPECT_LT((place(scene.rigid[3].placement, Vector3::UnitZ())[0].translation - Vector3(12, 0, 8)).norm(), 1e-12);
    EXPECT_EQ(scene.joints[0].ends[0].name, "yard.crane[0].hook");
    EXPECT_EQ(scene.joints[0].ends[1].name, "yard.crane[1].hook");
}

TEST_F(ScenePartsTest, ParametersCountCopies) {
    const SceneDescription scene = parse(R"(
prefabs:
  row:
    parameters: {n: 2}
    rigid: [{name: post, repeat: {i: = n}, shape: box, position: [= i, 0, 0]}]
    joints: [{kind: point, between: ["post[= n - 1]"], at: [0, 0, 0]}]
instances: [{prefab: row, name: a}, {prefab: row, name: b, with: {n: 5}}]
)");
    ASSERT_THAT(scene.rigid, SizeIs(7));
    EXPECT_EQ(scene.rigid[6].name, "b.post[4]");
    EXPECT_EQ(scene.joints[1].ends[0].name, "b.post[4]");
}

TEST_F(ScenePartsTest, MistakesOfInstances) {
    const auto instance = [&](const std::string& text) { return complaint(kCrane + "instances: [" + text + "]\n"); };
    EXPECT_THAT(instance("{prefab: crame, name: a}"),
                HasSubstr("no prefab is called \"crame\"; did you mean \"crane\"?"));
    EXPECT_THAT(instance("{prefab: crane}"), HasSubstr("an instance needs the key \"name\""));
    EXPECT_THAT(instance("{prefab: crane, name: a}, {prefab: crane, name: a}"), HasSubstr("another instance \"a\""));
    EXPECT_THAT(instance("{prefab: crane, name: a, with: {raech: 1}}"),
                HasSubstr("no parameter \"raech\"; did you mean \"reach\"?"));
    EXPECT_THAT(instance("{prefab: crane, name: a, wiht: {reach: 1}}"), HasSubstr("did you mean \"with\"?"));
    EXPECT_THAT(complaint("prefabs: {p: {rigd: []}}\n" + kBall), HasSubstr("did you mean \"rigid\"?"));
    EXPECT_THAT(complaint("prefabs: {p: {instances: [{prefab: p, name: q}]}}\ninstances: [{prefab: p, name: a}]\n"),
                HasSubstr("must not hold an instance of itself"));
    EXPECT_THAT(complaint("prefabs:\n  p: {rigid: [{shape: box, size: [= w, 1, 1]}]}\n"
                          "instances:\n  - {prefab: p, name: a}\n"),
                AllOf(HasSubstr("test.yaml:2:35: = w: \"w\" is not defined"), HasSubstr("used by the instance \"a\" ("),
                      HasSubstr("test.yaml:4:5)")));
}

TEST_F(ScenePartsTest, NamesHaveBracketsAsCopiesHave) {
    EXPECT_EQ(parse("rigid: [{name: \"post[3][12]\", shape: box}]\n").rigid[0].name, "post[3][12]");
    for (const char* name : {"[3]", "a[]", "a[x]", "a[3", "a]3[", "a[3]b", "a[12345678]"})
        EXPECT_THAT(complaint(std::string("rigid: [{name: \"") + name + "\", shape: box}]\n"),
                    HasSubstr("a name has no brackets but of numbers"))
            << name;
    EXPECT_THAT(complaint("rigid: [{name: \"" + std::string(200000, 'a') + "[x]\", shape: box}]\n"),
                HasSubstr("brackets"));
}

TEST_F(ScenePartsTest, NamesThatNothingHasTellTheInstance) {
    const auto told = [&](const std::string& inside) {
        return complaint("prefabs: {p: {rigid: [{name: ball, shape: sphere, mass: 1}], " + inside +
                         "}}\ninstances:\n  - {prefab: p, name: left}\n");
    };
    const std::string user = "; used by the instance \"left\" (" + (m_folder / "test.yaml").string() + ":3:5)";
    for (const char* inside :
         {"joints: [{kind: point, between: [bal], at: [0, 0, 0]}]",
          "joints: [{kind: point, between: [\"ball[4]\"], at: [0, 0, 0]}]",
          "sensors: [{name: s, kind: energy, of: bal}]", "sensors: [{name: s, kind: strain, of: ball}]",
          "touch: [{between: [bal]}]", "touch: [{between: [ball]}]"})
        EXPECT_THAT(told(inside), EndsWith(user)) << inside;
    EXPECT_THAT(
        complaint("prefabs: {p: {rigid: [{shape: box, layer: goods}]}}\ninstances:\n  - {prefab: p, name: left}\n"),
        AllOf(HasSubstr("no layer is called \"goods\""), EndsWith(user)));
    EXPECT_THAT(
        complaint("prefabs: {p: {rigid: [{name: a, shape: box}, {name: a, shape: box}]}}\ninstances:\n  - {prefab: "
                  "p, name: left}\n"),
        AllOf(HasSubstr("there is another \"left.a\""), EndsWith(user)));
}

}  // namespace
}  // namespace pliant::scene
