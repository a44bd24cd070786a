// SPDX-License-Identifier: Zlib
// Scenes of the language's first version, and the example that its second one was designed with, are read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "SceneFolder.h"

namespace pliant::scene {
namespace {

using ::testing::SizeIs;

class SceneVersions : public SceneFolder {
protected:
    static std::string textOf(const std::string& name) {
        std::stringstream text;
        text << std::ifstream(PLIANT_OWN_REFERENCE_DATA "/scenes/" + name).rdbuf();
        EXPECT_FALSE(text.str().empty()) << name;
        return text.str();
    }
    /// A scene of version 1, as if it stood among those of today.
    static SceneDescription first(const std::string& name) {
        return parseScene(textOf("version_1/" + name), PLIANT_MEDIA_DIR "/scenes/" + name, program::sceneOptions());
    }
};

TEST_F(SceneVersions, FirstBasketDrop) {
    const SceneDescription scene = first("basket_drop.yaml");
    EXPECT_EQ(scene.gravity, Vector3(0, 0, -9.81));
    EXPECT_EQ(scene.time.duration, 10.0);
    EXPECT_EQ(scene.time.substeps, 8);
    ASSERT_THAT(scene.models, SizeIs(1));
    ASSERT_TRUE(scene.models[0].damping);
    EXPECT_EQ(scene.models[0].damping->mass, 0.2);
    EXPECT_EQ(scene.models[0].damping->stiffness, 0.002);
    ASSERT_THAT(scene.bodies, SizeIs(1));
    const BodyGroup& bodies = scene.bodies[0];
    EXPECT_EQ(bodies.placement.count, (std::array<int, 3>{8, 8, 8}));
    EXPECT_EQ(bodies.placement.spacing, Vector3(0.5, 0.5, 0.5));
    EXPECT_EQ(bodies.placement.position, Vector3(0, 0, 1.9));
    EXPECT_EQ(bodies.placement.seed, 512u);
    EXPECT_EQ(bodies.surface.friction, 0.5);
    EXPECT_EQ(bodies.surface.rollingFriction, 0.01);
    ASSERT_TRUE(scene.ground && scene.camera);
    EXPECT_EQ(scene.ground->surface.friction, 0.8);
    EXPECT_EQ(scene.camera->from, Vector3(4.6, -6.6, 3.1));
    EXPECT_TRUE(scene.light.shadow);
    EXPECT_EQ(scene.output.width, 1280);
    EXPECT_EQ(scene.output.pictureTime, 9.0);
}

TEST_F(SceneVersions, FirstCarousel) {
    const SceneDescription scene = first("carousel.yaml");
    EXPECT_THAT(scene.bodies, SizeIs(4));
    EXPECT_THAT(scene.rigid, SizeIs(5));
    ASSERT_THAT(scene.joints, SizeIs(7));
    EXPECT_EQ(scene.joints[0].kind, JointKind::Hinge);
    ASSERT_TRUE(scene.joints[0].motor);
    EXPECT_EQ(scene.joints[1].kind, JointKind::Fixed);
    EXPECT_EQ(scene.joints[2].ends[0].name, "east_west");
    EXPECT_EQ(scene.joints[2].ends[0].copy, 0);
    EXPECT_EQ(scene.joints[5].kind, JointKind::Spring);
}

TEST_F(SceneVersions, FirstSmoke) {
    const SceneDescription scene = first("smoke.yaml");
    ASSERT_THAT(scene.bodies, SizeIs(2));
    EXPECT_EQ(scene.bodies[1].motion, Motion::Kinematic);
    ASSERT_THAT(scene.rigid, SizeIs(4));
    EXPECT_EQ(scene.rigid[2].shape, RigidShape::Capsule);
    EXPECT_EQ(scene.rigid[2].placement.position, Vector3(0.3, 0.1, 1.7));
}

TEST_F(SceneVersions, TheExampleOfTheDesign) {
    std::filesystem::create_directories(m_folder / "scenes/prefabs");
    std::filesystem::create_directory_symlink(PLIANT_MEDIA_DIR "/basket", m_folder / "basket");
    std::filesystem::copy(PLIANT_MEDIA_DIR "/scenes/prefabs/crane.yaml", m_folder / "scenes/prefabs");
    write("scenes/cloth.pliant", "reduced\n");
    const SceneDescription scene =
        parseScene(textOf("crane_yard.yaml"), (m_folder / "scenes/crane_yard.yaml").string(), program::sceneOptions());
    ASSERT_THAT(scene.bodies, SizeIs(3));
    EXPECT_EQ(scene.bodies[0].placement.count, (std::array<int, 3>{8, 8, 4}));
    EXPECT_TRUE(scene.bodies[1].isPool);
    EXPECT_EQ(scene.bodies[1].placement.count[0], 256);
    EXPECT_EQ(scene.bodies[2].motion, Motion::Anchored);
    EXPECT_THAT(scene.materials, SizeIs(2));
    EXPECT_THAT(scene.rigid, SizeIs(4 + 1 + 9)) << "walls, the paddle, and of the crane mast, boom, hook and 6 bars";
    EXPECT_THAT(scene.joints, SizeIs(1 + 8)) << "the load, and of the crane slew, hang, hold and 5 links";
    EXPECT_THAT(scene.fields, SizeIs(1));
    EXPECT_THAT(scene.timeline.animations, SizeIs(2));
    EXPECT_THAT(scene.timeline.events, SizeIs(5));
    EXPECT_THAT(scene.timeline.records, SizeIs(3));
    EXPECT_THAT(scene.timeline.expectations, SizeIs(2));
    EXPECT_THAT(scene.cameras, SizeIs(2));
    EXPECT_THAT(scene.lamps, SizeIs(1));
    EXPECT_THAT(scene.outputs, SizeIs(3));
}

}  // namespace
}  // namespace pliant::scene
