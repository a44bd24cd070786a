// SPDX-License-Identifier: Zlib
#include "pliant/collision/BallKernels.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "pliant/math/InstructionTargets.h"

namespace pliant {

namespace {

constexpr int kTile = 3 * kBallsPerTile;  ///< floats of 16 points

typedef float Tile __attribute__((vector_size(64)));  // 16 balls; the compiler splits it into what the target has
typedef float Ball __attribute__((vector_size(16)));  // x, y, z, radius

template <typename Vector>
PLIANT_INLINE void take(Vector& v, const float* from) {
    std::memcpy(&v, from, sizeof v);
}

/// Sums of one tile for some bodies, in the order of j.
template <int count>
PLIANT_INLINE void sumTile(const float* coefficients, int r, const MovingBalls* bodies, Tile (&sum)[count][3]) {
    for (int k = 0; k < 3; ++k) {
        take(sum[0][k], coefficients + kBallsPerTile * k);
        for (int b = 1; b < count; ++b) sum[b][k] = sum[0][k];
    }
    for (int j = 0; j < r; ++j) {
        coefficients += kTile;
        for (int k = 0; k < 3; ++k) {
            Tile column;
            take(column, coefficients + kBallsPerTile * k);
            for (int b = 0; b < count; ++b) sum[b][k] += column * bodies[b].q[j];
        }
    }
}

/// Box around all balls of the tiles so far, one number for each lane.
struct TileBox {
    Tile lower[3], negUpper[3];

    PLIANT_INLINE TileBox() {
        constexpr float huge = std::numeric_limits<float>::max();
        for (int k = 0; k < 3; ++k) lower[k] = negUpper[k] = Tile{} + huge;
    }
    PLIANT_INLINE void add(int k, const Tile& centre, const Tile& radius) {
        const Tile low = centre - radius, high = -centre - radius;
        lower[k] = low < lower[k] ? low : lower[k];
        negUpper[k] = high < negUpper[k] ? high : negUpper[k];
    }
    PLIANT_INLINE void write(float* box) const {
        for (int k = 0; k < 3; ++k) {
            float low[kBallsPerTile], high[kBallsPerTile];
            std::memcpy(low, &lower[k], sizeof low);
            std::memcpy(high, &negUpper[k], sizeof high);
            box[k] = *std::min_element(low, low + kBallsPerTile);
            box[4 + k] = *std::min_element(high, high + kBallsPerTile);
        }
        box[3] = box[7] = 0.0f;
    }
};

PLIANT_INLINE void turnedRow(const float* rotation, int k, const Tile (&position)[3], Tile& row) {
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
        std::memcpy(body.ahead, &ahead, sizeof ahead);
        std::memcpy(body.behind, &behind, sizeof behind);
    }
};

PLIANT_INLINE void moveBall(const Ball& now, float* ball, Extent& extent) {
    Ball before;
    take(before, ball);
    const Ball moved = now - before, back = before - now;
    extent.ahead = moved > extent.ahead ? moved : extent.ahead;
    extent.behind = back > extent.behind ? back : extent.behind;
    std::memcpy(ball, &now, sizeof now);
}

/// Turns a tile of one body and writes its balls. @param place number of the tile's first ball
PLIANT_INLINE void turnTile(const Tile (&position)[3], const Tile& radius, int place, const MovingBalls& body,
                            TileBox& box, Extent& extent) {
    Tile now[4];
    for (int k = 0; k < 3; ++k) {
        turnedRow(body.rotation, k, position, now[k]);
        box.add(k, now[k], radius);
    }
    now[3] = radius;
    float rows[4][kBallsPerTile];
    std::memcpy(rows, now, sizeof rows);
    float* turned = body.turned + 4 * place;
    for (int i = 0; i < kBallsPerTile; i += 4) {
        Ball ball[4];
        for (int k = 0; k < 4; ++k) take(ball[k], rows[k] + i);
        transpose(ball[0], ball[1], ball[2], ball[3]);
        for (int k = 0; k < 4; ++k, turned += 4) moveBall(ball[k], turned, extent);
    }
}

template <int count>
PLIANT_INLINE void moveOn(const float* coefficients, const float* radii, int tiles, int r, MovingBalls* bodies) {
    TileBox box[count];
    Extent extent[count];
    for (int tile = 0; tile < tiles; ++tile, coefficients += (1 + r) * kTile, radii += kBallsPerTile) {
        Tile sum[count][3], radius;
        sumTile<count>(coefficients, r, bodies, sum);
        take(radius, radii);
        for (int b = 0; b < count; ++b) turnTile(sum[b], radius, kBallsPerTile * tile, bodies[b], box[b], extent[b]);
    }
    for (int b = 0; b < count; ++b) {
        box[b].write(bodies[b].box);
        extent[b].write(bodies[b]);
    }
}

PLIANT_INLINE void moveSome(const float* coefficients, const float* radii, int tiles, int r, int count,
                            MovingBalls* bodies) {
    static_assert(kBodiesTogether == 4, "one case each");
    switch (count) {
        case 4:
            return moveOn<4>(coefficients, radii, tiles, r, bodies);
        case 3:
            return moveOn<3>(coefficients, radii, tiles, r, bodies);
        case 2:
            return moveOn<2>(coefficients, radii, tiles, r, bodies);
        default:
            return moveOn<1>(coefficients, radii, tiles, r, bodies);
    }
}

PLIANT_INLINE void boxOn(const float* balls, int tiles, const float* rotation, float* result) {
    TileBox box;
    for (int tile = 0; tile < tiles; ++tile) {
        float rows[4][kBallsPerTile];
        for (int i = 0; i < kBallsPerTile; ++i, balls += 4)
            for (int k = 0; k < 4; ++k) rows[k][i] = balls[k];
        Tile centre[3], radius;
        for (int k = 0; k < 3; ++k) take(centre[k], rows[k]);
        take(radius, rows[3]);
        for (int k = 0; k < 3; ++k) {
            Tile row;
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
        moveSome(c, radii, tiles, r, n, bodies);                                                                  \
    }                                                                                                             \
    attribute void box##name(const float* balls, int tiles, const float* R, float* box) {                         \
        boxOn(balls, tiles, R, box);                                                                              \
    }                                                                                                             \
    constexpr BallTable kTable##name = {move##name, box##name};

PLIANT_BALL_KERNELS(Baseline, )
#if defined(__x86_64__)
PLIANT_BALL_KERNELS(Avx2, PLIANT_TARGET_AVX2)
PLIANT_BALL_KERNELS(Avx512, PLIANT_TARGET_AVX512)

BallTable chooseTable() {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f")) return kTableAvx512;
    return __builtin_cpu_supports("avx2") ? kTableAvx2 : kTableBaseline;
}
#else
BallTable chooseTable() {
    return kTableBaseline;
}
#endif

const BallTable& ballTable() {
    static const BallTable chosen = chooseTable();
    return chosen;
}

}  // namespace

void moveBalls(const float* coefficients, const float* radii, int tiles, int r, int count, MovingBalls* bodies) {
    ballTable().move(coefficients, radii, tiles, r, count, bodies);
}

void turnTwoBalls(const float* first, const float* second, int r, const float* q, const float* rotation,
                  float* turned) {
    Ball sum[2], column[3];
    take(sum[0], first);
    take(sum[1], second);
    const float radius[2] = {first[3], second[3]};
    for (int j = 0; j < r; ++j) {
        Ball u[2];
        take(u[0], first += 4);
        take(u[1], second += 4);
        for (int i = 0; i < 2; ++i) sum[i] += u[i] * q[j];
    }
    for (int k = 0; k < 3; ++k) column[k] = Ball{rotation[3 * k], rotation[3 * k + 1], rotation[3 * k + 2], 0.0f};
    for (int i = 0; i < 2; ++i) {
        Ball ball = (column[0] * sum[i][0] + column[1] * sum[i][1]) + column[2] * sum[i][2];
        ball[3] = radius[i];
        std::memcpy(turned + 4 * i, &ball, sizeof ball);
    }
}

void boxAroundTurned(const float* balls, int tiles, const float* rotation, float* box) {
    ballTable().box(balls, tiles, rotation, box);
}

}  // namespace pliant
