// SPDX-License-Identifier: Zlib
// The picture of a SceneWorld: nodes that follow its bodies. Knows nothing of windows, files and time.
#pragma once

#include <osg/MatrixTransform>
#include <osg/ref_ptr>
#include <vector>

#include "osgPliant/BodyGroup.h"
#include "osgPliant/Links.h"
#include "osgPliant/Stage.h"
#include "world/SceneWorld.h"

namespace pliant::program {

struct SceneViewOptions {
    bool joints = true;  ///< pins, rods and hooks at joints, which have no shape of their own
};

class SceneView {
public:
    SceneView(const SceneWorld& world, const Models& models, const SceneViewOptions& options = {});

    osg::Group* root() const { return m_stage.get(); }
    /// Puts every node where its body is; to be called between frames. The world may be another one of the same scene.
    void follow(const SceneWorld& world);

private:
    void addGround(const SceneWorld& world);
    void addRigids(const SceneWorld& world);

    osg::ref_ptr<osgPliant::Stage> m_stage;
    std::vector<osg::ref_ptr<osgPliant::BodyGroup>> m_bodies;  ///< one a model
    std::vector<osg::ref_ptr<osg::MatrixTransform>> m_rigids;
    osg::ref_ptr<osgPliant::Links> m_links;  ///< null where joints are not shown
};

}  // namespace pliant::program
