// SPDX-License-Identifier: Zlib
#pragma once

#include <string>
#include <vector>

#include "loop/RunOptions.h"
#include "loop/Simulation.h"

namespace pliant::program {

/// What of the scene is probably not meant, a line each on standard output, before the first step.
void printWarnings(const Simulation& simulation);

/// Tells what the run made, the time by stage and what to try next, on standard output.
/// @param seconds wall-clock time of the whole run
void printReport(const Simulation& simulation, const RunOptions& options, const std::vector<std::string>& made,
                 double seconds);

/// What could not be done is printed. @param isWhole the run went on for as long as the scene lasts: what it expects is
/// asked of no other. @throws Error with all that the scene expects and did not hold
void tellFailures(const btPliantScene& scene, bool isWhole = true);

/// @throws Error where a tool of the scene needs a window and there is none
void expectDevices(const scene::SceneDescription& scene, bool window);

}  // namespace pliant::program
