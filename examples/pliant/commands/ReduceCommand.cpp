// SPDX-License-Identifier: Zlib
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "commands/Commands.h"
#include "models/ModelStore.h"
#include "pliant/math/Error.h"
#include "terminal/ProgressBar.h"

namespace pliant::program {
namespace {

struct Arguments {
    std::string input;
    std::string output;
    ReduceOptions options;
    double young = 0.0, poisson = 0.0, density = 0.0;
};

void reduce(const Arguments& arguments) {
    ProgressBar bar;
    const StoredModel stored =
        reduceOrReuse(arguments.input, arguments.options, arguments.output,
                      [&](const std::string& stage, double fraction) { return bar(stage, fraction); });
    bar.clear();
    const ReducedModel& model = *stored.model;
    if (stored.reused)
        fmt::print("{} is up to date: same input, same options.\n", arguments.output);
    else
        fmt::print("{} made in {} ({:.1f} MB).\n", arguments.output, duration(stored.seconds),
                   1.0e-6 * static_cast<double>(std::filesystem::file_size(arguments.output)));
    fmt::print("r = {}, {} simulation vertices, {} elements, {} drawn vertices, {:.4g} kg, {}.\n", model.dimension(),
               model.simulationVertexCount(), model.mesh.elementCount(), model.surfaceVertexCount(), model.totalMass(),
               model.anchored ? "held at fixed vertices" : "free");
    fmt::print("Next: pliant info {}\n", arguments.output);
}

void addMaterialOptions(CLI::App& command, Arguments& arguments) {
    command.add_option("--young", arguments.young, "Young's modulus, Pa (default: the input's)")
        ->check(CLI::Range(1.0e-6, 1.0e15));
    command.add_option("--poisson", arguments.poisson, "Poisson's ratio, below 0.5 (default: the input's)");
    command.add_option("--density", arguments.density, "density, kg/m^3 (default: the input's)")
        ->check(CLI::Range(1.0e-6, 1.0e6));
}

void addOptions(CLI::App& command, Arguments& arguments) {
    ReduceOptions& options = arguments.options;
    command.add_option("input", arguments.input, "surface (.obj) or simulation mesh (.veg)")->required();
    command.add_option("-o,--output", arguments.output, "reduced model to write (.pliant)")->required();
    command.add_option("--modes", options.modes, "k: elastic linear modes")
        ->check(CLI::Range(1, 500))
        ->capture_default_str();
    command.add_option("--dim", options.dimension, "r: dimension of the basis")
        ->check(CLI::Range(1, 200))
        ->capture_default_str();
    command.add_option("--fixed", options.fixedVertices, "vertices to hold (.bou)");
    command.add_option("--voxels", options.voxels, "bricks along the longest side of a surface; 0 = chosen")
        ->check(CLI::Range(0, 1000));
    command.add_flag("--solid", options.solid, "fill the inside of a closed surface with bricks too");
    command.add_option("--surface", options.surface, "drawn surface (.obj) for a simulation mesh");
    command.add_option("--threads", options.threads, "workers; 0 = all cores")->check(CLI::Range(0, 1024));
    addMaterialOptions(command, arguments);
}

}  // namespace

void addReduceCommand(CLI::App& app) {
    CLI::App* command = app.add_subcommand("reduce", "make a reduced model from a mesh");
    const auto arguments = std::make_shared<Arguments>();
    addOptions(*command, *arguments);
    command->callback([arguments, command] {
        if (command->count("--young")) arguments->options.youngsModulus = arguments->young;
        if (command->count("--poisson")) arguments->options.poissonRatio = arguments->poisson;
        if (command->count("--density")) arguments->options.density = arguments->density;
        reduce(*arguments);
    });
}

}  // namespace pliant::program
