// SPDX-License-Identifier: Zlib
// The stage of a scene: its sky, its sun and its lamps.
#include "osgPliantScene/SceneLooks.h"
#include "osgPliantScene/SceneNode.h"

namespace osgPliant {
namespace {

namespace scene = pliant::scene;
using pliant::Vector3;

constexpr double kLampOverSun = 2.0;  // about what the sun of a Stage sheds

void surround(const scene::Environment& around, StageSettings& settings) {
    if (around.zenith) settings.zenith = toFloat(*around.zenith);
    if (around.horizon) settings.horizon = toFloat(*around.horizon);
    if (around.background) settings.zenith = settings.horizon = toFloat(*around.background);
    if (around.above) settings.skyLight = toFloat(*around.above);
    if (around.below) settings.groundLight = toFloat(*around.below);
    if (around.haze) settings.haze = static_cast<float>(*around.haze);
    settings.skyImage = around.image;
    settings.exposure = static_cast<float>(around.exposure);
}

/// That of the sun's light at a time, s.
osg::Vec3f sunColour(const scene::SceneDescription& scene, double time) {
    const double brightness =
        scene.timeline.ofPicture(scene::LivePath::Kind::SunBrightness, "", 0, time).value_or(scene.light.brightness);
    osg::Vec3f colour = StageSettings().sunColour;
    colour *= static_cast<float>(brightness);
    for (int i = 0; i < 3; ++i) colour[i] *= static_cast<float>(scene.light.colour[static_cast<std::size_t>(i)]);
    return colour;
}

}  // namespace

osg::ref_ptr<Stage> createStage(const scene::SceneDescription& scene, const scene::Bounds& bounds) {
    StageSettings settings;
    settings.up = toFloat(scene.up());
    const Vector3 side = scene::horizontal(scene.up()), front = side.cross(scene.up());
    const Vector3 overTheShoulder = 0.45 * side + 0.85 * scene.up() + 0.35 * front;
    settings.towardsSun = toFloat(scene.light.direction ? Vector3(-*scene.light.direction) : overTheShoulder);
    settings.sunColour = sunColour(scene, 0.0);
    settings.shadows = scene.light.shadow;
    const scene::Light& sun = scene.light;
    settings.shadowResolution = sun.shadowSize;
    settings.shadowSoftness = static_cast<float>(sun.softness);
    settings.shadowDistance = static_cast<float>(sun.shadowDistance);
    settings.haze = static_cast<float>(0.012 / bounds.radius());
    surround(scene.environment, settings);
    osg::ref_ptr<Stage> stage = new Stage(settings);
    setLamps(scene, 0.0, *stage);
    return stage;
}

void setLights(const scene::SceneDescription& scene, double time, Stage& stage) {
    for (const scene::Animation& animation : scene.timeline.animations)
        if (animation.path.kind == scene::LivePath::Kind::SunBrightness) stage.setSunColour(sunColour(scene, time));
    if (!scene.lamps.empty()) setLamps(scene, time, stage);
}

void setLamps(const scene::SceneDescription& scene, double time, Stage& stage) {
    std::vector<Lamp> lamps;
    for (const scene::Lamp& described : scene.lamps) {
        Lamp lamp;
        const auto led = [&](scene::LivePath::Kind kind, int axis, const scene::LiveNumber& number) {
            const auto value = scene.timeline.ofPicture(kind, described.name, axis, time);
            return value && !described.name.empty() ? *value : number.at(time);
        };
        using Kind = scene::LivePath::Kind;
        const Vector3 at(led(Kind::LampPosition, 0, described.at[0]), led(Kind::LampPosition, 1, described.at[1]),
                         led(Kind::LampPosition, 2, described.at[2]));
        lamp.position = toFloat(at);
        if (described.isSpot) {
            lamp.axis = toFloat(described.to - at);
            lamp.cone = static_cast<float>(described.cone);
        }
        const double brightness = kLampOverSun * led(Kind::LampBrightness, 0, described.brightness);
        const auto& c = described.colour;
        lamp.colour = toFloat(brightness * Vector3(c[0], c[1], c[2]));
        lamps.push_back(lamp);
    }
    stage.setLamps(lamps);
}

}  // namespace osgPliant
