// SPDX-License-Identifier: Zlib
// Where the frames of a cull visitor begin.
#pragma once

#include <osgUtil/CullVisitor>
#include <vector>

namespace osgPliant {

/// Tells the passes of a frame, which have to show one state, from those of the next. Not every program counts its
/// frames: without a frame stamp a cull visitor has no number of its own, and stamps may stand still. A pass that comes
/// by once more is of another frame, too.
class CulledFrames {
public:
    /// What a pass of a cull visitor is.
    enum class Pass {
        OfSameFrame,      ///< One more of the frame that has begun.
        OfNumberedFrame,  ///< The first of a frame, whose number is another one than that of the last.
        Again,            ///< One that has been by with this number.
    };

    /// Notes the pass that a cull visitor, always the same one, is about to cull.
    Pass note(osgUtil::CullVisitor& visitor);

private:
    /// By what a pass is known: where it comes by, for which camera, and in which state (those of osgFX have no more).
    struct Way {
        osg::NodePath path;
        const osg::Camera* camera = nullptr;
        const osg::StateSet* state = nullptr;
        bool operator==(const Way& other) const {
            return path == other.path && camera == other.camera && state == other.state;
        }
    };

    std::vector<Way> _ways;  ///< Those of the frame; never followed, so they may point to what is gone.
    unsigned int _number = 0;
};

}  // namespace osgPliant
