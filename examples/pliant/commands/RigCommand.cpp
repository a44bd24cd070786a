// SPDX-License-Identifier: Zlib
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <utility>

#include "commands/CommandLine.h"
#include "commands/Commands.h"
#include "models/ModelStore.h"
#include "pliant/character/MakeCharacter.h"
#include "pliant/control_lattice/LatticeForCharacter.h"
#include "pliant/control_lattice/MakeControlLattice.h"
#include "pliant/control_lattice/ReadControlLattice.h"
#include "pliant/mesh/FilesThere.h"
#include "pliant/model/LatticeFile.h"
#include "pliant/reduce/ReductionReport.h"
#include "pliant/rig/gltf/ReadRig.h"
#include "terminal/ProgressBar.h"

namespace pliant::program {
namespace {

struct RigArguments {
    std::string input, output;
    CharacterOptions options;
    double range = 45.0;  // degrees
    bool stvk = false;
    std::string lattice;  // a file, or "made"; empty: none
    LatticeOptions latticeOptions;
};

void printCharacter(const CharacterModel& character, const CharacterReport& report) {
    const ReducedModel& flesh = *character.flesh;
    for (const std::string& note : report.notes) fmt::print("note: {}\n", note);
    fmt::print("{} bones carry skin; their cores hold {} of {} vertices of {} bricks, {:.4g} kg.\n", report.bones,
               report.held, flesh.simulationVertexCount(), flesh.mesh.elementCount(), flesh.totalMass());
    fmt::print("r = {} columns out of {} shapes, from {:.3g} Hz to {:.3g} Hz; {} pairs of bones share flesh.\n",
               flesh.dimension(), report.shapes, std::sqrt(flesh.restEigenvalues[0]) / (2.0 * M_PI),
               std::sqrt(flesh.restEigenvalues[flesh.dimension() - 1]) / (2.0 * M_PI), report.pairs);
    std::string clips;
    for (const Clip& clip : character.clips)
        clips += fmt::format("{}{} ({:.3g} s)", clips.empty() ? "" : ", ", clip.name, clip.end - clip.start);
    fmt::print("Clips: {}.\n", clips.empty() ? "none" : clips);
}

/// A lattice and what it is for.
struct LatticeInput {
    RigFile file;
    ControlLattice lattice;
    LatticeReport report;
};

/// Before the reduction takes its time: most mistakes are told here.
LatticeInput readLattice(const RigArguments& arguments, const ProgressCallback& progress) {
    LatticeInput input;
    input.file = readRig(arguments.input);
    input.lattice = arguments.lattice == "made" ? makeControlLattice(input.file.rig, {}, arguments.input, progress)
                                                : readControlLattice(arguments.lattice, 1.0, &input.report.notes);
    return input;
}

/// Lattice flesh of the same material beside the reduced one.
void saveWithLattice(const CharacterModel& character, LatticeInput input, const RigArguments& arguments,
                     ProgressBar& bar) {
    const RigFile& file = input.file;
    LatticeReport& report = input.report;
    ControlLattice& lattice = input.lattice;
    LatticeOptions options = arguments.latticeOptions;
    options.depth = std::max(options.depth, options.levels);
    options.material = arguments.options.material;
    options.core = arguments.options.core;
    const std::size_t cells = lattice.cells.size();
    const std::string& where = arguments.lattice == "made" ? arguments.input : arguments.lattice;
    const auto model =
        latticeForCharacter(character, file.rig, std::move(lattice), options, where, &report,
                            [&bar](const std::string& stage, double fraction) { return bar(stage, fraction); });
    bar.clear();
    saveCharacter(character, *model, arguments.output);
    for (const std::string& note : report.notes) fmt::print("note: {}\n", note);
    fmt::print("Lattice: {} cells, {} regions, {} functions of which bones hold {}.\n", cells, report.regions,
               report.functions, report.held);
}

void rig(const RigArguments& arguments) {
    expectWritableFile(arguments.output);
    ProgressBar bar;
    const ProgressCallback progress = [&bar](const std::string& stage, double fraction) {
        return bar(stage, fraction);
    };
    LatticeInput lattice;
    if (!arguments.lattice.empty()) lattice = readLattice(arguments, progress);
    CharacterReport report;
    const auto character = makeCharacterOf(arguments.input, arguments.options, progress, &report);
    bar.clear();
    if (arguments.lattice.empty())
        saveCharacter(*character, arguments.output);
    else
        saveWithLattice(*character, std::move(lattice), arguments, bar);
    printCharacter(*character, report);
    fmt::print("{} made in {} ({:.1f} MB), peak memory {:.0f} MiB.\n", arguments.output, duration(report.seconds),
               1.0e-6 * static_cast<double>(files::size(arguments.output)),
               static_cast<double>(peakMemory()) / (1 << 20));
    fmt::print("Next: pliant info {}\n", arguments.output);
}

void addOptions(CLI::App& command, RigArguments& arguments) {
    CharacterOptions& o = arguments.options;
    command.add_option("input", arguments.input, "rigged character (.gltf, .glb)")->required();
    command.add_option("-o,--output", arguments.output, "character to write (.pliant)")->required();
    const auto add = [&](const std::string& name, auto& value, const std::string& text, const char* group) {
        return command.add_option(name, value, text)->capture_default_str()->group(group);
    };
    add("--young", o.material.youngsModulus, "Young's modulus of the flesh, Pa", "Flesh")
        ->check(between(1.0e-6, 1.0e15));
    add("--poisson", o.material.poissonRatio, "Poisson's ratio, below 0.5", "Flesh");
    add("--density", o.material.density, "density, kg/m^3", "Flesh")->check(between(1.0e-6, 1.0e6));
    add("--voxels", o.voxels, "bricks along the longest side; 0 = chosen", "Flesh")->check(between(0, 256));
    add("--core", o.core, "radius of what a bone holds, as a share of the way from it to the surface", "Flesh")
        ->check(between(0.001, 0.999));
    command
        .add_option("--base", o.base,
                    "shape that flesh comes to rest in: flesh (its own, default) or skin (the artist's)")
        ->transform(wordOf<RestShape>({{"flesh", RestShape::Flesh}, {"skin", RestShape::Skin}}))
        ->group("Flesh");
    command.add_flag("--stvk", arguments.stvk, "St. Venant and Kirchhoff's law in place of linear elasticity")
        ->group("Flesh");
    add("--modes", o.modes, "softest linear modes that the basis is made of", "Basis")->check(between(1, 500));
    add("--dimension,--dim", o.dimension, "r: dimension of the basis", "Basis")->check(between(1, 200));
    add("--clip-samples", o.clipSamples, "poses along each clip whose static answers go into the basis", "Basis")
        ->check(between(0, 1000));
    add("--joint-range", arguments.range, "joints are bent by so much about each axis for the basis, degrees", "Basis")
        ->check(between(0.0, 180.0));
    command
        .add_option("--lattice", arguments.lattice,
                    "flesh on a control lattice as well: a file (.msh, .vtk, .vtu, .veg), or the word made")
        ->group("Lattice");
    add("--levels", arguments.latticeOptions.levels, "levels of finer functions on the lattice", "Lattice")
        ->check(between(0, 3));
    command.add_option("--threads", o.threads, "workers; 0 = all cores")->check(between(0, 1024));
}

}  // namespace

void addRigCommand(CLI::App& app) {
    CLI::App* command = app.add_subcommand("rig", "give flesh to a rigged character");
    const auto arguments = std::make_shared<RigArguments>();
    addOptions(*command, *arguments);
    command->callback([arguments] {
        arguments->options.jointRange = arguments->range * M_PI / 180.0;
        arguments->options.linear = !arguments->stvk;
        rig(*arguments);
    });
}

}  // namespace pliant::program
