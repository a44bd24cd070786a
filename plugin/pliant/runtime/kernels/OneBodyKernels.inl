// SPDX-License-Identifier: Zlib
// Included inside an unnamed namespace by one translation unit per instruction set: one body alone, the lanes of a
// vector are columns of its own matrices.

constexpr int chunk = panelRows;  ///< columns handled together
constexpr int chunkVectors = chunk / Doubles::width;

inline double sumOf(Vector v) {
    double sum = v[0];
    for (int i = 1; i < Doubles::width; ++i) sum += v[i];
    return sum;
}

/// y = T x for a symmetric T of which only the upper 8 x 8 blocks are stored, row of blocks after row of blocks: every
/// number is read once and used twice. `rows` is a multiple of 8.
void symmetricProduct(const double* blocks, int rows, const double* x, double* y) {
    for (int i = 0; i < rows; ++i) y[i] = 0.0;
    for (int row = 0; row < rows; row += panelRows) {
        Vector sums[panelRows], values[panelRows];
#pragma GCC unroll 8
        for (int i = 0; i < panelRows; ++i) {
            sums[i] = Doubles::set(0.0);
            values[i] = Doubles::set(x[row + i]);
        }
        for (int column = row; column < rows; column += chunk, blocks += panelRows * chunk)
#pragma GCC unroll 4
            for (int j = 0; j < chunk; j += Doubles::width) {
                const Vector own = Doubles::load(x + column + j);
                Vector other = Doubles::load(y + column + j);
#pragma GCC unroll 8
                for (int i = 0; i < panelRows; ++i) {
                    const Vector entry = Doubles::load(blocks + i * chunk + j);
                    sums[i] = Doubles::multiplyAdd(entry, own, sums[i]);
                    other = Doubles::multiplyAdd(entry, values[i], other);
                }
                if (column != row) Doubles::store(y + column + j, other);  // the block on the diagonal is whole
            }
        for (int i = 0; i < panelRows; ++i) y[row + i] += sumOf(sums[i]);
    }
}

void assembleOne(const OneBodyAssembly& s, double* system) {
    const int r = s.r, stride = s.stride;
    for (int i = 0; i < stride * factorRows(r); ++i) system[i] = 0.0;
    for (int a = 0; a < r; ++a) s.force[a] = s.dampingProduct[a] = 0.0;
    const Vector factor = Doubles::set(s.stiffnessFactor), dampingFactor = Doubles::set(s.dampingFactor);
    int at = 0;
    for (int a = 0; a < r; at += r - a, ++a) {
        const Vector qa = Doubles::set(s.q[a]), va = Doubles::set(s.v[a]);
        Vector force = Doubles::set(0.0), damping = Doubles::set(0.0);
        int b = a;
        for (; b + Doubles::width <= r; b += Doubles::width) {
            const int i = at + b - a;
            const Vector k0 = Doubles::load(s.restStiffness + i);
            const Vector stiffness = k0 + Doubles::load(s.tangent + i), secant = k0 + Doubles::load(s.secant + i);
            const Vector damped = s.restDamping ? k0 : k0 + Doubles::load(s.undamped + i);
            force = Doubles::multiplyAdd(secant, Doubles::load(s.q + b), force);
            damping = Doubles::multiplyAdd(damped, Doubles::load(s.v + b), damping);
            Doubles::store(s.force + b, Doubles::multiplyAdd(secant, qa, Doubles::load(s.force + b)));
            Doubles::store(s.dampingProduct + b, Doubles::multiplyAdd(damped, va, Doubles::load(s.dampingProduct + b)));
            Doubles::store(system + a * stride + b, Doubles::multiplyAdd(dampingFactor, damped, factor * stiffness));
        }
        double forceSum = sumOf(force), dampingSum = sumOf(damping);
        for (; b < r; ++b) {
            const int i = at + b - a;
            const double k0 = s.restStiffness[i], secant = k0 + s.secant[i];
            const double damped = s.restDamping ? k0 : k0 + s.undamped[i];
            forceSum += secant * s.q[b];
            dampingSum += damped * s.v[b];
            s.force[b] += secant * s.q[a];
            s.dampingProduct[b] += damped * s.v[a];
            system[a * stride + b] = s.dampingFactor * damped + s.stiffnessFactor * (k0 + s.tangent[i]);
        }
        // The diagonal entry was taken on both sides.
        const double k0 = s.restStiffness[at], damped = s.restDamping ? k0 : k0 + s.undamped[at];
        s.force[a] += forceSum - (k0 + s.secant[at]) * s.q[a];
        s.dampingProduct[a] += dampingSum - damped * s.v[a];
        system[a * stride + a] += s.diagonal;
    }
    for (int a = r; a < factorRows(r); ++a) system[a * stride + a] = 1.0;
}

/// Rows [row, row + 4) minus what the rows above contribute, for one chunk of columns.
inline void updateRows(double* system, int stride, int row, int column) {
    Vector sums[4][chunkVectors];
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i)
#pragma GCC unroll 4
        for (int j = 0; j < chunkVectors; ++j)
            sums[i][j] = Doubles::load(system + (row + i) * stride + column + j * Doubles::width);
    for (int k = 0; k < row; ++k) {
        const double* above = system + k * stride;
#pragma GCC unroll 4
        for (int j = 0; j < chunkVectors; ++j) {
            const Vector x = Doubles::load(above + column + j * Doubles::width);
#pragma GCC unroll 4
            for (int i = 0; i < 4; ++i) sums[i][j] = subtractProduct(sums[i][j], Doubles::set(above[row + i]), x);
        }
    }
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i)
#pragma GCC unroll 4
        for (int j = 0; j < chunkVectors; ++j)
            Doubles::store(system + (row + i) * stride + column + j * Doubles::width, sums[i][j]);
}

bool factorOne(int n, int stride, double* system) {
    for (int row = 0; row < n; row += 4) {
        const int first = row / chunk * chunk;
        for (int column = first; column < stride; column += chunk) updateRows(system, stride, row, column);
        for (int a = row; a < row + 4; ++a) {
            double* own = system + a * stride;
            for (int k = row; k < a; ++k) {
                const Vector weight = Doubles::set(system[k * stride + a]);
                for (int c = first; c < stride; c += Doubles::width)
                    Doubles::store(own + c, subtractProduct(Doubles::load(own + c), weight,
                                                            Doubles::load(system + k * stride + c)));
            }
            if (!(own[a] > 0.0)) return false;
            const Vector pivot = Doubles::set(1.0) / Doubles::squareRoot(Doubles::set(own[a]));
            for (int c = first; c < stride; c += Doubles::width)
                Doubles::store(own + c, pivot * Doubles::load(own + c));
            own[a] = pivot[0];
        }
    }
    return true;
}

void solveOne(int n, int stride, const double* U, double* b) {
    for (int a = 0; a < n; ++a) {
        const double* row = U + a * stride;
        const double y = b[a] * row[a];
        b[a] = y;
        const Vector value = Doubles::set(y);
        int c = a + 1;
        for (; c % Doubles::width; ++c) b[c] -= row[c] * y;
        for (; c < stride; c += Doubles::width)
            Doubles::store(b + c, subtractProduct(Doubles::load(b + c), Doubles::load(row + c), value));
    }
    for (int a = n - 1; a >= 0; --a) {
        const double* row = U + a * stride;
        double sum = b[a];
        int c = a + 1;
        for (; c % Doubles::width; ++c) sum -= row[c] * b[c];
        Vector sums = Doubles::set(0.0);
        for (; c < stride; c += Doubles::width)
            sums = Doubles::multiplyAdd(Doubles::load(row + c), Doubles::load(b + c), sums);
        b[a] = (sum - sumOf(sums)) * row[a];
    }
}
