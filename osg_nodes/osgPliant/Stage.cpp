// SPDX-License-Identifier: Zlib
#include "osgPliant/Stage.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <osg/Depth>
#include <osg/Geometry>
#include <osg/Math>
#include <osg/Notify>
#include <osg/Texture2D>
#include <osg/Uniform>
#include <osgDB/ReadFile>
#include <osgUtil/CullVisitor>
#include <string>

#include "osgPliant/ModelGeometry.h"
#include "osgPliant/Shaders.h"
#include "osgPliant/ShadowMap.h"

namespace osgPliant {

namespace {

osg::ref_ptr<osg::LightSource> createSun(const StageSettings& settings) {
    osg::ref_ptr<osg::LightSource> sun = new osg::LightSource;
    osg::Vec3f direction = settings.towardsSun;
    direction.normalize();
    sun->getLight()->setLightNum(0);
    sun->getLight()->setPosition(osg::Vec4(direction, 0.0f));
    sun->getLight()->setDiffuse(osg::Vec4(settings.sunColour, 1.0f));
    sun->getLight()->setSpecular(osg::Vec4(settings.sunColour, 1.0f));
    sun->getLight()->setAmbient(osg::Vec4(settings.skyLight, 1.0f));
    sun->setCullingActive(false);
    return sun;
}

void paintSky(osg::StateSet& state, const std::string& picture) {
    const osg::ref_ptr<osg::Image> image = osgDB::readRefImageFile(picture);
    if (!image.valid()) {
        OSG_WARN << "osgPliant: cannot read the sky " << picture << "; drawing without it" << std::endl;
        return;
    }
    osg::ref_ptr<osg::Texture2D> texture = new osg::Texture2D(image);
    texture->setResizeNonPowerOfTwoHint(false);
    texture->setWrap(osg::Texture::WRAP_S, osg::Texture::REPEAT);
    texture->setWrap(osg::Texture::WRAP_T, osg::Texture::CLAMP_TO_EDGE);
    texture->setFilter(osg::Texture::MIN_FILTER, osg::Texture::LINEAR);
    texture->setFilter(osg::Texture::MAG_FILTER, osg::Texture::LINEAR);
    state.setTextureAttribute(DiffuseUnit, texture);
    state.addUniform(new osg::Uniform("pliantSkyImage", static_cast<int>(DiffuseUnit)));
    state.setDefine("PLIANT_SKY_IMAGE");
}

/// A triangle over the whole window, drawn after everything opaque where nothing has been drawn.
osg::ref_ptr<osg::Geometry> createSky(const std::string& picture) {
    osg::ref_ptr<osg::Geometry> sky = new osg::Geometry;
    osg::ref_ptr<osg::Vec3Array> corners = new osg::Vec3Array;
    corners->push_back(osg::Vec3(-1.0f, -1.0f, 0.0f));
    corners->push_back(osg::Vec3(3.0f, -1.0f, 0.0f));
    corners->push_back(osg::Vec3(-1.0f, 3.0f, 0.0f));
    sky->setName("sky");
    sky->setVertexArray(corners);
    sky->addPrimitiveSet(new osg::DrawArrays(GL_TRIANGLES, 0, 3));
    sky->setUseDisplayList(false);
    sky->setUseVertexBufferObjects(true);
    sky->setCullingActive(false);
    sky->setNodeMask(Stage::ReceivesShadow);
    struct Nowhere : public osg::Drawable::ComputeBoundingBoxCallback {
        osg::BoundingBox computeBound(const osg::Drawable&) const override { return {}; }
    };
    sky->setComputeBoundingBoxCallback(new Nowhere);  // or it would pull the far plane and the home position
    osg::StateSet* state = sky->getOrCreateStateSet();
    state->setAttributeAndModes(createSkyProgram());
    state->setAttributeAndModes(new osg::Depth(osg::Depth::LEQUAL, 0.0, 1.0, false));
    state->setMode(GL_CULL_FACE, osg::StateAttribute::OFF);
    state->setRenderBinDetails(9, "RenderBin");
    if (!picture.empty()) paintSky(*state, picture);
    return sky;
}

/// Tells the shaders what every geometry has.
class Adopt : public osg::NodeVisitor {
public:
    Adopt() : osg::NodeVisitor(TRAVERSE_ALL_CHILDREN) { setNodeMaskOverride(~0u); }
    void apply(osg::Node& node) override {
        const bool above = _textured;
        _textured |= isTextured(node.getStateSet());
        traverse(node);
        _textured = above;
    }
    void apply(osg::Geometry& geometry) override {
        osg::StateSet& state = *geometry.getOrCreateStateSet();
        if (_textured || isTextured(&state)) state.setDefine("PLIANT_TEXTURE");
        if (geometry.getColorArray()) state.setDefine("PLIANT_COLOURS");
    }

private:
    static bool isTextured(const osg::StateSet* state) {
        return state && state->getTextureAttribute(DiffuseUnit, osg::StateAttribute::TEXTURE);
    }
    bool _textured = false;
};

}  // namespace

void Stage::adopt(osg::Node& node) {
    useBodyProgram(*node.getOrCreateStateSet());
    Adopt visitor;
    node.accept(visitor);
}

Stage::Stage() : Stage(StageSettings()) {}

Stage::Stage(const StageSettings& settings) : _settings(settings) {
    create();
}

Stage::Stage(const Stage& other, const osg::CopyOp& copyop)
    : osgShadow::ShadowedScene(other, copyop),
      _settings(other._settings),
      _lamps(other._lamps),
      _lampState(other._lampState) {
    for (unsigned int i = 0; i < getNumChildren() && !_sun; ++i) _sun = dynamic_cast<osg::LightSource*>(getChild(i));
    if (!_settings.shadows) return;
    setShadowSettings(new osgShadow::ShadowSettings(*other.getShadowSettings()));
    setShadowTechnique(new ShadowMap);  // a technique belongs to one scene
}

void Stage::setSunColour(const osg::Vec3f& colour) {
    if (colour == _settings.sunColour) return;
    _settings.sunColour = colour;
    if (!_sun) return;
    // Another light: draw threads may be at the last one.
    const osg::ref_ptr<osg::Light> light = new osg::Light(*_sun->getLight());
    light->setDiffuse(osg::Vec4(colour, 1.0f));
    light->setSpecular(osg::Vec4(colour, 1.0f));
    _sun->setLight(light);
}

void Stage::traverse(osg::NodeVisitor& visitor) {
    const osg::ref_ptr<osg::StateSet> lamps = _lampState;
    osgUtil::CullVisitor* culler = lamps ? visitor.asCullVisitor() : nullptr;
    if (culler) culler->pushStateSet(lamps);
    osgShadow::ShadowedScene::traverse(visitor);
    if (culler) culler->popStateSet();
}

void Stage::setLamps(const std::vector<Lamp>& lamps) {
    if (lamps == _lamps) return;
    _lamps = lamps;
    _lampState = nullptr;
    const std::size_t count = std::min(lamps.size(), mostLamps);
    if (count == 0) return;
    _lampState = new osg::StateSet;
    osg::StateSet& state = *_lampState;
    state.setDefine("PLIANT_LAMPS", std::to_string(count), osg::StateAttribute::ON | osg::StateAttribute::OVERRIDE);
    const auto uniform = [&](const char* name) {
        return state.getOrCreateUniform(name, osg::Uniform::FLOAT_VEC4, static_cast<unsigned int>(mostLamps));
    };
    osg::Uniform &places = *uniform("pliantLampPlaces"), &colours = *uniform("pliantLampColours"),
                 &axes = *uniform("pliantLampAxes");
    for (std::size_t i = 0; i < count; ++i) {
        const auto index = static_cast<unsigned int>(i);
        const Lamp& lamp = lamps[i];
        osg::Vec3f axis = lamp.axis;
        axis.normalize();
        const double half = osg::DegreesToRadians(0.5 * static_cast<double>(lamp.cone));
        const bool all = lamp.cone <= 0.0f;
        places.setElement(index, osg::Vec4f(lamp.position, 1.0f));
        colours.setElement(index, osg::Vec4f(lamp.colour, all ? -3.0f : static_cast<float>(std::cos(0.8 * half))));
        axes.setElement(index, osg::Vec4f(axis, all ? -4.0f : static_cast<float>(std::cos(half))));
    }
}

void Stage::create() {
    constexpr auto overriding = osg::StateAttribute::ON | osg::StateAttribute::OVERRIDE;
    osg::StateSet* state = getOrCreateStateSet();
    osg::Vec3f up = _settings.up;
    up.normalize();
    state->addUniform(new osg::Uniform("pliantUp", up), overriding);
    state->addUniform(new osg::Uniform("pliantSkyLight", _settings.skyLight), overriding);
    state->addUniform(new osg::Uniform("pliantGroundLight", _settings.groundLight), overriding);
    state->addUniform(new osg::Uniform("pliantZenith", _settings.zenith), overriding);
    state->addUniform(new osg::Uniform("pliantHaze", osg::Vec4(_settings.horizon, _settings.haze)), overriding);
    if (_settings.exposure != 1.0f)
        state->setDefine("PLIANT_EXPOSURE", std::to_string(static_cast<double>(_settings.exposure)), overriding);
    state->setMode(GL_LIGHT0, osg::StateAttribute::ON);
    state->setMode(GL_LIGHTING, osg::StateAttribute::ON);
    _sun = createSun(_settings);
    addChild(_sun);
    addChild(createSky(_settings.skyImage));

    if (!_settings.shadows) return;
    osg::ref_ptr<osgShadow::ShadowSettings> shadow = new osgShadow::ShadowSettings;
    shadow->setCastsShadowTraversalMask(CastsShadow);
    shadow->setReceivesShadowTraversalMask(ReceivesShadow);
    shadow->setLightNum(0);
    shadow->setBaseShadowTextureUnit(ShadowUnit);
    shadow->setShaderHint(osgShadow::ShadowSettings::NO_SHADERS);
    shadow->setShadowMapProjectionHint(osgShadow::ShadowSettings::ORTHOGRAPHIC_SHADOW_MAP);
    const auto side = static_cast<short>(_settings.shadowResolution);
    shadow->setTextureSize(osg::Vec2s(side, side));
    if (_settings.shadowDistance > 0.0f) shadow->setMaximumShadowMapDistance(_settings.shadowDistance);
    setShadowSettings(shadow);
    setShadowTechnique(new ShadowMap);
    receiveShadows(*state, _settings.shadowTaps, _settings.shadowSoftness);
}

}  // namespace osgPliant
