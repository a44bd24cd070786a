// SPDX-License-Identifier: Zlib
// Scenes of several files, prefabs and their instances, materials and layers: what they come to, and every mistake.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "models/ReduceReader.h"
#include "pliant/math/Error.h"
#include "pliant/scene/Placing.h"
#include "pliant/scene/SceneReader.h"

namespace pliant::scene {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

class ScenePartsTest : public ::testing::Test {
protected:
    void SetUp() override {
        m_folder = std::filesystem::path(::testing::TempDir()) /
                   ("parts_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
        std::filesystem::create_directories(m_folder / "more");
        write("cow.obj", "v 0 0 0\n");
        write("more/calf.obj", "v 0 0 0\n");
    }
    void TearDown() override { std::filesystem::remove_all(m_folder); }

    void write(const std::string& name, const std::string& text) const { std::ofstream(m_folder / name) << text; }
    SceneDescription parse(const std::string& text) const {
        return parseScene(text, (m_folder / "test.yaml").string(), program::sceneOptions());
    }
    std::string complaint(const std::string& text) const {
        try {
            parse(text);
        } catch (const Error& problem) {
            return problem.what();
        }
        return "no error";
    }

    std::filesystem::path m_folder;
};

const std::string kBall = "rigid: [{name: ball, shape: sphere, mass: 1}]\n";

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

const std::string kCrane = R"(
prefabs:
  crane:
    parameters: {reach: 2, arm: = reach/2}
    rigid:
      - {name: mast, shape: box, position: [0, 0, 1]}
      - {name: hook, shape: sphere, mass: 1, position: [= reach, 0, = arm], velocity: [1, 0, 0]}
    joints:
      - {name: rope, kind: hinge, between: [hook, mast], at: [= reach, 0, 2], axis: [1, 0, 0]}
    sensors:
      - {name: near, kind: region, box: {from: [0, 0, 0], to: [1, 1, 1]}, of: hook}
)";

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

TEST_F(ScenePartsTest, APrintedSceneHasNumbersAlone) {
    write("posts.yaml",
          "prefabs: {row: {parameters: {n: 2}, rigid: [{name: post, repeat: {i: = n}, shape: box, position: [= i, "
          "0, = high/2]}], joints: [{kind: point, between: [\"post[= n - 1]\"], at: [0, 0, 0]}]}}\n");
    write("scene.yaml",
          "include: [posts.yaml]\nvariables: {high: 3, wide: = 2*high}\nmodels: {cow: {file: cow.obj}}\nbodies: "
          "[{model: cow, "
          "position: [= wide, 0, 1]}]\ninstances: [{prefab: row, name: a, position: [0, = high, 0], with: {n: "
          "1}}]\nrigid: [{name: "
          "door, shape: box, kinematic: true, position: [\"= wide*sin(t)\", 0, 0]}]\nevents: [{when: t > high, do: "
          "[{say: \"{wide*t} "
          "m\"}, stop]}]\n");
    const std::string file = (m_folder / "scene.yaml").string();
    EXPECT_EQ(printedScene(file, program::sceneOptions({{"high", 4.0}})),
              "prefabs:\n  \"a\":\n    rigid:\n    - {name: \"post[0]\", shape: box, position: [0, 0, 2]}\n    "
              "joints:\n    - {kind: "
              "point, between: [\"post[0]\"], at: [0, 0, 0]}\ninstances:\n- {prefab: \"a\", name: \"a\", position: [0, "
              "4, 0]}\n"
              "models: {cow: {file: " +
                  (m_folder / "cow.obj").string() +
                  "}}\nbodies:\n- {model: cow, position: [8, 0, 1]}\n"
                  "rigid:\n- {name: door, shape: box, kinematic: true, position: [\"= (8)*sin(t)\", 0, 0]}\nevents:\n- "
                  "{when: \"t > (4)\", "
                  "do: [{say: \"{(8)*t} m\"}, stop]}\n");
}

// Read again, it is the same scene, and printed again the same text.
TEST_F(ScenePartsTest, PrintedScenesOfTheProjectAreScenes) {
    for (const auto& entry : std::filesystem::directory_iterator(std::string(PLIANT_MEDIA_DIR) + "/scenes")) {
        if (entry.path().extension() != ".yaml") continue;
        SCOPED_TRACE(entry.path());
        const SceneDescription scene = readScene(entry.path(), program::sceneOptions());
        const std::string text = printedScene(entry.path(), program::sceneOptions());
        write("again.yaml", text);
        const SceneDescription again = readScene((m_folder / "again.yaml").string(), program::sceneOptions());
        EXPECT_EQ(printedScene((m_folder / "again.yaml").string(), program::sceneOptions()), text);
        const auto expectSame = [&](const auto& one, const auto& other) {
            ASSERT_EQ(one.size(), other.size());
            for (std::size_t i = 0; i < one.size(); ++i) {
                EXPECT_EQ(one[i].name, other[i].name);
                const auto a = place(one[i].placement, scene.up()), b = place(other[i].placement, again.up());
                ASSERT_EQ(a.size(), b.size());
                for (std::size_t k = 0; k < a.size(); ++k) {
                    EXPECT_EQ(a[k].translation, b[k].translation) << one[i].name;
                    EXPECT_EQ(a[k].rotation, b[k].rotation) << one[i].name;
                }
            }
        };
        expectSame(scene.bodies, again.bodies);
        expectSame(scene.rigid, again.rigid);
        ASSERT_EQ(scene.joints.size(), again.joints.size());
        for (std::size_t i = 0; i < scene.joints.size(); ++i) {
            EXPECT_EQ(scene.joints[i].ends[0].name, again.joints[i].ends[0].name);
            EXPECT_EQ(scene.joints[i].at, again.joints[i].at);
        }
        EXPECT_EQ(scene.timeline.events.size(), again.timeline.events.size());
        EXPECT_EQ(scene.timeline.sensors.size(), again.timeline.sensors.size());
        EXPECT_EQ(scene.time.step(), again.time.step());
    }
}

TEST_F(ScenePartsTest, TheGroundMayHaveAMaterial) {
    write("wood.png", "no picture");
    const std::string wood = "materials: {wood: {texture: wood.png}}\n" + kBall;
    const SceneDescription scene = parse(wood + "ground: {material: wood, tile: 0.5}\n");
    EXPECT_EQ(scene.ground->material, "wood");
    EXPECT_EQ(scene.ground->tile, 0.5);
    EXPECT_THAT(complaint(wood + "ground: {material: wod}\n"), HasSubstr("did you mean \"wood\"?"));
    EXPECT_THAT(complaint(wood + "ground: {material: wood, colour: [1, 1, 1]}\n"), HasSubstr("a material or a colour"));
}

TEST_F(ScenePartsTest, MaterialsDressModelsAndShapes) {
    write("wood.png", "no picture");
    const SceneDescription scene = parse(R"(
materials:
  wood: {texture: wood.png, normal_map: wood.png, two_sided: true, colour: [1, 0.9, 0.8], roughness: 0.9}
  steel: {colour: [0.5, 0.5, 0.6], metal: 1, roughness: 0.3, opacity: 0.7}
models: {cow: {file: cow.obj, materials: {hide: wood}}}
bodies: [{model: cow, grid: {count: [3, 1, 1], spacing: 1}, colours: [[1, 0, 0], [0, 1, 0]]}]
rigid: [{shape: box, material: steel}]
)");
    ASSERT_THAT(scene.materials, SizeIs(2));
    EXPECT_EQ(scene.material("steel")->metal, 1.0);
    EXPECT_THAT(scene.material("wood")->normalMap, HasSubstr("wood.png"));
    EXPECT_TRUE(scene.material("wood")->twoSided);
    EXPECT_FALSE(scene.material("steel")->twoSided);
    EXPECT_THAT(complaint("environment: {image: nosky.png}\nbodies: []\n"), HasSubstr("nosky.png"));
    EXPECT_EQ(scene.models[0].materials[0].second, "wood");
    EXPECT_THAT(scene.bodies[0].colours, SizeIs(2));
    const std::string rest = "materials: {wood: {texture: wood.png}, red: {colour: [1, 0, 0]}}\n";
    EXPECT_THAT(complaint(rest + "rigid: [{shape: box, material: rde}]\n"),
                HasSubstr("no material is called \"rde\"; did you mean \"red\"?"));
    EXPECT_THAT(complaint(rest + "rigid: [{shape: box, material: wood}]\n"), HasSubstr("nothing to lay it on"));
    EXPECT_THAT(complaint(rest + "rigid: [{shape: box, material: red, colour: [1, 1, 1]}]\n"),
                HasSubstr("a material or a colour"));
    EXPECT_THAT(complaint(rest + "models: {cow: {file: cow.obj, materials: {hide: woood}}}\nbodies: [{model: cow}]\n"),
                HasSubstr("no material is called \"woood\""));
    EXPECT_THAT(complaint("materials: {a: {texture: none.png}}\n" + kBall), HasSubstr("cannot read"));
    EXPECT_THAT(complaint("materials: {a: {shine: 1}}\n" + kBall), HasSubstr("unknown key \"shine\""));
}

TEST_F(ScenePartsTest, LayersAreNamesOfTheirBodies) {
    const std::string layers = "layers: {goods: [goods, rest], ghosts: []}\n";
    const SceneDescription scene = parse(layers + R"(
rigid: [{name: ball, shape: sphere, mass: 1, layer: goods}]
fields: [{kind: gravity, acceleration: [0, 0, 1], of: goods}]
)");
    EXPECT_EQ(scene.rigid[0].layer, "goods");
    EXPECT_THAT(scene.layers[0].meets, ElementsAre("goods", "rest"));
    EXPECT_THAT(complaint(layers + "rigid: [{shape: box, layer: godos}]\n"),
                HasSubstr("no layer is called \"godos\"; did you mean \"goods\"?"));
    EXPECT_THAT(complaint("layers: {a: [b]}\n" + kBall), HasSubstr("no layer is called \"b\""));
    EXPECT_THAT(complaint("layers: {rest: []}\n" + kBall), HasSubstr("\"rest\" are the bodies in no layer"));
    EXPECT_THAT(complaint("layers: {ball: []}\n" + kBall), HasSubstr("a body is called \"ball\", too"));
}

}  // namespace
}  // namespace pliant::scene
