// SPDX-License-Identifier: Zlib
// The picture of a SceneWorld: nodes that follow its bodies. Knows nothing of windows, files and time.
#pragma once

#include <osg/MatrixTransform>
#include <osg/ref_ptr>
#include <vector>

#include "osgPliant/BodyGroup.h"
#include "osgPliant/Stage.h"
#include "world/SceneWorld.h"

namespace pliant::program {

/// Where one looks from.
struct ViewPoint {
    osg::Vec3d eye, centre, up;
    double fieldOfView = 35.0;  ///< vertical, degrees
};

class SceneView {
public:
    SceneView(const SceneWorld& world, const Models& models);

    osg::Group* root() const { return m_stage.get(); }
    /// Puts every node where its body is; to be called between frames. The world may be another one of the same scene.
    void follow(const SceneWorld& world);

private:
    void addGround(const SceneWorld& world);
    void addRigids(const SceneWorld& world);

    osg::ref_ptr<osgPliant::Stage> m_stage;
    std::vector<osg::ref_ptr<osgPliant::BodyGroup>> m_bodies;  ///< one a model
    std::vector<osg::ref_ptr<osg::MatrixTransform>> m_rigids;
};

/// The scene's camera, or one that sees all bodies as they stand now and the ground below them.
ViewPoint viewPoint(const SceneWorld& world);

}  // namespace pliant::program
