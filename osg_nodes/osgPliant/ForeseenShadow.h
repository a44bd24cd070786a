// SPDX-License-Identifier: Zlib
// State that a shadow technique decides on when it has culled what it shadows.
#pragma once

#include <osg/StateSet>
#include <osgUtil/CullVisitor>

namespace osgPliant {

/// What osgShadow::ViewDependentShadowMap puts in the place of a state set once the scene below it is culled: in the
/// first frame of a cull visitor nothing in the state graph tells of its program, textures and generated coordinates;
/// later frames find those of the frame before. Lights that come after the caller in the graph are not foreseen.
/// @param found of the current state graph
/// @return null where it is no placeholder of a technique above
osg::ref_ptr<osg::StateSet> foreseenShadowState(osgUtil::CullVisitor& visitor, const osg::StateSet& found);

}  // namespace osgPliant
