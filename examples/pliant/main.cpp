// SPDX-License-Identifier: Zlib
// pliant: reduces meshes, looks into reduced models and runs scenes. Exit code 0, or 1 after one line of error
// (a line each where a scene has several).
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <new>
#include <string>

#include "commands/CommandLine.h"
#include "commands/Commands.h"
#include "commands/Ranks.h"
#include "pliant/math/Error.h"
#include "pliant/math/PrintableText.h"
#include "pliant/scene/Mistakes.h"
#include "terminal/Interrupt.h"

namespace {

int fail(std::string message) {
    std::replace(message.begin(), message.end(), '\n', ' ');
    fmt::print(stderr, "pliant: error: {}\n", pliant::printable(message));  // names of files and what these hold
    return 1;
}

/// What was printed is there, or the program has failed: a full disk is heard of when the last of it is written.
int withOutput(int code) {
    if ((std::fflush(stdout) == 0 && std::ferror(stdout) == 0) || code != 0) return code;
    return fail("the output cannot be written: is the disk full?");
}

/// Before anything else, so that even a mistake in the options is told by one rank alone.
bool isRank(int argc, char** argv) {
    return pliant::program::builtWithMpi() &&
           std::any_of(argv, argv + argc, [](const char* argument) { return std::string(argument) == "--mpi"; });
}

int run(CLI::App& app, int argc, char** argv, pliant::WorkShares& shares) {
    try {
        if (!isRank(argc, argv)) return app.parse(argc, argv), 0;
        pliant::program::onRanks([&](const pliant::WorkShares& ofRank) {
            shares = ofRank;
            app.parse(argc, argv);
        });
        return 0;
    } catch (const CLI::Success& wanted) {  // --help and --version
        return app.exit(wanted);
    } catch (const CLI::ParseError& problem) {
        return fail(pliant::program::explain(app, problem));
    } catch (const pliant::program::SaidElsewhere&) {
        return 1;
    } catch (const pliant::program::KeptSoFar& stopped) {
        fmt::print(stderr, "pliant: {}\n", stopped.what());
        return 1;
    } catch (const pliant::Cancelled& stopped) {
        fmt::print(stderr, "pliant: {}; nothing was written\n", stopped.what());
        return 1;
    } catch (const pliant::scene::SeveralErrors& problems) {
        for (const std::string& message : problems.messages()) fail(message);
        fmt::print(stderr, "    {} mistakes; nothing was run\n", problems.messages().size());
        return 1;
    } catch (const std::bad_alloc&) {
        return fail("out of memory; fewer modes, voxels or bodies need less");
    } catch (const std::exception& problem) {
        return fail(problem.what());
    }
}

}  // namespace

int main(int argc, char** argv) {
    pliant::program::watchForInterrupt();
    CLI::App app("pliant: soft bodies in reduced coordinates for Bullet and OpenSceneGraph", "pliant");
    app.set_version_flag("--version", "pliant " PLIANT_VERSION);
    app.require_subcommand(1);
    pliant::WorkShares shares;
    pliant::program::addReduceCommand(app, shares);
    pliant::program::addRigCommand(app);
    pliant::program::addLatticeCommand(app);
    pliant::program::addInfoCommand(app);
    pliant::program::addModesCommand(app);
    pliant::program::addValidateCommand(app);
    pliant::program::addEvalCommand(app);
    pliant::program::addImportCommand(app);
    pliant::program::addExportCommand(app);
    pliant::program::addRunCommand(app);
    pliant::program::addFeelCommand(app);
    pliant::program::addSoakCommand(app);
    pliant::program::addSketchCommand(app);
    pliant::program::addPlayCommand(app);
    pliant::program::addSweepCommand(app);
    pliant::program::addSchemaCommand(app);
    pliant::program::addTouchCommand(app);
    return withOutput(run(app, argc, argv, shares));
}
