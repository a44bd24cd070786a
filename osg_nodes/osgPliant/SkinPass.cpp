// SPDX-License-Identifier: Zlib
#include "osgPliant/SkinPass.h"

#include <algorithm>
#include <cfloat>
#include <iterator>
#include <osg/NodeVisitor>
#include <osg/Switch>

#include "osgPliant/ContextRenderer.h"
#include "osgPliant/DrawnVertices.h"
#include "osgPliant/GivenBack.h"
#include "osgPliant/SkinLevels.h"
#include "osgPliant/SkinTemplate.h"

namespace osgPliant {

namespace {

class FindLods : public osg::NodeVisitor {
public:
    FindLods() : osg::NodeVisitor(TRAVERSE_ALL_CHILDREN) { setNodeMaskOverride(~0u); }
    void apply(osg::LOD& lod) override {
        lods.emplace_back(&lod);
        traverse(lod);
    }
    std::vector<osg::ref_ptr<const osg::LOD>> lods;
};

/// Level-of-detail nodes in a node, itself included, in the order of a traversal.
std::vector<osg::ref_ptr<const osg::LOD>> lodsIn(const osg::Node& node) {
    FindLods find;
    const_cast<osg::Node&>(node).accept(find);
    return find.lods;
}

/// Traversals that a choice of levels of detail is kept for: many more than wait to be drawn.
constexpr unsigned int traversalsKept = 120;

constexpr auto force = osg::StateAttribute::ON | osg::StateAttribute::PROTECTED;

/// Makes room for a body between the near and the far plane, as a node with its box would.
void fitPlanes(osgUtil::CullVisitor& visitor, const Deformation& deformation, const BodyStates& states, int body) {
    if (visitor.getComputeNearFarMode() == osg::CullSettings::DO_NOT_COMPUTE_NEAR_FAR) return;
    const osg::BoundingBoxd box = states.placedBound(deformation, body);
    // In double precision, as of a node: shadow maps are laid out by these planes, to the last bit.
    const osg::Matrixd eyeFromPlaced = states.nodeFromPlaced(deformation, body) * *visitor.getModelViewMatrix();
    double nearest = DBL_MAX, farthest = -DBL_MAX;
    for (unsigned int corner = 0; corner < 8; ++corner) {
        const double depth = -(osg::Vec3d(osg::Vec3f(box.corner(corner))) * eyeFromPlaced).z();
        nearest = std::min(nearest, depth);
        farthest = std::max(farthest, depth);
    }
    if (farthest < 0.0) return;  // behind the eye
    if (nearest < visitor.getCalculatedNearPlane()) visitor.setCalculatedNearPlane(nearest);
    if (farthest > visitor.getCalculatedFarPlane()) visitor.setCalculatedFarPlane(farthest);
}

/// Sums by the processor are made of all vertices, those of vertex shaders of the drawn ones, at some four times the
/// cost (docs/internals/drawing.md).
constexpr int leastDrawn = 4;

/// Whether a primitive set is made of triangles.
bool isOfTriangles(const osg::PrimitiveSet& set) {
    switch (set.getMode()) {
        case GL_TRIANGLES:
        case GL_TRIANGLE_STRIP:
        case GL_TRIANGLE_FAN:
        case GL_QUADS:
        case GL_QUAD_STRIP:
        case GL_POLYGON:
            return true;
        default:
            return false;
    }
}

void replaceTriangles(osg::Geometry& geometry, const osg::DrawElementsUInt& triangles) {
    for (unsigned int p = geometry.getNumPrimitiveSets(); p-- > 0;)
        if (isOfTriangles(*geometry.getPrimitiveSet(p))) geometry.removePrimitiveSet(p);
    // A draw of no triangles with instances is none; one that is not there needs no state.
    if (!triangles.empty()) geometry.addPrimitiveSet(new osg::DrawElementsUInt(triangles));
}

}  // namespace

SkinLeaf::SkinLeaf(const osg::Geometry& geometry, ProgramComposer* composer,
                   osg::Drawable::ComputeBoundingBoxCallback* bound, const osg::DrawElementsUInt* triangles)
    : _geometry(new osg::Geometry(geometry, osg::CopyOp(osg::CopyOp::DEEP_COPY_PRIMITIVES))), _composer(composer) {
    setNodeMask(geometry.getNodeMask());
    setCullingActive(false);
    if (triangles) replaceTriangles(*_geometry, *triangles);
    _geometry->setDataVariance(osg::Object::STATIC);  // copied; see BodyPass
    _geometry->setComputeBoundingBoxCallback(bound);
    _geometry->dirtyBound();  // copied with the box at rest, by which shadow techniques would lay out their maps
    for (unsigned int unit = 0; unit < geometry.getNumTexCoordArrays(); ++unit)
        if (geometry.getTexCoordArray(unit)) _texcoords |= 1u << unit;
    _middle = geometry.getBoundingBox().valid() ? osg::Vec3d(geometry.getBoundingBox().center()) : osg::Vec3d();
    _first = new osg::Uniform("pliantFirst", 0);
    _ofBodies = new osg::StateSet;
    _ofBodies->addUniform(_first, force);
    _ofGeometry = new osg::StateSet;
    _ofGeometry->addUniform(new osg::Uniform("pliantOffset", offsetOf(geometry)), force);
}

void SkinLeaf::setInstanceCount(int count) {
    for (unsigned int p = 0; p < _geometry->getNumPrimitiveSets(); ++p)
        _geometry->getPrimitiveSet(p)->setNumInstances(count);
}

void SkinLeaf::traverse(osg::NodeVisitor& visitor) {
    if (auto* culler = visitor.asCullVisitor()) cull(*culler);
}

void SkinLeaf::cull(osgUtil::CullVisitor& visitor) {
    if (_geometry->getNumPrimitiveSets() == 0 || !_drawn) return;
    osg::StateSet* own = _geometry->getStateSet();
    if (own) visitor.pushStateSet(own);
    if (const auto program = _composer->compose(AppliedState(visitor), _texcoords, _drawn->isSummed)) {
        const bool blended = visitor.getCurrentRenderBin()->getSortMode() == osgUtil::RenderBin::SORT_BACK_TO_FRONT;
        visitor.pushStateSet(program);
        visitor.pushStateSet(_ofGeometry);
        blended ? addOneByOne(visitor) : addTogether(visitor);
        visitor.popStateSet();
        visitor.popStateSet();
    }
    if (own) visitor.popStateSet();
}

void SkinLeaf::addTogether(osgUtil::CullVisitor& visitor) {
    setInstanceCount(static_cast<int>(_drawn->seen.size()));
    _first->set(_drawn->first);
    visitor.pushStateSet(_ofBodies);
    visitor.addDrawableAndDepth(_geometry, visitor.getModelViewMatrix(),
                                static_cast<float>(_drawn->seen.front()->distance));
    visitor.popStateSet();
}

void SkinLeaf::addOneByOne(osgUtil::CullVisitor& visitor) {
    setInstanceCount(1);
    const std::vector<double> atRest(static_cast<std::size_t>(_drawn->deformation.getDimension()), 0.0);
    const osg::Vec3d whole = _drawn->deformation.getBound(atRest.data()).center();
    int number = _drawn->first;
    for (const SeenBody* body : _drawn->seen) {
        const osg::Matrixd eyeFromRest =
            _drawn->states.nodeFromRest(_drawn->deformation, body->body) * *visitor.getModelViewMatrix();
        visitor.pushStateSet(_drawn->single.getState(number++));
        visitor.addDrawableAndDepth(_geometry, visitor.getModelViewMatrix(),
                                    static_cast<float>(OneByOne::depthOf(*body, _middle, whole, eyeFromRest)));
        visitor.popStateSet();
    }
}

SkinPass::SkinPass(const Skin& skin, ProgramComposer* composer, osg::Drawable::ComputeBoundingBoxCallback* bound)
    : _skin(&skin), _composer(composer), _bound(bound), _state(new osg::StateSet), _basisState(new osg::StateSet) {
    _texels.addTo(*_state, SkinBodiesUnit);
    _basisState->setTextureAttribute(SkinBasisUnit, skin.getDeformation()->getTexture(), force);
    _state->addUniform(new osg::Uniform("pliantBasis", static_cast<int>(SkinBasisUnit)), force);
    _state->addUniform(new osg::Uniform("pliantBodies", static_cast<int>(SkinBodiesUnit)), force);
    _lods = lodsIn(*skin.getTemplate());
}

SkinPass::Choice SkinPass::choose(osgUtil::CullVisitor& visitor, const osg::Matrixd& nodeFromRest,
                                  unsigned int ownLevel) const {
    Choice choice;
    for (const auto& lod : _lods) {
        const osg::Vec3f centre(osg::Vec3d(lod->getCenter()) * nodeFromRest);
        const float scale = std::max(visitor.getLODScale(), 1e-9f);
        const float range = lod->getRangeMode() == osg::LOD::DISTANCE_FROM_EYE_POINT
                                ? visitor.getDistanceToViewPoint(centre, true)
                                : visitor.clampedPixelSize(osg::BoundingSphere(centre, lod->getRadius())) / scale;
        unsigned int drawn = 0;
        for (unsigned int i = 0; i < std::min({lod->getNumChildren(), lod->getNumRanges(), 32u}); ++i)
            if (lod->getMinRange(i) <= range && range < lod->getMaxRange(i)) drawn |= 1u << i;
        choice.push_back(drawn);
    }
    choice.push_back(ownLevel);
    return choice;
}

const osg::DrawElementsUInt* SkinPass::trianglesFor(const osg::Geometry& geometry, const Choice& choice) const {
    if (choice.back() == 0) return nullptr;
    const SkinLevel& level = (*_own)[choice.back() - 1];
    const auto found = level.triangles.find(offsetOf(geometry));
    return found == level.triangles.end() ? nullptr : found->second.get();
}

osg::ref_ptr<osg::Node> SkinPass::instantiate(const osg::Node& node, const Choice& choice, std::size_t& next,
                                              Level& level) {
    if (const osg::Geometry* geometry = node.asGeometry()) {
        level.leaves.push_back(new SkinLeaf(*geometry, _composer, _bound, trianglesFor(*geometry, choice)));
        return level.leaves.back();
    }
    const osg::Group* group = node.asGroup();
    osg::ref_ptr<osg::Node> copy;
    const auto* levels = dynamic_cast<const osg::LOD*>(&node);
    const auto* values = dynamic_cast<const osg::Switch*>(&node);
    const unsigned int drawn = levels ? choice[next++] : ~0u;
    if (levels || values) {
        copy = new osg::Group;
        copy->setStateSet(const_cast<osg::StateSet*>(node.getStateSet()));
        copy->setNodeMask(node.getNodeMask());
    } else if (node.asGeode()) {
        copy = new osg::Group(*group, osg::CopyOp::SHALLOW_COPY);  // leaves are no drawables
        copy->setUpdateCallback(nullptr);
    } else {
        copy = osg::clone(&node, osg::CopyOp::SHALLOW_COPY);
        copy->setUpdateCallback(nullptr);  // the template's is called
    }
    copy->setCullingActive(false);
    osg::Group* copiedGroup = copy->asGroup();
    if (!group || !copiedGroup) return copy;
    copiedGroup->removeChildren(0, copiedGroup->getNumChildren());
    for (unsigned int i = 0; i < group->getNumChildren(); ++i) {
        const osg::Node& child = *group->getChild(i);
        if (levels ? i < 32 && (drawn & (1u << i)) != 0 : !values || values->getValue(i))
            copiedGroup->addChild(instantiate(child, choice, next, level));
        else
            next += lodsIn(child).size();
    }
    return copy;
}

bool SkinPass::canBeSummed(const osgUtil::CullVisitor& visitor, const PassSettings& settings, int bodyCount) const {
    const Deformation& deformation = *_skin->getDeformation();
    const osg::State* state = visitor.getRenderInfo().getState();
    if (settings.sums == SumsInVertexShader || !state || deformation.getBoneCount() > 0 ||
        deformation.getDimension() == 0)
        return false;
    const ContextRenderer renderer = rendererOf(state->getContextID());
    const SummedVertices::Demand demand = {static_cast<std::size_t>(deformation.getVertexCount()),
                                           static_cast<std::size_t>(deformation.getDimension()),
                                           static_cast<std::size_t>(bodyCount), settings.number};
    return renderer.hasTriples && (settings.sums == SumsOnProcessor || renderer.isOnProcessor) &&
           SummedVertices::fits(demand, renderer.mostTexels);
}

SummedVertices& SkinPass::summedVertices(int bodyCount) {
    if (!_sums) {
        const Deformation& deformation = *_skin->getDeformation();
        _sums = std::make_unique<SummedVertices>(deformation);
        _sumsState = new osg::StateSet;
        _sumsState->setTextureAttribute(SkinBasisUnit, _sums->getTexture(), force);
        _sumsState->addUniform(new osg::Uniform("pliantVertices", deformation.getVertexCount()), force);
    }
    _sums->setBodyCount(static_cast<std::size_t>(bodyCount));
    _sumsUsed = _traversals;
    return *_sums;
}

SkinPass::Level& SkinPass::levelFor(const Choice& choice) {
    const auto found = _levels.find(choice);
    if (found != _levels.end()) return found->second;
    Level& level = _levels[choice];
    std::size_t next = 0;
    level.root = instantiate(*_skin->getTemplate(), choice, next, level);
    return level;
}

bool SkinPass::drawsMany(Level& level) const {
    if (level.drawn < 0) {
        level.drawn = 0;
        for (const auto& leaf : level.leaves) level.drawn += countDrawnVertices(leaf->getGeometry());
    }
    return leastDrawn * level.drawn >= _skin->getDeformation()->getVertexCount();
}

void SkinPass::forgetUnused() {
    for (auto level = _levels.begin(); level != _levels.end();) {
        const bool old = _traversals - level->second.used > traversalsKept;
        level = old ? _levels.erase(level) : std::next(level);
    }
    if (_sums && _traversals - _sumsUsed > traversalsKept) {
        _sums.reset();
        _sumsState = nullptr;
    }
}

void SkinPass::cull(osgUtil::CullVisitor& visitor, const BodyStates& states, const std::vector<SeenBody>& seen,
                    const PassSettings& settings) {
    if (seen.empty()) return;
    _own = _skin->getLevels();
    const Deformation& deformation = *_skin->getDeformation();
    std::map<Choice, std::vector<const SeenBody*>> bodies;
    for (const SeenBody& body : seen) {
        fitPlanes(visitor, deformation, states, body.body);
        unsigned int level = 0;
        while (_own && level < _own->size() && (*_own)[level].error * body.pixels < settings.pixelError) ++level;
        bodies[choose(visitor, states.nodeFromRest(deformation, body.body), level)].push_back(&body);
    }
    ++_traversals;
    const bool canBe = canBeSummed(visitor, settings, states.count());
    std::vector<int> order;
    std::vector<std::size_t> summed;  // numbers in the order
    visitor.pushStateSet(_state);
    for (const auto& [choice, chosen] : bodies) {
        Level& level = levelFor(choice);
        level.used = _traversals;
        const bool isSummed = canBe && drawsMany(level);
        if (isSummed) summedVertices(states.count());
        const SkinLeaf::Bodies drawn = {deformation, states, chosen, static_cast<int>(order.size()), isSummed, _single};
        for (const auto& leaf : level.leaves) leaf->setBodies(&drawn);
        for (const SeenBody* body : chosen) {
            if (isSummed) summed.push_back(order.size());
            order.push_back(body->body);
        }
        visitor.pushStateSet(isSummed ? _sumsState : _basisState);
        level.root->accept(visitor);
        for (const auto& leaf : level.leaves) leaf->setBodies(nullptr);
        visitor.popStateSet();
    }
    visitor.popStateSet();
    forgetUnused();
    _texels.pack(deformation, states, order, *visitor.getModelViewMatrix());
    for (const std::size_t number : summed) {
        float* q = _texels.getCoordinates(deformation, number);
        q[0] = static_cast<float>(_sums->place(order[number], q));
    }
    if (!summed.empty()) _sums->update();
}

void SkinPass::dirtyBounds() {
    for (const auto& [choice, level] : _levels)
        for (const auto& leaf : level.leaves) leaf->getGeometry().dirtyBound();
}

void SkinPass::resizeGLObjectBuffers(unsigned int maxSize) {
    for (const auto& state : {_state, _basisState, _sumsState})
        if (state) state->resizeGLObjectBuffers(maxSize);
    for (const auto& [choice, level] : _levels)
        for (const auto& leaf : level.leaves) leaf->getGeometry().resizeGLObjectBuffers(maxSize);
}

void SkinPass::releaseGLObjects(osg::State* state) const {
    for (const auto& part : {_state, _basisState, _sumsState})
        if (part) part->releaseGLObjects(state);
    _texels.releaseGLObjects(state);
    if (_sums) giveBack(*_sums->getTexture(), state);
    for (const auto& [choice, level] : _levels)
        for (const auto& leaf : level.leaves) giveBack(leaf->getGeometry(), state);
}

}  // namespace osgPliant
