// SPDX-License-Identifier: Zlib
// Inside of BodyGroup, for its own files.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <osg/Geometry>
#include <osgUtil/CullVisitor>
#include <vector>

#include "osgPliant/BodyCount.h"
#include "osgPliant/BodyGroup.h"
#include "osgPliant/BodyPick.h"
#include "osgPliant/BodyStates.h"
#include "osgPliant/BodyView.h"
#include "osgPliant/ProgramComposer.h"

namespace osgPliant {

/// The box of all instances, not that of the rest shape in the vertex array.
class InstancesBound : public osg::Drawable::ComputeBoundingBoxCallback {
public:
    osg::BoundingBox box;
    osg::BoundingBox computeBound(const osg::Drawable&) const override { return box; }
};

/// A look that a group holds may get another model, of another dimension.
class LookFollower : public Follower {
public:
    explicit LookFollower(std::function<void()> change) : _change(std::move(change)) {}
    void followChange() override { _change(); }

private:
    std::function<void()> _change;
};

struct BodyGroup::Data {
    explicit Data(BodyGroup& group) : lookFollower([&group] { group.createDrawables(); }) {}

    LookFollower lookFollower;  ///< Follower of the look that the group holds.

    mutable std::mutex mutex;  ///< Guard of `written` and `changed`.
    BodyStates written;        ///< States as setBody() wrote them.
    bool changed = false;

    BodyStates shown;                       ///< States of the update traversal alone, as all below but the views.
    unsigned int revision = 0;              ///< Revision of `shown`; 0: never updated.
    bool hasUpdates = false;                ///< Whether an update traversal has ever come by.
    std::mutex culledMutex;                 ///< Guard of `shown` and the next where culls take over what was written.
    unsigned int culledFrame = ~0u;         ///< Last frame whose culls took over what was written.
    std::vector<osg::BoundingBoxd> bounds;  ///< Boxes of `shown`, one a body.
    osg::BoundingBoxd bound;                ///< Box of them all.

    osg::ref_ptr<InstancesBound> instancesBound;
    std::mutex templateMutex;              ///< Guard of the next: visitors of several threads may come at once.
    osg::ref_ptr<osg::Group> partsAtRest;  ///< Node that visitors see of a ModelGeometry; null until one comes.
    osg::ref_ptr<osg::Geometry> proxy;     ///< Box that visitors which neither cull nor intersect see.
    std::vector<osg::ref_ptr<BodyPick>> picks;

    osg::ref_ptr<ProgramComposer> composer;  ///< Composer for bodies with a skin; null without.

    BodyCount count;  ///< Counter for the statistics of viewers.

    std::mutex viewsMutex;  ///< Guard of the list: cameras may cull at the same time.
    std::vector<std::unique_ptr<BodyView>> views;

    /// Asks for update traversals, and for no culling of the group as a whole before the first.
    static void waitForUpdates(BodyGroup& group);
    /// Notes that an update traversal comes by.
    void noteUpdate(BodyGroup& group);
    /// Does what update traversals do where none ever comes.
    void updateInCull(BodyGroup& group, BodyView& view, osgUtil::CullVisitor& visitor);

    /// The view of a cull visitor, made where there is none; those of visitors that are gone are removed.
    BodyView& viewOf(osgUtil::CullVisitor& visitor, const BodyView::MakePass& makePass);

    /// What intersectors see: the drawn bodies, or, before the first update traversal, what was written.
    const BodyStates& readable() const { return revision > 0 ? shown : written; }
};

}  // namespace osgPliant
