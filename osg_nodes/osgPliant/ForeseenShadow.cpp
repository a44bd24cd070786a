// SPDX-License-Identifier: Zlib
#include "osgPliant/ForeseenShadow.h"

#include <algorithm>
#include <osg/Light>
#include <osgShadow/ShadowedScene>
#include <osgShadow/ViewDependentShadowMap>
#include <osgUtil/PositionalStateContainer>
#include <osgUtil/RenderStage>
#include <set>

namespace osgPliant {

namespace {

using osgShadow::ViewDependentShadowMap;

/// Access to the placeholder, which the technique shows to classes that derive from it.
struct Placeholder : public ViewDependentShadowMap {
    static const osg::StateSet* of(const ViewDependentShadowMap& technique) {
        return (technique.*&Placeholder::_shadowRecievingPlaceholderStateSet).get();
    }
};

/// Lights that will have shadows, as far as they are placed.
unsigned int countLights(osgUtil::CullVisitor& visitor, int onlyNumber) {
    std::set<int> numbers;
    for (const auto& placed :
         visitor.getCurrentRenderBin()->getStage()->getPositionalStateContainer()->getAttrMatrixList()) {
        const auto* light = dynamic_cast<const osg::Light*>(placed.first.get());
        if (light && (onlyNumber < 0 || light->getLightNum() == onlyNumber)) numbers.insert(light->getLightNum());
    }
    return std::max(static_cast<unsigned int>(numbers.size()), 1u);
}

osg::ref_ptr<osg::StateSet> stateOf(ViewDependentShadowMap& technique, osgUtil::CullVisitor& visitor) {
    ViewDependentShadowMap::ViewDependentData* data = technique.getViewDependentData(&visitor);
    if (!data) return nullptr;
    const osg::ref_ptr<osg::StateSet> state = new osg::StateSet(*technique.selectStateSetForRenderingShadow(*data));
    const osgShadow::ShadowSettings& settings = *technique.getShadowedScene()->getShadowSettings();
    constexpr unsigned int mostOfALight = 2, mostUnits = 8;
    const unsigned int first = settings.getBaseShadowTextureUnit(),
                       count = std::min(settings.getNumShadowMapsPerLight(), mostOfALight) *
                               countLights(visitor, settings.getLightNum());
    for (unsigned int unit = first; unit < std::min(first + count, mostUnits); ++unit)
        for (const int mode : {GL_TEXTURE_GEN_S, GL_TEXTURE_GEN_T, GL_TEXTURE_GEN_R, GL_TEXTURE_GEN_Q})
            state->setTextureMode(unit, static_cast<GLenum>(mode), osg::StateAttribute::ON);
    return state;
}

}  // namespace

osg::ref_ptr<osg::StateSet> foreseenShadowState(osgUtil::CullVisitor& visitor, const osg::StateSet& found) {
    for (osg::Node* node : visitor.getNodePath()) {
        auto* scene = dynamic_cast<osgShadow::ShadowedScene*>(node);
        auto* technique = scene ? dynamic_cast<ViewDependentShadowMap*>(scene->getShadowTechnique()) : nullptr;
        if (technique && Placeholder::of(*technique) == &found) return stateOf(*technique, visitor);
    }
    return nullptr;
}

}  // namespace osgPliant
