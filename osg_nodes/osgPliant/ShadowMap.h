// SPDX-License-Identifier: Zlib
/// @file
/// Shadows of bodies and on bodies.
#pragma once

#include <osg/StateSet>
#include <osgShadow/ViewDependentShadowMap>

#include "pliant/math/Api.h"

namespace osgPliant {

/// OpenSceneGraph's ViewDependentShadowMap, told how osgPliant's shaders draw depth, and kept steady from frame to
/// frame.
class PLIANT_API ShadowMap : public osgShadow::ViewDependentShadowMap {
public:
    /// A shadow map with the settings of its osgShadow::ShadowedScene.
    ShadowMap() = default;
    /// A copy.
    ShadowMap(const ShadowMap& other, const osg::CopyOp& copyop = osg::CopyOp::SHALLOW_COPY)
        : osgShadow::ViewDependentShadowMap(other, copyop) {}
    META_Object(osgPliant, ShadowMap)

        /// OpenSceneGraph's callback: shaders are osgPliant's own.
        void createShaders() override;
    /// For the sun: an orthographic map over what casts shadows, whose texels stay put while the camera moves.
    bool computeShadowCameraSettings(Frustum& frustum, LightData& light, osg::Matrixd& projection,
                                     osg::Matrixd& view) override;

protected:
    ~ShadowMap() override = default;
};

/// Makes osgPliant drawables below `state` receive the shadow of any technique that follows ViewDependentShadowMap's
/// conventions (texture unit 1, sampler shadowTexture0, texture coordinates from eye planes).
/// @param state    of a node above the drawables
/// @param taps     samples a pixel, 1..32
/// @param softness radius of the penumbra, texels
PLIANT_API void receiveShadows(osg::StateSet& state, int taps, float softness);

}  // namespace osgPliant
