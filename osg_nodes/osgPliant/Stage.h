// SPDX-License-Identifier: Zlib
/// @file
/// A good-looking place for bodies: sun with soft shadows, sky light from all around, sky gradient, haze.
#pragma once

#include <osg/LightSource>
#include <osg/Vec3f>
#include <osgShadow/ShadowedScene>
#include <string>
#include <vector>

#include "pliant/math/Api.h"

namespace osgPliant {

/// Light, sky and shadows of a Stage. Colours are linear RGB.
struct StageSettings {
    osg::Vec3f up = osg::Vec3f(0.0f, 1.0f, 0.0f);            ///< Where up is.
    osg::Vec3f towardsSun = osg::Vec3f(0.45f, 0.8f, 0.35f);  ///< Direction towards the sun, of any length.
    /// Warm, and brighter than white: the shader maps tones.
    osg::Vec3f sunColour = osg::Vec3f(2.1f, 1.85f, 1.45f);
    osg::Vec3f skyLight = osg::Vec3f(0.40f, 0.48f, 0.60f);     ///< Ambient light from above.
    osg::Vec3f groundLight = osg::Vec3f(0.22f, 0.19f, 0.15f);  ///< Ambient light from below.
    osg::Vec3f zenith = osg::Vec3f(0.22f, 0.40f, 0.68f);       ///< Background, top.
    osg::Vec3f horizon = osg::Vec3f(0.74f, 0.79f, 0.84f);      ///< Background, horizon, and the colour of the haze.
    std::string skyImage;         ///< Equirectangular picture in place of zenith and horizon; empty = none.
    float haze = 0.0f;            ///< Density of the haze, 1/m; 0 = clear air.
    bool shadows = true;          ///< Whether there are shadows; their pass draws everything a second time.
    int shadowResolution = 2048;  ///< Texels a side of the shadow map.
    int shadowTaps = 9;           ///< Samples a pixel, 1..32; more is softer and slower.
    float shadowSoftness = 2.5f;  ///< Radius of the penumbra, texels of the shadow map.
    /// Distance from the eye up to which there are shadows, m; 0 = as far as one sees.
    float shadowDistance = 0.0f;
    float exposure = 1.0f;  ///< Factor on all light before tones are mapped.
};

/// A lamp beside the sun: it shines evenly, or within a cone, and casts no shadow.
struct Lamp {
    osg::Vec3f position;                      ///< World, m.
    osg::Vec3f axis = osg::Vec3f(0, 0, -1);   ///< The way the middle of its cone travels, of any length.
    float cone = 0.0f;                        ///< Whole angle of the cone, degrees; 0 = it shines to all sides.
    osg::Vec3f colour = osg::Vec3f(1, 1, 1);  ///< Linear RGB of the light at a distance of 1 m.
    /// The same lamp.
    bool operator==(const Lamp& other) const {
        return position == other.position && axis == other.axis && cone == other.cone && colour == other.colour;
    }
};

/// A good-looking place for bodies: sun with soft shadows, sky light from all around, sky gradient, haze.
///
///     osg::ref_ptr<osgPliant::Stage> stage = new osgPliant::Stage(settings);
///     stage->addChild(baskets);   // casts and receives shadows
///     viewer.setSceneData(stage);
///
/// Works with any drawable that uses osgPliant's shaders; others are drawn as ever and still cast shadows.
class PLIANT_API Stage : public osgShadow::ShadowedScene {
public:
    /// A stage with default settings.
    Stage();
    /// A stage with the given settings.
    explicit Stage(const StageSettings& settings);
    /// A stage with the same settings and children.
    Stage(const Stage& other, const osg::CopyOp& copyop = osg::CopyOp::SHALLOW_COPY);
    META_Node(osgPliant, Stage)

        /// Node mask bits; nodes have both unless told otherwise.
        enum Mask {
            CastsShadow = 0x1,    ///< Casts shadows.
            ReceivesShadow = 0x2  ///< Receives shadows.
        };

    /// Gives a node the look of the stage: its geometries are lit by the same shaders as bodies, with their materials,
    /// vertex colours and the texture of unit 0. Fixed function, which knows no tone mapping, is white and black here.
    /// Changes the state sets of the node, before or after a Skin was made of it.
    static void adopt(osg::Node& node);

    /// The lamps beside the sun, from now on; between frames or in the update traversal, also while draw threads are at
    /// the frame before. At most mostLamps.
    void setLamps(const std::vector<Lamp>& lamps);
    /// The colour of the sun's light, linear RGB, from now on; between frames or in the update traversal.
    void setSunColour(const osg::Vec3f& colour);
    /// OpenSceneGraph's callback.
    void traverse(osg::NodeVisitor& visitor) override;
    static constexpr std::size_t mostLamps = 8;  ///< That the shader of surfaces knows.

    /// The settings that the stage was made with.
    const StageSettings& getSettings() const { return _settings; }

protected:
    ~Stage() override = default;

private:
    void create();

    StageSettings _settings;
    std::vector<Lamp> _lamps;
    osg::ref_ptr<osg::StateSet> _lampState;  ///< Made anew when lamps change: draw threads may be at the last one.
    osg::ref_ptr<osg::LightSource> _sun;
};

}  // namespace osgPliant
