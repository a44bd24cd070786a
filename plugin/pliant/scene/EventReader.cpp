// SPDX-License-Identifier: Zlib
// The events of a scene file: when, and what is done.
#include <array>

#include "pliant/scene/NearestWord.h"
#include "pliant/scene/SceneParts.h"

namespace pliant::scene {
namespace {

constexpr Range kLongTime{0.0, 1.0e6};  // s

/// What may be set, as it ends.
struct PathEnd {
    const char* text;
    LivePath::Kind kind;
    int axis;
};
constexpr std::array<PathEnd, 24> kPathEnds{{{".damping.mass", LivePath::Kind::MassDamping, 0},
                                             {".damping.stiffness", LivePath::Kind::StiffnessDamping, 0},
                                             {".stiffness", LivePath::Kind::Stiffness, 0},
                                             {".motor.velocity", LivePath::Kind::MotorVelocity, 0},
                                             {".motor.strength", LivePath::Kind::MotorStrength, 0},
                                             {".friction", LivePath::Kind::Friction, 0},
                                             {".restitution", LivePath::Kind::Restitution, 0},
                                             {".position.x", LivePath::Kind::Position, 0},
                                             {".position.y", LivePath::Kind::Position, 1},
                                             {".position.z", LivePath::Kind::Position, 2},
                                             {".rotation.x", LivePath::Kind::Rotation, 0},
                                             {".rotation.y", LivePath::Kind::Rotation, 1},
                                             {".rotation.z", LivePath::Kind::Rotation, 2},
                                             {".brightness", LivePath::Kind::LampBrightness, 0},
                                             {".at.x", LivePath::Kind::LampPosition, 0},
                                             {".at.y", LivePath::Kind::LampPosition, 1},
                                             {".at.z", LivePath::Kind::LampPosition, 2},
                                             {".from.x", LivePath::Kind::CameraFrom, 0},
                                             {".from.y", LivePath::Kind::CameraFrom, 1},
                                             {".from.z", LivePath::Kind::CameraFrom, 2},
                                             {".to.x", LivePath::Kind::CameraTo, 0},
                                             {".to.y", LivePath::Kind::CameraTo, 1},
                                             {".to.z", LivePath::Kind::CameraTo, 2},
                                             {".field_of_view", LivePath::Kind::FieldOfView, 0}}};

/// What a number may be, SI.
Range rangeOf(LivePath::Kind kind) {
    switch (kind) {
        case LivePath::Kind::Gravity:
        case LivePath::Kind::MotorVelocity:
            return {-1.0e4, 1.0e4};
        case LivePath::Kind::MotorStrength:
            return {0.0, 1.0e12};
        case LivePath::Kind::Friction:
        case LivePath::Kind::SunBrightness:
            return {0.0, 100.0};
        case LivePath::Kind::Restitution:
            return {0.0, 1.0};
        case LivePath::Kind::Position:
        case LivePath::Kind::LampPosition:
        case LivePath::Kind::CameraFrom:
        case LivePath::Kind::CameraTo:
            return kPosition;
        case LivePath::Kind::Rotation:
            return {-1.0e6, 1.0e6};
        case LivePath::Kind::Stiffness:
            return {1.0e-6, 1.0e6};
        case LivePath::Kind::MassDamping:
        case LivePath::Kind::LampBrightness:
            return {0.0, 1.0e6};
        case LivePath::Kind::StiffnessDamping:
            return {0.0, 1.0e3};
        case LivePath::Kind::FieldOfView:
            return {1.0, 150.0};
    }
    return {};
}

bool endsWith(const std::string& text, const std::string& end) {
    return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

LivePath readPath(const CheckedYaml& value) {
    const std::string text = value.text();
    LivePath path;
    path.of.where = value.where();
    path.of.usedBy = value.space() ? value.space()->usedBy : "";
    path.metres = value.metres();
    if (text == "sun.brightness") {
        path.kind = LivePath::Kind::SunBrightness;
        return path;
    }
    for (int axis = 0; axis < 3; ++axis)
        if (text == std::string("gravity.") + "xyz"[axis]) {
            path.axis = axis;
            return path;
        }
    for (const PathEnd& end : kPathEnds) {
        if (!endsWith(text, end.text)) continue;
        path.kind = end.kind;
        path.axis = end.axis;
        path.of.name = text.substr(0, text.size() - std::string(end.text).size());
        const std::size_t material = path.of.name.find(".material.");
        if (end.kind == LivePath::Kind::Stiffness && material != std::string::npos) {
            path.material = path.of.name.substr(material + std::string(".material.").size());
            path.of.name.resize(material);
        }
        return path;
    }
    std::vector<std::string> known = {"gravity.x", "gravity.y", "gravity.z"};
    const std::string name = text.substr(0, text.find('.'));
    for (const PathEnd& end : kPathEnds) known.push_back(name + end.text);
    const std::string near = nearestWord(text, known);
    value.fail("no live number is called \"" + text + "\"",
               near.empty() ? "there are gravity.z, NAME.motor.velocity, NAME.motor.strength, NAME.friction, "
                              "NAME.restitution, NAME.position.x, NAME.rotation.x, NAME.stiffness, "
                              "NAME.damping.mass, sun.brightness, LAMP.brightness, LAMP.at.x, CAMERA.from.x, "
                              "CAMERA.to.x, CAMERA.field_of_view"
                            : "did you mean \"" + near + "\"?");
}

/// The value that a path is given. Lengths and accelerations are in the unit of the file; whether the velocity of a
/// motor is one of a slider, only the joints tell (LivePath::metres).
CheckedYaml inUnitOf(const CheckedYaml& value, const LivePath& path) {
    using Kind = LivePath::Kind;
    const bool hasLength = path.kind == Kind::Gravity || path.kind == Kind::Position ||
                           path.kind == Kind::LampPosition || path.kind == Kind::CameraFrom ||
                           path.kind == Kind::CameraTo;
    return hasLength ? value.asLength() : value;
}

void readSet(const CheckedYaml& block, Action& action) {
    block.expectBlock("set");
    const CheckedYaml what = block.at("what");
    action.path = readPath(what);
    if (action.path.isOfPicture())
        what.fail("lights and cameras are led along keys", "write an entry of \"animate\" beside the events");
    action.value = inUnitOf(block.at("to"), action.path).formula(rangeOf(action.path.kind));
}

void readAnimate(const CheckedYaml& block, Action& action) {
    block.expectBlock("lead");
    const CheckedYaml what = block.at("what");
    action.path = readPath(what);
    if (action.path.kind != LivePath::Kind::Position && action.path.kind != LivePath::Kind::Rotation)
        what.fail("position and rotation of kinematic bodies are led along", "\"set\" gives others a value at once");
    action.value = inUnitOf(block.at("to"), action.path).formula(rangeOf(action.path.kind));
    action.duration = block.at("in").number();
}

void readPush(const CheckedYaml& block, Action& action) {
    block.expectBlock("push");
    action.of = readReferences(block.at("of"));
    action.vector = block.at("impulse").formulas();
    if (const auto value = block.find("point")) action.at = value->vector();
}

void readSpawn(const CheckedYaml& block, Action& action) {
    block.expectBlock("spawn");
    action.of = {readReference(block.at("of"))};
    if (const auto value = block.find("count")) action.count = value->formula();
    action.vector = block.at("position").formulas();
    if (const auto value = block.find("velocity")) action.velocity = value->formulas();
    const auto jitter = block.find("jitter");
    if (!jitter) return;
    jitter->expectBlock("live_jitter");
    if (const auto value = jitter->find("position")) action.jitterPosition = value->number();
    if (const auto value = jitter->find("rotation")) action.jitterRotation = value->number();
    if (const auto value = jitter->find("seed")) action.seed = value->formula();
}

void readRemove(const CheckedYaml& value, Action& action) {
    if (!value.isList() && endsWith(value.text(), ".bodies"))
        action.region = value.text().substr(0, value.text().size() - 7);
    else
        action.of = readReferences(value);
}

void readPictureName(const CheckedYaml& value, Action& action) {
    action.file = value.text();
    if (!endsWith(action.file, ".png") && !endsWith(action.file, ".jpg"))
        value.fail("\"" + action.file + "\" does not end in .png");
    if (action.file[0] == '/' || action.file.find("..") != std::string::npos)
        value.fail("files are written into the output folder", "leave out what leads out of it");
}

/// What time or value of a key: a number.
std::pair<double, double> readKey(const CheckedYaml& item, const LivePath& path,
                                  const std::vector<std::pair<double, double>>& before) {
    const std::vector<CheckedYaml> parts = item.items();
    if (parts.size() != 2) item.fail("a key needs two numbers: a time and a value");
    const std::pair<double, double> key(parts[0].number(kLongTime),
                                        inUnitOf(parts[1], path).number(rangeOf(path.kind)));
    if (!before.empty() && key.first <= before.back().first) item.fail("keys stand in the order of their times");
    return key;
}

/// "the wall opens at {t} s" in words and formulas.
void readSay(const CheckedYaml& value, Action& action) {
    const std::string text = value.text();
    std::size_t at = 0;
    for (;;) {
        const std::size_t open = text.find('{', at);
        action.words.push_back(text.substr(at, open - at));
        if (open == std::string::npos) return;
        const std::size_t close = text.find('}', open);
        if (close == std::string::npos) value.fail("a { has no }");
        action.numbers.push_back(value.formulaOf(text.substr(open + 1, close - open - 1)));
        at = close + 1;
    }
}

/// When an event happens: one of three.
void readTrigger(const CheckedYaml& block, const TimeSettings& time, Event& event) {
    const int given = block.has("at") + block.has("every") + block.has("when");
    if (given != 1)
        block.fail("an event happens \"at\" a time, \"every\" so often, or \"when\" something is true",
                   "give one of these");
    const auto refuse = [&](const char* key, const char* with) {
        if (block.has(key) && !block.has(with))
            block.at(key).fail("\"" + std::string(key) + "\" means nothing without \"" + with + "\"");
    };
    for (const char* key : {"from", "until"}) refuse(key, "every");
    for (const char* key : {"for", "once"}) refuse(key, "when");
    if (const auto value = block.find("at")) event.at = value->number();
    if (const auto value = block.find("every")) event.every = value->number({time.step(), 1.0e6});
    if (const auto value = block.find("from")) event.from = value->number();
    if (const auto value = block.find("until")) event.until = value->number({event.from, 1.0e6});
    if (const auto value = block.find("when")) event.when = value->condition();
    if (const auto value = block.find("for")) event.lasting = value->number();
    if (const auto value = block.find("once")) event.once = value->boolean();
}

}  // namespace

Action readAction(const CheckedYaml& item) {
    static const std::vector<const char*> words = {"set",     "animate", "push",    "spawn", "remove", "join", "part",
                                                   "picture", "save",    "restore", "cut",   "say",    "stop"};
    Action action;
    action.where = item.where();
    if (!item.isBlock()) {
        action.kind = static_cast<ActionKind>(item.word(words));
        if (action.kind != ActionKind::Stop)
            item.fail("\"" + item.text() + "\" needs to know what", "write {set: ...}");
        return action;
    }
    item.expectBlock("action");
    const auto entries = item.entries();
    if (entries.size() != 1) item.fail("one thing is done in each entry of \"do\"", "make several entries");
    const CheckedYaml& value = entries.front().second;
    for (std::size_t i = 0; i < words.size(); ++i)
        if (entries.front().first == words[i]) action.kind = static_cast<ActionKind>(i);
    switch (action.kind) {
        case ActionKind::Set:
            readSet(value, action);
            break;
        case ActionKind::Animate:
            readAnimate(value, action);
            break;
        case ActionKind::Push:
            readPush(value, action);
            break;
        case ActionKind::Spawn:
            readSpawn(value, action);
            break;
        case ActionKind::Remove:
            readRemove(value, action);
            break;
        case ActionKind::Join:
        case ActionKind::Part:
            action.of = readReferences(value);
            break;
        case ActionKind::Picture:
            readPictureName(value, action);
            break;
        case ActionKind::Save:
        case ActionKind::Restore:
            action.file = value.text();
            break;
        case ActionKind::Cut:
            action.camera = value.text();
            break;
        case ActionKind::Say:
            readSay(value, action);
            break;
        case ActionKind::Stop:
            value.fail("\"stop\" stands alone", "write do: [stop]");
    }
    return action;
}

Animation readAnimation(const CheckedYaml& block) {
    block.expectBlock("animation");
    Animation animation;
    animation.where = block.where();
    animation.path = readPath(block.at("what"));
    const CheckedYaml keys = block.at("keys");
    for (const CheckedYaml& item : keys.items())
        animation.keys.push_back(readKey(item, animation.path, animation.keys));
    if (animation.keys.empty()) keys.fail("there are no keys", "write keys: [[0, 0], [4, 360]]");
    if (const auto value = block.find("repeat")) animation.repeat = value->boolean();
    if (const auto value = block.find("between")) animation.between = static_cast<Between>(value->word());
    return animation;
}

Event readEvent(const CheckedYaml& block, const TimeSettings& time, Mistakes& mistakes) {
    block.expectBlock("event");
    Event event;
    event.where = block.where();
    tryBlock(block, mistakes, [&] { readTrigger(block, time, event); });
    const CheckedYaml list = block.at("do");
    const std::vector<CheckedYaml> items = list.items();
    if (items.empty()) list.fail("nothing is done");
    for (const CheckedYaml& item : items) tryBlock(item, mistakes, [&] { event.actions.push_back(readAction(item)); });
    return event;
}

}  // namespace pliant::scene
