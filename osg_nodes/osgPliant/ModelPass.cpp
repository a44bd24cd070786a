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

/// The middle of the box around the triangles of a part at rest.
osg::Vec3d middleOf(const osg::Geometry& part) {
    const auto& places = static_cast<const osg::Vec3Array&>(*part.getVertexArray());
    const auto& triangles = static_cast<const osg::DrawElementsUInt&>(*part.getPrimitiveSet(0));
    osg::BoundingBoxd box;
    for (const unsigned int corner : triangles) box.expandBy(osg::Vec3d(places[corner]));
    return box.center();
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
    for (const auto& part : geometry.createParts(number)) {
        const bool blended = part->getStateSet()->getRenderingHint() == osg::StateSet::TRANSPARENT_BIN;
        if (blended)
            level.middles.push_back(middleOf(*part));
        else
            part->getStateSet()->addUniform(level.first);
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
        if (level.bodies.empty()) continue;  // no instances would mean one plain draw
        for (const auto& part : level.opaque) part->accept(visitor);
        addOneByOne(visitor, states, level);
    }
    visitor.popStateSet();
}

/// With depths of ours: the box of the drawables is that of all bodies.
void ModelPass::addOneByOne(osgUtil::CullVisitor& visitor, const BodyStates& states, const Level& level) {
    if (level.transparent.empty()) return;
    const Deformation& deformation = *_geometry->getDeformation();
    const std::vector<double> atRest(static_cast<std::size_t>(deformation.getDimension()), 0.0);
    const osg::Vec3d whole = deformation.getBound(atRest.data()).center();
    for (std::size_t p = 0; p < level.transparent.size(); ++p) {
        osg::Geometry& part = *level.transparent[p];
        if (visitor.getComputeNearFarMode() != osg::CullSettings::DO_NOT_COMPUTE_NEAR_FAR &&
            !visitor.updateCalculatedNearFar(*visitor.getModelViewMatrix(), part))
            continue;
        visitor.pushStateSet(part.getStateSet());
        int number = level.firstNumber;
        for (const SeenBody* body : level.bodies) {
            const osg::Matrixd eyeFromRest =
                states.nodeFromRest(deformation, body->body) * *visitor.getModelViewMatrix();
            visitor.pushStateSet(_single.getState(number++));
            visitor.addDrawableAndDepth(
                &part, visitor.getModelViewMatrix(),
                static_cast<float>(OneByOne::depthOf(*body, level.middles[p], whole, eyeFromRest)));
            visitor.popStateSet();
        }
        visitor.popStateSet();
    }
}

void ModelPass::order(const std::vector<SeenBody>& seen, double pixelError) {
    for (Level& level : _levels) level.bodies.clear();
    for (const SeenBody& body : seen)
        _levels[static_cast<std::size_t>(coarsest(*_geometry, body.pixels, pixelError))].bodies.push_back(&body);
    _order.clear();
    for (Level& level : _levels) {
        level.firstNumber = static_cast<int>(_order.size());
        for (const SeenBody* body : level.bodies) _order.push_back(body->body);
        level.first->set(level.firstNumber);
        for (const auto& part : level.opaque)
            part->getPrimitiveSet(0)->setNumInstances(static_cast<int>(level.bodies.size()));
        for (const auto& part : level.transparent) part->getPrimitiveSet(0)->setNumInstances(1);
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
