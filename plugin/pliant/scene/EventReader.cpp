// SPDX-License-Identifier: Zlib
// The events of a scene file: when, and what is done.
#include "pliant/scene/LivePaths.h"
#include "pliant/scene/SceneParts.h"

namespace pliant::scene {
namespace {

constexpr Range kLongTime{0.0, 1.0e6};  // s
constexpr double kGettingUp = 0.5;      // s, that ragdolls take back to their clip

bool endsWith(const std::string& text, const std::string& end) {
    return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

LivePath readPath(const CheckedYaml& value) {
    const std::string text = value.text();
    LivePath path;
    path.of.where = value.where();
    path.of.usedBy = value.space() ? value.space()->usedBy : "";
    path.metres = value.metres();
    const LivePathMatch match = matchLivePath(text);
    if (!match.row) {
        path.of.name = text;
        path.axis = kUnknownPath;
        return path;
    }
    path.kind = match.row->kind;
    path.axis = match.axis;
    path.of.name = match.name;
    const std::string inMaterial = ".material.";
    const std::size_t material = match.name.find(inMaterial);
    if (path.kind == LivePath::Kind::Stiffness && material != std::string::npos) {
        path.material = match.name.substr(material + inMaterial.size());
        path.of.name.resize(material);
    }
    return path;
}

/// The value that a path is given. Lengths and accelerations are in the unit of the file; whether the velocity of a
/// motor is one of a slider, only the joints tell (LivePath::metres).
CheckedYaml inUnitOf(const CheckedYaml& value, const LivePath& path) {
    return !isUnknown(path) && livePathRow(path.kind).hasLength ? value.asLength() : value;
}

/// What a path may be; of one that is unknown nobody knows.
Range rangeOf(const LivePath& path) {
    return !isUnknown(path) ? livePathRow(path.kind).range : Range();
}

/// Reads what belongs to a path. Where that fails, nobody will look whose path an unknown one is: it is told here.
template <class Read>
void readBeside(const CheckedYaml& what, const LivePath& path, const Read& read) {
    try {
        read();
    } catch (const Error&) {
        if (!isUnknown(path)) throw;
        throw Error(path.of.where, "no live number is called \"" + what.text() + "\"",
                    livePathCure(what.text(), "", {}));
    }
}

void readSet(const CheckedYaml& block, Action& action) {
    block.expectBlock("set");
    const CheckedYaml what = block.at("what");
    action.path = readPath(what);
    if (action.path.isOfPicture())
        what.fail("lights and cameras are led along keys", "write an entry of \"animate\" beside the events");
    readBeside(what, action.path,
               [&] { action.value = inUnitOf(block.at("to"), action.path).formula(rangeOf(action.path)); });
}

void readAnimate(const CheckedYaml& block, Action& action) {
    block.expectBlock("lead");
    const CheckedYaml what = block.at("what");
    action.path = readPath(what);
    const bool isMotion = action.path.kind == LivePath::Kind::Position || action.path.kind == LivePath::Kind::Rotation;
    if (!isUnknown(action.path) && !isMotion)
        what.fail("position and rotation of kinematic bodies are led along", "\"set\" gives others a value at once");
    readBeside(what, action.path, [&] {
        action.value = inUnitOf(block.at("to"), action.path).formula(rangeOf(action.path));
        action.duration = block.at("in").number();
    });
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

void readClipAgain(const CheckedYaml& block, Action& action) {
    block.expectBlock("to_clip");
    action.of = readReferences(block.at("of"));
    action.duration = kGettingUp;
    if (const auto value = block.find("in")) action.duration = value->number();
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
    if (parts.size() != 2) item.fail("a key needs two numbers: a time and a value", item.cureOfLength());
    const std::pair<double, double> key(parts[0].number(kLongTime), inUnitOf(parts[1], path).number(rangeOf(path)));
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

/// What an action of its kind needs.
void readKind(const CheckedYaml& value, Action& action) {
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
        case ActionKind::Clip:
            readClipAgain(value, action);
            break;
        case ActionKind::Join:
        case ActionKind::Part:
        case ActionKind::Ragdoll:
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
}

}  // namespace

Action readAction(const CheckedYaml& item) {
    static const std::vector<const char*> words = {"set",  "animate", "push",    "spawn", "remove",
                                                   "join", "part",    "picture", "save",  "restore",
                                                   "cut",  "say",     "ragdoll", "clip",  "stop"};
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
    readKind(value, action);
    return action;
}

Animation readAnimation(const CheckedYaml& block) {
    block.expectBlock("animation");
    Animation animation;
    animation.where = block.where();
    const CheckedYaml what = block.at("what");
    animation.path = readPath(what);
    readBeside(what, animation.path, [&] {
        const CheckedYaml keys = block.at("keys");
        for (const CheckedYaml& item : keys.items())
            animation.keys.push_back(readKey(item, animation.path, animation.keys));
        if (animation.keys.empty()) keys.fail("there are no keys", "write keys: [[0, 0], [4, 360]]");
        if (const auto value = block.find("repeat")) animation.repeat = value->boolean();
        if (const auto value = block.find("between")) animation.between = static_cast<Between>(value->word());
    });
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
    for (const CheckedYaml& item : items)
        if (!tryBlock(item, mistakes, [&] { event.actions.push_back(readAction(item)); }))
            mistakes.lose("saved state", "");  // it may be the one that saves
    return event;
}

}  // namespace pliant::scene
