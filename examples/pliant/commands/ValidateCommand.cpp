// SPDX-License-Identifier: Zlib
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <memory>

#include "commands/CommandLine.h"
#include "commands/Commands.h"
#include "models/ModelStore.h"
#include "pliant/math/Error.h"
#include "pliant/model/WholeFileWriter.h"
#include "terminal/ProgressBar.h"
#include "validate/CharacterValidation.h"
#include "validate/Validation.h"

namespace pliant::program {
namespace {

struct ValidateArguments {
    std::string model, output;
    int vertex = 0;  ///< 1-based; 0 = chosen
    std::vector<double> force;
    ValidationOptions options;
    CharacterRunOptions character;
};

std::string durationText(double seconds) {
    if (seconds < 1.0) return "less than a second";
    return seconds < 120.0 ? fmt::format("{:.0f} s", seconds) : fmt::format("{:.0f} minutes", seconds / 60.0);
}

void writePage(const std::string& path, const std::string& page) {
    WholeFileWriter file(path);
    file.write(page.data(), page.size());
    file.commit();
}

void runCharacter(const ValidateArguments& arguments) {
    const std::shared_ptr<const CharacterModel> character = loadCharacter(arguments.model);
    expectWritableFile(arguments.output);
    ProgressBar bar;
    const CharacterValidation v =
        validateCharacter(character, arguments.character,
                          [&](const std::string& stage, double fraction) { return bar(stage, fraction); });
    bar.clear();
    writePage(arguments.output, toHtml(*character, v));
    const auto share = [&](const std::vector<double>& distances) {
        return 100.0 * CharacterValidation::overall(distances) / v.halfWidth;
    };
    fmt::print("skin alone       {:.2f} % of the half width from the full model\n", share(v.skin));
    fmt::print("reduced, r = {:<3} {:.2f} %; misses {:.3f} of the secondary motion; {:.4f} s\n",
               character->flesh->dimension(), share(v.reduced), v.missed, v.reducedSeconds);
    fmt::print("{} made: clip \"{}\" against the full model's {} steps in {:.2f} s. Open the page in a browser.\n",
               arguments.output, v.clip, v.skin.size(), v.fullSeconds);
}

void run(const ValidateArguments& arguments) {
    if (isCharacterFile(arguments.model)) return runCharacter(arguments);
    ValidationOptions options = arguments.options;
    options.vertex = arguments.vertex - 1;
    if (!arguments.force.empty()) options.force = Vector3(arguments.force[0], arguments.force[1], arguments.force[2]);
    const std::shared_ptr<const ReducedModel> model = loadModel(arguments.model);
    expectWritableFile(arguments.output);
    ProgressBar bar;
    options.tellEstimate = [&](double seconds) {
        bar.clear();
        fmt::print("{} steps of the full model's {} vertices take about {}.\n",
                   std::lround(options.periods * options.stepsPerPeriod), model->simulationVertexCount(),
                   durationText(seconds));
        std::fflush(stdout);
    };
    const Validation validation =
        validate(*model, options, [&](const std::string& stage, double fraction) { return bar(stage, fraction); });
    bar.clear();
    const std::string page = toHtml(*model, validation);
    writePage(arguments.output, page);
    for (const ReducedRun* run : {&validation.linear, &validation.whole()})
        fmt::print(
            "{:<16} {}\n", run->name,
            run->problem.empty()
                ? fmt::format("amplitude {}, frequency {}, {:.3f} s", percentText(run->comparison.amplitudeError),
                              percentText(run->comparison.frequencyError), run->trajectory.seconds)
                : run->problem);
    fmt::print("{}\n", verdict(validation));
    fmt::print("{} made: against the full model's {} steps in {:.2f} s. Open the page in a browser.\n",
               arguments.output, validation.experiment.steps, validation.full.seconds);
}

}  // namespace

void addValidateCommand(CLI::App& app) {
    const auto arguments = std::make_shared<ValidateArguments>();
    ValidationOptions& options = arguments->options;
    CLI::App* command = app.add_subcommand("validate", "push a reduced model and the full one alike and compare them");
    command->add_option("model", arguments->model, "reduced model (.pliant)")->required();
    command->add_option("-o,--output", arguments->output, "page to write (.html)")->required();
    command->add_option("--mesh", options.mesh, "simulation mesh of the full model (default: the one in the model)");
    command
        ->add_option("--vertex", arguments->vertex,
                     "vertex to push about and to watch, from 1 (default: the push has the first mode's shape)")
        ->check(between(1, 100000000));
    command->add_option("--force", arguments->force, "FX FY FZ, newtons, in the mesh's axes (default: chosen)")
        ->expected(3);
    command->add_option("--amplitude", options.amplitude, "of the chosen push's linear answer, in radii of the body")
        ->check(between(1.0e-6, 10.0))
        ->capture_default_str();
    command->add_option("--periods", options.periods, "of the first mode, to simulate")
        ->check(between(0.1, 1000.0))
        ->capture_default_str();
    command->add_option("--steps-per-period", options.stepsPerPeriod, "time steps in a period of the first mode")
        ->check(between(8, 100000))
        ->capture_default_str();
    command->add_option("--damping", options.damping, "stiffness damping, in periods of the first mode")
        ->check(between(0.0, 10.0))
        ->capture_default_str();
    const auto ofCharacters = [](CLI::Option* option) { option->group("Characters"); };
    ofCharacters(command->add_option("--clip", arguments->character.clip, "clip to move by (default: the first)"));
    ofCharacters(
        command->add_option("--seconds", arguments->character.seconds, "of the clip (default: once through it)")
            ->check(between(0.0, 1000.0)));
    ofCharacters(command->add_option("--steps-per-second", arguments->character.stepsPerSecond, "time steps")
                     ->check(between(10, 100000))
                     ->capture_default_str());
    command->callback([arguments] { run(*arguments); });
}

}  // namespace pliant::program
