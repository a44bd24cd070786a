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
    block.expectBlock("field");
    Field field;
    field.where = block.where();
    if (const auto value = block.find("name")) value->text();
    field.kind = static_cast<FieldKind>(block.at("kind").word());
    checkFieldKeys(block, field.kind);
    if (const auto value = block.find("of")) field.of = readReferences(*value);
    if (field.kind == FieldKind::Wind) field.vector = block.at("velocity").formulas();
    if (field.kind == FieldKind::Gravity) field.vector = block.at("acceleration").formulas();
    if (const auto value = block.find("density")) field.density = value->number();
    if (const auto value = block.find("drag")) field.drag = value->number();
    if (const auto value = block.find("at")) field.at = value->vector();
    if (const auto value = block.find("axis")) {
        field.axis = value->vector();
        if (field.axis.norm() < 1.0e-9) value->fail("axis has no length");
        field.axis.normalize();
    }
    if (field.kind == FieldKind::Vortex) field.strength = block.at("strength").formula();
    if (field.kind == FieldKind::Attractor) field.strength = block.at("strength").asLength(3).formula();
    if (const auto value = block.find("core")) field.core = value->number();
    return field;
}

}  // namespace pliant::scene
