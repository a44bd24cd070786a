// SPDX-License-Identifier: Zlib
// Who meets whom in a world, and instances of prefabs that move.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "SceneInWorld.h"

namespace pliant::test {
namespace {

const std::string kFalling =
    "ground: {}\n"
    "rigid:\n"
    "  - {name: shelf, shape: box, size: [9, 9, 0.2], position: [0, 0, 0.9], layer: shelves}\n"
    "  - {name: good, shape: sphere, radius: 0.1, mass: 1, position: [0, 0, 1.5], layer: goods}\n"
    "  - {name: ghost, shape: sphere, radius: 0.1, mass: 1, position: [2, 0, 1.5], layer: ghosts}\n"
    "  - {name: plain, shape: sphere, radius: 0.1, mass: 1, position: [-2, 0, 1.5]}\n"
    "  - {name: late, shape: sphere, radius: 0.1, mass: 1, spawn: {most: 1}, layer: ghosts}\n"
    "events: [{at: 0, do: [{spawn: {of: late, position: [3, 0, 1.5]}}]}]\n"
    "sensors: [{name: low, kind: region, box: {from: [-9, -9, -9], to: [9, 9, 0.5]}, of: ghosts}]\n";

TEST(SceneLayers, BodiesMeetTheLayersThatNameThem) {
    SceneInWorld world("layers: {shelves: [goods], goods: [goods, rest], ghosts: [rest]}\n" + kFalling);
    world.step(1.5);
    EXPECT_NEAR(world.place(1).z(), 1.1, 0.01) << "lies on the shelf that names its layer";
    EXPECT_NEAR(world.place(2).z(), 0.1, 0.01) << "fell through the shelf and lies on the ground";
    EXPECT_NEAR(world.place(3).z(), 0.1, 0.01) << "the shelf does not name the rest";
    EXPECT_NEAR(world.place(4).z(), 0.1, 0.01) << "came in by an event, and is in its layer";
    EXPECT_EQ(world.number("low.count"), 2.0) << "a layer is a name of its bodies";
}

TEST(SceneLayers, WithoutLayersEverythingMeets) {
    std::string text = kFalling;
    for (const char* layer :
         {", layer: shelves", ", layer: goods", ", layer: ghosts", ", layer: ghosts", ", of: ghosts"})
        text.erase(text.find(layer), std::string(layer).size());
    SceneInWorld world(text);
    world.step(1.5);
    for (const int i : {1, 2, 3, 4}) EXPECT_NEAR(world.place(i).z(), 1.1, 0.01);
}

TEST(ScenePrefabs, KinematicBodiesMoveInTheFrameOfTheirInstance) {
    SceneInWorld world(
        "prefabs:\n"
        "  lift:\n"
        "    parameters: {speed: 1}\n"
        "    rigid: [{name: floor, shape: box, size: [1, 1, 0.1], kinematic: true, position: [= speed*t, 0, 0]}]\n"
        "    sensors: [{name: here, kind: region, box: {from: [1.5, -1, -1], to: [9, 1, 1]}}]\n"
        "instances: [{prefab: lift, name: lift, position: [0, 0, 3], rotation: [0, 0, 90], with: {speed: 2}}]\n"
        "rigid: [{name: ball, shape: sphere, radius: 0.1, mass: 1, position: [0, 5, 3.2]}]\n"
        "gravity: [0, 0, 0]\n"
        "events: [{at: 1, do: [{set: {what: lift.floor.position.z, to: 1}}]}]\n");
    world.step(0.5);
    EXPECT_LT((world.place(1) - Vector3(0, 1, 3)).norm(), 1e-4) << "along the world's y";
    EXPECT_EQ(world.number("lift.here.count"), 1.0) << "the ball is in the turned box";
    world.step(0.6);
    EXPECT_NEAR(world.place(1).z(), 4.0, 1e-4);
}

}  // namespace
}  // namespace pliant::test
