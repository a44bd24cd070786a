// SPDX-License-Identifier: Zlib
// What OpenSceneGraph's visitors see of a BodyGroup.
#include <algorithm>
#include <cstring>
#include <osg/ComputeBoundsVisitor>
#include <osg/Timer>
#include <osgUtil/CullVisitor>
#include <osgUtil/IntersectionVisitor>
#include <osgUtil/Optimizer>

#include "osgPliant/BodyGroup.h"
#include "osgPliant/BodyGroupData.h"
#include "osgPliant/GivenBack.h"
#include "osgPliant/ModelPass.h"
#include "osgPliant/SkinPass.h"
#include "osgPliant/SoftwareDeformation.h"

namespace osgPliant {

namespace {

/// Those of plugins have no name of their own; all others of OpenSceneGraph's have.
bool isExporter(const osg::NodeVisitor& visitor) {
    return visitor.getVisitorType() == osg::NodeVisitor::NODE_VISITOR &&
           std::strcmp(visitor.className(), "NodeVisitor") == 0 &&
           !dynamic_cast<const osgUtil::BaseOptimizerVisitor*>(&visitor);
}

}  // namespace

void BodyGroup::update() {
    if (!getDeformation() || !_data->proxy) return;
    {
        const std::lock_guard<std::mutex> lock(_data->mutex);
        if (!_data->changed) return;
        _data->shown = _data->written;
        _data->changed = false;
    }
    ++_data->revision;
    _data->bounds.clear();
    _data->bound.init();
    for (int i = 0; i < _data->shown.count(); ++i) {
        _data->bounds.push_back(_data->shown.bound(*getDeformation(), i));
        _data->bound.expandBy(_data->bounds.back());
    }
    _data->instancesBound->box.init();
    if (_data->bound.valid()) {
        _data->instancesBound->box.set(osg::Vec3f(_data->bound._min), osg::Vec3f(_data->bound._max));
    }
    _data->proxy->dirtyBound();
    for (const auto& view : _data->views) view->dirtyBounds();
    for (const auto& pick : _data->picks) pick->invalidate();
    dirtyBound();
    _followers.tell();
}

/// What is drawn, at rest, for visitors that compile it or look for state sets.
osg::ref_ptr<osg::Node> BodyGroup::getTemplate() {
    if (_skin) return _skin->getTemplate();
    if (!_geometry || !_geometry->getModel()) return nullptr;
    const std::lock_guard<std::mutex> lock(_data->templateMutex);
    if (!_data->partsAtRest) {
        _data->partsAtRest = new osg::Group;
        _data->partsAtRest->setStateSet(_geometry->getSharedState());
        for (const auto& part : _geometry->createParts(0)) _data->partsAtRest->addChild(part);
    }
    return _data->partsAtRest;
}

void BodyGroup::traverse(osg::NodeVisitor& visitor) {
    osg::Group::traverse(visitor);
    if (visitor.getVisitorType() == osg::NodeVisitor::UPDATE_VISITOR) {
        const osg::ElapsedTime clock;
        _data->noteUpdate(*this);
        update();
        _data->count.noteUpdate(visitor, clock.elapsedTime());
        if (_skin && _skin->getTemplate()) _skin->getTemplate()->accept(visitor);
    } else if (dynamic_cast<osgUtil::IntersectionVisitor*>(&visitor)) {
        const BodyStates& states = _data->readable();
        for (int i = 0; i < states.count(); ++i) {
            if (states.drawn(i)) _data->picks[static_cast<std::size_t>(i)]->accept(visitor);
        }
    } else if (auto* culler = visitor.asCullVisitor()) {
        cull(*culler);
    } else if (_seenByExporters && isExporter(visitor)) {
        const osg::ref_ptr<SoftwareDeformation> plain = new SoftwareDeformation(this);
        plain->follow();
        plain->accept(visitor);
    } else if (!dynamic_cast<osgUtil::BaseOptimizerVisitor*>(&visitor)) {
        if (_data->proxy && _data->bound.valid()) _data->proxy->accept(visitor);
        // Where bodies are is told by the proxy.
        if (dynamic_cast<osg::ComputeBoundsVisitor*>(&visitor)) return;
        if (!_skin && isExporter(visitor)) return;  // they would write a body at rest where none stands
        if (const osg::ref_ptr<osg::Node> atRest = getTemplate()) atRest->accept(visitor);
    }
}

/// Some nodes draw what they do not update (osgSim::OverlayNode), and some programs have no update traversal: then the
/// first cull of a frame takes over what was written.
void BodyGroup::Data::updateInCull(BodyGroup& group, BodyView& view, osgUtil::CullVisitor& visitor) {
    const CulledFrames::Pass pass = view.getFrames().note(visitor);
    if (pass == CulledFrames::Pass::OfSameFrame && revision > 0) return;
    // Another camera may have begun this frame, but for those without a stamp, whose numbers are all the same.
    const bool isBegun = visitor.getFrameStamp() && culledFrame == visitor.getTraversalNumber();
    if (pass == CulledFrames::Pass::OfNumberedFrame && isBegun && revision > 0) return;
    culledFrame = visitor.getTraversalNumber();
    group.update();
}

/// While no update traversal has come by, the sphere of the group is as old as its last cull, and neither the group nor
/// what is above it may be culled by that. OpenSceneGraph counts for all nodes what is below them and must not be
/// culled; setCullingActive() is left to users.
void BodyGroup::Data::waitForUpdates(BodyGroup& group) {
    group.setNumChildrenRequiringUpdateTraversal(group.getNumChildrenRequiringUpdateTraversal() + 1);
    group.setNumChildrenWithCullingDisabled(group.getNumChildrenWithCullingDisabled() + 1);
}

void BodyGroup::Data::noteUpdate(BodyGroup& group) {
    if (hasUpdates) return;
    hasUpdates = true;
    group.setNumChildrenWithCullingDisabled(group.getNumChildrenWithCullingDisabled() - 1);
}

void BodyGroup::cull(osgUtil::CullVisitor& visitor) {
    if (!getDeformation() || (_data->hasUpdates && !_data->bound.valid())) return;
    const auto makePass = [this]() -> std::unique_ptr<BodyPass> {
        if (_skin) return std::make_unique<SkinPass>(*_skin, _data->composer, _data->instancesBound);
        return std::make_unique<ModelPass>(*_geometry, _data->instancesBound);
    };
    // Held until all is read: cameras that cull at the same time may be in different frames.
    std::unique_lock<std::mutex> lock(_data->culledMutex, std::defer_lock);
    if (!_data->hasUpdates) lock.lock();
    BodyView& view = _data->viewOf(visitor, makePass);
    if (!_data->hasUpdates) _data->updateInCull(*this, view, visitor);
    if (!_data->bound.valid()) return;
    const std::vector<SeenBody> seen = seenBodies(visitor, _data->shown, _data->bounds);
    if (_skin && getDeformation()->getBoneCount() == 0 && !seen.empty() && isDrawnByAssembly(visitor)) {
        view.getPlain().cull(visitor, *_skin, _data->shown, _data->revision);
    } else {
        BodyPass& pass = view.nextPass(visitor);
        pass.cull(visitor, _data->shown, seen, {getPixelError(), _sumPlace, view.getPassCount()});
    }
    _data->count.addPass(visitor, static_cast<int>(seen.size()), _data->shown);
}

BodyView& BodyGroup::Data::viewOf(osgUtil::CullVisitor& visitor, const BodyView::MakePass& makePass) {
    const std::lock_guard<std::mutex> lock(viewsMutex);
    for (const auto& view : views) {
        if (view->isOf(visitor)) return *view;
    }
    const auto dead = [](const std::unique_ptr<BodyView>& view) { return view->isDead(); };
    views.erase(std::remove_if(views.begin(), views.end(), dead), views.end());
    views.push_back(std::make_unique<BodyView>(visitor, makePass));
    return *views.back();
}

osg::BoundingSphere BodyGroup::computeBound() const {
    osg::BoundingSphere sphere = osg::Group::computeBound();
    const osg::BoundingBoxd box = _data->revision > 0 ? _data->bound : getBodiesBound();
    if (box.valid()) sphere.expandBy(osg::BoundingSphere(osg::Vec3f(box.center()), static_cast<float>(box.radius())));
    return sphere;
}

void BodyGroup::resizeGLObjectBuffers(unsigned int maxSize) {
    osg::Group::resizeGLObjectBuffers(maxSize);
    if (_data->composer) _data->composer->resizeGLObjectBuffers(maxSize);
    if (_skin && _skin->getTemplate()) _skin->getTemplate()->resizeGLObjectBuffers(maxSize);
    {
        const std::lock_guard<std::mutex> lock(_data->templateMutex);
        if (_data->partsAtRest) _data->partsAtRest->resizeGLObjectBuffers(maxSize);
    }
    for (const auto& view : _data->views) view->resizeGLObjectBuffers(maxSize);
}

void BodyGroup::releaseGLObjects(osg::State* state) const {
    osg::Group::releaseGLObjects(state);
    if (_data->composer) _data->composer->releaseGLObjects(state);
    if (_skin && _skin->getTemplate()) giveBack(*_skin->getTemplate(), state);
    if (getDeformation()) giveBack(*getDeformation()->getTexture(), state);
    {
        const std::lock_guard<std::mutex> lock(_data->templateMutex);
        if (_data->partsAtRest) giveBack(*_data->partsAtRest, state);
    }
    for (const auto& view : _data->views) view->releaseGLObjects(state);
}

}  // namespace osgPliant
