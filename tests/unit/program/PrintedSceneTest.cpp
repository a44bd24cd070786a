// SPDX-License-Identifier: Zlib
// Scenes that are printed as one file with numbers alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "ScenePartsWorld.h"
#include "pliant/scene/Placing.h"

namespace pliant::scene {
namespace {

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

// Bodies name the scene's own models first, and files where none is called so.
TEST_F(ScenePartsTest, AModelThatIsCalledLikeAFileIsPrintedByItsName) {
    write("cow.pliant", "reduced\n");
    write("more/calf.pliant", "reduced\n");
    const std::string text =
        "models: {cow.pliant: {file: cow.obj}}\nbodies: [{name: a, model: cow.pliant}, {name: b, model: "
        "more/calf.pliant}]\n";
    write("scene.yaml", text);
    const std::string printed = printedScene((m_folder / "scene.yaml").string(), program::sceneOptions());
    EXPECT_THAT(printed, ::testing::HasSubstr("{name: a, model: cow.pliant}"));
    EXPECT_THAT(printed, ::testing::HasSubstr("{name: b, model: " + (m_folder / "more/calf.pliant").string() + "}"));
    const SceneDescription again = parse(printed);
    ASSERT_EQ(again.models.size(), 2u);
    EXPECT_EQ(again.models[0].file, (m_folder / "cow.obj").string());
    EXPECT_EQ(again.bodies[0].model, "cow.pliant");
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

}  // namespace
}  // namespace pliant::scene
