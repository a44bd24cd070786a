// SPDX-License-Identifier: Zlib
#include "osgPliant/ShadowMap.h"

#include <algorithm>
#include <cmath>
#include <osg/ComputeBoundsVisitor>
#include <osgShadow/ShadowedScene>
#include <string>

#include "osgPliant/ModelGeometry.h"

namespace osgPliant {

namespace {

/// Multiples of `step` are the same from frame to frame, so the map does not crawl.
double snapDown(double value, double step) {
    return std::floor(value / step) * step;
}

}  // namespace

void ShadowMap::createShaders() {
    osgShadow::ViewDependentShadowMap::createShaders();
    // Depth only: no normals, no light, half of the basis stays unread.
    _shadowCastingStateSet->setDefine("PLIANT_DEPTH_ONLY", osg::StateAttribute::ON | osg::StateAttribute::OVERRIDE);
    _polygonOffset->setFactor(1.5f);
    _polygonOffset->setUnits(4.0f);
}

bool ShadowMap::computeShadowCameraSettings(Frustum& frustum, LightData& light, osg::Matrixd& projection,
                                            osg::Matrixd& view) {
    const osgShadow::ShadowSettings& settings = *getShadowedScene()->getShadowSettings();
    osg::ComputeBoundsVisitor casters;
    casters.setTraversalMask(settings.getCastsShadowTraversalMask());
    getShadowedScene()->accept(casters);
    osg::BoundingBox box = casters.getBoundingBox();
    if (!box.valid()) box.set(-1.0f, -1.0f, -1.0f, 1.0f, 1.0f, 1.0f);  // nothing casts: an empty map
    if (!light.directionalLight) {
        return osgShadow::ViewDependentShadowMap::computeShadowCameraSettings(frustum, light, projection, view);
    }
    const osg::Vec3d away = light.lightDir;
    const osg::Vec3d side = std::abs(away.y()) < 0.9 ? osg::Vec3d(0.0, 1.0, 0.0) : osg::Vec3d(0.0, 0.0, 1.0);
    view = osg::Matrixd::lookAt(osg::Vec3d(), away, side);

    // The casters' box in the light's frame, rounded outwards to sixteenths of its size.
    osg::BoundingBoxd lit;
    for (unsigned int corner = 0; corner < 8; ++corner) lit.expandBy(osg::Vec3d(box.corner(corner)) * view);
    const double size = std::max({lit.xMax() - lit.xMin(), lit.yMax() - lit.yMin(), 1e-6});
    const double step = std::exp2(std::ceil(std::log2(size)) - 4.0);
    const double left = snapDown(lit.xMin(), step), right = -snapDown(-lit.xMax(), step);
    const double bottom = snapDown(lit.yMin(), step), top = -snapDown(-lit.yMax(), step);
    const double margin = 0.01 * size;
    // The eye stays clear of the casters: cull visitors take what is behind it for invisible.
    view.postMult(osg::Matrixd::translate(0.0, 0.0, -lit.zMax() - size));
    projection.makeOrtho(left - margin, right + margin, bottom - margin, top + margin, 0.5 * size,
                         lit.zMax() - lit.zMin() + 2.0 * size);
    return true;
}

void receiveShadows(osg::StateSet& state, int taps, float softness) {
    state.setDefine("PLIANT_SHADOW_TAPS", std::to_string(std::clamp(taps, 1, 32)));
    state.addUniform(new osg::Uniform("pliantShadowSoftness", softness));
    state.addUniform(new osg::Uniform("shadowTexture0", static_cast<int>(ShadowUnit)));
}

}  // namespace osgPliant
