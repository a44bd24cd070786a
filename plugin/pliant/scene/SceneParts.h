// SPDX-License-Identifier: Zlib
// The parts of a scene file, each from its YAML block; SceneReader puts them together.
#pragma once

#include <string>

#include "pliant/scene/CheckedYaml.h"
#include "pliant/scene/SceneDescription.h"
#include "pliant/scene/SceneReader.h"

namespace pliant::scene {

constexpr Range kPosition{-1.0e5, 1.0e5};  ///< m
constexpr Range kVelocity{-1.0e4, 1.0e4};  ///< m/s, rad/s

/// A path of the scene file as seen from the working directory.
std::string resolvePath(const std::string& sceneFile, const std::string& path);
/// resolvePath of a file that must exist and open.
std::string existingFile(const CheckedYaml& path, const std::string& sceneFile);

ModelEntry readModel(const std::string& name, const CheckedYaml& block, const std::string& sceneFile,
                     const ReduceReader& reduceReader);
BodyGroup readBodyGroup(const CheckedYaml& block);
RigidGroup readRigidGroup(const CheckedYaml& block, const std::string& sceneFile);
JointGroup readJoint(const CheckedYaml& block);
/// Joints name the bodies of repeated entries "name[number]", as they do copies of a grid.
void nameRepeatedEnds(SceneDescription& scene);
/// Names and numbers in scene.joints, which `list` holds, against the bodies of the scene. @throws Error
void checkJointNames(const CheckedYaml& list, const SceneDescription& scene);
Ground readGround(const CheckedYaml& block);
Placement readPlacement(const CheckedYaml& block);
SurfaceProperties readSurface(const CheckedYaml& block, SurfaceProperties surface);
StartVelocity readVelocity(const CheckedYaml& block);
Colour readColour(const CheckedYaml& value);

}  // namespace pliant::scene
