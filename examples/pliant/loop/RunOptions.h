// SPDX-License-Identifier: Zlib
#pragma once

#include <string>

#include "pliant/scene/Scope.h"

namespace pliant::program {

/// What the command line says about a run; the rest is the scene's.
struct RunOptions {
    std::string scene;      ///< file; or a mesh, a reduced model or a character
    std::string up, units;  ///< of a mesh or character (SceneOfFile.h); empty: not said
    scene::GivenVariables variables;
    std::string output = "out";  ///< folder
    std::string stats;           ///< JSON file; empty = none
    std::string models;          ///< folder where models are kept; empty = models in the output folder
    bool print = false;          ///< the scene as it was understood, and no run
    bool watch = false;          ///< runs again whenever a file of the scene is saved
    bool headless = false;       ///< no window even where there is a display
    bool draw = true;            ///< false: physics alone, without OpenGL
    int frames = 0;              ///< 0 = the scene's duration
    int width = 0, height = 0;   ///< 0 = the scene's
    bool joints = true;          ///< whether joints are drawn
    double still = -1.0;         ///< a picture at this simulated time (s) and no film; negative = a film
    int threads = 0;             ///< 0 = all cores
};

}  // namespace pliant::program
