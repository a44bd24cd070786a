// SPDX-License-Identifier: Zlib
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands/Commands.h"
#include "pliant/math/PrintableText.h"
#include "pliant/model/CharacterModel.h"
#include "pliant/model/LatticeFile.h"
#include "pliant/model/ReducedModel.h"
#include "pliant/reduce/FollowedModes.h"
#include "pliant/runtime/DefaultDamping.h"

namespace pliant::program {
namespace {

const char* kindName(const VolumeMesh& mesh) {
    return mesh.kind == ElementKind::Brick ? "bricks" : "tetrahedra";
}

nlohmann::ordered_json bonesJson(const CharacterModel& character) {
    nlohmann::ordered_json json;
    json["base"] = character.base == RestShape::Skin ? "skin" : "flesh";
    json["law"] = character.linear ? "linear" : "stvk";
    json["pairs"] = character.forcing.pairCount();
    json["bones"] = nlohmann::ordered_json::array();
    for (int b = 0; b < character.skeleton.boneCount(); ++b) {
        const Bone& bone = character.skeleton.bones[static_cast<std::size_t>(b)];
        json["bones"].push_back({{"name", bone.name}, {"parent", bone.parent}, {"core", character.coreRadii[b]}});
    }
    json["clips"] = nlohmann::ordered_json::array();
    for (const Clip& clip : character.clips)
        json["clips"].push_back({{"name", clip.name}, {"start", clip.start}, {"end", clip.end}});
    return json;
}

/// @param character null: the model has no bones
void printModelJson(const ReducedModel& model, const CharacterModel* character,
                    const std::vector<ModelSection>& sections) {
    nlohmann::ordered_json json;
    json["name"] = model.name;
    json["r"] = model.dimension();
    json["vertices"] = model.simulationVertexCount();
    json["elements"] = model.mesh.elementCount();
    json["element_kind"] = kindName(model.mesh);
    json["surface_vertices"] = model.surfaceVertexCount();
    json["surface_triangles"] = model.surface.triangleCount();
    json["skeleton_balls"] = model.skeleton.sphereCount();
    json["skeleton_segments"] = model.skeleton.segmentCount();
    json["collides_as"] = model.contactSurface.exists() ? "solid" : "strands";
    json["anchored"] = model.anchored;
    json["fixed_vertices"] = model.fixedVertices.size();
    json["total_mass"] = model.totalMass();
    const Vector3& moments = model.inertia.principalInertia;
    json["mean_share"] = model.mesh.elementShare.size() > 0 ? model.mesh.elementShare.mean() : 1.0;
    json["default_damping"] = {{"stiffness", defaultDamping(model).stiffness}};
    json["principal_inertia"] = {moments.x(), moments.y(), moments.z()};
    json["elastic_eigenvalues"] = std::vector<double>(model.elasticEigenvalues.begin(), model.elasticEigenvalues.end());
    json["rest_eigenvalues"] = std::vector<double>(model.restEigenvalues.begin(), model.restEigenvalues.end());
    json["provenance"] = {{"generator", model.provenance.generator},
                          {"input", model.provenance.inputName},
                          {"input_hash", model.provenance.inputHash},
                          {"options", model.provenance.options}};
    if (character) json["character"] = bonesJson(*character);
    json["sections"] = nlohmann::ordered_json::array();
    for (const ModelSection& section : sections)
        json["sections"].push_back({{"name", section.name}, {"bytes", section.bytes}});
    fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

void printModelText(const ReducedModel& model, const std::vector<ModelSection>& sections) {
    fmt::print("{}: {}, r = {}\n", model.name, model.anchored ? "anchored" : "free", model.dimension());
    fmt::print("  simulation   {} vertices, {} {}\n", model.simulationVertexCount(), model.mesh.elementCount(),
               kindName(model.mesh));
    fmt::print("  drawn        {} vertices, {} triangles\n", model.surfaceVertexCount(), model.surface.triangleCount());
    if (model.contactSurface.exists())
        fmt::print("  collides as  a solid: {} points of its surface, a distance field of spacing {:.3g} m\n",
                   model.skeleton.sphereCount(), model.contactSurface.field.spacing);
    else
        fmt::print("  collides as  strands: {} spheres, {} segments\n", model.skeleton.sphereCount(),
                   model.skeleton.segmentCount());
    fmt::print("  mass         {:.6g} kg\n", model.totalMass());
    if (model.mesh.elementShare.size() > 0)
        fmt::print("  filled       {:.3g} % of the elements' volume on average\n",
                   100.0 * model.mesh.elementShare.mean());
    fmt::print(
        "  damping      stiffness {:.3g} s where a scene states none (1 % of its step at least), {:.0f} % of critical "
        "at {:.3g} Hz\n",
        defaultDamping(model).stiffness, 100.0 * defaultDampingRatio, defaultDampingFrequency(model));
    fmt::print("  frequencies ");
    for (const double lambda : model.elasticEigenvalues)
        fmt::print(" {:.4g}", std::sqrt(std::max(0.0, lambda)) / (2.0 * M_PI));
    fmt::print(" Hz, of the mesh\n  coordinates ");
    for (const double lambda : model.restEigenvalues)
        fmt::print(" {:.4g}", std::sqrt(std::max(0.0, lambda)) / (2.0 * M_PI));
    fmt::print(" Hz, of the r shapes that it moves in (pliant modes draws them)\n");
    if (const std::string stiffness = stiffnessText(followedModes(model)); !stiffness.empty())
        fmt::print("               {}\n", stiffness);
    fmt::print("  made         by {} from {}\n               {}\n", model.provenance.generator,
               model.provenance.inputName, model.provenance.options);
    fmt::print("  sections\n");
    for (const ModelSection& section : sections)
        fmt::print("    {:<22}{:>12} bytes\n", printable(section.name), section.bytes);
}

void printBones(const CharacterModel& character) {
    fmt::print("  character    {} bones, {} pairs share flesh; {}, at rest the shape of the {}\n",
               character.skeleton.boneCount(), character.forcing.pairCount(),
               character.linear ? "linear" : "St. Venant and Kirchhoff",
               character.base == RestShape::Skin ? "skin" : "flesh");
    for (int b = 0; b < character.skeleton.boneCount(); ++b) {
        const Bone& bone = character.skeleton.bones[static_cast<std::size_t>(b)];
        const std::string core = character.coreRadii[b] > 0.0 ? fmt::format("core {:.3g} m", character.coreRadii[b])
                                                              : std::string("carries no skin");
        fmt::print("    {:<22}{}\n", bone.name, core);
    }
    for (const Clip& clip : character.clips)
        fmt::print("    clip {:<17}{:.4g} s to {:.4g} s\n", clip.name, clip.start, clip.end);
}

void printLattice(const LatticeModel& lattice) {
    fmt::print("  lattice      {} functions, of which bones hold {}; {} regions\n", lattice.functionCount(),
               std::count_if(lattice.boneOf.begin(), lattice.boneOf.end(), [](int bone) { return bone >= 0; }),
               lattice.regions.size());
    for (int level = 0; level <= 3; ++level)
        if (const auto count = std::count(lattice.level.begin(), lattice.level.end(), level); count > 0)
            fmt::print("    level {}{:>26} functions\n", level, count);
}

}  // namespace

void addInfoCommand(CLI::App& app) {
    struct InfoArguments {
        std::string model;
        bool json = false;
    };
    CLI::App* command = app.add_subcommand("info", "tell what is in a reduced model");
    const auto arguments = std::make_shared<InfoArguments>();
    command->add_option("model", arguments->model, "reduced model (.pliant)")->required();
    command->add_flag("--json", arguments->json, "for programs");
    command->callback([arguments] {
        std::shared_ptr<const CharacterModel> character;
        if (isCharacterFile(arguments->model)) character = loadCharacter(arguments->model);
        const std::shared_ptr<const ReducedModel> model = character ? character->flesh : loadModel(arguments->model);
        const std::vector<ModelSection> sections = listSections(arguments->model);
        if (arguments->json) {
            printModelJson(*model, character.get(), sections);
        } else {
            printModelText(*model, sections);
            if (character) printBones(*character);
            if (character && hasLattice(arguments->model)) printLattice(*loadLattice(arguments->model));
        }
    });
}

}  // namespace pliant::program
