// SPDX-License-Identifier: Zlib
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "commands/CommandLine.h"
#include "commands/Commands.h"
#include "models/ModelStore.h"
#include "pliant/exchange/ImportBullet.h"
#include "pliant/exchange/ImportCraigBampton.h"
#include "pliant/exchange/ImportVega.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/FilesThere.h"
#include "terminal/ProgressBar.h"

namespace pliant::program {
namespace {

struct ImportArguments {
    std::string input, output;
    VegaImport vega;
    BulletImport bullet;
    CraigBamptonImport craigBampton;
    int modes = 0;  ///< Of Bullet's and Craig and Bampton's.
    double young = 0.0, poisson = 0.0, density = 0.0;
};

/// A .cub, or a folder with exactly one.
std::string findCub(const std::string& input) {
    namespace fs = std::filesystem;
    if (!files::isThere(input)) throw Error(input, "is not there", "check the name and the path");
    if (!files::isFolder(input)) {
        if (fs::path(input).extension() == ".cub") return input;
        throw Error(input, "is neither Vega's .cub nor a folder",
                    "name a .cub, or a folder of Vega's, Bullet's or Craig-Bampton files; meshes are for "
                    "'pliant reduce'");
    }
    std::string found;
    for (const fs::path& file : files::listed(input)) {
        if (file.extension() != ".cub") continue;
        if (!found.empty()) throw Error(input, "there are several .cub in this folder", "name one");
        found = file.string();
    }
    if (found.empty())
        throw Error(
            input,
            "holds neither Vega's .cub, nor the modes.bin of Bullet's btReducedDeformableBody, nor mass.mtx and "
            "stiffness.mtx of a Craig-Bampton component",
            "name a .cub or a folder of these files");
    return found;
}

ImportedModel importFolderOfMatrices(ImportArguments& arguments, const ProgressCallback& progress) {
    CraigBamptonImport& files = arguments.craigBampton;
    files.mesh = arguments.vega.mesh;
    files.surface = arguments.vega.surface;
    files.fixedVertices = arguments.vega.fixedVertices;
    files.stiffnessScale = arguments.vega.stiffnessScale;
    files.modes = arguments.modes;
    findCraigBamptonFiles(arguments.input, files);
    return importCraigBampton(files, progress);
}

ImportedModel importAny(ImportArguments& arguments, const ProgressCallback& progress) {
    if (isBulletFolder(arguments.input)) {
        BulletImport& files = arguments.bullet;
        files.folder = arguments.input;
        files.mesh = arguments.vega.mesh;
        files.surface = arguments.vega.surface;
        files.fixedVertices = arguments.vega.fixedVertices;
        files.stiffnessScale = arguments.vega.stiffnessScale;
        files.poissonRatio = arguments.vega.poissonRatio;
        files.modes = arguments.modes;
        return importBullet(files, progress);
    }
    if (isCraigBamptonFolder(arguments.input)) return importFolderOfMatrices(arguments, progress);
    arguments.vega.cub = findCub(arguments.input);
    findVegaFiles(arguments.vega);
    return importVega(arguments.vega, progress);
}

void runImport(ImportArguments& arguments) {
    expectWritableModel(arguments.output);
    ProgressBar bar;
    const ImportedModel imported =
        importAny(arguments, [&](const std::string& stage, double fraction) { return bar(stage, fraction); });
    bar.clear();
    saveModel(*imported.model, arguments.output);
    for (const std::string& note : imported.notes) fmt::print("note: {}\n", note);
    const ReducedModel& model = *imported.model;
    fmt::print("{} made ({:.1f} MB).\n", arguments.output, 1.0e-6 * static_cast<double>(files::size(arguments.output)));
    fmt::print("r = {}, {} simulation vertices, {} elements, {} drawn vertices, {:.4g} kg, {}.\n", model.dimension(),
               model.simulationVertexCount(), model.mesh.elementCount(), model.surfaceVertexCount(), model.totalMass(),
               model.anchored ? "held at fixed vertices" : "free");
    fmt::print("Next: pliant info {}\n", arguments.output);
}

void addOptions(CLI::App& command, ImportArguments& arguments) {
    VegaImport& vega = arguments.vega;
    command.add_option("input", arguments.input, "Vega's .cub, or a folder of Vega's, Bullet's or Craig-Bampton files")
        ->required();
    command.add_option("-o,--output", arguments.output, "reduced model to write (.pliant)")->required();
    command.add_option("--basis", vega.basis, "Vega's basis over the simulation mesh (default: STEM.U)");
    command.add_option("--rendering", vega.renderingBasis,
                       "Vega's basis over the surface (default: STEM.URendering.float)");
    command.add_option("--mesh", vega.mesh, "simulation mesh (default: STEM.veg; else the one in the folder)");
    command.add_option("--surface", vega.surface,
                       "drawn surface (default: STEM_render.obj or STEM.obj; Craig-Bampton: surface.obj)");
    command.add_option("--frequencies", vega.frequencies, "of the linear modes (default: STEM.freq)");
    command.add_option("--fixed", vega.fixedVertices,
                       "held vertices (.bou; default: those the basis does not move; Craig-Bampton: held.bou)");
    command.add_option("--scale-stiffness", vega.stiffnessScale, "multiplies the stiffness")->capture_default_str();
    command.add_option("--scale-mass", arguments.bullet.massScale, "multiplies Bullet's masses")->capture_default_str();
    command.add_option("--modes", arguments.modes,
                       "take the first so many modes of Bullet's or a Craig-Bampton component's; 0 = all");
    command.add_option("--voxels", vega.voxels, "bricks along the longest side where there is no mesh; 0 = chosen")
        ->check(between(0, 256));
    command.add_flag("--solid", vega.solid, "fill the inside with bricks, too");
    command.add_option("--young", arguments.young, "Young's modulus where there is no mesh, Pa (default: fitted)")
        ->check(between(1.0e-6, 1.0e15));
    command.add_option("--poisson", arguments.poisson, "Poisson's ratio where no file gives it");
    command.add_option("--density", arguments.density, "density where there is no mesh, kg/m^3 (default: fitted)")
        ->check(between(1.0e-6, 1.0e6));
}

}  // namespace

void addImportCommand(CLI::App& app) {
    CLI::App* command = app.add_subcommand(
        "import", "make a model of a reduced model of Vega or Bullet, or of a Craig-Bampton component");
    const auto arguments = std::make_shared<ImportArguments>();
    addOptions(*command, *arguments);
    command->callback([arguments, command] {
        if (command->count("--young")) arguments->vega.youngsModulus = arguments->young;
        if (command->count("--poisson")) arguments->vega.poissonRatio = arguments->poisson;
        if (command->count("--density")) arguments->vega.density = arguments->density;
        runImport(*arguments);
    });
}

}  // namespace pliant::program
