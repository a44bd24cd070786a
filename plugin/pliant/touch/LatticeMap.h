// SPDX-License-Identifier: Zlib
// Where a deformed lattice carries the points of the rest shape: X -> X + u(X), trilinear in each cell, affine beyond
// the borders of the cells at the edge. Internal to touch/. In registers of four numbers, which every processor has:
// the same bits everywhere.
#pragma once

#include <Eigen/Core>

#include "pliant/math/Lanes.h"
#include "pliant/model/LatticeCell.h"

namespace pliant {

using Packed3 = Floats<4>;  ///< A vector x, y, z, 0.

PLIANT_INLINE Packed3 packed(const Vector3& v) {
    return Packed3{static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2]), 0.0f};
}
PLIANT_INLINE Vector3 unpacked(const Packed3& v) {
    return {static_cast<double>(v[0]), static_cast<double>(v[1]), static_cast<double>(v[2])};
}
PLIANT_INLINE float dot(const Packed3& a, const Packed3& b) {
    const Packed3 product = a * b;
    return (product[0] + product[1]) + product[2];
}
PLIANT_INLINE Packed3 cross(const Packed3& a, const Packed3& b) {
    const Packed3 rotated =
        a * __builtin_shufflevector(b, b, 1, 2, 0, 3) - __builtin_shufflevector(a, a, 1, 2, 0, 3) * b;
    return __builtin_shufflevector(rotated, rotated, 1, 2, 0, 3);
}

/// F and what its inverse is made of.
struct DeformationGradient {
    Packed3 column[3];  ///< Columns of F = 1 + du/dX.

    /// What is left of a cell's volume.
    PLIANT_INLINE float volume() const { return dot(column[0], cross(column[1], column[2])); }
};

/// F^-1 of a cell, of the identity where it is pressed flat or turned inside out.
struct InverseGradient {
    static constexpr float kLeastVolume = 0.05f;  ///< Least volume over that at rest.
    Packed3 row[3];                               ///< Rows of F^-1.

    PLIANT_INLINE explicit InverseGradient(const DeformationGradient& F) {
        row[0] = cross(F.column[1], F.column[2]);
        const float volume = dot(F.column[0], row[0]);
        if (volume > kLeastVolume) {
            const float perVolume = 1.0f / volume;
            row[0] *= perVolume;
            row[1] = cross(F.column[2], F.column[0]) * perVolume;
            row[2] = cross(F.column[0], F.column[1]) * perVolume;
        } else {
            row[0] = Packed3{1.0f, 0.0f, 0.0f, 0.0f};
            row[1] = Packed3{0.0f, 1.0f, 0.0f, 0.0f};
            row[2] = Packed3{0.0f, 0.0f, 1.0f, 0.0f};
        }
    }
    /// Returns F^-1 v.
    PLIANT_INLINE Packed3 times(const Packed3& v) const {
        return Packed3{dot(row[0], v), dot(row[1], v), dot(row[2], v), 0.0f};
    }
    /// Returns F^-T v.
    PLIANT_INLINE Packed3 transposedTimes(const Packed3& v) const {
        return (row[0] * v[0] + row[1] * v[1]) + row[2] * v[2];
    }
};

/// Finds u and F at a place. @param displacements x, y, z, 0 of every vertex, m
PLIANT_INLINE void carry(const ContactLattice& lattice, const float* displacements, const LatticePlace& place,
                         Packed3& u, DeformationGradient& F) {
    const float *within = place.within, *beyond = place.beyond;
    const double perSpacing = 1.0 / lattice.spacing;
    Packed3 corner[8];
    for (int i = 0; i < 8; ++i) loadLanes(corner[i], displacements + 4 * lattice.cellVertices(i, place.cell));
    const auto between = [](const Packed3& a, const Packed3& b, float share) { return a + share * (b - a); };
    Packed3 slopeX[4], alongX[4];
    for (int i = 0; i < 4; ++i) {
        slopeX[i] = corner[2 * i + 1] - corner[2 * i];
        alongX[i] = corner[2 * i] + within[0] * slopeX[i];
    }
    const Packed3 slopeY[2] = {alongX[1] - alongX[0], alongX[3] - alongX[2]};
    const Packed3 alongY[2] = {alongX[0] + within[1] * slopeY[0], alongX[2] + within[1] * slopeY[1]};
    const Packed3 slope[3] = {
        between(between(slopeX[0], slopeX[1], within[1]), between(slopeX[2], slopeX[3], within[1]), within[2]),
        between(slopeY[0], slopeY[1], within[2]), alongY[1] - alongY[0]};
    u = alongY[0] + within[2] * slope[2];
    const auto perMetre = static_cast<float>(perSpacing);
    for (int k = 0; k < 3; ++k) {
        u += beyond[k] * slope[k];
        F.column[k] = slope[k] * perMetre;
        F.column[k][k] += 1.0f;
    }
}

/// The same at a point of the mesh frame.
PLIANT_INLINE void carry(const ContactLattice& lattice, const float* displacements, const Vector3& rest, Packed3& u,
                         DeformationGradient& F) {
    carry(lattice, displacements, latticePlace(lattice, rest), u, F);
}

}  // namespace pliant
