// SPDX-License-Identifier: Zlib
// The joints of a scene file, and what they name.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include "pliant/scene/NearestWord.h"
#include "pliant/scene/SceneParts.h"

namespace pliant::scene {
namespace {

constexpr Range kHingeDegrees{-180.0, 180.0};  // of a hinge
constexpr Range kSlidingSpeed{-1.0e4, 1.0e4};  // m/s

/// Digits, or an expression, whose value has to be a whole number. @return -1: neither
int readNumber(const CheckedYaml& value, const std::string& text) {
    if (!text.empty() && text[0] == '=') {
        const double number = value.evaluate(text.substr(1));
        if (!(number >= 0.0 && number < 1e7 && number == std::floor(number))) {
            std::ostringstream told;
            told << text << " is " << number;
            value.fail(told.str(), "bodies are numbered from 0");
        }
        return static_cast<int>(number);
    }
    const bool digits = !text.empty() && text.size() < 8 &&
                        std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    return digits ? std::stoi(text) : -1;
}

void readEnds(const CheckedYaml& list, JointGroup& joint) {
    for (const CheckedYaml& item : list.itemsOrOne()) joint.ends.push_back(readReference(item));
    if (joint.ends.empty() || joint.ends.size() > 2)
        list.fail("a joint is between one body and the world, or two bodies", "write between: [first, second]");
}

/// Keys that mean something for one kind only.
void checkKindKeys(const CheckedYaml& block, JointKind kind) {
    const bool hinge = kind == JointKind::Hinge, slider = kind == JointKind::Slider, spring = kind == JointKind::Spring,
               points = kind == JointKind::Points;
    const auto refuse = [&](const char* key, bool fits) {
        if (!fits && block.has(key)) block.at(key).fail("\"" + std::string(key) + "\" means nothing for this joint");
    };
    refuse("axis", hinge || slider);
    refuse("limits", hinge || slider);
    refuse("motor", hinge || slider);
    refuse("stiffness", spring);
    refuse("damping", spring);
    refuse("offset", spring);
    refuse("points", points);
    refuse("tolerance", points);
    refuse("at", !points);
    refuse("point", !points);
}

void readLimits(const CheckedYaml& list, JointGroup& joint) {
    const auto items = list.items();
    if (items.size() != 2) list.fail("limits needs two numbers: the least and the most", list.cureOfLength());
    const bool turns = joint.kind == JointKind::Hinge;
    const auto limit = [&](const CheckedYaml& item) {
        return turns ? item.number(kHingeDegrees) : item.asLength().number(kPosition);
    };
    joint.limits = {limit(items[0]), limit(items[1])};
    if ((*joint.limits)[0] > (*joint.limits)[1]) list.fail("the first limit is larger than the second");
}

JointMotor readMotor(const CheckedYaml& block, JointKind kind) {
    block.expectBlock("motor");
    JointMotor motor;
    const CheckedYaml velocity = block.at("velocity");
    motor.velocity = kind == JointKind::Slider ? velocity.asLength().number(kSlidingSpeed) : velocity.number();
    motor.strength = block.at("strength").number();
    return motor;
}

void readPoints(const CheckedYaml& list, JointGroup& joint) {
    const std::size_t most = 1024;  // of one joint
    for (const CheckedYaml& item : list.items()) {
        item.expectBlock("held_point");
        HeldPoint held;
        held.point = item.at("point").vector();
        if (const auto value = item.find("to")) held.to = value->liveVector();
        if (const auto value = item.find("move")) held.move = value->liveVector();
        for (const char* key : {"to", "move"})
            if (joint.ends.size() == 2 && item.has(key))
                item.at(key).fail("\"" + std::string(key) + "\" means nothing for points that another body holds",
                                  "leave it out, or the second body");
        if (held.to && held.move) item.at("move").fail("a point has either \"to\" or \"move\"");
        joint.points.push_back(held);
    }
    if (joint.points.empty()) list.fail("points names no point", "write points: [{point: [x, y, z]}, ...]");
    if (joint.points.size() > most) list.fail("a joint holds at most " + std::to_string(most) + " points");
}

/// What is told in the frame of an instance, in the world.
void standIn(const RigidTransform& frame, JointGroup& joint) {
    joint.offset = frame.rotation * joint.offset;
    if (joint.isLocal) return;
    joint.at = frame.translation + frame.rotation * joint.at;
    joint.axis = frame.rotation * joint.axis;
}

/// What to do about a name of a joint's end that nobody has.
std::string cureOfEnd(const std::string& name, const std::vector<std::string>& names) {
    if (name == "world" || name == "ground") return "what is held by the world names its body alone: between: [BODY]";
    const std::string near = nearestWord(name, names);
    return near.empty() ? "give one this name" : "did you mean \"" + near + "\"?";
}

}  // namespace

Reference readReference(const CheckedYaml& value) {
    const std::string text = value.qualified(value.text());
    Reference end;
    end.where = value.where();
    if (value.space()) end.usedBy = value.space()->usedBy;
    const auto refuse = [&] { value.fail("\"" + value.text() + "\" is neither a name nor name[number]"); };
    if (text[0] == '[') refuse();
    for (std::size_t i = 0; i < text.size();) {
        if (text[i] == ']') refuse();
        if (text[i] != '[') {
            end.name += text[i++];
            continue;
        }
        const std::size_t close = text.find(']', i);
        if (close == std::string::npos) refuse();
        const int number = readNumber(value, text.substr(i + 1, close - i - 1));
        if (number < 0) refuse();
        i = close + 1;
        if (i < text.size() && text[i] != '[' && text[i] != '.') refuse();
        if (i == text.size())
            end.copy = number;
        else
            end.name += "[" + std::to_string(number) + "]";
    }
    return end;
}

std::vector<Reference> readReferences(const CheckedYaml& value) {
    if (!value.isList()) return {readReference(value)};
    std::vector<Reference> all;
    for (const CheckedYaml& item : value.items()) all.push_back(readReference(item));
    if (all.empty()) value.fail(value.name() + " names nothing");
    return all;
}

JointGroup readJoint(const CheckedYaml& block) {
    block.expectBlock("joint");
    JointGroup joint;
    joint.name = readName(block);
    joint.where = block.where();
    joint.kind = static_cast<JointKind>(block.at("kind").word());
    checkKindKeys(block, joint.kind);
    readEnds(block.at("between"), joint);
    const bool many = joint.kind == JointKind::Points;
    if (many) readPoints(block.at("points"), joint);
    if (const auto value = block.find("tolerance")) joint.tolerance = value->number();
    if (many && block.space()) joint.frame = block.space()->frame;
    joint.isLocal = many || block.has("point");
    if (!many && joint.isLocal == block.has("at"))
        block.fail("a joint needs either \"at\" (in the world) or \"point\" (of the first body)");
    if (!many) joint.at = block.at(joint.isLocal ? "point" : "at").vector();
    if (const auto value = block.find("axis")) {
        joint.axis = value->vector();
        if (joint.axis.norm() < 1.0e-9) value->fail("axis has no length");
        joint.axis.normalize();
    }
    if (const auto value = block.find("offset")) joint.offset = value->vector();
    if (block.space()) standIn(block.space()->frame, joint);
    if (const auto value = block.find("limits")) readLimits(*value, joint);
    if (const auto value = block.find("motor")) joint.motor = readMotor(*value, joint.kind);
    if (joint.kind == JointKind::Spring) joint.stiffness = block.at("stiffness").number();
    if (const auto value = block.find("damping")) joint.damping = value->number();
    if (const auto value = block.find("breaking_impulse")) joint.breakingImpulse = value->number();
    if (const auto value = block.find("collide")) joint.collide = value->boolean();
    return joint;
}

void nameRepeated(Reference& reference, const std::function<bool(const std::string&)>& isName) {
    const std::string repeated = reference.name + "[" + std::to_string(reference.copy) + "]";
    if (reference.copy < 0 || isName(reference.name) || !isName(repeated)) return;
    reference.name = repeated;
    reference.copy = -1;
}

void nameRepeatedEnds(SceneDescription& scene) {
    std::set<std::string> names;
    for (const BodyGroup& group : scene.bodies) names.insert(group.name);
    for (const RigidGroup& group : scene.rigid) names.insert(group.name);
    for (JointGroup& joint : scene.joints)
        for (JointEnd& end : joint.ends)
            nameRepeated(end, [&names](const std::string& name) { return names.count(name) != 0; });
}

void checkJointNames(const std::vector<CheckedYaml>& blocks, const SceneDescription& scene, Mistakes& mistakes) {
    std::map<std::string, int> copies;
    std::vector<std::string> names;
    const auto note = [&](const std::string& name, const Placement& placement) {
        if (name.empty()) return;
        copies[name] = placement.count[0] * placement.count[1] * placement.count[2];
        names.push_back(name);
    };
    for (const BodyGroup& group : scene.bodies) note(group.name, group.placement);
    for (const RigidGroup& group : scene.rigid) note(group.name, group.placement);
    const auto isRigid = [&scene](const std::string& name) {
        return std::any_of(scene.rigid.begin(), scene.rigid.end(),
                           [&name](const RigidGroup& group) { return group.name == name; });
    };
    const auto checkOne = [&](std::size_t i) {
        const CheckedYaml between = blocks[i].at("between");
        int all[2] = {1, 1};
        for (std::size_t e = 0; e < scene.joints[i].ends.size(); ++e) {
            const JointEnd& end = scene.joints[i].ends[e];
            const CheckedYaml item = between.itemsOrOne()[e];
            if (copies.count(end.name) == 0) {
                throw UnknownName("body", end.name, item.where(), "no body is called \"" + end.name + "\"",
                                  cureOfEnd(end.name, names));
            }
            if (end.copy >= copies[end.name])
                item.fail("\"" + end.name + "\" has " + std::to_string(copies[end.name]) + " bodies, numbered from 0");
            all[e] = end.copy < 0 ? copies[end.name] : 1;
        }
        if (scene.joints[i].kind == JointKind::Points && isRigid(scene.joints[i].ends[0].name))
            between.itemsOrOne()[0].fail("\"" + scene.joints[i].ends[0].name + "\" does not deform",
                                         "points hold a body of \"bodies\"; name it first");
        if (all[1] > 1 && all[0] != all[1])
            between.fail(std::to_string(all[0]) + " bodies cannot be joined to " + std::to_string(all[1]) +
                         " in pairs");
        if (all[0] > 1 && !scene.joints[i].isLocal)
            blocks[i].at("at").fail("this joint is made for " + std::to_string(all[0]) + " bodies",
                                    "say with \"point\" where on each of them");
        const auto same = [](const JointEnd& a, const JointEnd& b) { return a.name == b.name && a.copy == b.copy; };
        if (scene.joints[i].ends.size() == 2 && same(scene.joints[i].ends[0], scene.joints[i].ends[1]))
            between.fail("a body cannot be joined to itself");
    };
    for (std::size_t i = 0; i < blocks.size(); ++i)
        mistakes.tryPart([&] { tellUser(blocks[i].space() ? blocks[i].space()->usedBy : "", [&] { checkOne(i); }); });
}

}  // namespace pliant::scene
