// SPDX-License-Identifier: Zlib
/// @file
/// Poses of characters from skeletons that OpenSceneGraph animates.
#pragma once

#include <osg/ref_ptr>
#include <osgAnimation/Bone>
#include <osgAnimation/Skeleton>
#include <string>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/rig/Skeleton.h"

namespace osgPliant {

/// Reads the bones of an osgAnimation::Skeleton into a pose, bone by name. Call read() after the update traversal, in
/// which osgAnimation moves its bones.
class PLIANT_API SkeletonPose {
public:
    /// @param skeleton kept alive  @param bones of the character, copied; those that the skeleton does not have keep
    /// their stance
    SkeletonPose(osgAnimation::Skeleton& skeleton, const pliant::Skeleton& bones);
    ~SkeletonPose();

    /// Where the bones stand now, in the space of the skeleton: where that stands in the scene is for the user to add.
    /// Scales are taken as the mean of what they are along the axes; shear is left out. Allocates the first time.
    /// @param pose bone -> parent, one a bone
    /// @return whether all frames were finite and no mirror images; those that were not keep their stance
    bool read(pliant::Pose& pose);

    /// Names of bones of the character that the skeleton does not have.
    const std::vector<std::string>& getMissing() const { return _missing; }

private:
    osg::ref_ptr<osgAnimation::Skeleton> _skeleton;
    pliant::Skeleton _bones;
    std::vector<osg::ref_ptr<osgAnimation::Bone>> _sources;  ///< one a bone of the character, or null
    std::vector<std::string> _missing;
    std::vector<pliant::Similarity> _world;  ///< bone -> skeleton
};

}  // namespace osgPliant
