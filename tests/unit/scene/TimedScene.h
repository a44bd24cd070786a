// SPDX-License-Identifier: Zlib
// Scenes whose course of time is tested: their step, and what many of them hold.
#pragma once

#include <string>

#include "SceneInWorld.h"

namespace pliant::test {

constexpr double kStep = 1.0 / 120.0;  // s
constexpr double kGravity = 9.81;      // m/s^2

const std::string kBall = "rigid:\n  - {name: ball, shape: sphere, radius: 0.1, mass: 2, position: [0, 0, 1]}\n";
const std::string kBar = std::string("models: {bar: {file: ") + PLIANT_MEDIA_DIR + "/solids/jelly.obj}}\n";
const std::string kWeightless = "gravity: [0, 0, 0]\n";

using TimedScene = SceneInWorld;

}  // namespace pliant::test
