// SPDX-License-Identifier: Zlib
// A model with a mesh, and nodes to bind to it.
#pragma once

#include <memory>
#include <osg/Geometry>
#include <osg/Group>
#include <osg/Texture2D>
#include <vector>

#include "pliant/model/ReducedModel.h"

namespace pliant::test {

constexpr int brickTorusDimension = 7;

/// The torus in 4 x 3 x 4 bricks that move by random numbers, and the frame of the body turned against the file's.
std::shared_ptr<ReducedModel> makeBrickTorus();
/// The surface of a model in its mesh frame, deformed.
SurfaceMesh inMeshFrame(const ReducedModel& model, const std::vector<double>& q);

/// Checks of two colours.
osg::ref_ptr<osg::Texture2D> makeChecker();
/// The geometry of a surface, with texture coordinates and normals.
osg::ref_ptr<osg::Geometry> makeGeometry(const SurfaceMesh& surface);
/// A ring with texture and material, below two transforms that cancel each other: as files have it.
osg::ref_ptr<osg::Group> makeSkinNode(const SurfaceMesh& surface);

}  // namespace pliant::test
