// SPDX-License-Identifier: Zlib
// Scenes of several files: a folder of a test's own, with what models name.
#pragma once

#include "SceneFolder.h"

namespace pliant::scene {

/// A folder with two meshes that models name, one of them in a folder below.
class ScenePartsTest : public SceneFolder {
protected:
    ScenePartsTest() {
        std::filesystem::create_directories(m_folder / "more");
        write("cow.obj", "v 0 0 0\n");
        write("more/calf.obj", "v 0 0 0\n");
    }
};

inline const std::string kBall = "rigid: [{name: ball, shape: sphere, mass: 1}]\n";

/// A prefab with parameters, bodies, a joint and a sensor.
inline const std::string kCrane = R"(
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

}  // namespace pliant::scene
