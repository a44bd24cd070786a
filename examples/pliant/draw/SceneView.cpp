// SPDX-License-Identifier: Zlib
#include "draw/SceneView.h"

namespace pliant::program {

SceneView::SceneView(const SceneWorld& world, const Models& models, const osgPliant::SceneNodeOptions& options)
    : m_stage(osgPliant::createStage(world.scene(), world.physics().getBounds())),
      m_node(new osgPliant::SceneNode(world.scene(), models, world.physics().getBounds(), options)) {
    m_stage->addChild(m_node);
    follow(world);
}

osgPliant::CameraPlace viewPoint(const SceneWorld& world) {
    return osgPliant::cameraPlace(world.physics().getViewPoint());
}

}  // namespace pliant::program
