// SPDX-License-Identifier: Zlib
// What cannot be seen of a world, in its picture: the layers that the scene shows, or that somebody switches on.
#pragma once

#include "draw/SceneView.h"
#include "osgPliant/DebugDrawing.h"
#include "osgPliant/Handlers.h"

namespace pliant::program {

class DebugLayers {
public:
    /// Adds its drawing to the picture. @param show which layers at first, and how
    DebugLayers(SceneView& view, const scene::DebugShow& show);

    /// Whether there is something to follow: layers that are shown, or that were in the last frame.
    bool areShown() const { return m_wereShown || m_drawing->getShownLayers() != 0; }
    /// Keys that show and hide the layers.
    osgGA::GUIEventHandler* handler() const { return new osgPliant::DebugHandler(m_drawing); }
    /// Draws what the shown layers tell of the world now; to be called between frames.
    void follow(const SceneWorld& world);

private:
    osg::ref_ptr<osgPliant::DebugDrawing> m_drawing;
    scene::DebugShow m_show;
    DebugShapes m_shapes;
    bool m_wereShown = false;  ///< in the last frame
};

}  // namespace pliant::program
