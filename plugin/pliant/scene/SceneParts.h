// SPDX-License-Identifier: Zlib
// The parts of a scene file, each from its YAML block; SceneReader puts them together.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "pliant/scene/CheckedYaml.h"
#include "pliant/scene/Mistakes.h"
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
/// What messages and other entries call the group, in a repeated entry with its number; empty where it has no name.
std::string readName(const CheckedYaml& block);
/// "name" or "name[3]" or "name[= i + 1]"; of bodies that an entry with `repeat` has made "name[3][0]".
Reference readReference(const CheckedYaml& value);
/// One of them, or a list.
std::vector<Reference> readReferences(const CheckedYaml& value);
/// Names with brackets of repeated entries are names, not copies. @param names of all groups
void nameRepeated(Reference& reference, const std::set<std::string>& names);
Field readField(const CheckedYaml& block);
Sensor readSensor(const CheckedYaml& block);
Event readEvent(const CheckedYaml& block, const TimeSettings& time);
Action readAction(const CheckedYaml& item);
Record readRecord(const CheckedYaml& block, const TimeSettings& time);
Expectation readExpectation(const CheckedYaml& block, const TimeSettings& time);
/// Names and formulas in scene.timeline against the rest of the scene; every mistake is noted.
void checkTimeline(SceneDescription& scene, Mistakes& mistakes);
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
