// SPDX-License-Identifier: Zlib
// Scenes of one ball, for what is seen of it.
#pragma once

#include <string>

#include "models/ReduceReader.h"
#include "pliant/math/Error.h"
#include "pliant/scene/ScenePoses.h"
#include "pliant/scene/SceneReader.h"

namespace pliant::program {

/// A ball that flies.
const std::string kBall =
    "ground: {}\nrigid: [{name: ball, shape: sphere, radius: 0.2, mass: 1, position: [0, 0, 1], velocity: [2, 0, 0]}]\n"
    "gravity: [0, 0, 0]\n";

inline scene::SceneDescription parse(const std::string& text) {
    return scene::parseScene(text, "pictures.yaml", sceneOptions());
}

/// What is told of a scene with a mistake.
inline std::string complaint(const std::string& text) {
    try {
        parse(text);
    } catch (const Error& problem) {
        return problem.what();
    }
    return "no error";
}

/// The poses of a scene with one rigid body.
inline scene::ScenePoses ballAt(double t, const Vector3& x) {
    scene::ScenePoses poses;
    poses.time = t;
    poses.rigid.resize(1);
    poses.rigid[0].translation = x;
    poses.isRigidShown = {1};
    return poses;
}

}  // namespace pliant::program
