// SPDX-License-Identifier: Zlib
// The commands of the program, one a file. Each adds itself to the command line and does its work when it was chosen.
#pragma once

#include <CLI/CLI.hpp>

namespace pliant::program {

void addReduceCommand(CLI::App& app);  ///< mesh -> reduced model
void addInfoCommand(CLI::App& app);    ///< what is in a reduced model
void addEvalCommand(CLI::App& app);    ///< energy, force and stiffness at given reduced coordinates
void addRunCommand(CLI::App& app);     ///< a scene file, in a window or to a video

}  // namespace pliant::program
