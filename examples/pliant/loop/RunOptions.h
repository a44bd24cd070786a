// SPDX-License-Identifier: Zlib
#pragma once

#include <string>

#include "pliant/scene/Scope.h"

namespace pliant::program {

/// What the command line says about a run; the rest is the scene's.
struct RunOptions {
    std::string scene;      ///< Scene file; or a mesh, a reduced model or a character.
    std::string up, units;  ///< Axis and units of a mesh or character (SceneOfFile.h); empty: not said.
    scene::GivenVariables variables;
    std::string output = "out";  ///< Output folder.
    std::string stats;           ///< JSON file of the statistics; empty: none.
    std::string models;          ///< Folder where models are kept; empty: models in the output folder.
    bool print = false;          ///< Whether the scene is printed as it was understood, and not run.
    bool watch = false;          ///< Whether to run again whenever a file of the scene is saved.
    bool headless = false;       ///< Whether there is no window even where there is a display.
    bool draw = true;            ///< Whether there is drawing; false: physics alone, without OpenGL.
    int frames = 0;              ///< Number of frames; 0: the scene's duration.
    int width = 0, height = 0;   ///< Size of the pictures, pixels; 0: the scene's.
    bool joints = true;          ///< Whether joints are drawn.
    double still = -1.0;         ///< Simulated time of a single picture, without a film, s; negative: a film.
    int threads = 0;             ///< Number of threads; 0: all cores.
};

}  // namespace pliant::program
