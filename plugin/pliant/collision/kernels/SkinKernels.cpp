// SPDX-License-Identifier: Zlib
#include "pliant/collision/kernels/SkinKernels.h"

#include "pliant/math/Lanes.h"

namespace pliant {

namespace {

using Column = Floats<4>;

/// The blended map of a point: sum_b w_b of R_b and t_b.
PLIANT_INLINE void blend(const float* columns, const int* bones, const float* weights, Column (&map)[4]) {
    for (Column& column : map) column = Column{};
    for (int b = 0; b < kSkinBones && weights[b] > 0.0f; ++b) {
        const float* bone = columns + kBoneFloats * bones[b];
        for (int k = 0; k < 4; ++k) {
            Column column;
            loadLanes(column, bone + 4 * k);
            map[k] += column * weights[b];
        }
    }
}

/// What scales add to the shape at rest: sum_b w_b (scale_b - 1) R_b x.
PLIANT_INLINE Column grown(const float* columns, const int* bones, const float* weights, const float* rest) {
    Column sum{};
    for (int b = 0; b < kSkinBones && weights[b] > 0.0f; ++b) {
        const float* bone = columns + kBoneFloats * bones[b];
        const float growth = weights[b] * (bone[15] - 1.0f);
        for (int k = 0; k < 3; ++k) {
            Column column;
            loadLanes(column, bone + 4 * k);
            sum += column * (growth * rest[k]);
        }
    }
    return sum;
}

}  // namespace

void skinSpheres(const float* columns, const int* bones, const float* weights, int count, float* spheres,
                 const float* rest) {
    for (int i = 0; i < count; ++i, bones += kSkinBones, weights += kSkinBones, spheres += 4) {
        Column map[4], sphere;
        blend(columns, bones, weights, map);
        loadLanes(sphere, spheres);
        Column now = ((map[0] * sphere[0] + map[1] * sphere[1]) + map[2] * sphere[2]) + map[3];
        if (rest) now += grown(columns, bones, weights, rest + 4 * i);
        now[3] = sphere[3] * map[3][3];
        storeLanes(spheres, now);
    }
}

}  // namespace pliant
