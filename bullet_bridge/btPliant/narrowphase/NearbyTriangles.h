// SPDX-License-Identifier: Zlib
// Internal: the triangles around the body whose contacts a thread is finding, collected once for all that ask.
#pragma once

#include <cstdint>
#include <vector>

#include "btPliant/narrowphase/TrianglePatch.h"

namespace btPliantInternal {

/// What finding the contacts of one pair knows of its triangles. Keeps its memory from one pair to the next.
struct NearbyTriangles {
    const btConcaveShape* shape = nullptr;  ///< Shape that `patch` is of; null: not collected for this pair.
    TrianglePatch patch;
    std::vector<std::uint64_t> atSeams;  ///< Features of contacts at edges and corners, ascending once all are found.

    /// Triangles of the thread that asks.
    static NearbyTriangles& ofThread() {
        static thread_local NearbyTriangles triangles;
        return triangles;
    }
};

}  // namespace btPliantInternal
