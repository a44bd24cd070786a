// SPDX-License-Identifier: Zlib
// What a drawable will be drawn with, known while the scene is culled.
#pragma once

#include <osg/StateSet>
#include <osgUtil/CullVisitor>
#include <vector>

namespace osgPliant {

/// Whether the camera of a cull visitor draws into a depth buffer alone, as those of shadow maps do.
bool drawsDepthAlone(osgUtil::CullVisitor& visitor);

/// What a drawable below the current state graph of a cull visitor will be drawn with, by the rules of osg::State:
/// later state sets win, but for OVERRIDE above them, but for PROTECTED in them.
class AppliedState {
public:
    explicit AppliedState(osgUtil::CullVisitor& visitor);

    /// Whether a mode is on; those that nobody sets are off.
    bool isOn(GLenum mode) const;
    bool isTextureModeOn(unsigned int unit, GLenum mode) const;
    /// The attribute of a type that wins; null where nobody sets one.
    const osg::StateAttribute* getAttribute(osg::StateAttribute::Type type) const;
    /// The same for a texture unit; those that nodes place in the scene (TexGenNode) count.
    const osg::StateAttribute* getTextureAttribute(unsigned int unit, osg::StateAttribute::Type type) const;
    /// One more than the last texture unit with any attribute or mode.
    unsigned int getTextureUnitCount() const;
    /// Whether nobody sees colours.
    bool isDepthAlone() const { return drawsDepthAlone(_visitor); }

private:
    std::vector<const osg::StateSet*> _sets;             ///< from the root on
    std::vector<osg::ref_ptr<osg::StateSet>> _foreseen;  ///< those that stand in the place of placeholders
    osgUtil::CullVisitor& _visitor;
};

}  // namespace osgPliant
