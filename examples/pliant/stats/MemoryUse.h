// SPDX-License-Identifier: Zlib
#pragma once

namespace pliant::program {

/// Of this process, bytes.
struct MemoryUse {
    double resident = 0.0;   ///< Pages in memory, bytes, as the system counts them.
    double allocated = 0.0;  ///< Memory handed out by malloc and not given back, bytes; 0 where it does not tell.
};
MemoryUse memoryUse();

}  // namespace pliant::program
