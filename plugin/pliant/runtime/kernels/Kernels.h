// SPDX-License-Identifier: Zlib
// The arithmetic of a group of 16 bodies of one model, side by side: lane l of every array belongs to body l.
// Private to runtime/. One table per instruction set, chosen once at run time; each set gives the same bits for a body
// whatever its neighbours are, because no operation mixes lanes and every sum runs in a fixed order.
#pragma once

#include "pliant/math/Api.h"
#include "pliant/math/InstructionSet.h"

namespace pliant::kernels {

constexpr int lanes = 16;     ///< Number of bodies of a group.
constexpr int panelRows = 8;  ///< Rows of a coefficient panel (CoefficientPanels.h).

using pliant::InstructionSet;

/// Position of (a, b), a <= b, in an upper triangle of n rows, packed row by row.
inline int packedIndex(int n, int a, int b) {
    return a * n - a * (a + 1) / 2 + b;
}
inline int packedSize(int n) {
    return n * (n + 1) / 2;
}
inline int roundUp(int value, int step) {
    return (value + step - 1) / step * step;
}
/// Rows of a factor: r rounded up to whole tiles, the rest is the identity.
inline int factorRows(int r) {
    return roundUp(r, 4);
}

/// The system matrix S = diagonal + stiffnessFactor K + dampingFactor K_damping and the products that the residual
/// needs.
struct Assembly {
    int r = 0;
    const double* restStiffness = nullptr;  ///< The rest stiffness K0, packed, p numbers.
    const double* q = nullptr;              ///< Coordinates q, [r][16].
    const double* v = nullptr;              ///< Velocities q', [r][16].
    double* force = nullptr;                ///< Written: R(q) = K0 q + K1 q / 2 + K2 q / 3, [r][16].
    double* dampingProduct = nullptr;       ///< Written: K_damping v, [r][16].
    double* system = nullptr;               ///< Written: S, packed with factorRows(r), [..][16].
    const double* centrifugal = nullptr;    ///< Symmetric parts of S_ij, packed p x 6, or null where nothing turns.
    const double* weights = nullptr;  ///< Weights by which K(q) and R(q) take sum_c weight_c sym(S)_c as well, [6][16].
    double stiffnessFactor = 0.0;     ///< Factor beta h^2 of K, s^2.
    double dampingFactor = 0.0;       ///< Factor of K_damping, gamma h times the damping coefficient, s^2.
    double diagonal = 1.0;            ///< Diagonal 1 + gamma h alpha.
    bool restDamping = true;          ///< Whether K_damping is K0; else it is K(q).
};

/// The same for one body without lanes: packed tangent and secant include the centrifugal terms, `undamped` is K1 + K2
/// alone; all packed arrays p, vectors r rounded up to a multiple of 8.
struct OneBodyAssembly {
    int r = 0;
    int stride = 0;  ///< Distance between rows of the square system.
    const double *restStiffness = nullptr, *tangent = nullptr, *secant = nullptr, *undamped = nullptr;
    const double *q = nullptr, *v = nullptr;
    double *force = nullptr, *dampingProduct = nullptr;  ///< Written: R(q) and K_damping v.
    double stiffnessFactor = 0.0, dampingFactor = 0.0, diagonal = 1.0;
    bool restDamping = true;
};

/// Pointers into one translation unit compiled for one instruction set.
struct Table {
    InstructionSet set;
    /// Makes the monomials x = [q_i; q_i q_j, i <= j], (r + p) x 16, of q [r][16].
    void (*monomialsSingle)(int r, const double* q, float* x);
    void (*monomialsDouble)(int r, const double* q, double* x);
    /// For `groups` groups: tangent = K1 + K2 and secant = K1 / 2 + K2 / 3, each [rows][16] with rows = p rounded up to
    /// whole panels, from panels of `columns` = r + p columns and x; arrays of consecutive groups follow each other.
    void (*polynomialSingle)(const float* panels, int rows, int r, int columns, int groups, const float* x,
                             float* tangent, float* secant);
    void (*polynomialDouble)(const double* panels, int rows, int r, int columns, int groups, const double* x,
                             double* tangent, double* secant);
    /// The same for one body alone, with the same bits: x (r + p), tangent and secant [rows].
    void (*polynomialOneSingle)(const float* panels, int rows, int r, int columns, const float* x, float* tangent,
                                float* secant);
    void (*polynomialOneDouble)(const double* panels, int rows, int r, int columns, const double* x, double* tangent,
                                double* secant);
    void (*assembleSingle)(const Assembly& assembly, const float* tangent, const float* secant);
    void (*assembleDouble)(const Assembly& assembly, const double* tangent, const double* secant);
    /// S = U'U in place, n = factorRows(r); the diagonal keeps 1 / U_aa. @return bit l set: lane l is not positive
    /// definite and its factor is meaningless.
    unsigned (*factor)(int n, double* system);
    /// U'U x = b in place, b [n][16].
    void (*solve)(int n, const double* factor, double* b);
    /// The same for one body's factor (packed, no lanes) and 16 right-hand sides, b [n][16].
    void (*solveMany)(int n, const double* factor, double* b);
    /// Of that the first half: U' x = b.
    void (*solveHalfMany)(int n, const double* factor, double* b);
    // One body alone. The square system has n = factorRows(r) rows `stride` apart, n rounded up to a multiple of 8.
    /// Multiplies: y = T x, T symmetric in upper 8 x 8 blocks (SymmetricBlocks), `rows` a multiple of 8.
    void (*symmetricProduct)(const double* blocks, int rows, const double* x, double* y);
    void (*assembleOne)(const OneBodyAssembly& assembly, double* system);
    /// S = U'U in place, the diagonal keeps 1 / U_aa. @return false: not positive definite
    bool (*factorOne)(int n, int stride, double* system);
    void (*solveOne)(int n, int stride, const double* factor, double* b);
    /// Sums: y = a weights[0] + b weights[1] + c weights[2] + d weights[3], `size` numbers, a multiple of 8.
    void (*combine)(int size, const double* a, const double* b, const double* c, const double* d, const double* weights,
                    double* y);
    /// C = A'B of every lane, or C += A'B: A 3 x 3, B and C 3 x columns, column-major, [..][16].
    void (*transposedProduct)(const double* A, const double* B, int columns, bool adds, double* C);
    /// Multiplies: y = A x, A as panels of `rows` (whole panels) and `columns`.
    void (*product)(const double* panels, int rows, int columns, const double* x, double* y);
};

const Table& sse2Table();
const Table& avx2Table();
const Table& avx512Table();

/// The widest table that this processor runs, or the one that force() asked for.
PLIANT_INTERNAL_API const Table& active();
bool isSupported(InstructionSet set);
/// For tests: makes active() return this set for batches created from now on. The set must be supported.
void force(InstructionSet set);
void forceNone();

}  // namespace pliant::kernels
