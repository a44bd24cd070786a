// SPDX-License-Identifier: Zlib
#include "osgPliant/DebugDrawing.h"

#include <osgText/Text>
#include <vector>

#include "osgPliant/Conversions.h"
#include "osgPliant/DebugGeometry.h"
#include "osgPliant/Stage.h"

namespace osgPliant {

namespace {

constexpr float textPixels = 16.0f;
constexpr int textBin = 12;  // after everything else

unsigned int bitOf(pliant::DebugLayer layer) {
    return 1u << static_cast<unsigned int>(layer);
}

osg::Vec4 toColour(const pliant::DebugColour& colour) {
    return {colour.red, colour.green, colour.blue, colour.alpha};
}

osg::ref_ptr<osgText::Text> createText() {
    osg::ref_ptr<osgText::Text> text = new osgText::Text;
    text->setDataVariance(osg::Object::DYNAMIC);
    text->setAxisAlignment(osgText::TextBase::SCREEN);
    text->setCharacterSizeMode(osgText::TextBase::SCREEN_COORDS);
    text->setCharacterSize(textPixels);
    text->setBackdropType(osgText::Text::OUTLINE);
    text->setBackdropColor(osg::Vec4(0.0f, 0.0f, 0.0f, 1.0f));
    // The font's own state set, which all its texts share, has program and sizes of the texture: from the first letter
    // on.
    text->setText("x");
    osg::StateSet* shared = text->getStateSet();
    const osg::ref_ptr<osg::StateSet> state = shared ? new osg::StateSet(*shared) : new osg::StateSet;
    const auto off = osg::StateAttribute::OFF | osg::StateAttribute::PROTECTED;
    state->setMode(GL_LIGHTING, off);
    state->setMode(GL_DEPTH_TEST, off);
    state->setRenderBinDetails(textBin, "RenderBin");
    text->setStateSet(state);
    return text;
}

}  // namespace

struct DebugDrawing::Layer {
    DebugLines lines;
    DebugDiscs discs;
    DebugCapsules solid, clear;  ///< what is seen through is drawn after what is not
    std::vector<osg::ref_ptr<osgText::Text>> texts;
    std::size_t textCount = 0;
};

struct DebugDrawing::Data {
    DebugStates states;
    Layer layers[pliant::debugLayerCount];
};

DebugDrawing::DebugDrawing()
    : _data(new Data), _shown(~(bitOf(pliant::DebugLayer::Spheres) | bitOf(pliant::DebugLayer::Energies))) {
    setCullingActive(true);
    setNodeMask(~static_cast<osg::Node::NodeMask>(Stage::CastsShadow));
    setDataVariance(osg::Object::DYNAMIC);
    for (Layer& layer : _data->layers) {
        layer.lines.create(_data->states);
        layer.discs.create(_data->states);
        layer.solid.create(_data->states, false);
        layer.clear.create(_data->states, true);
        for (const DebugDrawable* part :
             {static_cast<DebugDrawable*>(&layer.lines), static_cast<DebugDrawable*>(&layer.discs),
              static_cast<DebugDrawable*>(&layer.solid), static_cast<DebugDrawable*>(&layer.clear)})
            for (const auto& drawable : part->drawables()) addDrawable(drawable);
    }
}

DebugDrawing::DebugDrawing(const DebugDrawing& other, const osg::CopyOp&) : DebugDrawing() {
    _shown = other._shown;
    setHiddenStrength(other.getHiddenStrength());
    setNodeMask(other.getNodeMask());
}

DebugDrawing::~DebugDrawing() = default;

void DebugDrawing::show(const pliant::DebugShapes& shapes) {
    for (Layer& layer : _data->layers) {
        layer.lines.clear();
        layer.discs.clear();
        layer.solid.clear();
        layer.clear.clear();
        layer.textCount = 0;
    }
    const auto layerOf = [this](pliant::DebugLayer layer) -> Layer& { return _data->layers[static_cast<int>(layer)]; };
    for (const pliant::DebugShapes::Line& line : shapes.lines)
        layerOf(line.layer).lines.add(osg::Vec3(toOsg(line.from)), osg::Vec3(toOsg(line.to)), toColour(line.colour));
    for (const pliant::DebugShapes::Disc& disc : shapes.discs)
        layerOf(disc.layer).discs.add(toOsg(disc.centre), toOsg(disc.normal), disc.radius, toColour(disc.colour));
    for (const pliant::DebugShapes::Capsule& capsule : shapes.capsules) {
        Layer& layer = layerOf(capsule.layer);
        const osg::Vec4 ends[2] = {{osg::Vec3(toOsg(capsule.end[0])), static_cast<float>(capsule.radius[0])},
                                   {osg::Vec3(toOsg(capsule.end[1])), static_cast<float>(capsule.radius[1])}};
        (capsule.colour.alpha < 1.0f ? layer.clear : layer.solid).add(ends[0], ends[1], toColour(capsule.colour));
    }
    for (const pliant::DebugShapes::Text& text : shapes.texts) {
        Layer& layer = layerOf(text.layer);
        if (layer.textCount == layer.texts.size()) {
            layer.texts.push_back(createText());
            addDrawable(layer.texts.back());
        }
        osgText::Text& drawn = *layer.texts[layer.textCount++];
        drawn.setPosition(osg::Vec3(toOsg(text.at)));
        drawn.setColor(toColour(text.colour));
        drawn.setText(osgText::String(text.text, osgText::String::ENCODING_UTF8));
    }
    for (int layer = 0; layer < pliant::debugLayerCount; ++layer) showLayer(layer);
    dirtyBound();
}

/// What is empty is hidden: an instanced draw of no instances is a draw of one.
void DebugDrawing::showLayer(int number) {
    Layer& layer = _data->layers[number];
    const bool shown = (_shown & (1u << static_cast<unsigned int>(number))) != 0;
    layer.lines.finish(shown, getHiddenStrength() > 0.0f);
    layer.discs.finish(shown, getHiddenStrength() > 0.0f);
    layer.solid.finish(shown, getHiddenStrength() > 0.0f);
    layer.clear.finish(shown, false);
    for (std::size_t i = 0; i < layer.texts.size(); ++i)
        layer.texts[i]->setNodeMask(shown && i < layer.textCount ? ~0u : 0u);
}

void DebugDrawing::setLayerShown(pliant::DebugLayer layer, bool shown) {
    _shown = shown ? _shown | bitOf(layer) : _shown & ~bitOf(layer);
    showLayer(static_cast<int>(layer));
    dirtyBound();
}

bool DebugDrawing::getLayerShown(pliant::DebugLayer layer) const {
    return (_shown & bitOf(layer)) != 0;
}

void DebugDrawing::setHiddenStrength(float strength) {
    _data->states.setHiddenStrength(strength);
    for (int layer = 0; layer < pliant::debugLayerCount; ++layer) showLayer(layer);
}

osg::BoundingSphere DebugDrawing::computeBound() const {
    osg::BoundingSphere sphere;
    for (unsigned int i = 0; i < getNumChildren(); ++i)
        if (getChild(i)->getNodeMask() != 0) sphere.expandBy(getChild(i)->getBound());
    return sphere;
}

float DebugDrawing::getHiddenStrength() const {
    return _data->states.getHiddenStrength();
}

}  // namespace osgPliant
