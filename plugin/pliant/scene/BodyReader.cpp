// SPDX-License-Identifier: Zlib
// The bodies of a scene file: deformable groups, Bullet's own shapes and the ground.
#include "pliant/scene/SceneParts.h"

namespace pliant::scene {
namespace {

void readGrid(const CheckedYaml& block, Placement& placement) {
    block.expectBlock("grid");
    placement.count = block.at("count").integers();
    const CheckedYaml spacing = block.at("spacing");
    placement.spacing = spacing.isList() ? spacing.vector() : Vector3::Constant(spacing.number());
}

void readStack(const CheckedYaml& block, Placement& placement) {
    block.expectBlock("stack");
    placement.isStack = true;
    placement.count = {block.at("count").integer(), 1, 1};
    placement.spacing = Vector3::Constant(block.at("spacing").number());
}

void readJitter(const CheckedYaml& block, Placement& placement) {
    block.expectBlock("jitter");
    if (const auto value = block.find("position")) placement.jitterPosition = value->number();
    if (const auto value = block.find("rotation")) placement.jitterRotation = value->number();
    if (const auto value = block.find("seed")) placement.seed = value->seed();
}

void readPool(const CheckedYaml& block, Placement& placement) {
    block.expectBlock("spawn_pool");
    placement.count = {block.at("most").integer(), 1, 1};
}

}  // namespace

namespace {

/// Whether all brackets stand at the end, around numbers, as in the names that `repeat` makes: "post[3]".
bool isNameOrCopy(const std::string& name) {
    constexpr std::size_t kMostDigits = 7;
    std::size_t at = name.find_first_of("[]");
    if (at == 0) return false;
    while (at < name.size()) {
        const std::size_t close = name.find(']', at);
        if (name[at] != '[' || close == std::string::npos || close == at + 1 || close > at + 1 + kMostDigits)
            return false;
        if (name.find_first_not_of("0123456789", at + 1) != close) return false;
        at = close + 1;
    }
    return true;
}

}  // namespace

std::string readName(const CheckedYaml& block) {
    const auto value = block.find("name");
    if (!value) return {};
    if (!isNameOrCopy(value->text())) value->fail("a name has no brackets but of numbers, as copies have");
    return (block.space() ? block.space()->prefix : "") + value->text() + block.nameSuffix();
}

void loseName(const CheckedYaml& block, const std::vector<std::string>& kinds, Mistakes& mistakes) {
    std::string name;
    try {
        name = readName(block);
    } catch (const Error&) {  // told already: the name is among what is wrong with the block
    }
    for (const std::string& kind : kinds) mistakes.lose(kind, name);
}

Colour readColour(const CheckedYaml& value) {
    const Vector3 c = value.vector();
    return {c.x(), c.y(), c.z()};
}

SurfaceProperties readSurface(const CheckedYaml& block, SurfaceProperties surface) {
    if (const auto value = block.find("friction")) surface.friction = value->number();
    if (const auto value = block.find("restitution")) surface.restitution = value->number();
    if (const auto value = block.find("rolling_friction")) surface.rollingFriction = value->number();
    if (const auto value = block.find("spinning_friction")) surface.spinningFriction = value->number();
    if (const auto value = block.find("contact_stiffness")) surface.contactStiffness = value->number();
    if (const auto value = block.find("contact_damping")) {
        surface.contactDamping = value->number();
        if (surface.contactStiffness == 0.0)
            value->fail("\"contact_damping\" means nothing without a stiffness", "write contact_stiffness: N/m, too");
    }
    return surface;
}

StartVelocity readVelocity(const CheckedYaml& block) {
    StartVelocity velocity;
    if (const auto value = block.find("velocity")) velocity.linear = value->vector();
    if (const auto value = block.find("angular_velocity")) velocity.angular = value->vector();
    if (block.space()) {
        velocity.linear = block.space()->frame.rotation * velocity.linear;
        velocity.angular = block.space()->frame.rotation * velocity.angular;
    }
    return velocity;
}

namespace {

/// A velocity that would be passed over. @param still why the body stands still
void refuseVelocity(const CheckedYaml& block, const StartVelocity& velocity, const std::string& still,
                    const std::string& cure) {
    for (const char* key : {"velocity", "angular_velocity"}) {
        const Vector3& v = key == std::string("velocity") ? velocity.linear : velocity.angular;
        if (!v.isZero(0.0))
            block.at(key).fail("\"" + std::string(key) + "\" moves nothing: " + still, "leave it out, or " + cure);
    }
}

}  // namespace

namespace {

/// What of a placement is neither position nor rotation.
Placement readCopies(const CheckedYaml& block) {
    Placement placement;
    if (block.space()) placement.frame = block.space()->frame;
    if (const auto value = block.find("grid")) readGrid(*value, placement);
    if (const auto value = block.find("stack")) {
        if (block.has("grid")) value->fail("a group is a grid or a stack, not both");
        readStack(*value, placement);
    }
    if (const auto value = block.find("jitter")) readJitter(*value, placement);
    return placement;
}

}  // namespace

Placement readPlacement(const CheckedYaml& block) {
    Placement placement = readCopies(block);
    if (const auto value = block.find("position")) placement.position = value->vector();
    if (const auto value = block.find("rotation")) placement.rotation = value->vector();
    return placement;
}

namespace {

/// Where a group stands, and how it moves where that is up to the scene. @param mayMove kinematic
Placement readMovingPlacement(const CheckedYaml& block, bool mayMove, std::optional<Path>& path) {
    if (!mayMove) return readPlacement(block);
    Path read;
    if (const auto value = block.find("position")) read.position = value->liveVector();
    if (const auto value = block.find("rotation")) read.rotation = value->liveVector();
    const auto changes = [](const std::array<LiveNumber, 3>& v) {
        return v[0].changes() || v[1].changes() || v[2].changes();
    };
    const Placement start = read.at(0.0, readCopies(block));
    if (changes(read.position) || changes(read.rotation)) path = read;
    return start;
}

}  // namespace

namespace {

/// Whether the bodies wait for events; they are made at the start all the same.
bool readsPool(const CheckedYaml& block, const std::string& name, bool isFree, Placement& placement) {
    const auto value = block.find("spawn");
    if (!value) return false;
    for (const char* key : {"grid", "stack", "jitter", "position", "rotation", "velocity", "angular_velocity"})
        if (block.has(key))
            block.at(key).fail("\"" + std::string(key) + "\" means nothing for bodies that wait for an event",
                               "say it in \"spawn\" of the event");
    if (name.empty()) value->fail("bodies that wait for an event need a name", "events call them by it");
    if (!isFree)
        value->fail("bodies that wait for an event move freely", "leave out what makes them stand or be moved");
    readPool(*value, placement);
    return true;
}

}  // namespace

namespace {

/// What moves the bones of characters.
ClipSettings readClip(const CheckedYaml& block) {
    ClipSettings clip;
    for (const char* key : {"drive", "phase", "speed", "clip"})
        if (block.has(key)) clip.where = block.at(key).where();
    if (const auto value = block.find("clip")) clip.clip = value->text();
    if (const auto value = block.find("speed")) clip.speed = value->number();
    if (const auto value = block.find("phase")) {
        clip.isRandom = value->isText("random");
        if (!clip.isRandom) clip.phase = value->number();
    }
    if (const auto value = block.find("drive")) clip.isRagdoll = value->word() == 1;
    return clip;
}

}  // namespace

BodyGroup readBodyGroup(const CheckedYaml& block) {
    block.expectBlock("body");
    BodyGroup group;
    group.where = block.where();
    group.name = readName(block);
    group.model = block.at("model").text();
    if (const auto value = block.find("motion")) group.motion = static_cast<Motion>(value->word());
    group.placement = readMovingPlacement(block, group.motion == Motion::Kinematic, group.path);
    group.velocity = readVelocity(block);
    if (group.motion == Motion::Anchored)
        refuseVelocity(block, group.velocity, "an anchored body stands still", "write motion: kinematic");
    group.surface = readSurface(block, group.surface);
    group.clip = readClip(block);
    if (group.clip.isRagdoll && group.motion == Motion::Anchored)
        block.at("motion").fail("a ragdoll does not stand still", "leave motion out");
    if (group.clip.isRagdoll && block.has("angular_velocity"))
        block.at("angular_velocity")
            .fail("a ragdoll begins with the velocities of its clip, and with velocity", "leave angular_velocity out");
    if (const auto value = block.find("sleep")) group.mayFallAsleep = value->boolean();
    if (const auto value = block.find("layer")) group.layer = value->text();
    if (const auto value = block.find("colours"))
        for (const CheckedYaml& item : value->items()) group.colours.push_back(readColour(item));
    if (const auto value = block.find("materials"))
        for (const auto& [ofMesh, own] : value->entries()) group.materials.emplace_back(ofMesh, own.text());
    group.isPool = readsPool(block, group.name, group.motion == Motion::Free, group.placement);
    if (group.isPool && !group.clip.where.empty())
        block.at("spawn").fail("characters do not wait for events", "leave \"spawn\" out");
    return group;
}

RigidGroup readRigidGroup(const CheckedYaml& block, RigidFiles& files) {
    block.expectBlock("rigid");
    RigidGroup group;
    group.where = block.where();
    group.name = readName(block);
    readRigidShape(block, group, files);
    if (const auto value = block.find("kinematic")) {
        group.isKinematic = value->boolean();
        if (group.isKinematic && group.mass > 0.0)
            value->fail("what the scene moves has no mass", "leave the mass out");
    }
    if (const auto value = block.find("continuous")) {
        group.isContinuous = value->boolean();
        if (group.isContinuous && group.mass == 0.0)
            value->fail("what has no mass flies nowhere", "leave \"continuous\" out, or give it a mass");
    }
    group.placement = readMovingPlacement(block, group.isKinematic, group.path);
    group.velocity = readVelocity(block);
    if (group.mass == 0.0 && !group.isKinematic)
        refuseVelocity(block, group.velocity, "a rigid body without mass stands still",
                       "give it a mass, or write kinematic: true");
    group.surface = readSurface(block, group.surface);
    if (const auto value = block.find("colour")) group.colour = readColour(*value);
    if (const auto value = block.find("material")) {
        if (block.has("colour")) value->fail("a body has a material or a colour", "the material says the colour");
        group.material = value->text();
    }
    if (const auto value = block.find("sleep")) {
        group.mayFallAsleep = value->boolean();
        if (group.mass == 0.0) value->fail("what has no mass does not fall asleep", "leave \"sleep\" out");
    }
    if (const auto value = block.find("layer")) group.layer = value->text();
    group.isPool = readsPool(block, group.name, group.mass > 0.0, group.placement);
    return group;
}

Ground readGround(const CheckedYaml& block) {
    block.expectBlock("ground");
    Ground ground;
    if (const auto value = block.find("height")) ground.height = value->number();
    ground.surface = readSurface(block, ground.surface);
    ground.where = block.where();
    if (const auto value = block.find("colour")) ground.colour = readColour(*value);
    if (const auto value = block.find("material")) {
        if (block.has("colour")) value->fail("the ground has a material or a colour", "the material says the colour");
        ground.material = value->text();
    }
    if (const auto value = block.find("tile")) ground.tile = value->number();
    return ground;
}

}  // namespace pliant::scene
