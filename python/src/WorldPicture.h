// SPDX-License-Identifier: Zlib
// Pictures of a pliant.World without a window.
#pragma once

#include <osg/BoundingBox>
#include <osg/MatrixTransform>

#include "Camera.h"
#include "World.h"
#include "osgPliant/BodyGroup.h"
#include "osgPliant/Stage.h"

namespace pliant::python {

class WorldPicture {
public:
    explicit WorldPicture(World& world) : m_world(world) {}
    /// @throws Error where it cannot be drawn or written
    py::array_t<std::uint8_t> take(const PictureArguments& arguments);

private:
    void build();
    void follow();
    osg::BoundingBoxd bound() const;
    void aim(const PictureArguments& arguments);

    World& m_world;
    int m_revision = -1;
    osg::ref_ptr<osgPliant::Stage> m_stage;
    std::vector<osg::ref_ptr<osgPliant::BodyGroup>> m_groups;
    std::vector<std::pair<const Rigid*, osg::ref_ptr<osg::MatrixTransform>>> m_rigids;
    std::unique_ptr<osgPliant::HeadlessViewer> m_viewer;
};

}  // namespace pliant::python
