// SPDX-License-Identifier: Zlib
#include "pliant/runtime/SymmetricSystem.h"

#include <algorithm>
#include <cmath>

#include "pliant/runtime/kernels/Kernels.h"

namespace pliant {
namespace {

using kernels::packedIndex;

/// L D L' of a full symmetric matrix, P S P' = L D L'. Entries of D stand on the diagonal and, for a 2 x 2 pivot,
/// beside it; L below.
struct PivotedFactor {
    int n;
    double* entries;  ///< n x n, column-major, both triangles
    double* order;    ///< order[i] = row of S that stands at place i
    double* kind;     ///< size of the pivot that starts here: 1 or 2; 0 in the second place of a 2 x 2

    double& at(int row, int column) const { return entries[column * n + row]; }

    void exchange(int a, int b) const {
        if (a == b) return;
        for (int k = 0; k < n; ++k) std::swap(at(a, k), at(b, k));
        for (int k = 0; k < n; ++k) std::swap(at(k, a), at(k, b));
        std::swap(order[a], order[b]);
    }

    /// Brings the pivot to place k. @return its size, or 0 when the rest of the matrix is zero to rounding
    int choosePivot(int k, double tiny) const {
        int diagonal = k, row = k, column = k;
        double largestDiagonal = 0.0, largest = 0.0;
        for (int j = k; j < n; ++j) {
            if (std::abs(at(j, j)) > largestDiagonal) {
                largestDiagonal = std::abs(at(j, j));
                diagonal = j;
            }
            for (int i = j + 1; i < n; ++i)
                if (std::abs(at(i, j)) > largest) {
                    largest = std::abs(at(i, j));
                    row = i;
                    column = j;
                }
        }
        if (!(std::max(largest, largestDiagonal) > tiny)) return 0;
        const double alpha = (1.0 + std::sqrt(17.0)) / 8.0;  // bounds the growth of the entries equally in both cases
        if (largestDiagonal >= alpha * largest) {
            exchange(k, diagonal);
            return 1;
        }
        exchange(k, column);
        exchange(k + 1, row);
        return 2;
    }

    /// L column of a 1 x 1 pivot and the Schur complement of the rest.
    void eliminateOne(int k) const {
        const double pivot = at(k, k);
        for (int j = k + 1; j < n; ++j) {
            const double factor = at(j, k) / pivot;
            for (int i = j; i < n; ++i) at(i, j) = at(j, i) = at(i, j) - at(i, k) * factor;
        }
        for (int i = k + 1; i < n; ++i) at(i, k) /= pivot;
    }

    void eliminateTwo(int k) const {
        const double a = at(k, k), b = at(k + 1, k), c = at(k + 1, k + 1), determinant = a * c - b * b;
        for (int j = k + 2; j < n; ++j) {
            const double first = (c * at(j, k) - b * at(j, k + 1)) / determinant;
            const double second = (a * at(j, k + 1) - b * at(j, k)) / determinant;
            for (int i = j; i < n; ++i) at(i, j) = at(j, i) = at(i, j) - at(i, k) * first - at(i, k + 1) * second;
            // The upper triangle of the two columns keeps L until the columns themselves are no longer read.
            at(k, j) = first;
            at(k + 1, j) = second;
        }
        for (int i = k + 2; i < n; ++i) {
            at(i, k) = at(k, i);
            at(i, k + 1) = at(k + 1, i);
        }
    }

    bool compute() const {
        double scale = 0.0;
        for (int i = 0; i < n * n; ++i) scale = std::max(scale, std::abs(entries[i]));
        for (int i = 0; i < n; ++i) order[i] = i;
        for (int k = 0; k < n;) {
            const int size = choosePivot(k, 1e-15 * scale);
            if (size == 0) return false;
            kind[k] = size;
            if (size == 2) kind[k + 1] = 0.0;
            if (size == 1) {
                eliminateOne(k);
            } else {
                eliminateTwo(k);
            }
            k += size;
        }
        return true;
    }

    /// Solves L D L' x = b in place.
    void solve(double* b) const {
        for (int k = 0; k < n; ++k)
            for (int i = below(k); i < n; ++i) b[i] -= at(i, k) * b[k];
        for (int k = 0; k < n; ++k) {
            if (kind[k] < 1.5) {
                b[k] /= at(k, k);
                continue;
            }
            const double p = at(k, k), s = at(k + 1, k), t = at(k + 1, k + 1), determinant = p * t - s * s;
            const double first = (t * b[k] - s * b[k + 1]) / determinant;
            b[k + 1] = (p * b[k + 1] - s * b[k]) / determinant;
            b[k] = first;
            ++k;
        }
        for (int k = n - 1; k >= 0; --k)
            for (int i = below(k); i < n; ++i) b[k] -= at(i, k) * b[i];
    }

    /// First row of column k that belongs to L.
    int below(int k) const { return kind[k] > 1.5 ? k + 2 : k + 1; }
};

}  // namespace

void multiplySymmetric(int n, const double* S, const double* x, double* y) {
    std::fill(y, y + n, 0.0);
    for (int a = 0; a < n; ++a) {
        double sum = y[a] + *S++ * x[a];
        for (int b = a + 1; b < n; ++b, ++S) {
            sum += *S * x[b];
            y[b] += *S * x[a];
        }
        y[a] = sum;
    }
}

void multiplyFactored(int n, const double* U, const double* x, double* y, double* scratch) {
    const double* row = U;
    for (int a = 0; a < n; ++a, row += n - a + 1) {
        double sum = x[a] / row[0];
        for (int b = a + 1; b < n; ++b) sum += row[b - a] * x[b];
        scratch[a] = sum;
    }
    std::fill(y, y + n, 0.0);
    row = U;
    for (int a = 0; a < n; ++a, row += n - a + 1) {
        y[a] += scratch[a] / row[0];
        for (int b = a + 1; b < n; ++b) y[b] += row[b - a] * scratch[a];
    }
}

bool solvePositive(int n, double* S, double* b) {
    for (int a = 0; a < n; ++a) {
        double* row = S + packedIndex(n, a, a);
        if (!(row[0] > 0.0)) return false;
        const double inverse = 1.0 / std::sqrt(row[0]);
        row[0] = inverse;
        for (int c = 1; c < n - a; ++c) row[c] *= inverse;
        for (int i = 1; i < n - a; ++i) {
            double* target = S + packedIndex(n, a + i, a + i);
            for (int j = i; j < n - a; ++j) target[j - i] -= row[i] * row[j];
        }
    }
    for (int a = 0; a < n; ++a) {
        const double* row = S + packedIndex(n, a, a);
        b[a] *= row[0];
        for (int c = 1; c < n - a; ++c) b[a + c] -= row[c] * b[a];
    }
    for (int a = n - 1; a >= 0; --a) {
        const double* row = S + packedIndex(n, a, a);
        for (int c = 1; c < n - a; ++c) b[a] -= row[c] * b[a + c];
        b[a] *= row[0];
    }
    return true;
}

bool invertIndefinite(int n, const double* S, double* inverse, double* scratch) {
    const PivotedFactor factor{n, scratch, scratch + n * n, scratch + n * (n + 1)};
    for (int a = 0; a < n; ++a)
        for (int b = a; b < n; ++b) factor.at(a, b) = factor.at(b, a) = S[packedIndex(n, a, b)];
    if (!factor.compute()) return false;
    double* column = scratch + n * (n + 2);
    for (int c = 0; c < n; ++c) {
        for (int i = 0; i < n; ++i) column[i] = factor.order[i] == c ? 1.0 : 0.0;
        factor.solve(column);
        for (int i = 0; i < n; ++i) {
            const int a = static_cast<int>(factor.order[i]);
            if (a <= c) inverse[packedIndex(n, a, c)] = column[i];
        }
    }
    return true;
}

}  // namespace pliant
