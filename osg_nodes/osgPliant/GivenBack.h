// SPDX-License-Identifier: Zlib
// OpenGL objects that are given back while contexts go on drawing.
#pragma once

#include <osg/Node>
#include <osg/TextureBuffer>

namespace osgPliant {

/// Gives back what OpenGL has of the geometries below a node. osg::State takes an array for bound that is the one it
/// has seen last, unless that has changed since: it would have drawn from a buffer that is gone. So the state of a
/// context forgets what it has seen, and for all contexts arrays count as changed, which makes every one of them copy
/// them anew; no thread may draw then. Closing a viewer gives back what all contexts have of its scene
/// (osg::GraphicsContext).
/// @param state null: of all contexts
void giveBack(osg::Node& node, osg::State* state);

/// Gives back a texture buffer with its numbers, which the texture itself leaves on the graphics card.
void giveBack(const osg::TextureBuffer& texture, osg::State* state);

}  // namespace osgPliant
