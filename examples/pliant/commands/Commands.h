// SPDX-License-Identifier: Zlib
// The commands of the program, one a file. Each adds itself to the command line and does its work when it was chosen.
#pragma once

#include <CLI/CLI.hpp>

#include "pliant/math/WorkShares.h"

namespace pliant::program {

/// mesh -> reduced model. @param shares of this process, known by the time that the command line is read
void addReduceCommand(CLI::App& app, const WorkShares& shares);
void addRigCommand(CLI::App& app);       ///< rigged character -> reduced flesh on bones
void addLatticeCommand(CLI::App& app);   ///< rigged character -> control lattice around it
void addInfoCommand(CLI::App& app);      ///< what is in a reduced model
void addModesCommand(CLI::App& app);     ///< a sheet of all elastic shapes
void addValidateCommand(CLI::App& app);  ///< the same push on the full and on the reduced model
void addEvalCommand(CLI::App& app);      ///< energy, force and stiffness at given reduced coordinates
void addImportCommand(CLI::App& app);    ///< Vega's or Bullet's files -> reduced model
void addExportCommand(CLI::App& app);    ///< reduced model -> Vega's, Bullet's or ParaView's files
void addRunCommand(CLI::App& app);       ///< a scene file, in a window or to a video
void addFeelCommand(CLI::App& app);      ///< a hand along a path through a scene: cycle times, and what it feels
void addSoakCommand(CLI::App& app);      ///< a scene dropped again and again: does it stay sound, does memory grow
void addSketchCommand(CLI::App& app);    ///< forces drawn with the mouse, for reduce --sketch
void addPlayCommand(CLI::App& app);      ///< a film of a recorded run, from any camera
void addSweepCommand(CLI::App& app);     ///< a scene with many values of its variables
void addSchemaCommand(CLI::App& app);    ///< the language of scenes, for editors and people
void addTouchCommand(CLI::App& app);     ///< many points and a finer field for distributed contact

}  // namespace pliant::program
