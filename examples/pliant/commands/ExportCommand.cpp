// SPDX-License-Identifier: Zlib
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "commands/Commands.h"
#include "pliant/exchange/ExportModel.h"

namespace pliant::program {
namespace {

struct ExportArguments {
    std::string model, format, output;
};

std::vector<std::string> write(const ExportArguments& arguments) {
    const std::shared_ptr<const ReducedModel> model = loadModel(arguments.model);
    if (arguments.format == "vega") return exportVega(*model, arguments.output);
    if (arguments.format == "bullet") return exportBullet(*model, arguments.output);
    exportVtu(*model, arguments.output);
    return {arguments.output};
}

}  // namespace

void addExportCommand(CLI::App& app) {
    CLI::App* command = app.add_subcommand("export", "write a reduced model for Vega, ParaView or Bullet");
    const auto arguments = std::make_shared<ExportArguments>();
    command->add_option("model", arguments->model, "reduced model (.pliant)")->required();
    command
        ->add_option("--format", arguments->format,
                     "vega (.veg .cub .U .URendering.float .obj .freq .bou), bullet (btReducedDeformableBody), "
                     "vtu (ParaView)")
        ->required()
        ->check(CLI::IsMember({"vega", "bullet", "vtu"}));
    command->add_option("-o,--output", arguments->output, "folder (vega, bullet) or file (vtu)")->required();
    command->callback([arguments] {
        for (const std::string& path : write(*arguments)) fmt::print("{}\n", path);
    });
}

}  // namespace pliant::program
