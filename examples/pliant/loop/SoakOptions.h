// SPDX-License-Identifier: Zlib
#pragma once

#include <string>

namespace pliant::program {

/// What the command line says about a soak; the rest is the scene's.
struct SoakOptions {
    std::string scene;
    std::string output = "out";  ///< folder; models are kept in it
    std::string stats;           ///< JSON file; empty = none
    double minutes = 60.0;       ///< simulated
    double drop = 0.0;           ///< simulated seconds from one drop to the next; 0 = the scene's duration
    int threads = 0;             ///< 0 = all cores
};

}  // namespace pliant::program
