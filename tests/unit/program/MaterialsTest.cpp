// SPDX-License-Identifier: Zlib
// Materials and layers of scenes: what they come to, and every mistake.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "ScenePartsWorld.h"

namespace pliant::scene {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

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
