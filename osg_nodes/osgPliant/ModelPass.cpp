// SPDX-License-Identifier: Zlib
#include "osgPliant/ModelPass.h"

#include "osgPliant/GivenBack.h"

namespace osgPliant {

namespace {

/// The coarsest level whose error is below `pixelError` pixels where a metre has `pixels`.
int coarsest(const ModelGeometry& geometry, double pixels, double pixelError) {
    int level = 0;
    while (level + 1 < geometry.getLevelCount() && geometry.getLevelError(level + 1) * pixels < pixelError) ++level;
    return level;
}

/// A drawable with a depth of ours: all levels have the same box, that of all bodies, and would be blended in any
/// order.
void addAtDepth(osgUtil::CullVisitor& visitor, osg::Geometry& part, double depth) {
    if (visitor.getComputeNearFarMode() != osg::CullSettings::DO_NOT_COMPUTE_NEAR_FAR &&
        !visitor.updateCalculatedNearFar(*visitor.getModelViewMatrix(), part)) {
        return;
    }
    visitor.pushStateSet(part.getStateSet());
    visitor.addDrawableAndDepth(&part, visitor.getModelViewMatrix(), static_cast<float>(depth));
    visitor.popStateSet();
}

}  // namespace

ModelPass::ModelPass(const ModelGeometry& geometry, osg::Drawable::ComputeBoundingBoxCallback* bound)
    : _geometry(&geometry), _state(new osg::StateSet(*geometry.getSharedState())) {
    _texels.addTo(*_state, BodiesUnit);
    for (int i = 0; i < geometry.getLevelCount(); ++i) _levels.push_back(createLevel(geometry, i, bound));
}

ModelPass::Level ModelPass::createLevel(const ModelGeometry& geometry, int number,
                                        osg::Drawable::ComputeBoundingBoxCallback* bound) {
    Level level;
    level.first = new osg::Uniform("pliantFirst", 0);
    level.last = new osg::Uniform("pliantFirst", 0);
    const osg::ref_ptr<osg::Uniform> forwards = new osg::Uniform("pliantStep", 1);
    const osg::ref_ptr<osg::Uniform> backwards = new osg::Uniform("pliantStep", -1);
    for (const auto& part : geometry.createParts(number)) {
        osg::StateSet& state = *part->getStateSet();
        const bool blended = state.getRenderingHint() == osg::StateSet::TRANSPARENT_BIN;
        state.addUniform(blended ? level.last : level.first);
        state.addUniform(blended ? backwards : forwards);
        part->setComputeBoundingBoxCallback(bound);
        (blended ? level.transparent : level.opaque).push_back(part);
    }
    return level;
}

void ModelPass::cull(osgUtil::CullVisitor& visitor, const BodyStates& states, const std::vector<SeenBody>& seen,
                     const PassSettings& settings) {
    order(seen, settings.pixelError);
    if (_order.empty()) return;
    _texels.pack(*_geometry->getDeformation(), states, _order);
    visitor.pushStateSet(_state);
    for (const Level& level : _levels) {
        if (level.count == 0) continue;  // no instances would mean one plain draw
        for (const auto& part : level.opaque) part->accept(visitor);
        for (const auto& part : level.transparent) addAtDepth(visitor, *part, level.depth);
    }
    visitor.popStateSet();
}

void ModelPass::order(const std::vector<SeenBody>& seen, double pixelError) {
    std::vector<std::vector<const SeenBody*>> bodies(_levels.size());
    for (const SeenBody& body : seen)
        bodies[static_cast<std::size_t>(coarsest(*_geometry, body.pixels, pixelError))].push_back(&body);
    _order.clear();
    for (std::size_t i = 0; i < _levels.size(); ++i) {
        Level& level = _levels[i];
        level.count = static_cast<int>(bodies[i].size());
        if (level.count > 0) level.depth = bodies[i].front()->distance;
        const int first = static_cast<int>(_order.size());
        for (const SeenBody* body : bodies[i]) _order.push_back(body->body);
        level.first->set(first);
        level.last->set(first + level.count - 1);
        for (const auto& part : level.opaque) part->getPrimitiveSet(0)->setNumInstances(level.count);
        for (const auto& part : level.transparent) part->getPrimitiveSet(0)->setNumInstances(level.count);
    }
}

void ModelPass::dirtyBounds() {
    forEachPart([](osg::Geometry& part) { part.dirtyBound(); });
}

void ModelPass::resizeGLObjectBuffers(unsigned int maxSize) {
    _state->resizeGLObjectBuffers(maxSize);
    forEachPart([&](osg::Geometry& part) { part.resizeGLObjectBuffers(maxSize); });
}

void ModelPass::releaseGLObjects(osg::State* state) const {
    _state->releaseGLObjects(state);
    _texels.releaseGLObjects(state);
    forEachPart([&](osg::Geometry& part) { giveBack(part, state); });
}

}  // namespace osgPliant
