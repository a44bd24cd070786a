// SPDX-License-Identifier: Zlib
#include <fmt/format.h>

#include <memory>

#include "commands/CommandLine.h"
#include "commands/Commands.h"
#include "draw/ModeSheet.h"
#include "models/ModelStore.h"
#include "osgPliant/HeadlessViewer.h"
#include "pliant/math/Error.h"

namespace pliant::program {
namespace {

struct ModesArguments {
    std::string model, output;
    std::string up = "z";
    ModeSheetOptions sheet;
};

void drawModes(const ModesArguments& arguments) {
    const std::shared_ptr<const ReducedModel> model = loadModel(arguments.model);
    ModeSheetOptions options = arguments.sheet;
    options.up = arguments.up == "x" ? 0 : arguments.up == "y" ? 1 : 2;
    expectWritableFile(arguments.output);
    const osg::ref_ptr<osg::Image> image = drawModeSheet(model, options);
    const std::string problem = osgPliant::saveImage(*image, arguments.output);
    if (!problem.empty()) throw Error(arguments.output, problem);
    fmt::print(
        "{}: the rest shape and {} shapes, {} x {} pixels; those named \"mode\" are linear modes, the others bend with "
        "them.\n",
        arguments.output, model->dimension(), image->s(), image->t());
    if (model->anchored)
        fmt::print("The {} held vertices of the simulation mesh are marked red.\n", model->fixedVertices.size());
}

}  // namespace

void addModesCommand(CLI::App& app) {
    const auto arguments = std::make_shared<ModesArguments>();
    CLI::App* command = app.add_subcommand("modes", "draw all elastic shapes of a reduced model on one sheet");
    command->add_option("model", arguments->model, "reduced model (.pliant)")->required();
    command->add_option("-o,--output", arguments->output, "picture to write (.png)")->required();
    command->add_option("--columns", arguments->sheet.columns, "tiles side by side")
        ->check(between(1, 32))
        ->capture_default_str();
    command->add_option("--tile", arguments->sheet.tileSize, "width of a tile, pixels")
        ->check(between(64, 1024))
        ->capture_default_str();
    command->add_option("--amplitude", arguments->sheet.amplitude, "largest displacement, in radii of the body")
        ->check(between(0.001, 2.0))
        ->capture_default_str();
    command->add_option("--up", arguments->up, "axis of the mesh that points up")
        ->check(CLI::IsMember({"x", "y", "z"}))
        ->capture_default_str();
    command->callback([arguments] { drawModes(*arguments); });
}

}  // namespace pliant::program
