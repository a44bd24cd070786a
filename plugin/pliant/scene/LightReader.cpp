// SPDX-License-Identifier: Zlib
// The lights of a scene file, and what is around it.
#include "pliant/scene/SceneParts.h"

namespace pliant::scene {
namespace {

constexpr std::size_t kMostLamps = 8;  // that the shader of surfaces knows

void readShadow(const CheckedYaml& value, Light& light) {
    if (!value.isBlock()) {
        light.shadow = value.boolean();
        return;
    }
    value.expectBlock("shadow");
    if (const auto size = value.find("size")) light.shadowSize = size->integer();
    if (const auto softness = value.find("softness")) light.softness = softness->number();
    if (const auto distance = value.find("distance")) light.shadowDistance = distance->number();
}

Lamp readLamp(const CheckedYaml& block, bool isSpot) {
    Lamp lamp;
    lamp.isSpot = isSpot;
    if (const auto value = block.find("name")) lamp.name = value->text() + block.nameSuffix();
    lamp.at = block.at("at").liveVector();
    for (const char* key : {"to", "cone"})
        if (!isSpot && block.has(key)) block.at(key).fail("\"" + std::string(key) + "\" means nothing for this light");
    for (const char* key : {"direction", "shadow"})
        if (block.has(key)) block.at(key).fail("\"" + std::string(key) + "\" means nothing for this light");
    if (isSpot) lamp.to = block.at("to").vector();
    if (const auto value = block.find("cone")) lamp.cone = value->number();
    if (const auto value = block.find("colour")) lamp.colour = readColour(*value);
    if (const auto value = block.find("brightness")) lamp.brightness = value->liveNumber();
    return lamp;
}

}  // namespace

Light readSun(const CheckedYaml& block) {
    Light light;
    if (const auto value = block.find("direction")) {
        light.direction = value->vector();
        if (light.direction->norm() < 1.0e-9) value->fail("direction has no length");
    }
    if (const auto value = block.find("brightness")) light.brightness = value->number();
    if (const auto value = block.find("shadow")) readShadow(*value, light);
    return light;
}

void readLights(const CheckedYaml& list, SceneDescription& scene, Mistakes& mistakes) {
    bool hasSun = false;
    const auto readOne = [&](const CheckedYaml& item) {
        item.expectBlock("lights");
        const int kind = item.at("kind").word();
        if (kind > 0) {
            scene.lamps.push_back(readLamp(item, kind == 2));
            return;
        }
        if (hasSun) item.fail("there is another sun", "a scene has one; lamps are of the kinds point and spot");
        hasSun = true;
        for (const char* key : {"at", "to", "cone"})
            if (item.has(key)) item.at(key).fail("\"" + std::string(key) + "\" means nothing for this light");
        scene.light = readSun(item);
        if (const auto value = item.find("colour")) scene.light.colour = readColour(*value);
    };
    for (const CheckedYaml& item : list.items())
        if (!tryBlock(item, mistakes, [&] { readOne(item); })) loseName(item, {"lamp"}, mistakes);
    if (!hasSun) scene.light.brightness = 0.0;  // lamps alone
    if (scene.lamps.size() > kMostLamps) list.fail("there are more than " + std::to_string(kMostLamps) + " lamps");
}

Environment readEnvironment(const CheckedYaml& block) {
    block.expectBlock("environment");
    Environment around;
    if (const auto sky = block.find("sky")) {
        sky->expectBlock("sky");
        if (const auto value = sky->find("zenith")) around.zenith = readColour(*value);
        if (const auto value = sky->find("horizon")) around.horizon = readColour(*value);
    }
    if (const auto value = block.find("image")) around.image = existingFile(*value, block.file());
    if (const auto value = block.find("background")) {
        around.background = readColour(*value);
        for (const char* key : {"sky", "image"})
            if (block.has(key))
                value->fail("there are \"background\" and \"" + std::string(key) + "\"",
                            "one of them says what is seen where nothing is");
    }
    if (const auto light = block.find("light")) {
        light->expectBlock("ambient");
        if (const auto value = light->find("above")) around.above = readColour(*value);
        if (const auto value = light->find("below")) around.below = readColour(*value);
    }
    if (const auto value = block.find("haze")) around.haze = value->number();
    if (const auto value = block.find("exposure")) around.exposure = value->number();
    return around;
}

}  // namespace pliant::scene
