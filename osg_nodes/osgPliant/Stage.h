// SPDX-License-Identifier: Zlib
// A good-looking place for bodies: sun with soft shadows, sky light from all around, sky gradient, haze.
//
//     osg::ref_ptr<osgPliant::Stage> stage = new osgPliant::Stage(settings);
//     stage->addChild(baskets);   // casts and receives shadows
//     viewer.setSceneData(stage);
//
// Works with any drawable that uses osgPliant's shaders; others are drawn as ever and still cast shadows.
#pragma once

#include <osg/LightSource>
#include <osg/Vec3f>
#include <osgShadow/ShadowedScene>

namespace osgPliant {

/// Colours are linear RGB.
struct StageSettings {
    osg::Vec3f up = osg::Vec3f(0.0f, 1.0f, 0.0f);
    osg::Vec3f towardsSun = osg::Vec3f(0.45f, 0.8f, 0.35f);    ///< any length
    osg::Vec3f sunColour = osg::Vec3f(2.1f, 1.85f, 1.45f);     ///< warm, brighter than white: the shader maps tones
    osg::Vec3f skyLight = osg::Vec3f(0.40f, 0.48f, 0.60f);     ///< ambient from above
    osg::Vec3f groundLight = osg::Vec3f(0.22f, 0.19f, 0.15f);  ///< ambient from below
    osg::Vec3f zenith = osg::Vec3f(0.22f, 0.40f, 0.68f);       ///< background, top
    osg::Vec3f horizon = osg::Vec3f(0.74f, 0.79f, 0.84f);      ///< background, horizon, and the colour of the haze
    float haze = 0.0f;                                         ///< 1/m; 0 = clear air
    bool shadows = true;                                       ///< the shadow pass draws everything a second time
    int shadowResolution = 2048;                               ///< texels a side
    int shadowTaps = 9;                                        ///< samples per pixel, 1..32; more is softer and slower
    float shadowSoftness = 2.5f;                               ///< radius of the penumbra, in texels of the shadow map
    float shadowDistance = 0.0f;  ///< metres from the eye up to which there are shadows; 0 = as far as one sees
};

class Stage : public osgShadow::ShadowedScene {
public:
    Stage();
    explicit Stage(const StageSettings& settings);
    Stage(const Stage& other, const osg::CopyOp& copyop = osg::CopyOp::SHALLOW_COPY);
    META_Node(osgPliant, Stage)

        /// Node mask bit of what casts shadows / receives them; nodes have both unless told otherwise.
        enum Mask {
            CastsShadow = 0x1,
            ReceivesShadow = 0x2
        };

    const StageSettings& getSettings() const { return _settings; }

protected:
    ~Stage() override = default;

private:
    void create();

    StageSettings _settings;
};

}  // namespace osgPliant
