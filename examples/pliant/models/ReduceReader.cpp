// SPDX-License-Identifier: Zlib
#include "models/ReduceReader.h"

#include <array>
#include <cstdio>
#include <utility>

#include "models/Recordings.h"
#include "models/RegionReader.h"
#include "pliant/mesh/ReadSurface.h"
#include "pliant/scene/CheckedYaml.h"
#include "pliant/scene/SceneParts.h"

namespace pliant::program {
namespace {

using scene::CheckedYaml;

struct Recipe : scene::ReduceRecipe {
    ReduceOptions options;
};

struct FleshRecipe : scene::ReduceRecipe {
    CharacterOptions options;
};

CharacterOptions readRig(const CheckedYaml& block) {
    block.expectBlock("rig");
    CharacterOptions options;
    if (const auto value = block.find("base")) options.base = value->word() == 0 ? RestShape::Flesh : RestShape::Skin;
    if (const auto value = block.find("core")) options.core = value->number();
    if (const auto value = block.find("young")) options.material.youngsModulus = value->number();
    if (const auto value = block.find("poisson")) options.material.poissonRatio = value->number();
    if (const auto value = block.find("density")) options.material.density = value->number();
    if (const auto value = block.find("law")) options.linear = value->word() == 0;
    if (const auto value = block.find("modes")) options.modes = value->integer();
    if (const auto value = block.find("dimension")) options.dimension = value->integer();
    if (const auto value = block.find("voxels")) options.voxels = value->integer();
    return options;
}

ReduceOptions readReduce(const CheckedYaml& block, const std::string& sceneFile) {
    block.expectBlock("reduce");
    ReduceOptions options;
    if (const auto value = block.find("modes")) options.modes = value->integer();
    if (const auto value = block.find("dimension")) options.dimension = value->integer();
    if (const auto value = block.find("fixed")) readHeld(*value, sceneFile, options);
    if (const auto value = block.find("regions")) options.regions = readRegions(*value);
    if (const auto value = block.find("voxels")) options.voxels = value->integer();
    if (const auto value = block.find("solid")) options.solid = value->boolean();
    if (const auto value = block.find("thickness")) {
        options.thickness = value->number();
        if (options.solid.value_or(false)) value->fail("a filled body has no thickness", "remove it or \"solid\"");
    }
    if (const auto value = block.find("up"))
        options.up = std::array<UpAxis, 3>{UpAxis::X, UpAxis::Y, UpAxis::Z}.at(static_cast<std::size_t>(value->word()));
    if (const auto value = block.find("units"))
        options.metresPerUnit = std::array<double, 7>{1.0, 0.01, 0.001, 1000.0, 1e-6, 0.0254, 0.3048}.at(
            static_cast<std::size_t>(value->word()));
    if (const auto value = block.find("contact"))
        options.contact = std::array<ContactGeometry, 3>{ContactGeometry::Automatic, ContactGeometry::Segments,
                                                         ContactGeometry::Surface}
                              .at(static_cast<std::size_t>(value->word()));
    if (const auto value = block.find("young")) options.youngsModulus = value->number();
    if (const auto value = block.find("poisson")) options.poissonRatio = value->number();
    if (const auto value = block.find("density")) options.density = value->number();
    if (const auto value = block.find("surface")) options.surface = scene::existingFile(*value, sceneFile);
    if (const auto value = block.find("crease")) options.creaseAngle = value->number();
    if (const auto value = block.find("refine")) options.refine = value->number();
    if (const auto value = block.find("tolerance")) options.energyTolerance = value->number();
    if (const auto value = block.find("derivatives")) options.derivatives = static_cast<DerivativeForm>(value->word());
    if (const auto value = block.find("centrifugal")) options.centrifugal = value->boolean();
    if (const auto value = block.find("strain_rate")) options.strainRateDamping = value->boolean();
    if (const auto value = block.find("lumped")) options.lumpedMass = value->boolean();
    if (const auto value = block.find("sketch")) readSketch(scene::existingFile(*value, sceneFile), options);
    if (const auto value = block.find("snapshots")) readSnapshots(scene::existingFile(*value, sceneFile), options);
    options.modesAtMost = !block.has("modes");
    options.dimensionAtMost = !block.has("dimension");
    if (options.dimensionAtMost) options.lowerDefaultDimension();
    return options;
}

/// Where a scene says nothing about the reduction.
ReduceOptions defaults() {
    ReduceOptions options;
    options.modesAtMost = options.dimensionAtMost = true;
    return options;
}

}  // namespace

scene::SceneOptions sceneOptions(const scene::GivenVariables& variables) {
    scene::SceneOptions options;
    options.variables = variables;
    options.reduceReader = [](const std::optional<CheckedYaml>& block, const std::string& sceneFile) {
        const auto recipe = std::make_shared<Recipe>();
        recipe->options = block ? readReduce(*block, sceneFile) : defaults();
        return recipe;
    };
    options.rigReader = [](const CheckedYaml& block) {
        const auto recipe = std::make_shared<FleshRecipe>();
        recipe->options = readRig(block);
        return recipe;
    };
    options.surfaceReader = [](const std::string& path) {
        SurfaceFile surface = readSurface(path);
        for (const std::string& note : surface.notes) std::fprintf(stderr, "  note: %s\n", note.c_str());
        return std::move(surface.mesh);
    };
    return options;
}

const ReduceOptions& reduceOptions(const scene::ModelEntry& entry) {
    return static_cast<const Recipe&>(*entry.reduce).options;
}

const CharacterOptions& characterOptions(const scene::ModelEntry& entry) {
    return static_cast<const FleshRecipe&>(*entry.rig).options;
}

}  // namespace pliant::program
