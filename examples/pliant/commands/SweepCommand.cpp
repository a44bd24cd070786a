// SPDX-License-Identifier: Zlib
// A scene with many values of its variables: every run is a process of its own, here or on other machines.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "commands/CommandLine.h"
#include "commands/Commands.h"
#include "models/ModelStore.h"
#include "models/ReduceReader.h"
#include "models/SceneModels.h"
#include "pliant/math/Error.h"
#include "pliant/mesh/FilesThere.h"
#include "pliant/scene/SceneReader.h"
#include "terminal/Interrupt.h"
#include "terminal/ProgressBar.h"

namespace pliant::program {
namespace {

constexpr std::size_t kMostRuns = 100000;

struct SweepOptions {
    std::string scene;
    std::vector<std::pair<std::string, std::vector<double>>> variables;
    std::string output = "sweep";
    int jobs = 0;  ///< runs at once; 0 = a core each
    int part = 0, of = 1;
    bool list = false;  ///< prints the runs and makes none
    bool draw = false;
};

/// A run, with its values in the order of the variables.
struct SweepRun {
    int number = 0;
    std::vector<double> values;
    std::string folder;
    std::vector<std::string> command;
    int code = -1;
};

std::string shortest(double value) {
    char text[40];
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

/// "young=1e6,1e7" or "n=1:4" (whole numbers). @throws CLI::ValidationError
std::pair<std::string, std::vector<double>> parseValues(const std::string& text) {
    const auto wrong = [&] {
        return CLI::ValidationError("--set " + text, "is neither NAME=NUMBER,NUMBER,... nor NAME=FIRST:LAST");
    };
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || !scene::Scope::isName(text.substr(0, equals))) throw wrong();
    const auto numberOf = [&](const std::string& part) {
        double value = 0.0;
        const auto [end, problem] = std::from_chars(part.data(), part.data() + part.size(), value);
        if (problem != std::errc() || end != part.data() + part.size() || !std::isfinite(value)) throw wrong();
        return value;
    };
    std::vector<double> values;
    const std::string all = text.substr(equals + 1);
    if (const std::size_t colon = all.find(':'); colon != std::string::npos) {
        const double first = numberOf(all.substr(0, colon)), last = numberOf(all.substr(colon + 1));
        if (!(first <= last) || last - first > kMostRuns) throw wrong();
        for (double value = first; value <= last; value += 1.0) values.push_back(value);
        return {text.substr(0, equals), values};
    }
    for (std::size_t at = 0; at <= all.size();) {
        const std::size_t comma = std::min(all.find(',', at), all.size());
        values.push_back(numberOf(all.substr(at, comma - at)));
        at = comma + 1;
    }
    return {text.substr(0, equals), values};
}

/// Every combination of values; the last variable changes fastest.
std::vector<SweepRun> runsOf(const SweepOptions& options) {
    std::vector<std::vector<double>> all = {{}};
    for (const auto& [name, values] : options.variables) {
        std::vector<std::vector<double>> longer;
        for (const std::vector<double>& before : all)
            for (const double value : values) {
                longer.push_back(before);
                longer.back().push_back(value);
                if (longer.size() > kMostRuns)
                    throw Error("", "the sweep has more than " + std::to_string(kMostRuns) + " runs");
            }
        all = std::move(longer);
    }
    const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
    std::vector<SweepRun> runs;
    for (std::size_t i = 0; i < all.size(); ++i) {
        SweepRun run;
        run.number = static_cast<int>(i);
        run.values = all[i];
        run.folder = (std::filesystem::path(options.output) / fmt::format("run_{:05d}", i)).string();
        run.command = {program, "run", options.scene, options.draw ? "--headless" : "--no-draw", "--threads", "1"};
        for (std::size_t v = 0; v < options.variables.size(); ++v) {
            run.command.push_back("--set");
            run.command.push_back(options.variables[v].first + "=" + shortest(run.values[v]));
        }
        for (const std::string& more :
             {std::string("--output"), run.folder, std::string("--models"), modelsIn(options.output).path,
              std::string("--stats"), run.folder + "/stats.json"})
            run.command.push_back(more);
        runs.push_back(std::move(run));
    }
    return runs;
}

/// For a shell.
std::string quotedForShell(const std::string& word) {
    if (word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/=-+:") ==
        std::string::npos)
        return word;
    std::string result = "'";
    for (const char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

pid_t start(const SweepRun& run) {
    files::makeFolder(run.folder);
    std::vector<char*> words;
    for (const std::string& word : run.command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    const std::string log = run.folder + "/log.txt";
    const pid_t child = fork();
    if (child != 0) return child;
    const int file = open(log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file >= 0) {
        dup2(file, STDOUT_FILENO);
        dup2(file, STDERR_FILENO);
    }
    execv(words[0], words.data());
    std::_Exit(127);
}

/// Runs them, so many at once. @return false after Ctrl-C: no other is begun, and those under way end by themselves
bool runAll(std::vector<SweepRun>& runs, int jobs) {
    std::map<pid_t, SweepRun*> under;
    ProgressBar bar;
    std::size_t next = 0, done = 0;
    while (done < runs.size()) {
        const bool goesOn = !interrupted();  // asked in every turn, or the signal counts as one that nobody hears
        while (goesOn && next < runs.size() && static_cast<int>(under.size()) < jobs) {
            const pid_t child = start(runs[next]);
            if (child < 0) throw Error("", "cannot start another process");
            under[child] = &runs[next++];
        }
        if (under.empty()) return false;
        int status = 0;
        const pid_t child = waitpid(-1, &status, 0);
        const auto found = under.find(child);
        if (found == under.end()) continue;
        found->second->code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        under.erase(found);
        ++done;
        bar("running", static_cast<double>(done) / static_cast<double>(runs.size()));
    }
    bar.clear();
    return true;
}

/// A line a run: its values, how it ended, and numbers of its statistics.
void writeTable(const SweepOptions& options, const std::vector<SweepRun>& runs, const std::string& path) {
    static const std::vector<const char*> numbers = {"lost_bodies",       "settled",          "kinetic_energy_per_kg",
                                                     "largest_step_gain", "last_penetration", "state_hash"};
    std::ofstream file(path, std::ios::trunc);
    file << "run";
    for (const auto& [name, values] : options.variables) file << ',' << name;
    file << ",exit_code";
    for (const char* number : numbers) file << ',' << number;
    file << '\n';
    for (const SweepRun& run : runs) {
        file << run.number;
        for (const double value : run.values) file << ',' << shortest(value);
        file << ',' << run.code;
        std::ifstream stats(run.folder + "/stats.json");
        const nlohmann::json json = nlohmann::json::parse(stats, nullptr, false);
        for (const char* number : numbers) {
            file << ',';
            if (json.is_object() && json.contains("summary") && json["summary"].contains(number)) {
                const nlohmann::json& value = json["summary"][number];
                file << (value.is_string() ? value.get<std::string>() : value.dump());
            }
        }
        file << '\n';
    }
    if (!file.good()) throw Error(path, "cannot be written");
}

void sweep(const SweepOptions& options) {
    std::vector<SweepRun> runs = runsOf(options);
    scene::GivenVariables first;
    for (std::size_t v = 0; v < options.variables.size(); ++v)
        first.emplace_back(options.variables[v].first, runs.front().values[v]);
    const scene::SceneDescription scene =
        scene::readScene(options.scene, sceneOptions(first));  // mistakes are told once
    if (options.list) {
        for (const SweepRun& run : runs) {
            std::string line;
            for (const std::string& word : run.command) line += (line.empty() ? "" : " ") + quotedForShell(word);
            fmt::print("{}\n", line);
        }
        return;
    }
    expectWritableFolder(options.output);
    loadModels(scene, {modelsIn(options.output).path, true});  // as each run finds them
    std::vector<SweepRun> own;
    for (const SweepRun& run : runs)
        if (run.number % options.of == options.part) own.push_back(run);
    const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    const bool whole = runAll(own, options.jobs > 0 ? options.jobs : cores);
    const std::string name = options.of > 1 ? fmt::format("sweep_{}_of_{}.csv", options.part, options.of) : "sweep.csv";
    const std::string table = (std::filesystem::path(options.output) / name).string();
    writeTable(options, own, table);
    const auto failed = std::count_if(own.begin(), own.end(), [](const SweepRun& run) { return run.code != 0; });
    fmt::print("{} runs, {} of them failed.\nMade {}\n", own.size(), failed, table);
    if (!whole) throw Cancelled("the sweep");
    if (failed > 0) throw Error(table, fmt::format("{} runs failed", failed), "log.txt in their folders tells why");
}

}  // namespace

void addSweepCommand(CLI::App& app) {
    CLI::App* command = app.add_subcommand("sweep", "runs a scene with many values of its variables, a process a run");
    const auto options = std::make_shared<SweepOptions>();
    command->add_option("scene", options->scene, "scene file (.yaml)")->required();
    command
        ->add_option_function<std::vector<std::string>>(
            "--set",
            [options](const std::vector<std::string>& texts) {
                for (const std::string& text : texts) options->variables.push_back(parseValues(text));
            },
            "NAME=NUMBER,NUMBER,... or NAME=FIRST:LAST; every combination is run")
        ->allow_extra_args(false)
        ->required();
    command->add_option("--output", options->output, "folder of the runs")->capture_default_str();
    command->add_option("--jobs", options->jobs, "runs at once; 0 = a core each")->check(between(0, 4096));
    command->add_flag("--draw", options->draw, "with the films and pictures of the scene");
    command->add_flag("--list", options->list, "prints a command a run, for GNU parallel, mpirun or a Slurm array");
    command
        ->add_option_function<std::string>(
            "--part",
            [options](const std::string& text) {
                const char* last = text.data() + text.size();
                const auto [slash, problem] = std::from_chars(text.data(), last, options->part);
                if (problem == std::errc() && slash != last && *slash == '/') {
                    const auto [end, second] = std::from_chars(slash + 1, last, options->of);
                    if (second == std::errc() && end == last && options->of > 0 && options->part >= 0 &&
                        options->part < options->of)
                        return;
                }
                throw CLI::ValidationError("--part", "must be PART/PARTS with parts from 0, not \"" + text + "\"");
            },
            "PART/PARTS: only these runs, for several machines")
        ->expected(1);
    command->callback([options] { sweep(*options); });
}

}  // namespace pliant::program
