// SPDX-License-Identifier: Zlib
#include "draw/SceneView.h"

#include "pliant/scene/SceneCameras.h"

namespace pliant::program {

SceneView::SceneView(const SceneWorld& world, const Models& models, const osgPliant::SceneNodeOptions& options)
    : SceneView(world.scene(), models, world.physics().getBounds(), options) {
    follow(world);
}

SceneView::SceneView(const scene::SceneDescription& scene, const Models& models, const scene::Bounds& bounds,
                     const osgPliant::SceneNodeOptions& options)
    : m_scene(scene),
      m_stage(osgPliant::createStage(scene, bounds)),
      m_node(new osgPliant::SceneNode(scene, models, bounds, options)) {
    m_stage->addChild(m_node);
}

void SceneView::show(const scene::ScenePoses& poses) {
    m_node->show(poses);
    osgPliant::setLights(m_scene, poses.time, *m_stage);
}

osgPliant::CameraPlace viewPoint(const SceneWorld& world) {
    scene::SceneCameras cameras(world.scene(), world.physics().getViewPoint());
    cameras.follow(world.physics().getPoses());
    return osgPliant::cameraPlace(cameras.views().front().point);
}

}  // namespace pliant::program
