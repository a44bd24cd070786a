// SPDX-License-Identifier: Zlib
#pragma once

#include <string>

namespace pliant::program {

/// What the command line says about a soak; the rest is the scene's.
struct SoakOptions {
    std::string scene;
    std::string output = "out";  ///< Output folder; models are kept in it.
    std::string stats;           ///< JSON file of the statistics; empty: none.
    double minutes = 60.0;       ///< Simulated time, minutes.
    double drop = 0.0;           ///< Simulated time from one drop to the next, s; 0: the scene's duration.
    int threads = 0;             ///< Number of threads; 0: all cores.
};

}  // namespace pliant::program
