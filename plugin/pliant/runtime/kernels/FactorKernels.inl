// SPDX-License-Identifier: Zlib
// Included inside an unnamed namespace by one translation unit per instruction set, after its Doubles and Floats.

using Vector = Doubles::Vector;

inline Vector subtractProduct(Vector c, Vector a, Vector b) {
    return Doubles::multiplyAdd(-a, b, c);
}

/// Stiffness of the centrifugal terms: the sum of six weights times their coefficients.
inline Vector turningStiffness(const Vector (&weights)[6], const double* coefficients) {
    Vector sum = weights[0] * Doubles::set(coefficients[0]);
#pragma GCC unroll 6
    for (int c = 1; c < 6; ++c) sum = Doubles::multiplyAdd(weights[c], Doubles::set(coefficients[c]), sum);
    return sum;
}

/// One vector of lanes of the assembly; see Kernels.h.
template <class Scalar>
void assembleLanes(const Assembly& s, const Scalar* tangent, const Scalar* secant, int lane) {
    const int r = s.r, n = factorRows(r);
    const Vector stiffnessFactor = Doubles::set(s.stiffnessFactor), dampingFactor = Doubles::set(s.dampingFactor);
    const auto add = [lane](double* y, int row, Vector a, Vector x) {
        double* at = y + row * lanes + lane;
        Doubles::store(at, Doubles::multiplyAdd(a, x, Doubles::load(at)));
    };
    for (int a = 0; a < r; ++a) {
        Doubles::store(s.force + a * lanes + lane, Doubles::set(0.0));
        Doubles::store(s.dampingProduct + a * lanes + lane, Doubles::set(0.0));
    }
    const double* rest = s.restStiffness;
    const double* second = s.centrifugal;
    Vector weights[6];
    for (int c = 0; c < 6; ++c) weights[c] = second ? Doubles::load(s.weights + c * lanes + lane) : Doubles::set(0.0);
    for (int a = 0; a < r; ++a) {
        const Vector qa = Doubles::load(s.q + a * lanes + lane), va = Doubles::load(s.v + a * lanes + lane);
        Vector forceSum = Doubles::load(s.force + a * lanes + lane);
        Vector dampingSum = Doubles::load(s.dampingProduct + a * lanes + lane);
        double* system = s.system + packedIndex(n, a, a) * lanes + lane;
        for (int b = a; b < r; ++b, ++rest, tangent += lanes, secant += lanes, system += lanes) {
            const Vector k0 = Doubles::set(*rest);
            Vector stiffness = k0 + Doubles::load(tangent + lane), forceEntry = k0 + Doubles::load(secant + lane);
            const Vector damping = s.restDamping ? k0 : stiffness;
            if (second) {
                const Vector turning = turningStiffness(weights, second);
                stiffness = stiffness + turning;
                forceEntry = forceEntry + turning;
                second += 6;
            }
            forceSum = Doubles::multiplyAdd(forceEntry, Doubles::load(s.q + b * lanes + lane), forceSum);
            dampingSum = Doubles::multiplyAdd(damping, Doubles::load(s.v + b * lanes + lane), dampingSum);
            Vector entry = Doubles::multiplyAdd(dampingFactor, damping, stiffnessFactor * stiffness);
            if (b == a) {
                entry = entry + Doubles::set(s.diagonal);
            } else {
                add(s.force, b, forceEntry, qa);
                add(s.dampingProduct, b, damping, va);
            }
            Doubles::store(system, entry);
        }
        for (int b = r; b < n; ++b, system += lanes) Doubles::store(system, Doubles::set(0.0));
        Doubles::store(s.force + a * lanes + lane, forceSum);
        Doubles::store(s.dampingProduct + a * lanes + lane, dampingSum);
    }
    for (int a = r; a < n; ++a)
        for (int b = a; b < n; ++b)
            Doubles::store(s.system + packedIndex(n, a, b) * lanes + lane, Doubles::set(a == b ? 1.0 : 0.0));
}

template <class Scalar>
void assemble(const Assembly& assembly, const Scalar* tangent, const Scalar* secant) {
    for (int lane = 0; lane < lanes; lane += Doubles::width) assembleLanes(assembly, tangent, secant, lane);
}

using Tile = Vector[factorTile][factorTile];

/// Start of rows of the packed triangle as seen by one vector of lanes.
struct Triangle {
    double* entries;
    int n;
    double* at(int a, int b) const { return entries + packedIndex(n, a, b) * lanes; }
};

/// tile(i, j) = S(row + i, column + j) - sum_{k < row} U(k, row + i) U(k, column + j)
inline void updateTile(const Triangle& U, int row, int column, Tile& tile) {
#pragma GCC unroll 4
    for (int i = 0; i < factorTile; ++i)
#pragma GCC unroll 4
        for (int j = 0; j < factorTile; ++j) {
            const bool stored = row + i <= column + j;
            tile[i][j] = stored ? Doubles::load(U.at(row + i, column + j)) : Doubles::set(0.0);
        }
    for (int k = 0; k < row; ++k) {
        const double* left = U.at(k, row);
        const double* right = U.at(k, column);
        Vector x[factorTile];
#pragma GCC unroll 4
        for (int j = 0; j < factorTile; ++j) x[j] = Doubles::load(right + j * lanes);
#pragma GCC unroll 4
        for (int i = 0; i < factorTile; ++i) {
            const Vector y = Doubles::load(left + i * lanes);
#pragma GCC unroll 4
            for (int j = 0; j < factorTile; ++j) tile[i][j] = subtractProduct(tile[i][j], y, x[j]);
        }
    }
}

/// Factors the diagonal tile in registers; the diagonal becomes 1 / U_aa. Adds the lanes with a bad pivot to `bad`.
inline void factorDiagonal(Tile& tile, unsigned& bad) {
    const Vector zero = Doubles::set(0.0), one = Doubles::set(1.0);
#pragma GCC unroll 4
    for (int a = 0; a < factorTile; ++a) {
        const auto good = tile[a][a] > zero;
        for (int lane = 0; lane < Doubles::width; ++lane)
            if (!good[lane]) bad |= 1u << lane;
        tile[a][a] = one / Doubles::squareRoot(good ? tile[a][a] : one);
#pragma GCC unroll 4
        for (int b = a + 1; b < factorTile; ++b) tile[a][b] = tile[a][b] * tile[a][a];
#pragma GCC unroll 4
        for (int i = a + 1; i < factorTile; ++i)
#pragma GCC unroll 4
            for (int j = i; j < factorTile; ++j) tile[i][j] = subtractProduct(tile[i][j], tile[a][i], tile[a][j]);
    }
}

/// tile <- U_diagonal'^-1 tile
inline void solveTile(const Tile& diagonal, Tile& tile) {
#pragma GCC unroll 4
    for (int a = 0; a < factorTile; ++a)
#pragma GCC unroll 4
        for (int j = 0; j < factorTile; ++j) {
#pragma GCC unroll 4
            for (int k = 0; k < a; ++k) tile[a][j] = subtractProduct(tile[a][j], diagonal[k][a], tile[k][j]);
            tile[a][j] = tile[a][j] * diagonal[a][a];
        }
}

inline void storeTile(const Triangle& U, int row, int column, const Tile& tile) {
#pragma GCC unroll 4
    for (int i = 0; i < factorTile; ++i)
#pragma GCC unroll 4
        for (int j = 0; j < factorTile; ++j)
            if (row + i <= column + j) Doubles::store(U.at(row + i, column + j), tile[i][j]);
}

unsigned factor(int n, double* system) {
    unsigned failed = 0;
    for (int lane = 0; lane < lanes; lane += Doubles::width) {
        const Triangle U{system + lane, n};
        unsigned bad = 0;
        for (int row = 0; row < n; row += factorTile) {
            Tile diagonal;
            updateTile(U, row, row, diagonal);
            factorDiagonal(diagonal, bad);
            storeTile(U, row, row, diagonal);
            for (int column = row + factorTile; column < n; column += factorTile) {
                Tile tile;
                updateTile(U, row, column, tile);
                solveTile(diagonal, tile);
                storeTile(U, row, column, tile);
            }
        }
        failed |= bad << lane;
    }
    return failed;
}

/// Reads an entry of the factor for one vector of lanes: each lane its own, or one value for all.
struct PerLane {
    static constexpr int stride = lanes;
    static Vector read(const double* p) { return Doubles::load(p); }
};
struct Shared {
    static constexpr int stride = 1;
    static Vector read(const double* p) { return Doubles::set(*p); }
};

/// Rows that a triangular solve takes at a time, so that a right-hand side is read and written once for four of them.
constexpr int rowsAtOnce = 4;

/// b := U'^-1 b
template <class Factor>
void solveForward(int n, const double* U, double* b) {
    const auto entry = [n, U](int row, int column) { return U + packedIndex(n, row, column) * Factor::stride; };
    int a = 0;
    for (; a + rowsAtOnce <= n; a += rowsAtOnce) {
        Vector y[rowsAtOnce];
        const double* row[rowsAtOnce];
        for (int k = 0; k < rowsAtOnce; ++k) {
            y[k] = Doubles::load(b + (a + k) * lanes);
            for (int l = 0; l < k; ++l)
                y[k] = subtractProduct(y[k], Factor::read(row[l] + (a + k) * Factor::stride), y[l]);
            y[k] = y[k] * Factor::read(entry(a + k, a + k));
            Doubles::store(b + (a + k) * lanes, y[k]);
            row[k] = entry(a + k, a + k) - (a + k) * Factor::stride;
        }
        for (int c = a + rowsAtOnce; c < n; ++c) {
            Vector x = Doubles::load(b + c * lanes);
            for (int k = 0; k < rowsAtOnce; ++k)
                x = subtractProduct(x, Factor::read(row[k] + c * Factor::stride), y[k]);
            Doubles::store(b + c * lanes, x);
        }
    }
    for (; a < n; ++a) {
        const double* row = entry(a, a);
        const Vector y = Doubles::load(b + a * lanes) * Factor::read(row);
        Doubles::store(b + a * lanes, y);
        for (int c = a + 1; c < n; ++c) {
            double* at = b + c * lanes;
            Doubles::store(at, subtractProduct(Doubles::load(at), Factor::read(row + (c - a) * Factor::stride), y));
        }
    }
}

/// b := U^-1 b. Two running sums a row hide the latency of the chain; which column goes where depends on a and n only.
template <class Factor>
void solveBackward(int n, const double* U, double* b) {
    const auto entry = [n, U](int row, int column) { return U + packedIndex(n, row, column) * Factor::stride; };
    int end = n;
    for (; end >= rowsAtOnce; end -= rowsAtOnce) {
        const int a = end - rowsAtOnce;
        const double* row[rowsAtOnce];
        Vector sums[2][rowsAtOnce];
        for (int k = 0; k < rowsAtOnce; ++k) {
            row[k] = entry(a + k, a + k) - (a + k) * Factor::stride;
            sums[0][k] = sums[1][k] = Doubles::set(0.0);
        }
        const auto accumulate = [&](Vector* sum, int c) {
            const Vector x = Doubles::load(b + c * lanes);
            for (int k = 0; k < rowsAtOnce; ++k)
                sum[k] = Doubles::multiplyAdd(Factor::read(row[k] + c * Factor::stride), x, sum[k]);
        };
        int c = end;
        for (; c + 1 < n; c += 2) {
            accumulate(sums[0], c);
            accumulate(sums[1], c + 1);
        }
        if (c < n) accumulate(sums[0], c);
        for (int k = rowsAtOnce - 1; k >= 0; --k) {
            Vector x = Doubles::load(b + (a + k) * lanes) - (sums[0][k] + sums[1][k]);
            for (int l = rowsAtOnce - 1; l > k; --l)
                x = subtractProduct(x, Factor::read(row[k] + (a + l) * Factor::stride),
                                    Doubles::load(b + (a + l) * lanes));
            Doubles::store(b + (a + k) * lanes, x * Factor::read(entry(a + k, a + k)));
        }
    }
    for (int a = end - 1; a >= 0; --a) {
        const double* row = entry(a, a);
        Vector x = Doubles::load(b + a * lanes);
        for (int c = a + 1; c < n; ++c)
            x = subtractProduct(x, Factor::read(row + (c - a) * Factor::stride), Doubles::load(b + c * lanes));
        Doubles::store(b + a * lanes, x * Factor::read(row));
    }
}

template <class Factor>
void solveLanes(int n, const double* U, double* b) {
    solveForward<Factor>(n, U, b);
    solveBackward<Factor>(n, U, b);
}

void solve(int n, const double* factorised, double* b) {
    for (int lane = 0; lane < lanes; lane += Doubles::width) solveLanes<PerLane>(n, factorised + lane, b + lane);
}

void solveMany(int n, const double* factorised, double* b) {
    for (int lane = 0; lane < lanes; lane += Doubles::width) solveLanes<Shared>(n, factorised, b + lane);
}

void solveHalfMany(int n, const double* factorised, double* b) {
    for (int lane = 0; lane < lanes; lane += Doubles::width) solveForward<Shared>(n, factorised, b + lane);
}
