// SPDX-License-Identifier: Zlib
#include "pliant/collision/kernels/SphereKernels.h"

#include <algorithm>
#include <limits>

#include "pliant/math/Lanes.h"

namespace pliant {

namespace {

constexpr int kTile = 3 * kSpheresPerTile;  ///< floats of 16 points

using PackedSphere = Floats<4>;  // x, y, z, radius

/// Sums of the `lanes` spheres of a tile that start at `coefficients` for some bodies, in the order of j.
template <int lanes, int count>
PLIANT_INLINE void sumTile(const float* coefficients, int r, const MovingSpheres* bodies,
                           Floats<lanes> (&sum)[count][3]) {
    for (int k = 0; k < 3; ++k) {
        loadLanes(sum[0][k], coefficients + kSpheresPerTile * k);
        for (int b = 1; b < count; ++b) sum[b][k] = sum[0][k];
    }
    for (int j = 0; j < r; ++j) {
        coefficients += kTile;
        for (int k = 0; k < 3; ++k) {
            Floats<lanes> column;
            loadLanes(column, coefficients + kSpheresPerTile * k);
            for (int b = 0; b < count; ++b) sum[b][k] += column * bodies[b].q[j];
        }
    }
}

/// Box around all spheres so far, one number for each lane.
template <int lanes>
struct LaneBox {
    using Vector = Floats<lanes>;
    Vector lower[3], negUpper[3];

    PLIANT_INLINE LaneBox() {
        constexpr float huge = std::numeric_limits<float>::max();
        for (int k = 0; k < 3; ++k) lower[k] = negUpper[k] = Vector{} + huge;
    }
    PLIANT_INLINE void add(int k, const Vector& centre, const Vector& radius) {
        const Vector low = centre - radius, high = -centre - radius;
        lower[k] = low < lower[k] ? low : lower[k];
        negUpper[k] = high < negUpper[k] ? high : negUpper[k];
    }
    PLIANT_INLINE void write(float* box) const {
        for (int k = 0; k < 3; ++k) {
            float low[lanes], high[lanes];
            storeLanes(low, lower[k]);
            storeLanes(high, negUpper[k]);
            box[k] = *std::min_element(low, low + lanes);
            box[4 + k] = *std::min_element(high, high + lanes);
        }
        box[3] = box[7] = 0.0f;
    }
};

template <typename Vector>
PLIANT_INLINE void rotatedRow(const float* rotation, int k, const Vector (&position)[3], Vector& row) {
    row = (position[0] * rotation[k] + position[1] * rotation[3 + k]) + position[2] * rotation[6 + k];
}

/// Four spheres from x[4], y[4], z[4], radius[4].
PLIANT_INLINE void transpose(PackedSphere& a, PackedSphere& b, PackedSphere& c, PackedSphere& d) {
    const PackedSphere ab0 = __builtin_shufflevector(a, b, 0, 4, 1, 5), ab1 = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const PackedSphere cd0 = __builtin_shufflevector(c, d, 0, 4, 1, 5), cd1 = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    a = __builtin_shufflevector(ab0, cd0, 0, 1, 4, 5);
    b = __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7);
    c = __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5);
    d = __builtin_shufflevector(ab1, cd1, 2, 3, 6, 7);
}

/// How far spheres went, forwards and backwards along the axes.
struct Extent {
    PackedSphere forward, backward;

    PLIANT_INLINE Extent() {
        constexpr float huge = std::numeric_limits<float>::max();
        forward = backward = PackedSphere{} - huge;
    }
    PLIANT_INLINE void write(MovingSpheres& body) {
        forward[3] = backward[3] = 0.0f;
        storeLanes(body.forward, forward);
        storeLanes(body.backward, backward);
    }
};

PLIANT_INLINE void moveSphere(const PackedSphere& now, float* sphere, Extent& extent) {
    PackedSphere before;
    loadLanes(before, sphere);
    const PackedSphere moved = now - before, back = before - now;
    extent.forward = moved > extent.forward ? moved : extent.forward;
    extent.backward = back > extent.backward ? back : extent.backward;
    storeLanes(sphere, now);
}

/// Turns `lanes` spheres of one body and writes them. @param first number of the first
template <int lanes>
PLIANT_INLINE void rotateSpheres(const Floats<lanes> (&position)[3], const Floats<lanes>& radius, int first,
                                 const MovingSpheres& body, LaneBox<lanes>& box, Extent& extent) {
    float rows[4][lanes];
    for (int k = 0; k < 3; ++k) {
        Floats<lanes> now;
        rotatedRow(body.rotation, k, position, now);
        box.add(k, now, radius);
        storeLanes(rows[k], now);
    }
    storeLanes(rows[3], radius);
    float* rotated = body.rotated + 4 * first;
    for (int i = 0; i < lanes; i += 4) {
        PackedSphere sphere[4];
        for (int k = 0; k < 4; ++k) loadLanes(sphere[k], rows[k] + i);
        transpose(sphere[0], sphere[1], sphere[2], sphere[3]);
        for (int k = 0; k < 4; ++k, rotated += 4) moveSphere(sphere[k], rotated, extent);
    }
}

template <int lanes, int count>
PLIANT_INLINE void moveOn(const float* coefficients, const float* radii, int tiles, int r, MovingSpheres* bodies) {
    LaneBox<lanes> box[count];
    Extent extent[count];
    for (int first = 0; first < kSpheresPerTile * tiles; first += lanes) {
        const int tile = first / kSpheresPerTile, within = first % kSpheresPerTile;
        Floats<lanes> sum[count][3], radius;
        sumTile<lanes, count>(coefficients + tile * (1 + r) * kTile + within, r, bodies, sum);
        loadLanes(radius, radii + first);
        for (int b = 0; b < count; ++b) rotateSpheres<lanes>(sum[b], radius, first, bodies[b], box[b], extent[b]);
    }
    for (int b = 0; b < count; ++b) {
        box[b].write(bodies[b].box);
        extent[b].write(bodies[b]);
    }
}

template <int lanes>
PLIANT_INLINE void moveSome(const float* coefficients, const float* radii, int tiles, int r, int count,
                            MovingSpheres* bodies) {
    static_assert(kBodiesTogether == 4, "one case each");
    switch (count) {
        case 4:
            return moveOn<lanes, 4>(coefficients, radii, tiles, r, bodies);
        case 3:
            return moveOn<lanes, 3>(coefficients, radii, tiles, r, bodies);
        case 2:
            return moveOn<lanes, 2>(coefficients, radii, tiles, r, bodies);
        default:
            return moveOn<lanes, 1>(coefficients, radii, tiles, r, bodies);
    }
}

template <int lanes>
PLIANT_INLINE void boxOn(const float* spheres, int tiles, const float* rotation, float* result) {
    LaneBox<lanes> box;
    for (int first = 0; first < kSpheresPerTile * tiles; first += lanes) {
        float rows[4][lanes];
        for (int i = 0; i < lanes; ++i, spheres += 4)
            for (int k = 0; k < 4; ++k) rows[k][i] = spheres[k];
        Floats<lanes> centre[3], radius;
        for (int k = 0; k < 3; ++k) loadLanes(centre[k], rows[k]);
        loadLanes(radius, rows[3]);
        for (int k = 0; k < 3; ++k) {
            Floats<lanes> row;
            rotatedRow(rotation, k, centre, row);
            box.add(k, row, radius);
        }
    }
    box.write(result);
}

/// One set of the kernels.
struct SphereTable {
    void (*move)(const float*, const float*, int, int, int, MovingSpheres*);
    void (*box)(const float*, int, const float*, float*);
};

// The same functions for an instruction set.
#define PLIANT_SPHERE_KERNELS(name, attribute)                                                                      \
    attribute void move##name(const float* c, const float* radii, int tiles, int r, int n, MovingSpheres* bodies) { \
        moveSome<kLanes##name>(c, radii, tiles, r, n, bodies);                                                      \
    }                                                                                                               \
    attribute void box##name(const float* spheres, int tiles, const float* R, float* box) {                         \
        boxOn<kLanes##name>(spheres, tiles, R, box);                                                                \
    }                                                                                                               \
    constexpr SphereTable kTable##name = {move##name, box##name};

PLIANT_SPHERE_KERNELS(Baseline, )
#if defined(__x86_64__)
PLIANT_SPHERE_KERNELS(Avx2, PLIANT_TARGET_AVX2)
PLIANT_SPHERE_KERNELS(Avx512, PLIANT_TARGET_AVX512)

#endif

/// Null where the processor has no registers of that width.
const SphereTable* tableOf(int lanes) {
    if (lanes == kLanesBaseline) return &kTableBaseline;
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (lanes == kLanesAvx512 && __builtin_cpu_supports("avx512f")) return &kTableAvx512;
    if (lanes == kLanesAvx2 && __builtin_cpu_supports("avx2")) return &kTableAvx2;
#endif
    return nullptr;
}

const SphereTable* chooseTable() {
    const SphereTable* table = tableOf(lanesInUse());
    return table ? table : &kTableBaseline;
}

const SphereTable& sphereTable() {
    static const SphereTable* const chosen = chooseTable();
    return *chosen;
}

}  // namespace

void moveSpheres(const float* coefficients, const float* radii, int tiles, int r, int count, MovingSpheres* bodies) {
    sphereTable().move(coefficients, radii, tiles, r, count, bodies);
}

bool moveSpheresBy(int laneCount, const float* coefficients, const float* radii, int tiles, int r, int count,
                   MovingSpheres* bodies) {
    const SphereTable* table = tableOf(laneCount);
    if (table) table->move(coefficients, radii, tiles, r, count, bodies);
    return table != nullptr;
}

void rotateTwoSpheres(const float* first, const float* second, int r, const float* q, const float* rotation,
                      float* rotated) {
    PackedSphere sum[2], column[3];
    loadLanes(sum[0], first);
    loadLanes(sum[1], second);
    const float radius[2] = {first[3], second[3]};
    for (int j = 0; j < r; ++j) {
        PackedSphere u[2];
        loadLanes(u[0], first += 4);
        loadLanes(u[1], second += 4);
        for (int i = 0; i < 2; ++i) sum[i] += u[i] * q[j];
    }
    for (int k = 0; k < 3; ++k)
        column[k] = PackedSphere{rotation[3 * k], rotation[3 * k + 1], rotation[3 * k + 2], 0.0f};
    for (int i = 0; i < 2; ++i) {
        PackedSphere sphere = (column[0] * sum[i][0] + column[1] * sum[i][1]) + column[2] * sum[i][2];
        sphere[3] = radius[i];
        storeLanes(rotated + 4 * i, sphere);
    }
}

void boxAroundRotated(const float* spheres, int tiles, const float* rotation, float* box) {
    sphereTable().box(spheres, tiles, rotation, box);
}

}  // namespace pliant
