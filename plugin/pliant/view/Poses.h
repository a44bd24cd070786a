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
    int dimension = 0;                          ///< Number r of reduced coordinates of a body.
    std::vector<RigidTransform> worldFromBody;  ///< Body frames, one a body.
    std::vector<double> q;                      ///< Reduced coordinates, r of each body, body by body.
    int boneCount = 0;                          ///< Bones of a character; 0: the bodies are none.
    /// Of characters T_b, body frame of the flesh -> world, boneCount a body, body by body; worldFromBody counts not.
    std::vector<Matrix<double, 3, 4>> bones;

    /// The number of bodies.
    int count() const { return static_cast<int>(worldFromBody.size()); }
    /// Makes room; new bodies stand at the origin, at rest.
    void resize(int bodies, int reducedCoordinates) {
        dimension = reducedCoordinates;
        worldFromBody.resize(static_cast<std::size_t>(bodies));
        q.resize(worldFromBody.size() * static_cast<std::size_t>(dimension), 0.0);
    }
    /// Makes room for bones, after resize().
    void resizeBones(int bonesOfBody) {
        boneCount = bonesOfBody;
        bones.resize(worldFromBody.size() * static_cast<std::size_t>(boneCount), Matrix<double, 3, 4>::Identity());
    }
    /// Poses a character. @param maps boneCount maps
    void setBones(int body, const std::vector<Matrix<double, 3, 4>>& maps) {
        std::copy_n(maps.begin(), boneCount, bones.begin() + static_cast<std::ptrdiff_t>(body) * boneCount);
    }
    /// The boneCount maps of a character.
    const Matrix<double, 3, 4>* bonesOf(int body) const {
        return bones.data() + static_cast<std::ptrdiff_t>(body) * boneCount;
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
