// SPDX-License-Identifier: Zlib
#include <fmt/format.h>

#include <ctime>
#include <filesystem>
#include <memory>

#include "commands/Commands.h"
#include "pliant/model/ReducedModel.h"
#include "pliant/reduce/DenseLayers.h"

namespace pliant::program {
namespace {

struct TouchArguments {
    std::string model, output;
    DenseLayerOptions options;
};

void touch(const TouchArguments& arguments) {
    std::vector<std::string> notes;
    const auto model = loadModel(arguments.model);
    const std::clock_t start = std::clock();  // CPU time of all threads
    const auto made = withDenseLayers(*model, arguments.options, &notes);
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    saveModel(*made, arguments.output);
    const ContactSurface& contact = made->contactSurface;
    for (const std::string& note : notes) fmt::print("{}\n", note);
    fmt::print(
        "{}: {} points in {} levels, a field of spacing {:.3g} m ({:.1f} MB), in {:.1f} s of CPU; {:.1f} MB in all.\n",
        arguments.output, contact.touch.count(), contact.touch.levels, contact.field.spacing,
        1e-6 * static_cast<double>(2 * contact.field.samples.size() + 4 * contact.field.brickSamples.size() +
                                   4 * static_cast<std::size_t>(contact.field.corners.size())),
        seconds, 1e-6 * static_cast<double>(std::filesystem::file_size(arguments.output)));
}

}  // namespace

void addTouchCommand(CLI::App& app) {
    CLI::App* command = app.add_subcommand(
        "touch",
        "many points and a finer distance field for a solid, for distributed contact (docs/distributed-contact.md)");
    const auto arguments = std::make_shared<TouchArguments>();
    command->add_option("model", arguments->model, "a reduced solid, .pliant")->required();
    command->add_option("-o,--output", arguments->output, "the model with its layers, .pliant")->required();
    command->add_option("--points", arguments->options.points, "points on the surface, about")
        ->check(CLI::Range(1, DenseLayerOptions::kMostPoints))
        ->capture_default_str();
    command->add_option("--levels", arguments->options.levels, "levels of detail, a fourth of the points each")
        ->check(CLI::Range(1, DenseLayerOptions::kMostLevels))
        ->capture_default_str();
    command
        ->add_option("--field", arguments->options.field,
                     "spacings of the distance field along the longest side, from 16; 0 = the model's own stays")
        ->check(CLI::Range(0, 1024))
        ->capture_default_str();
    command->callback([arguments] { touch(*arguments); });
}

}  // namespace pliant::program
