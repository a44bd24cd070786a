// SPDX-License-Identifier: Zlib
#include "pliant/fem/SymmetricSolver.h"

#include <dmumps_c.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <vector>

#include "pliant/fem/Blas.h"
#include "pliant/math/Error.h"

namespace pliant {
namespace {

constexpr int useCommWorld = -987654;
constexpr int jobStart = -1, jobEnd = -2, jobAnalyse = 1, jobFactor = 2, jobSolve = 3;

std::mutex& mumpsMutex() {
    static std::mutex mutex;
    return mutex;
}

}  // namespace

struct SymmetricSolver::Instance {
    DMUMPS_STRUC_C mumps{};
    Kind kind;
    std::vector<int> rows, columns;  // 1-based lower triangle
    std::vector<int> outer, inner;   // pattern of the analysed matrix
    std::vector<double> values;
    bool factored = false;

    // MUMPS numbers its controls from 1.
    MUMPS_INT& icntl(int i) { return mumps.icntl[i - 1]; }

    explicit Instance(Kind k) : kind(k) {
        const std::lock_guard<std::mutex> lock(mumpsMutex());
        mumps.sym = kind == Kind::PositiveDefinite ? 1 : 2;
        mumps.par = 1;
        mumps.comm_fortran = useCommWorld;
        run(jobStart);
        for (const int stream : {1, 2, 3}) icntl(stream) = -1;
        icntl(4) = 0;    // print nothing
        icntl(13) = 1;   // no parallel root, whose negative pivots would not be counted
        icntl(14) = 30;  // per cent of working space beyond the estimate
    }

    ~Instance() {
        const std::lock_guard<std::mutex> lock(mumpsMutex());
        mumps.job = jobEnd;
        dmumps_c(&mumps);
    }

    int run(int job) {
        mumps.job = job;
        dmumps_c(&mumps);
        return mumps.infog[0];
    }

    bool samePattern(const SparseMatrix& A) const {
        const auto outerSize = static_cast<std::size_t>(A.cols() + 1);
        const auto innerSize = static_cast<std::size_t>(A.nonZeros());
        return outer.size() == outerSize && inner.size() == innerSize &&
               std::equal(outer.begin(), outer.end(), A.outerIndexPtr()) &&
               std::equal(inner.begin(), inner.end(), A.innerIndexPtr());
    }

    void analyse(const SparseMatrix& A) {
        outer.assign(A.outerIndexPtr(), A.outerIndexPtr() + A.cols() + 1);
        inner.assign(A.innerIndexPtr(), A.innerIndexPtr() + A.nonZeros());
        rows.clear();
        columns.clear();
        for (Eigen::Index j = 0; j < A.cols(); ++j)
            for (SparseMatrix::InnerIterator it(A, j); it; ++it) {
                if (it.row() < j) continue;
                rows.push_back(static_cast<int>(it.row()) + 1);
                columns.push_back(static_cast<int>(j) + 1);
            }
        // PORD: the default, SCOTCH 7, orders on threads and never twice the same way. Where the graph is too small to
        // be cut (one element), PORD ends the whole process; AMD orders those.
        icntl(7) = A.cols() < 1000 ? 0 : 4;
        mumps.n = static_cast<MUMPS_INT>(A.cols());
        mumps.nnz = static_cast<MUMPS_INT8>(rows.size());
        mumps.irn = rows.data();
        mumps.jcn = columns.data();
        check(run(jobAnalyse), "analysis");
    }

    void check(int status, const char* stage) {
        if (status >= 0) return;
        outer.clear();
        const std::string where = std::string("sparse ") + stage + " of " + std::to_string(mumps.n) + " unknowns";
        if (status == -10) throw Error(where, "the matrix is singular", "look for loose or disconnected parts");
        if (status == -40) throw Error(where, "the matrix is not positive definite");
        if (status == -13 || status == -7) throw Error(where, "not enough memory", "use a coarser mesh");
        throw Error(where,
                    "MUMPS failed with code " + std::to_string(status) + ", detail " + std::to_string(mumps.infog[1]));
    }

    void factor(const SparseMatrix& A) {
        const std::lock_guard<std::mutex> lock(mumpsMutex());
        const BlasSection section;
        factored = false;
        if (!samePattern(A)) analyse(A);
        values.clear();
        for (Eigen::Index j = 0; j < A.cols(); ++j)
            for (SparseMatrix::InnerIterator it(A, j); it; ++it)
                if (it.row() >= j) values.push_back(it.value());
        mumps.a = values.data();
        int status = run(jobFactor);
        for (int attempt = 0; attempt < 6 && (status == -8 || status == -9); ++attempt) {
            icntl(14) *= 2;  // delayed pivots needed more room than was estimated
            status = run(jobFactor);
        }
        check(status, "factorisation");
        if (kind == Kind::PositiveDefinite && mumps.infog[11] > 0) check(-40, "factorisation");
        factored = true;
    }

    void solve(double* columnsOfB, Eigen::Index count) {
        const std::lock_guard<std::mutex> lock(mumpsMutex());
        const BlasSection section;
        if (!factored) throw Error("sparse solve", "no matrix has been factored");
        mumps.rhs = columnsOfB;
        mumps.nrhs = static_cast<MUMPS_INT>(count);
        mumps.lrhs = mumps.n;
        check(run(jobSolve), "solve");
    }
};

SymmetricSolver::SymmetricSolver(Kind kind) : m_instance(std::make_unique<Instance>(kind)) {}
SymmetricSolver::~SymmetricSolver() = default;
SymmetricSolver::SymmetricSolver(SymmetricSolver&&) noexcept = default;
SymmetricSolver& SymmetricSolver::operator=(SymmetricSolver&&) noexcept = default;

void SymmetricSolver::factor(const SparseMatrix& A) {
    if (A.rows() != A.cols() || A.rows() == 0 || !A.isCompressed())
        throw Error("sparse factorisation", "a compressed square matrix is needed");
    m_instance->factor(A);
}

VectorX SymmetricSolver::solve(const VectorX& b) const {
    VectorX x = b;
    m_instance->solve(x.data(), 1);
    return x;
}

MatrixX SymmetricSolver::solve(const MatrixX& B) const {
    MatrixX X = B;
    if (X.cols() > 0) m_instance->solve(X.data(), X.cols());
    return X;
}

int SymmetricSolver::negativePivots() const {
    return m_instance->mumps.infog[11];
}

SymmetricSolver::Cost SymmetricSolver::estimate(const SparseMatrix& pattern) {
    Instance instance(Kind::PositiveDefinite);
    const std::lock_guard<std::mutex> lock(mumpsMutex());
    instance.analyse(pattern);
    const double entries = instance.mumps.infog[19];  // in millions where negative
    return {entries < 0.0 ? -1e6 * entries : entries, instance.mumps.rinfog[0]};
}

}  // namespace pliant
