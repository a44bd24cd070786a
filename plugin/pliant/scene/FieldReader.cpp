// SPDX-License-Identifier: Zlib
// The fields of a scene file.
#include "pliant/scene/SceneParts.h"

namespace pliant::scene {
namespace {

/// Keys that belong to some kinds each.
void checkFieldKeys(const CheckedYaml& block, FieldKind kind) {
    const bool air = kind == FieldKind::Wind || kind == FieldKind::Drag || kind == FieldKind::Vortex;
    const bool about = kind == FieldKind::Vortex || kind == FieldKind::Attractor;
    const auto refuse = [&](const char* key, bool fits) {
        if (!fits && block.has(key)) block.at(key).fail("\"" + std::string(key) + "\" means nothing for this field");
    };
    refuse("velocity", kind == FieldKind::Wind);
    refuse("acceleration", kind == FieldKind::Gravity);
    refuse("density", air);
    refuse("drag", air);
    refuse("at", about);
    refuse("axis", kind == FieldKind::Vortex);
    refuse("strength", about);
    refuse("core", about);
}

}  // namespace

Field readField(const CheckedYaml& block) {
    block.expectKeys({"kind", "of", "velocity", "acceleration", "density", "drag", "at", "axis", "strength", "core"});
    Field field;
    field.where = block.where();
    field.kind = static_cast<FieldKind>(block.at("kind").word({"wind", "drag", "vortex", "attractor", "gravity"}));
    checkFieldKeys(block, field.kind);
    if (const auto value = block.find("of")) field.of = readReferences(*value);
    if (field.kind == FieldKind::Wind) field.vector = block.at("velocity").formulas(kVelocity);
    if (field.kind == FieldKind::Gravity) field.vector = block.at("acceleration").formulas(kVelocity);
    if (const auto value = block.find("density")) field.density = value->number({0.0, 1.0e5});
    if (const auto value = block.find("drag")) field.drag = value->number({0.0, 1.0e3});
    if (const auto value = block.find("at")) field.at = value->vector(kPosition);
    if (const auto value = block.find("axis")) {
        field.axis = value->vector(kPosition);
        if (field.axis.norm() < 1.0e-9) value->fail("axis has no length");
        field.axis.normalize();
    }
    if (field.kind == FieldKind::Vortex || field.kind == FieldKind::Attractor)
        field.strength = block.at("strength").formula();
    if (const auto value = block.find("core")) field.core = value->number({1.0e-6, 1.0e5});
    return field;
}

}  // namespace pliant::scene
