// SPDX-License-Identifier: Zlib
// All spheres of a skeleton at once, for the widest vectors that the machine has. Internal to collision/. Products and
// sums are separate and in one order everywhere, so every instruction set gives the same bits, and a body the same bits
// alone and beside others.
#pragma once

#include <cstddef>

namespace pliant {

constexpr int kSpheresPerTile = 16;
constexpr int kBodiesTogether = 4;  ///< Number of bodies whose products share a pass over the coefficients.

/// One body's part in moveSpheres().
struct MovingSpheres {
    const float* q = nullptr;  ///< Reduced coordinates, r.
    float rotation[9];         ///< Rotation, 3 x 3, by columns.
    float* rotated = nullptr;  ///< Four floats a sphere, whole tiles; before the call those of the last time.
    // Results.
    float box[8];  ///< Lower corner, 0, negated upper corner, 0 of the box around all spheres.
    /// Largest new - old and old - new along x, y, z over all spheres, without shift; then 0.
    float forward[4], backward[4];
};

/// Makes rotated = (rotation (rest + U q), radius) for `count` <= kBodiesTogether bodies of one model.
/// @param coefficients tiles of 16 spheres, x[16], y[16], z[16]: rest, then the column of every q_j; tiles x (1 + r) x
/// 48
/// @param radii tiles x 16
void moveSpheres(const float* coefficients, const float* radii, int tiles, int r, int count, MovingSpheres* bodies);

/// The same in registers of 4, 8 or 16 floats. @return false where the processor has none of that width
bool moveSpheresBy(int laneCount, const float* coefficients, const float* radii, int tiles, int r, int count,
                   MovingSpheres* bodies);

/// Two spheres by themselves, with the same bits: rotated[4 i ...] = (rotation (rest_i + U_i q), radius).
/// @param first, second entries of AffineSpheres (CollisionModel.h) without growth @param rotation 3 x 3, column-major
void rotateTwoSpheres(const float* first, const float* second, int r, const float* q, const float* rotation,
                      float* rotated);

/// The box around spheres that are turned once more, as MovingSpheres::box. @param spheres 4 floats each, whole tiles
void boxAroundRotated(const float* spheres, int tiles, const float* rotation, float* box);

}  // namespace pliant
