// SPDX-License-Identifier: Zlib
// What viewers are told of the bodies in their frames, for the statistics that they show.
#pragma once

#include <mutex>
#include <osg/NodeVisitor>
#include <osg/Stats>
#include <osgUtil/CullVisitor>

#include "osgPliant/BodyStates.h"

namespace osgPliant {

/// Counts the bodies of one group into the statistics of the viewers that draw it, where they collect "bodies". Cameras
/// may cull at the same time.
class BodyCount {
public:
    static constexpr const char* collected = "bodies";
    static constexpr const char* drawnName = "Bodies drawn";
    static constexpr const char* culledName = "Bodies culled";
    static constexpr const char* updateName = "Bodies update time taken";  ///< In s.

    /// How long an update traversal took, s.
    void noteUpdate(const osg::NodeVisitor& visitor, double seconds);
    /// A pass of a camera of a viewer's; others are not counted.
    void addPass(osgUtil::CullVisitor& visitor, int drawn, const BodyStates& all);

private:
    std::mutex _mutex;
    double _update = 0.0;            ///< In s.
    unsigned int _updatedFrame = 0;  ///< the frame whose update took so long
    bool _told = true;               ///< whether that has been added to its statistics
};

}  // namespace osgPliant
