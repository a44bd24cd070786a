// SPDX-License-Identifier: Zlib
// The models block of a scene file: reduced models, or meshes that somebody else knows how to reduce.
#include <array>
#include <filesystem>
#include <fstream>

#include "pliant/mesh/FilesThere.h"
#include "pliant/scene/SceneParts.h"

namespace pliant::scene {
namespace {

DampingSettings readDamping(const CheckedYaml& block) {
    block.expectBlock("damping");
    DampingSettings damping;
    if (const auto value = block.find("mass")) damping.mass = value->number();
    if (const auto value = block.find("stiffness")) damping.stiffness = value->number();
    if (const auto value = block.find("strain_rate")) damping.strainRate = value->number();
    if (const auto value = block.find("form"))
        damping.form = value->word() == 0 ? DampingForm::RestStiffness : DampingForm::CurrentStiffness;
    return damping;
}

NewmarkSettings readNewmark(const CheckedYaml& block) {
    block.expectBlock("newmark");
    NewmarkSettings newmark;
    if (const auto value = block.find("gamma")) newmark.gamma = value->number();
    if (const auto value = block.find("iterations")) newmark.iterations = value->integer();
    return newmark;
}

/// How a mesh becomes a model, with or without the key `reduce`.
std::shared_ptr<const ReduceRecipe> readRecipe(const CheckedYaml& block, const std::string& sceneFile,
                                               const ReduceReader& reader) {
    if (!reader)
        block.at("file").fail("only reduced models (.pliant) are read here, not meshes",
                              "\"pliant reduce\" makes a reduced model of a mesh");
    return reader(block.find("reduce"), sceneFile);
}

}  // namespace

std::string resolvePath(const std::string& sceneFile, const std::string& path) {
    const std::filesystem::path given(path);
    if (given.is_absolute()) return path;
    return (std::filesystem::path(sceneFile).parent_path() / given).lexically_normal().string();
}

std::string existingFile(const CheckedYaml& path, const std::string& sceneFile) {
    const std::string resolved = resolvePath(sceneFile, path.text());
    if (!files::isFile(resolved) || !std::ifstream(resolved))
        path.fail("cannot read \"" + resolved + "\"", "paths are relative to the scene file");
    return resolved;
}

ModelEntry readModel(const std::string& name, const CheckedYaml& block, const ReduceReader& reduceReader,
                     const RigReader& rigReader) {
    const std::string& sceneFile = block.file();
    block.expectBlock("model");
    ModelEntry model;
    model.name = model.label = name;
    model.where = block.where();
    model.file = existingFile(block.at("file"), sceneFile);
    model.isReduced = std::filesystem::path(model.file).extension() == ".pliant";
    for (const char* key : {"reduce", "rig", "keep"})
        if (model.isReduced && block.has(key))
            block.at(key).fail("\"" + model.file + "\" is reduced already", "remove \"" + std::string(key) + "\"");
    if (const auto value = block.find("rig")) {
        if (block.has("reduce")) value->fail("a model has flesh on bones or is reduced, not both");
        if (!rigReader)
            value->fail("only characters that have flesh already (.pliant) are read here",
                        "\"pliant rig\" gives it to them");
        model.rig = rigReader(*value);
    }
    if (!model.isReduced && !model.rig) model.reduce = readRecipe(block, sceneFile, reduceReader);
    if (const auto value = block.find("keep")) model.keep = resolvePath(sceneFile, value->text());
    if (const auto value = block.find("damping")) model.damping = readDamping(*value);
    if (const auto value = block.find("newmark")) model.newmark = readNewmark(*value);
    if (const auto value = block.find("integrator")) model.integrator = static_cast<Integrator>(value->word());
    if (const auto value = block.find("coupling")) model.coupling = static_cast<Coupling>(value->word());
    if (const auto value = block.find("self_contact")) model.selfContact = value->boolean();
    if (const auto value = block.find("colour")) model.colour = readColour(*value);
    if (const auto value = block.find("materials")) {
        if (model.colour) value->fail("a model has materials or a colour", "materials say colours");
        for (const auto& [ofMesh, own] : value->entries()) model.materials.emplace_back(ofMesh, own.text());
    }
    return model;
}

ModelEntry modelOfFile(const CheckedYaml& path) {
    ModelEntry model;
    const std::filesystem::path file = existingFile(path, path.file());
    model.file = model.name = files::absolute(file).lexically_normal().string();
    model.label = file.stem().string();
    model.where = path.where();
    model.isReduced = true;
    return model;
}

}  // namespace pliant::scene
