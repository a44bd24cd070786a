// SPDX-License-Identifier: Zlib
#include "osgPliant/BodyCount.h"

#include <osgViewer/View>
#include <osgViewer/ViewerBase>

namespace osgPliant {

namespace {

std::mutex sumsMutex;  // groups add to the same attributes

/// The statistics of the viewer of a camera; null where it has none, or nobody wants bodies counted.
osg::Stats* collectingStats(osgUtil::CullVisitor& visitor) {
    const osg::Camera* camera = visitor.getCurrentCamera();
    const auto* view = camera ? dynamic_cast<const osgViewer::View*>(camera->getView()) : nullptr;
    osgViewer::ViewerBase* viewer = view ? const_cast<osgViewer::View*>(view)->getViewerBase() : nullptr;
    osg::Stats* stats = viewer ? viewer->getViewerStats() : nullptr;
    return stats && stats->collectStats(BodyCount::collected) ? stats : nullptr;
}

void addTo(osg::Stats& stats, unsigned int frame, const char* name, double value) {
    double sum = 0.0;
    stats.getAttribute(frame, name, sum);
    stats.setAttribute(frame, name, sum + value);
}

}  // namespace

void BodyCount::noteUpdate(const osg::NodeVisitor& visitor, double seconds) {
    const unsigned int frame = visitor.getFrameStamp() ? visitor.getFrameStamp()->getFrameNumber() : 0;
    const std::lock_guard<std::mutex> lock(_mutex);
    // A group with several parents has several traversals.
    _update = seconds + (_told || _updatedFrame != frame ? 0.0 : _update);
    _updatedFrame = frame;
    _told = false;
}

void BodyCount::addPass(osgUtil::CullVisitor& visitor, int drawn, const BodyStates& all) {
    osg::Stats* stats = collectingStats(visitor);
    if (!stats || !visitor.getFrameStamp()) return;
    const unsigned int frame = visitor.getFrameStamp()->getFrameNumber();
    double update = 0.0;
    {
        const std::lock_guard<std::mutex> lock(_mutex);
        if (!_told && _updatedFrame == frame) update = _update;
        _told |= _updatedFrame == frame;
    }
    const std::lock_guard<std::mutex> lock(sumsMutex);
    addTo(*stats, frame, drawnName, drawn);
    addTo(*stats, frame, culledName, all.drawnCount() - drawn);
    addTo(*stats, frame, updateName, update);
}

}  // namespace osgPliant
