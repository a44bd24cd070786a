// SPDX-License-Identifier: Zlib
// The commands of the program, one a file. Each adds itself to the command line and does its work when it was chosen.
#pragma once

#include <CLI/CLI.hpp>

#include "pliant/math/WorkShares.h"

namespace pliant::program {

/// Adds `reduce`: mesh -> reduced model. @param shares of this process, known by the time that the command line is read
void addReduceCommand(CLI::App& app, const WorkShares& shares);
void addRigCommand(CLI::App& app);       ///< Adds `rig`: rigged character -> reduced flesh on bones.
void addLatticeCommand(CLI::App& app);   ///< Adds `lattice`: rigged character -> control lattice around it.
void addInfoCommand(CLI::App& app);      ///< Adds `info`: what is in a reduced model.
void addModesCommand(CLI::App& app);     ///< Adds `modes`: a sheet of all elastic shapes.
void addValidateCommand(CLI::App& app);  ///< Adds `validate`: the same push on the full and on the reduced model.
void addEvalCommand(CLI::App& app);      ///< Adds `eval`: energy, force and stiffness at given reduced coordinates.
void addImportCommand(CLI::App& app);    ///< Adds `import`: Vega's or Bullet's files -> reduced model.
void addExportCommand(CLI::App& app);    ///< Adds `export`: reduced model -> Vega's, Bullet's or ParaView's files.
void addRunCommand(CLI::App& app);       ///< Adds `run`: a scene file, in a window or to a video.
void addFeelCommand(CLI::App& app);      ///< Adds `feel`: a hand on a path through a scene, timed, and what it feels.
void addSoakCommand(CLI::App& app);      ///< Adds `soak`: a scene dropped many times, for soundness and growing memory.
void addSketchCommand(CLI::App& app);    ///< Adds `sketch`: forces drawn with the mouse, for reduce --sketch.
void addPlayCommand(CLI::App& app);      ///< Adds `play`: a film of a recorded run, from any camera.
void addSweepCommand(CLI::App& app);     ///< Adds `sweep`: a scene with many values of its variables.
void addSchemaCommand(CLI::App& app);    ///< Adds `schema`: the language of scenes, for editors and people.
void addTouchCommand(CLI::App& app);     ///< Adds `touch`: many points and a finer field for distributed contact.

}  // namespace pliant::program
