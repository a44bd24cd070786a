// SPDX-License-Identifier: Zlib
#include "pliant/runtime/SymmetricSystem.h"

#include <algorithm>
#include <cmath>

#include "pliant/math/EigenvalueSolver.h"
#include "pliant/runtime/kernels/Kernels.h"

namespace pliant {

using kernels::packedIndex;

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
    multiplyTransposed(n, U, scratch, y);
}

void multiplyTransposed(int n, const double* U, const double* x, double* y) {
    std::fill(y, y + n, 0.0);
    const double* row = U;
    for (int a = 0; a < n; ++a, row += n - a + 1) {
        y[a] += x[a] / row[0];
        for (int b = a + 1; b < n; ++b) y[b] += row[b - a] * x[a];
    }
}

void solveUpper(int n, const double* U, double* b) {
    for (int a = n - 1; a >= 0; --a) {
        const double* row = U + packedIndex(n, a, a);
        for (int c = 1; c < n - a; ++c) b[a] -= row[c] * b[a + c];
        b[a] *= row[0];
    }
}

bool factorPositive(int n, double* S) {
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
    return true;
}

bool solvePositive(int n, double* S, double* b) {
    if (!factorPositive(n, S)) return false;
    solveFactored(n, S, b);
    return true;
}

void solveFactored(int n, const double* S, double* b) {
    for (int a = 0; a < n; ++a) {
        const double* row = S + packedIndex(n, a, a);
        b[a] *= row[0];
        for (int c = 1; c < n - a; ++c) b[a + c] -= row[c] * b[a];
    }
    solveUpper(n, S, b);
}

struct DefiniteInverse::Data {
    explicit Data(int rows) : n(rows), solver(rows), full(rows, rows), scaled(rows, rows), raised(rows) {}
    int n;
    EigenvalueSolver solver;
    Eigen::MatrixXd full, scaled;
    Eigen::VectorXd raised;

    /// V diag(values) V' of the eigenvectors V, packed.
    void rebuild(const Eigen::VectorXd& values, double* packed) {
        scaled.noalias() = solver.eigenvectors() * values.asDiagonal();
        for (int i = 0; i < n; ++i)
            for (int j = i; j < n; ++j) *packed++ = scaled.row(i).dot(solver.eigenvectors().row(j));
    }
};

DefiniteInverse::DefiniteInverse(int rows) : m_data(std::make_unique<Data>(rows)) {}
DefiniteInverse::~DefiniteInverse() = default;
DefiniteInverse::DefiniteInverse(DefiniteInverse&&) noexcept = default;
DefiniteInverse& DefiniteInverse::operator=(DefiniteInverse&&) noexcept = default;

bool DefiniteInverse::compute(double floor, double* S, double* inverse) {
    const int n = m_data->n;
    const double* entry = S;
    for (int i = 0; i < n; ++i)
        for (int j = i; j < n; ++j) m_data->full(i, j) = m_data->full(j, i) = *entry++;
    if (!m_data->full.allFinite()) return false;
    m_data->solver.compute(m_data->full);
    if (m_data->solver.info() != Eigen::Success) return false;
    Eigen::VectorXd& raised = m_data->raised;
    raised = m_data->solver.eigenvalues().cwiseAbs().cwiseMax(floor);
    m_data->rebuild(raised, S);
    raised = raised.cwiseInverse();
    m_data->rebuild(raised, inverse);
    return true;
}

}  // namespace pliant
