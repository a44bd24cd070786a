// SPDX-License-Identifier: Zlib
// The ways to run a simulation to its end: without any picture, to a film, in a window, again and again.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "loop/RunOptions.h"
#include "loop/Simulation.h"
#include "loop/SoakOptions.h"
#include "stats/SoakStatistics.h"

namespace pliant::program {

/// Physics alone. @throws Cancelled after Ctrl-C
void runWithoutPictures(Simulation& simulation, int frames);

/// The files that the scene says, or a film and a picture, in `options.output`. @return the files made. @throws Error
/// (no GL context, unwritable files), Cancelled; nothing is left half-written
std::vector<std::string> runToFiles(Simulation& simulation, const RunOptions& options, int frames);

/// One picture in `options.output`, of the moment `options.still`: the only frame that is drawn. @return the file made
/// @throws Error (no GL context, unwritable files), Cancelled; nothing is left half-written
std::vector<std::string> runToStill(Simulation& simulation, const RunOptions& options);

/// What whoever watches the file of a window's scene may do to the window.
struct OpenWindow {
    /// Does something to the world between two of its steps, and again whenever the scene is reset; empty while the
    /// scene is brought to where it begins.
    std::function<void(const std::function<void(const SceneWorld&)>&)> edit;
    /// Shows a text over the picture, in place of the last one; empty: none.
    std::function<void(const std::string&)> note;
    /// Makes room on the terminal, before something is printed; may be empty.
    std::function<void()> aboutToTell;
};

/// Where a window begins, and where it was when it ended: the next version of a scene goes on there.
struct WindowPlace {
    double time = 0.0;                                   ///< Simulated time, s.
    std::optional<std::array<double, 16>> worldFromEye;  ///< Where one looks from; absent: where the scene's camera is.
    int films = 0;                                       ///< Number of films that have been made of the window.
};

/// A window, until it is closed, for `options.frames` frames where that is set, or until `isOver` says so, which is
/// asked every frame, and while the scene is brought to where it begins; physics goes on beside it.
/// @param place where it begins; becomes where one looked from when it ended, and unless it ended on its way there the
/// time that it had come to  @return the files made: records of states, and pictures that events want. @throws Error
std::vector<std::string> runInWindow(Simulation& simulation, const RunOptions& options,
                                     const std::function<bool(const OpenWindow&)>& isOver, WindowPlace& place);

/// Drops the scene until the simulated time is over: bodies are lifted before every second drop, removed and made anew
/// before the others. Ctrl-C, and a state that is not a number, end it early. @return what the whole drops have shown
SoakStatistics runSoak(SceneWorld& world, const SoakOptions& options);

}  // namespace pliant::program
