// SPDX-License-Identifier: Zlib
/// @file
/// Where bodies are at one time: plain numbers, the road from physics to pictures.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "pliant/math/Types.h"

namespace pliant {

/// Where all bodies of one model are at one time, and how they are bent.
struct Poses {
    double time = 0.0;                          ///< Simulated time, s.
    int dimension = 0;                          ///< r reduced coordinates a body.
    std::vector<RigidTransform> worldFromBody;  ///< Body frames, one a body.
    std::vector<double> q;                      ///< r reduced coordinates a body, body by body.

    /// The number of bodies.
    int count() const { return static_cast<int>(worldFromBody.size()); }
    /// Makes room; new bodies stand at the origin, at rest.
    void resize(int bodies, int reducedCoordinates) {
        dimension = reducedCoordinates;
        worldFromBody.resize(static_cast<std::size_t>(bodies));
        q.resize(worldFromBody.size() * static_cast<std::size_t>(dimension), 0.0);
    }
    /// The r reduced coordinates of a body.
    double* qOf(int body) { return q.data() + static_cast<std::ptrdiff_t>(body) * dimension; }
    /// The r reduced coordinates of a body.
    const double* qOf(int body) const { return q.data() + static_cast<std::ptrdiff_t>(body) * dimension; }
    /// Places a body. @param coordinates r numbers
    void set(int body, const RigidTransform& frame, const double* coordinates) {
        worldFromBody[static_cast<std::size_t>(body)] = frame;
        std::copy(coordinates, coordinates + dimension, qOf(body));
    }
};

}  // namespace pliant
