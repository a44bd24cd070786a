// SPDX-License-Identifier: Zlib
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "commands/CommandLine.h"
#include "commands/Commands.h"
#include "commands/Ranks.h"
#include "commands/ReduceReport.h"
#include "models/ModelStore.h"
#include "models/Recordings.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/FilesThere.h"
#include "pliant/mesh/MeshSize.h"
#include "terminal/Interrupt.h"
#include "terminal/ProgressBar.h"

namespace pliant::program {
namespace {

struct Arguments {
    std::string input;
    std::string output;
    ReduceOptions options;
    std::string units, sketch, snapshots, cache;
    std::vector<std::string> hold, regions;
    bool noCache = false, mpi = false;
    double young = 0.0, poisson = 0.0, density = 0.0;
};

/// Helps the first rank, without a word.
void help(const Arguments& arguments) {
    reduceOrReuse(arguments.input, arguments.options, arguments.output,
                  [](const std::string&, double) { return !interrupted(); });
}

void reduce(const Arguments& arguments) {
    ProgressBar bar;
    ReductionReport report;
    bool announced = false;
    const ProgressCallback progress = [&](const std::string& stage, double fraction) {
        if (!announced && stage != "mesh") {  // the estimate is there by now
            announced = true;
            const std::string text = announcement(report.estimate);
            if (!text.empty()) {
                bar.clear();
                fmt::print(stderr, "{}\n", text);
            }
        }
        return bar(stage, fraction);
    };
    const StoredModel stored = reduceOrReuse(arguments.input, arguments.options, arguments.output, progress, &report);
    bar.clear();
    const ReducedModel& model = *stored.model;
    if (stored.reused) {
        fmt::print("{} is up to date: same input, same options.\n", arguments.output);
    } else {
        printReport(report);
        fmt::print("{} made in {} ({:.1f} MB), peak memory {:.0f} MiB.\n", arguments.output, duration(stored.seconds),
                   1.0e-6 * static_cast<double>(files::size(arguments.output)),
                   static_cast<double>(peakMemory()) / (1 << 20));
        if (!arguments.options.cacheFile.empty())
            fmt::print("Modes and other shapes are kept in {} for other options; it may be deleted.\n",
                       arguments.options.cacheFile);
    }
    fmt::print("r = {}, {} simulation vertices, {} elements, {} drawn vertices, {:.4g} kg, {}.\n", model.dimension(),
               model.simulationVertexCount(), model.mesh.elementCount(), model.surfaceVertexCount(), model.totalMass(),
               model.anchored ? "held at fixed vertices" : "free");
    fmt::print("Next: pliant info {}\n", arguments.output);
}

/// What an option is, and its value where neither it nor the input says one.
std::string ownOr(const std::string& text, double value) {
    return fmt::format("{} (default: the input's, else {:g})", text, value);
}

void addMaterialOptions(CLI::App& command, Arguments& arguments) {
    const ElasticMaterial material;
    command.add_option("--young", arguments.young, ownOr("Young's modulus, Pa", material.youngsModulus))
        ->check(between(1.0e-6, 1.0e15))
        ->group("Body");
    command.add_option("--poisson", arguments.poisson, ownOr("Poisson's ratio, below 0.5", material.poissonRatio))
        ->group("Body");
    command.add_option("--density", arguments.density, ownOr("density, kg/m^3", material.density))
        ->check(between(1.0e-6, 1.0e6))
        ->group("Body");
    command.add_flag("--lumped", arguments.options.lumpedMass, "lumped mass matrix instead of the consistent one")
        ->group("Body");
}

/// What is drawn, and what collides.
void addSurfaceOptions(CLI::App& command, ReduceOptions& options) {
    command.add_option("--surface", options.surface, "drawn surface for a simulation mesh")->group("Body");
    command
        .add_option(
            "--contact", options.contact,
            "what collides: surface (a sheet around an open one), segments (capsules inside), or auto (default): "
            "the surface of what is not strands, or needs too many segments")
        ->transform(wordOf<ContactGeometry>({{"auto", ContactGeometry::Automatic},
                                             {"segments", ContactGeometry::Segments},
                                             {"surface", ContactGeometry::Surface}}))
        ->group("Body");
    command
        .add_option("--crease", options.creaseAngle,
                    "degrees: sharper edges of a surface without normals look hard; 180 = smooth everywhere")
        ->check(between(0.0, 180.0))
        ->capture_default_str()
        ->group("Body");
    command
        .add_option("--refine", options.refine,
                    "halves edges of the drawn surface between whose ends the body's own weight bends it by more than "
                    "this share of the largest displacement; 0 = triangles stay as they are")
        ->check(between(0.0, 0.999))
        ->capture_default_str()
        ->group("Body");
}

void addBodyOptions(CLI::App& command, Arguments& arguments) {
    ReduceOptions& options = arguments.options;
    command
        .add_option("--units", arguments.units, "unit of the input's coordinates: m, cm, mm, km, um, in, ft or metres")
        ->group("Body");
    command.add_option("--fixed", options.fixedVertices, "vertices to hold (.bou, of a simulation mesh)")
        ->group("Body");
    command
        .add_option("--hold", arguments.hold,
                    "part to hold: box=x0,y0,z0,x1,y1,z1, sphere=x,y,z,radius, halfspace=nx,ny,nz,d (n.x <= d), "
                    "material=NAME or group=NAME; may be repeated")
        ->allow_extra_args(false)
        ->group("Body");
    command
        .add_option("--region", arguments.regions,
                    "part of another material, NAME:young=...,poisson=...,density=...:WHERE, WHERE as for --hold; may "
                    "be repeated, the last one counts")
        ->allow_extra_args(false)
        ->group("Body");
    command.add_option("--voxels", options.voxels, "bricks along the longest side of a surface; 0 = chosen")
        ->check(between(0, 1000))
        ->group("Body");
    CLI::Option* solid = command.add_flag_callback(
        "--solid", [&options] { options.solid = true; },
        "fill the surface with bricks; an error where it is not closed (closed ones are filled by default)");
    CLI::Option* shell = command.add_flag_callback(
        "--shell", [&options] { options.solid = false; }, "bricks along the surface only, even where it is closed");
    CLI::Option* thickness =
        command.add_option("--thickness", options.thickness,
                           "of the wall that a shell stands for, m: it weighs area x thickness x density");
    solid->group("Body")->excludes(shell);
    shell->group("Body");
    thickness->check(between(1.0e-6, 1.0e3))->group("Body")->excludes(solid);
    command.add_option("--up", options.up, "axis of the input that points up, turned to z: x, y or z (default)")
        ->transform(wordOf<UpAxis>({{"x", UpAxis::X}, {"y", UpAxis::Y}, {"z", UpAxis::Z}}))
        ->group("Body");
    addSurfaceOptions(command, options);
    addMaterialOptions(command, arguments);
}

void addBasisOptions(CLI::App& command, Arguments& arguments) {
    ReduceOptions& options = arguments.options;
    const CLI::Validator forms = wordOf<DerivativeForm>({{"none", DerivativeForm::None},
                                                         {"static", DerivativeForm::Static},
                                                         {"shifted", DerivativeForm::Shifted},
                                                         {"shifted-minres", DerivativeForm::ShiftedMinres}});
    const CLI::Validator ways = wordOf<Orthogonalisation>(
        {{"mass-pca", Orthogonalisation::MassPca}, {"gram-schmidt", Orthogonalisation::GramSchmidt}});
    const auto add = [&](const std::string& name, auto& value, const std::string& text) {
        return command.add_option(name, value, text)->group("Basis");
    };
    add("--modes", options.modes, "k: elastic linear modes; 0 with --sketch or --snapshots")
        ->check(between(0, 500))
        ->capture_default_str();
    add("--dim,--dimension", options.dimension,
        "r: dimension of the basis, or the most that --tolerance may take; where it is not given, no more than there "
        "are shapes")
        ->check(between(1, 200))
        ->capture_default_str();
    add("--tolerance", options.energyTolerance, "choose r: the share of the mass-PCA energy that may be left out")
        ->check(between(0.0, 1.0));
    add("--orthogonalisation", options.orthogonalisation, "mass-pca (default) or gram-schmidt")->transform(ways);
    add("--derivatives", options.derivatives, "none, static (default), shifted or shifted-minres")->transform(forms);
    command
        .add_flag("--strain-rate", options.strainRateDamping,
                  "a section with strain-rate damping, for damping: {strain_rate: s}")
        ->group("Body");
    command.add_flag("--centrifugal", options.centrifugal, "six shapes that spinning makes")->group("Basis");
    add("--sketch", arguments.sketch, "recorded forces (.yaml), a static solve of the full model each");
    add("--snapshots", arguments.snapshots, "recorded pushes (.yaml), a simulation of the full model");
    add("--cutoff-force", options.visibility.largestForce, "largest expected force, N, with --cutoff-motion");
    add("--cutoff-motion", options.visibility.smallestMotion, "smallest visible motion, m: stiffer modes are left out");
    add("--cutoff-frequency", options.visibility.highestFrequency, "highest displayed frequency, Hz");
}

void addOptions(CLI::App& command, Arguments& arguments) {
    command.add_option("input", arguments.input, "surface or simulation mesh (docs/formats.md)")->required();
    command.add_option("-o,--output", arguments.output, "reduced model to write (.pliant)")->required();
    addBasisOptions(command, arguments);
    addBodyOptions(command, arguments);
    command.add_option("--threads", arguments.options.threads, "workers; 0 = all cores")->check(between(0, 1024));
    command.add_option("--cache", arguments.cache, "where modes and other shapes are kept (default: OUTPUT.cache)");
    command.add_flag("--no-cache", arguments.noCache, "keep and use none");
    if (builtWithMpi())
        command.add_flag("--mpi", arguments.mpi, "be one of the ranks that mpirun has started (docs/reduction.md)");
}

/// Options that take more than a number.
void finishOptions(const CLI::App& command, Arguments& arguments) {
    ReduceOptions& options = arguments.options;
    if (command.count("--young")) options.youngsModulus = arguments.young;
    if (command.count("--poisson")) options.poissonRatio = arguments.poisson;
    if (command.count("--density")) options.density = arguments.density;
    for (const std::string& text : arguments.hold) options.hold.push_back(BodyRegion::parse(text));
    for (const std::string& text : arguments.regions) options.regions.push_back(MaterialRegion::parse(text));
    if (!arguments.units.empty()) options.metresPerUnit = metresPerUnit(arguments.units);
    if (!arguments.sketch.empty()) readSketch(arguments.sketch, options);
    if (!arguments.snapshots.empty()) readSnapshots(arguments.snapshots, options);
    options.modesAtMost = command.count("--modes") == 0;
    options.dimensionAtMost = command.count("--dim") == 0;
    if (options.dimensionAtMost) options.lowerDefaultDimension();
    if (!arguments.noCache) options.cacheFile = arguments.cache.empty() ? arguments.output + ".cache" : arguments.cache;
}

}  // namespace

void addReduceCommand(CLI::App& app, const WorkShares& shares) {
    CLI::App* command = app.add_subcommand("reduce", "make a reduced model from a mesh");
    const auto arguments = std::make_shared<Arguments>();
    addOptions(*command, *arguments);
    command->callback([arguments, command, &shares] {
        finishOptions(*command, *arguments);
        arguments->options.shares = shares;
        shares.own <= 0 ? reduce(*arguments) : help(*arguments);
    });
}

}  // namespace pliant::program
