// SPDX-License-Identifier: Zlib
// The picture of a SceneWorld, on a stage with the scene's light.
#pragma once

#include "osgPliantScene/SceneNode.h"
#include "world/SceneWorld.h"

namespace pliant::program {

class SceneView {
public:
    SceneView(const SceneWorld& world, const Models& models, const osgPliant::SceneNodeOptions& options = {});
    /// The same without a world. @param scene outlives this. @param bounds of the scene as it starts
    SceneView(const scene::SceneDescription& scene, const Models& models, const scene::Bounds& bounds,
              const osgPliant::SceneNodeOptions& options = {});

    osg::Group* root() const { return m_stage.get(); }
    /// Puts every node where its body is; to be called between frames. The world may be another one of the same scene.
    void follow(const SceneWorld& world) { show(world.physics().getPoses()); }
    void show(const scene::ScenePoses& poses);

private:
    const scene::SceneDescription& m_scene;
    osg::ref_ptr<osgPliant::Stage> m_stage;
    osg::ref_ptr<osgPliant::SceneNode> m_node;
};

/// The scene's camera, or one that sees the whole run.
osgPliant::CameraPlace viewPoint(const SceneWorld& world);

}  // namespace pliant::program
