// SPDX-License-Identifier: Zlib
#include <fmt/format.h>

#include <ctime>
#include <filesystem>
#include <memory>

#include "commands/CommandLine.h"
#include "commands/Commands.h"
#include "models/ModelStore.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/FileExtension.h"
#include "pliant/mesh/FilesThere.h"
#include "pliant/mesh/MeshSize.h"
#include "pliant/reduce/RigidPart.h"
#include "terminal/ProgressBar.h"

namespace pliant::program {
namespace {

struct TouchArguments {
    std::string input, output, units;
    RigidPartOptions part;
    double density = 0.0;
};

std::shared_ptr<const ReducedModel> layered(const TouchArguments& arguments, bool isPart,
                                            std::vector<std::string>& notes) {
    if (!isPart) return withDenseLayers(*loadModel(arguments.input), arguments.part.layers, &notes);
    ProgressBar bar;
    ReductionReport report;
    auto made = makeRigidPart(
        arguments.input, arguments.part,
        [&bar](const std::string& stage, double fraction) { return bar(stage, fraction); }, &report);
    bar.clear();
    notes = report.notes;
    return made;
}

void touch(const CLI::App& command, TouchArguments& arguments) {
    const bool isPart = lowerExtension(arguments.input) != ".pliant";
    for (const char* option : {"--offset", "--density", "--units", "--up"})
        if (!isPart && command.count(option) > 0)
            throw Error(arguments.input, std::string(option) + " is for surfaces, and this is a model that is made",
                        "leave it out, or give the surface");
    if (command.count("--density") > 0) arguments.part.density = arguments.density;
    if (!arguments.units.empty()) arguments.part.metresPerUnit = metresPerUnit(arguments.units);
    expectWritableModel(arguments.output);
    std::vector<std::string> notes;
    const std::clock_t start = std::clock();  // CPU time of all threads
    const auto made = layered(arguments, isPart, notes);
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    saveModel(*made, arguments.output);
    const ContactSurface& contact = made->contactSurface;
    for (const std::string& note : notes) fmt::print("{}\n", note);
    if (isPart) fmt::print("A part as stiff as steel, {:.4g} kg.\n", made->totalMass());
    fmt::print(
        "{}: {} points in {} levels, a field of spacing {:.3g} m ({:.1f} MB), in {:.1f} s of CPU; {:.1f} MB in all.\n",
        arguments.output, contact.touch.count(), contact.touch.levels, contact.field.spacing,
        1e-6 * static_cast<double>(2 * contact.field.samples.size() + 4 * contact.field.brickSamples.size() +
                                   4 * static_cast<std::size_t>(contact.field.corners.size())),
        seconds, 1e-6 * static_cast<double>(files::size(arguments.output)));
}

void addLayerOptions(CLI::App& command, DenseLayerOptions& options) {
    command.add_option("--points", options.points, "points on the surface, about")
        ->check(between(1, DenseLayerOptions::kMostPoints))
        ->capture_default_str();
    command.add_option("--levels", options.levels, "levels of detail, a fourth of the points each")
        ->check(between(1, DenseLayerOptions::kMostLevels))
        ->capture_default_str();
    command
        .add_option("--field", options.field,
                    "spacings of the distance field along the longest side, from 16; 0 = the model's own stays")
        ->check(between(0, 1024))
        ->capture_default_str();
}

void addPartOptions(CLI::App& command, TouchArguments& arguments) {
    command
        .add_option("--offset", arguments.part.offset,
                    "the surface lies so many spacings of the field outside of the file's triangles, 1 to 16 (1.4 is "
                    "good), which need not close then; 0 = they are the surface")
        ->check(between(0.0, 16.0))
        ->capture_default_str()
        ->group("Surfaces");
    command.add_option("--density", arguments.density, "density, kg/m^3; 1000 by default")
        ->check(between(1.0e-6, 1.0e6))
        ->group("Surfaces");
    command
        .add_option("--units", arguments.units, "unit of the input's coordinates: m, cm, mm, km, um, in, ft or metres")
        ->group("Surfaces");
    command.add_option("--up", arguments.part.up, "axis of the input that points up, turned to z: x, y or z (default)")
        ->transform(wordOf<UpAxis>({{"x", UpAxis::X}, {"y", UpAxis::Y}, {"z", UpAxis::Z}}))
        ->group("Surfaces");
}

}  // namespace

void addTouchCommand(CLI::App& app) {
    CLI::App* command = app.add_subcommand("touch",
                                           "many points and a finer distance field for a solid or a rigid part, for "
                                           "distributed contact (docs/distributed-contact.md)");
    const auto arguments = std::make_shared<TouchArguments>();
    command->add_option("input", arguments->input, "a reduced solid (.pliant), or a surface to be a rigid part")
        ->required();
    command->add_option("-o,--output", arguments->output, "the model with its layers, .pliant")->required();
    addLayerOptions(*command, arguments->part.layers);
    addPartOptions(*command, *arguments);
    command->callback([arguments, command] { touch(*command, *arguments); });
}

}  // namespace pliant::program
