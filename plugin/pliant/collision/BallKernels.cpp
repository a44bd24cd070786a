// SPDX-License-Identifier: Zlib
#include "pliant/collision/BallKernels.h"

#include <algorithm>
#include <limits>

#include "pliant/math/Lanes.h"

namespace pliant {

namespace {

constexpr int kTile = 3 * kBallsPerTile;  ///< floats of 16 points

using Ball = Floats<4>;  // x, y, z, radius

/// Sums of the `lanes` balls of a tile that start at `coefficients` for some bodies, in the order of j.
template <int lanes, int count>
PLIANT_INLINE void sumBalls(const float* coefficients, int r, const MovingBalls* bodies,
                            Floats<lanes> (&sum)[count][3]) {
    for (int k = 0; k < 3; ++k) {
        loadLanes(sum[0][k], coefficients + kBallsPerTile * k);
        for (int b = 1; b < count; ++b) sum[b][k] = sum[0][k];
    }
    for (int j = 0; j < r; ++j) {
        coefficients += kTile;
        for (int k = 0; k < 3; ++k) {
            Floats<lanes> column;
            loadLanes(column, coefficients + kBallsPerTile * k);
            for (int b = 0; b < count; ++b) sum[b][k] += column * bodies[b].q[j];
        }
    }
}

/// Box around all balls so far, one number for each lane.
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
PLIANT_INLINE void turnedRow(const float* rotation, int k, const Vector (&position)[3], Vector& row) {
    row = (position[0] * rotation[k] + position[1] * rotation[3 + k]) + position[2] * rotation[6 + k];
}

/// Four balls from x[4], y[4], z[4], radius[4].
PLIANT_INLINE void transpose(Ball& a, Ball& b, Ball& c, Ball& d) {
    const Ball ab0 = __builtin_shufflevector(a, b, 0, 4, 1, 5), ab1 = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const Ball cd0 = __builtin_shufflevector(c, d, 0, 4, 1, 5), cd1 = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    a = __builtin_shufflevector(ab0, cd0, 0, 1, 4, 5);
    b = __builtin_shufflevector(ab0, cd0, 2, 3, 6, 7);
    c = __builtin_shufflevector(ab1, cd1, 0, 1, 4, 5);
    d = __builtin_shufflevector(ab1, cd1, 2, 3, 6, 7);
}

/// How far balls went, forwards and backwards along the axes.
struct Extent {
    Ball ahead, behind;

    PLIANT_INLINE Extent() {
        constexpr float huge = std::numeric_limits<float>::max();
        ahead = behind = Ball{} - huge;
    }
    PLIANT_INLINE void write(MovingBalls& body) {
        ahead[3] = behind[3] = 0.0f;
        storeLanes(body.ahead, ahead);
        storeLanes(body.behind, behind);
    }
};

PLIANT_INLINE void moveBall(const Ball& now, float* ball, Extent& extent) {
    Ball before;
    loadLanes(before, ball);
    const Ball moved = now - before, back = before - now;
    extent.ahead = moved > extent.ahead ? moved : extent.ahead;
    extent.behind = back > extent.behind ? back : extent.behind;
    storeLanes(ball, now);
}

/// Turns `lanes` balls of one body and writes them. @param place number of the first
template <int lanes>
PLIANT_INLINE void turnBalls(const Floats<lanes> (&position)[3], const Floats<lanes>& radius, int place,
                             const MovingBalls& body, LaneBox<lanes>& box, Extent& extent) {
    float rows[4][lanes];
    for (int k = 0; k < 3; ++k) {
        Floats<lanes> now;
        turnedRow(body.rotation, k, position, now);
        box.add(k, now, radius);
        storeLanes(rows[k], now);
    }
    storeLanes(rows[3], radius);
    float* turned = body.turned + 4 * place;
    for (int i = 0; i < lanes; i += 4) {
        Ball ball[4];
        for (int k = 0; k < 4; ++k) loadLanes(ball[k], rows[k] + i);
        transpose(ball[0], ball[1], ball[2], ball[3]);
        for (int k = 0; k < 4; ++k, turned += 4) moveBall(ball[k], turned, extent);
    }
}

template <int lanes, int count>
PLIANT_INLINE void moveOn(const float* coefficients, const float* radii, int tiles, int r, MovingBalls* bodies) {
    LaneBox<lanes> box[count];
    Extent extent[count];
    for (int place = 0; place < kBallsPerTile * tiles; place += lanes) {
        const int tile = place / kBallsPerTile, within = place % kBallsPerTile;
        Floats<lanes> sum[count][3], radius;
        sumBalls<lanes, count>(coefficients + tile * (1 + r) * kTile + within, r, bodies, sum);
        loadLanes(radius, radii + place);
        for (int b = 0; b < count; ++b) turnBalls<lanes>(sum[b], radius, place, bodies[b], box[b], extent[b]);
    }
    for (int b = 0; b < count; ++b) {
        box[b].write(bodies[b].box);
        extent[b].write(bodies[b]);
    }
}

template <int lanes>
PLIANT_INLINE void moveSome(const float* coefficients, const float* radii, int tiles, int r, int count,
                            MovingBalls* bodies) {
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
PLIANT_INLINE void boxOn(const float* balls, int tiles, const float* rotation, float* result) {
    LaneBox<lanes> box;
    for (int place = 0; place < kBallsPerTile * tiles; place += lanes) {
        float rows[4][lanes];
        for (int i = 0; i < lanes; ++i, balls += 4)
            for (int k = 0; k < 4; ++k) rows[k][i] = balls[k];
        Floats<lanes> centre[3], radius;
        for (int k = 0; k < 3; ++k) loadLanes(centre[k], rows[k]);
        loadLanes(radius, rows[3]);
        for (int k = 0; k < 3; ++k) {
            Floats<lanes> row;
            turnedRow(rotation, k, centre, row);
            box.add(k, row, radius);
        }
    }
    box.write(result);
}

/// One set of the kernels.
struct BallTable {
    void (*move)(const float*, const float*, int, int, int, MovingBalls*);
    void (*box)(const float*, int, const float*, float*);
};

// The same functions for an instruction set.
#define PLIANT_BALL_KERNELS(name, attribute)                                                                      \
    attribute void move##name(const float* c, const float* radii, int tiles, int r, int n, MovingBalls* bodies) { \
        moveSome<kLanes##name>(c, radii, tiles, r, n, bodies);                                                    \
    }                                                                                                             \
    attribute void box##name(const float* balls, int tiles, const float* R, float* box) {                         \
        boxOn<kLanes##name>(balls, tiles, R, box);                                                                \
    }                                                                                                             \
    constexpr BallTable kTable##name = {move##name, box##name};

PLIANT_BALL_KERNELS(Baseline, )
#if defined(__x86_64__)
PLIANT_BALL_KERNELS(Avx2, PLIANT_TARGET_AVX2)
PLIANT_BALL_KERNELS(Avx512, PLIANT_TARGET_AVX512)

#endif

/// Null where the processor has no registers of that width.
const BallTable* tableOf(int lanes) {
    if (lanes == kLanesBaseline) return &kTableBaseline;
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (lanes == kLanesAvx512 && __builtin_cpu_supports("avx512f")) return &kTableAvx512;
    if (lanes == kLanesAvx2 && __builtin_cpu_supports("avx2")) return &kTableAvx2;
#endif
    return nullptr;
}

const BallTable* chooseTable() {
    for (const int lanes : {kLanesAvx512, kLanesAvx2})
        if (const BallTable* table = tableOf(lanes)) return table;
    return &kTableBaseline;
}

const BallTable& ballTable() {
    static const BallTable* const chosen = chooseTable();
    return *chosen;
}

}  // namespace

void moveBalls(const float* coefficients, const float* radii, int tiles, int r, int count, MovingBalls* bodies) {
    ballTable().move(coefficients, radii, tiles, r, count, bodies);
}

bool moveBallsBy(int lanes, const float* coefficients, const float* radii, int tiles, int r, int count,
                 MovingBalls* bodies) {
    const BallTable* table = tableOf(lanes);
    if (table) table->move(coefficients, radii, tiles, r, count, bodies);
    return table != nullptr;
}

void turnTwoBalls(const float* first, const float* second, int r, const float* q, const float* rotation,
                  float* turned) {
    Ball sum[2], column[3];
    loadLanes(sum[0], first);
    loadLanes(sum[1], second);
    const float radius[2] = {first[3], second[3]};
    for (int j = 0; j < r; ++j) {
        Ball u[2];
        loadLanes(u[0], first += 4);
        loadLanes(u[1], second += 4);
        for (int i = 0; i < 2; ++i) sum[i] += u[i] * q[j];
    }
    for (int k = 0; k < 3; ++k) column[k] = Ball{rotation[3 * k], rotation[3 * k + 1], rotation[3 * k + 2], 0.0f};
    for (int i = 0; i < 2; ++i) {
        Ball ball = (column[0] * sum[i][0] + column[1] * sum[i][1]) + column[2] * sum[i][2];
        ball[3] = radius[i];
        storeLanes(turned + 4 * i, ball);
    }
}

void boxAroundTurned(const float* balls, int tiles, const float* rotation, float* box) {
    ballTable().box(balls, tiles, rotation, box);
}

}  // namespace pliant
