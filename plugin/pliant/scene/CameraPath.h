// SPDX-License-Identifier: Zlib
// Paths of cameras that OpenSceneGraph has recorded.
#pragma once

#include <string>
#include <vector>

#include "pliant/scene/PictureDescription.h"

namespace pliant::scene {

/// What osgViewer::RecordCameraPathHandler (key z) writes, and osg::AnimationPath reads: lines of eight numbers, the
/// time, s, the eye, m, and the rotation of the camera as a quaternion x, y, z, w. Cameras look along their -z, and
/// their y is up. What they look at is a metre away.
/// @return by time, at least one
/// @throws Error with file and line
std::vector<CameraKey> readCameraPath(const std::string& path);

}  // namespace pliant::scene
