// SPDX-License-Identifier: Zlib
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "commands/CommandLine.h"
#include "commands/Commands.h"
#include "models/ModelStore.h"
#include "pliant/control_lattice/MakeControlLattice.h"
#include "pliant/control_lattice/MakeLatticeModel.h"
#include "pliant/control_lattice/ReadControlLattice.h"
#include "pliant/control_lattice/WriteControlLattice.h"
#include "pliant/math/Error.h"
#include "pliant/rig/gltf/ReadRig.h"
#include "terminal/ProgressBar.h"

namespace pliant::program {
namespace {

struct LatticeArguments {
    std::string input, output, lattice;
    ControlLatticeOptions making;
    LatticeOptions options;
};

void printLattice(const ControlLattice& lattice, const LatticeModel& model, const LatticeReport& report) {
    for (const std::string& note : report.notes) fmt::print("note: {}\n", note);
    fmt::print(
        "{} cells, {} vertices; {} functions, of which bones hold {}; {} with nearly no flesh are tied or left "
        "out.\n",
        lattice.cells.size(), lattice.positions.cols(), report.functions, report.held, report.tied);
    for (const LatticeRegion& region : model.regions)
        fmt::print("  region of {}: {} functions\n", model.skeleton.bones[static_cast<std::size_t>(region.bone)].name,
                   region.cells.functions.size());
    fmt::print("{:.4g} kg of flesh inside.\n", report.mass);
}

void lattice(const LatticeArguments& arguments) {
    if (!arguments.output.empty()) expectWritableFile(arguments.output);
    const RigFile file = readRig(arguments.input);
    LatticeReport report;
    report.notes = file.notes;
    ProgressBar bar;
    const ProgressCallback progress = [&bar](const std::string& stage, double fraction) {
        return bar(stage, fraction);
    };
    ControlLattice made = arguments.lattice.empty()
                              ? makeControlLattice(file.rig, arguments.making, arguments.input, progress)
                              : readControlLattice(arguments.lattice, 1.0, &report.notes);
    const std::string where = arguments.lattice.empty() ? arguments.input : arguments.lattice;
    LatticeOptions options = arguments.options;
    options.depth = std::max(options.depth, options.levels);
    const auto model = makeLatticeModel(file.rig, made, options, where, &report, progress);
    bar.clear();
    printLattice(made, *model, report);
    if (arguments.output.empty()) return;
    writeControlLattice(made, *model, arguments.output);
    fmt::print("{} written. Look at it in ParaView; a lattice that was changed: pliant lattice {} --lattice {}\n",
               arguments.output, arguments.input, arguments.output);
}

}  // namespace

void addLatticeCommand(CLI::App& app) {
    CLI::App* command = app.add_subcommand("lattice", "make a control lattice for a rigged character, or check one");
    const auto arguments = std::make_shared<LatticeArguments>();
    LatticeOptions& o = arguments->options;
    command->add_option("input", arguments->input, "rigged character (.gltf, .glb)")->required();
    command->add_option("-o,--output", arguments->output, "lattice to write (.vtu), its cells by region");
    command->add_option("--lattice", arguments->lattice,
                        "check this one (.msh, .vtk, .vtu, .veg) in place of making one");
    const auto add = [&](const std::string& name, auto& value, const std::string& text) {
        return command->add_option(name, value, text)->capture_default_str();
    };
    add("--spacing", arguments->making.spacing, "between vertices, m; 0 = a tenth of the longest side")
        ->check(between(0.0, 1.0e6));
    add("--levels", o.levels, "levels of finer functions")->check(between(0, 3));
    add("--depth", o.depth, "subdivisions that integrals run over")->check(between(1, 6));
    add("--core", o.core, "radius of what a bone holds, as a share of the way from it to the surface")
        ->check(between(0.001, 0.999));
    add("--young", o.material.youngsModulus, "Young's modulus of the flesh, Pa")->check(between(1.0e-6, 1.0e15));
    add("--poisson", o.material.poissonRatio, "Poisson's ratio, below 0.5");
    add("--density", o.material.density, "density, kg/m^3")->check(between(1.0e-6, 1.0e6));
    command->callback([arguments] { lattice(*arguments); });
}

}  // namespace pliant::program
