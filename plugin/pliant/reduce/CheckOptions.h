// SPDX-License-Identifier: Zlib
#pragma once

#include "pliant/reduce/ReduceOptions.h"

namespace pliant {

/// What can be told without reading a file: counts and materials in range. @throws Error naming the option.
void checkOptions(const ReduceOptions& options);

}  // namespace pliant
