// SPDX-License-Identifier: Zlib
// Recorded forces in YAML, for bases from a sketch or from snapshots (docs/reduction.md).
#pragma once

#include <string>

#include "pliant/reduce/ReduceOptions.h"

namespace pliant::program {

/// Fills sketch and sketchOptions. @throws Error with file:line:column
void readSketch(const std::string& path, ReduceOptions& options);

/// Fills snapshots. @throws Error with file:line:column
void readSnapshots(const std::string& path, ReduceOptions& options);

}  // namespace pliant::program
