// SPDX-License-Identifier: Zlib
// ViewDependentShadowMap, told how osgPliant's shaders draw depth, and kept steady from frame to frame.
#pragma once

#include <osg/StateSet>
#include <osgShadow/ViewDependentShadowMap>

namespace osgPliant {

class ShadowMap : public osgShadow::ViewDependentShadowMap {
public:
    ShadowMap() = default;
    ShadowMap(const ShadowMap& other, const osg::CopyOp& copyop = osg::CopyOp::SHALLOW_COPY)
        : osgShadow::ViewDependentShadowMap(other, copyop) {}
    META_Object(osgPliant, ShadowMap)

        void createShaders() override;
    /// For the sun: an orthographic map over what casts shadows, whose texels stay put while the camera moves.
    bool computeShadowCameraSettings(Frustum& frustum, LightData& light, osg::Matrixd& projection,
                                     osg::Matrixd& view) override;

protected:
    ~ShadowMap() override = default;
};

/// Makes osgPliant drawables below `state` receive the shadow of any technique that follows ViewDependentShadowMap's
/// conventions (texture unit 1, sampler shadowTexture0, texture coordinates from eye planes).
/// @param taps     samples a pixel, 1..32
/// @param softness radius of the penumbra, in texels
void receiveShadows(osg::StateSet& state, int taps, float softness);

}  // namespace osgPliant
