// SPDX-License-Identifier: Zlib
// The models block of a scene file: reduced models, or meshes with the options to reduce them.
#include <array>
#include <filesystem>
#include <fstream>

#include "models/Recordings.h"
#include "scene/SceneParts.h"

namespace pliant::scene {
namespace {

ReduceOptions readReduce(const CheckedYaml& block, const std::string& sceneFile) {
    block.expectKeys({"modes",       "dimension", "fixed",   "regions",   "voxels",      "solid",
                      "thickness",   "up",        "units",   "young",     "poisson",     "density",
                      "surface",     "crease",    "contact", "tolerance", "derivatives", "centrifugal",
                      "strain_rate", "lumped",    "sketch",  "snapshots"});
    ReduceOptions options;
    if (const auto value = block.find("modes")) options.modes = value->integer(0, 500);
    if (const auto value = block.find("dimension")) options.dimension = value->integer(1, 200);
    if (const auto value = block.find("fixed")) readHeld(*value, sceneFile, options);
    if (const auto value = block.find("regions")) options.regions = readRegions(*value);
    if (const auto value = block.find("voxels")) options.voxels = value->integer(0, 1000);
    if (const auto value = block.find("solid")) options.solid = value->boolean();
    if (const auto value = block.find("thickness")) {
        options.thickness = value->number({1.0e-6, 1.0e3});
        if (options.solid.value_or(false)) value->fail("a filled body has no thickness", "remove it or \"solid\"");
    }
    if (const auto value = block.find("up"))
        options.up = std::array<UpAxis, 3>{UpAxis::X, UpAxis::Y, UpAxis::Z}.at(
            static_cast<std::size_t>(value->word({"x", "y", "z"})));
    if (const auto value = block.find("units"))
        options.metresPerUnit = std::array<double, 7>{1.0, 0.01, 0.001, 1000.0, 1e-6, 0.0254, 0.3048}.at(
            static_cast<std::size_t>(value->word({"m", "cm", "mm", "km", "um", "in", "ft"})));
    if (const auto value = block.find("contact"))
        options.contact = std::array<ContactGeometry, 3>{ContactGeometry::Automatic, ContactGeometry::Segments,
                                                         ContactGeometry::Surface}
                              .at(static_cast<std::size_t>(value->word({"auto", "segments", "surface"})));
    if (const auto value = block.find("young")) options.youngsModulus = value->number({1.0e-6, 1.0e15});
    if (const auto value = block.find("poisson")) options.poissonRatio = value->number({-0.999, 0.499});
    if (const auto value = block.find("density")) options.density = value->number({1.0e-6, 1.0e6});
    if (const auto value = block.find("surface")) options.surface = existingFile(*value, sceneFile);
    if (const auto value = block.find("crease")) options.creaseAngle = value->number({0.0, 180.0});
    if (const auto value = block.find("tolerance")) options.energyTolerance = value->number({0.0, 0.999});
    if (const auto value = block.find("derivatives"))
        options.derivatives = static_cast<DerivativeForm>(value->word({"none", "static", "shifted", "shifted-minres"}));
    if (const auto value = block.find("centrifugal")) options.centrifugal = value->boolean();
    if (const auto value = block.find("strain_rate")) options.strainRateDamping = value->boolean();
    if (const auto value = block.find("lumped")) options.lumpedMass = value->boolean();
    if (const auto value = block.find("sketch")) program::readSketch(existingFile(*value, sceneFile), options);
    if (const auto value = block.find("snapshots")) program::readSnapshots(existingFile(*value, sceneFile), options);
    return options;
}

DampingSettings readDamping(const CheckedYaml& block) {
    block.expectKeys({"mass", "stiffness", "strain_rate", "form"});
    DampingSettings damping;
    if (const auto value = block.find("mass")) damping.mass = value->number({0.0, 1.0e6});
    if (const auto value = block.find("stiffness")) damping.stiffness = value->number({0.0, 1.0e3});
    if (const auto value = block.find("strain_rate")) damping.strainRate = value->number({0.0, 1.0e3});
    if (const auto value = block.find("form"))
        damping.form =
            value->word({"rest", "current"}) == 0 ? DampingForm::RestStiffness : DampingForm::CurrentStiffness;
    return damping;
}

NewmarkSettings readNewmark(const CheckedYaml& block) {
    block.expectKeys({"gamma", "iterations"});
    NewmarkSettings newmark;
    if (const auto value = block.find("gamma")) newmark.gamma = value->number({0.5, 1.0});
    if (const auto value = block.find("iterations")) newmark.iterations = value->integer(1, 100);
    return newmark;
}

}  // namespace

std::string resolvePath(const std::string& sceneFile, const std::string& path) {
    const std::filesystem::path given(path);
    if (given.is_absolute()) return path;
    return (std::filesystem::path(sceneFile).parent_path() / given).lexically_normal().string();
}

std::string existingFile(const CheckedYaml& path, const std::string& sceneFile) {
    const std::string resolved = resolvePath(sceneFile, path.text());
    if (!std::filesystem::is_regular_file(resolved) || !std::ifstream(resolved))
        path.fail("cannot read \"" + resolved + "\"", "paths are relative to the scene file");
    return resolved;
}

ModelEntry readModel(const std::string& name, const CheckedYaml& block, const std::string& sceneFile) {
    block.expectKeys(
        {"file", "reduce", "keep", "damping", "newmark", "integrator", "coupling", "self_contact", "colour"});
    ModelEntry model;
    model.name = name;
    model.where = block.where();
    model.file = existingFile(block.at("file"), sceneFile);
    model.isReduced = std::filesystem::path(model.file).extension() == ".pliant";
    for (const char* key : {"reduce", "keep"})
        if (model.isReduced && block.has(key))
            block.at(key).fail("\"" + model.file + "\" is reduced already", "remove \"" + std::string(key) + "\"");
    if (const auto value = block.find("reduce")) model.reduce = readReduce(*value, sceneFile);
    if (const auto value = block.find("keep")) model.keep = resolvePath(sceneFile, value->text());
    if (const auto value = block.find("damping")) model.damping = readDamping(*value);
    if (const auto value = block.find("newmark")) model.newmark = readNewmark(*value);
    if (const auto value = block.find("integrator"))
        model.integrator = static_cast<Integrator>(value->word(integratorNames()));
    if (const auto value = block.find("coupling"))
        model.coupling = static_cast<Coupling>(value->word({"none", "inertia", "full"}));
    if (const auto value = block.find("self_contact")) model.selfContact = value->boolean();
    if (const auto value = block.find("colour")) model.colour = readColour(*value);
    return model;
}

}  // namespace pliant::scene
