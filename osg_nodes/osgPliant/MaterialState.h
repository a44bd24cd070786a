// SPDX-License-Identifier: Zlib
// OpenGL state of a surface material.
#pragma once

#include <osg/StateSet>
#include <string>

#include "pliant/mesh/SurfaceMesh.h"

namespace osgPliant {

/// Material, diffuse texture (read through osgDB; a warning and no texture if that fails) and transparency.
/// @param vertexColours the drawable has a colour array that multiplies the material
/// @param closed        the surface has no border, so back faces of an opaque one need not be drawn
osg::ref_ptr<osg::StateSet> createMaterialState(const pliant::SurfaceMaterial& material, bool vertexColours,
                                                bool closed);

/// Lays an image on what has texture coordinates, which multiplies its colour; a warning where it cannot be read.
void addTexture(osg::StateSet& state, const std::string& path);

/// Lays an image of normals on what has texture coordinates, in the frame that these make on the surface.
/// @return whether it could be read; a warning where not
bool addNormalMap(osg::StateSet& state, const std::string& path);

/// Whether every edge has two triangles that run along it in opposite directions, vertices at equal positions welded.
bool isClosed(const pliant::SurfaceMesh& surface);

}  // namespace osgPliant
