// SPDX-License-Identifier: Zlib
// Distributed contact in a scene file.
#include <sstream>

#include "pliant/scene/SceneParts.h"

namespace pliant::scene {
namespace {

void readStiffness(const CheckedYaml& block, Touch& touch) {
    readNumber(block, "stiffness", touch.stiffness);
    const auto layer = block.find("layer");
    if (!layer) return;
    layer->expectBlock("touch_layer");
    if (block.has("stiffness"))
        layer->fail("a pair has a stiffness or a layer", "leave one of them out: stiffness = young / thickness");
    if (touch.law == PressureWord::Hertz)
        layer->fail("a layer has no stiffness in Pa/m^(1/2)", "write law: linear, or a stiffness");
    touch.stiffness = layer->at("young").number() / layer->at("thickness").number();
    // The range that a stiffness has by itself: two numbers that are fine alone may have a quotient that is not.
    const KeyRow& limits = *sceneKeys("touch").find("stiffness");
    if (touch.stiffness < limits.least || touch.stiffness > limits.most) {
        std::ostringstream text;
        text << "young / thickness is " << touch.stiffness << " Pa/m; it must be " << limits.least << " to "
             << limits.most;
        layer->fail(text.str());
    }
}

/// Springs and dampers stand alone: everything else is about distributed contact.
void readPenalty(const CheckedYaml& block, Touch& touch) {
    const auto penalty = block.find("penalty");
    if (!penalty) return;
    penalty->expectBlock("touch_penalty");
    for (const char* key :
         {"stiffness", "layer", "law", "max_depth", "damping", "friction", "two_way", "points", "levels", "budget_us"})
        if (block.has(key))
            block.at(key).fail("\"" + std::string(key) + "\" means nothing beside a penalty",
                               "leave it out, or write it within penalty");
    if (touch.with.empty())
        penalty->fail("the other side is not named", "write between: [first, second], or contact_stiffness of a body");
    touch.penalty.emplace();
    touch.penalty->stiffness = penalty->at("stiffness").number();
    readNumber(*penalty, "damping", touch.penalty->damping);
}

}  // namespace

Touch readTouch(const CheckedYaml& block) {
    block.expectBlock("touch");
    Touch touch;
    touch.where = block.where();
    readSides(block.at("between"), touch.of, touch.with);
    readPenalty(block, touch);
    if (const auto value = block.find("law")) touch.law = static_cast<PressureWord>(value->word());
    readStiffness(block, touch);
    if (touch.law != PressureWord::Stiffening && block.has("max_depth"))
        block.at("max_depth").fail("\"max_depth\" means nothing for this law", "write law: stiffening");
    readNumber(block, "max_depth", touch.maxDepth);
    readNumber(block, "damping", touch.damping);
    readNumber(block, "friction", touch.friction);
    if (const auto value = block.find("two_way")) touch.isTwoWay = value->boolean();
    if (touch.isTwoWay && touch.with.empty())
        block.at("two_way").fail("the other side is not named, whose points are asked for",
                                 "write between: [first, second]");
    if (const auto value = block.find("points")) touch.points = value->integer();
    if (const auto value = block.find("levels")) touch.levels = value->integer();
    readNumber(block, "budget_us", touch.budget);
    return touch;
}

}  // namespace pliant::scene
