// SPDX-License-Identifier: Zlib
// OpenGL objects that are given back while contexts go on drawing.
#pragma once

#include <osg/Node>
#include <osg/TextureBuffer>

namespace osgPliant {

/// Gives back what OpenGL has of the geometries below a node, and says that their arrays have changed. osg::State takes
/// an array for bound that is the one it has seen last, unless that has changed since: it would have drawn from a
/// buffer that is gone. Closing a viewer gives back what all contexts have of its scene (osg::GraphicsContext).
void giveBack(osg::Node& node, osg::State* state);

/// Gives back a texture buffer with its numbers, which the texture itself leaves on the graphics card.
void giveBack(const osg::TextureBuffer& texture, osg::State* state);

}  // namespace osgPliant
