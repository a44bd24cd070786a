// SPDX-License-Identifier: Zlib
#include "pliant/basis/DenseSolvers.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "pliant/fem/Blas.h"
#include "pliant/math/Error.h"

extern "C" {  // LAPACK and BLAS
void dgesvd_(const char* jobU, const char* jobVt, const int* m, const int* n, double* a, const int* lda, double* s,
             double* u, const int* ldu, double* vt, const int* ldvt, double* work, const int* lwork, int* info);
void dsyevd_(const char* job, const char* uplo, const int* n, double* a, const int* lda, double* w, double* work,
             const int* lwork, int* iwork, const int* liwork, int* info);
void dsygvd_(const int* type, const char* job, const char* uplo, const int* n, double* a, const int* lda, double* b,
             const int* ldb, double* w, double* work, const int* lwork, int* iwork, const int* liwork, int* info);
void dsysv_(const char* uplo, const int* n, const int* nrhs, double* a, const int* lda, int* pivots, double* b,
            const int* ldb, double* work, const int* lwork, int* info);
void dpotrf_(const char* uplo, const int* n, double* a, const int* lda, int* info);
void dtrsm_(const char* side, const char* uplo, const char* trans, const char* diagonal, const int* m, const int* n,
            const double* alpha, const double* a, const int* lda, double* b, const int* ldb);
}

namespace pliant {
namespace {

int sizeOf(Eigen::Index size) {
    return static_cast<int>(size);
}

void check(int info, const char* what) {
    if (info != 0) throw Error("basis", std::string(what) + " failed (LAPACK code " + std::to_string(info) + ")");
}

/// Numbers that begin at a multiple of 64 bytes: kernels of BLAS round the first few numbers of an array differently
/// where it begins elsewhere, and where the heap puts an array is a matter of chance once threads have been at work.
class AlignedNumbers {
public:
    explicit AlignedNumbers(std::size_t size) : m_store(size + 8) {
        void* begin = m_store.data();
        std::size_t room = m_store.size() * sizeof(double);
        m_begin = static_cast<double*>(std::align(64, size * sizeof(double), begin, room));
    }
    explicit AlignedNumbers(const MatrixX& A) : AlignedNumbers(static_cast<std::size_t>(A.size())) {
        std::copy_n(A.data(), A.size(), m_begin);
    }
    double* data() { return m_begin; }
    void copyTo(MatrixX& A) const { std::copy_n(m_begin, A.size(), A.data()); }
    void copyTo(VectorX& a) const { std::copy_n(m_begin, a.size(), a.data()); }

private:
    std::vector<double> m_store;
    double* m_begin;
};

/// Calls a routine twice: once to be told how much working space it wants, once with it.
template <typename Routine>
void withWorkspace(const Routine& routine, const char* what) {
    double wanted = 0.0;
    int wantedIntegers = 0, info = 0;
    routine(&wanted, -1, &wantedIntegers, -1, &info);
    check(info, what);
    const double size = std::max(1.0, wanted);
    AlignedNumbers work(static_cast<std::size_t>(size));
    std::vector<int> integers(static_cast<std::size_t>(std::max(1, wantedIntegers)));
    routine(work.data(), static_cast<int>(size), integers.data(), static_cast<int>(integers.size()), &info);
    check(info, what);
}

}  // namespace

SingularValues singularValues(const MatrixX& A) {
    const BlasSection section;
    AlignedNumbers copy(A);
    const int m = sizeOf(A.rows()), n = sizeOf(A.cols()), count = std::min(m, n);
    SingularValues result;
    result.values.resize(count);
    MatrixX vt(count, n);
    AlignedNumbers values(static_cast<std::size_t>(count)), right(static_cast<std::size_t>(vt.size()));
    double unused = 0.0;
    const int one = 1;
    withWorkspace(
        [&](double* work, int size, int*, int, int* info) {
            dgesvd_("N", "S", &m, &n, copy.data(), &m, values.data(), &unused, &one, right.data(), &count, work, &size,
                    info);
        },
        "the singular value decomposition");
    values.copyTo(result.values);
    right.copyTo(vt);
    result.right = vt.transpose();
    return result;
}

SymmetricEigen symmetricEigen(const MatrixX& A) {
    const BlasSection section;
    SymmetricEigen result{VectorX(A.rows()), A};
    AlignedNumbers vectors(A), values(static_cast<std::size_t>(A.rows()));
    const int n = sizeOf(A.rows());
    withWorkspace(
        [&](double* work, int size, int* integers, int integerSize, int* info) {
            dsyevd_("V", "L", &n, vectors.data(), &n, values.data(), work, &size, integers, &integerSize, info);
        },
        "the eigenvalue decomposition");
    vectors.copyTo(result.vectors);
    values.copyTo(result.values);
    return result;
}

SymmetricEigen symmetricEigen(const MatrixX& A, const MatrixX& B) {
    const BlasSection section;
    SymmetricEigen result{VectorX(A.rows()), A};
    AlignedNumbers vectors(A), factor(B), values(static_cast<std::size_t>(A.rows()));
    const int n = sizeOf(A.rows()), type = 1;
    withWorkspace(
        [&](double* work, int size, int* integers, int integerSize, int* info) {
            dsygvd_(&type, "V", "L", &n, vectors.data(), &n, factor.data(), &n, values.data(), work, &size, integers,
                    &integerSize, info);
        },
        "the generalised eigenvalue decomposition");
    vectors.copyTo(result.vectors);
    values.copyTo(result.values);
    return result;
}

VectorX solveSymmetric(MatrixX A, VectorX b) {
    const BlasSection section;
    const int n = sizeOf(A.rows()), one = 1;
    std::vector<int> pivots(static_cast<std::size_t>(n));
    withWorkspace(
        [&](double* work, int size, int*, int, int* info) {
            dsysv_("L", &n, &one, A.data(), &n, pivots.data(), b.data(), &n, work, &size, info);
        },
        "the solution of a symmetric system");
    return b;
}

bool divideByFactor(MatrixX gram, MatrixX& X) {
    const BlasSection section;
    const int c = sizeOf(gram.rows()), m = sizeOf(X.rows());
    if (c == 0) return true;
    int info = 0;
    dpotrf_("L", &c, gram.data(), &c, &info);
    if (info != 0) return false;
    const double one = 1.0;
    dtrsm_("R", "L", "T", "N", &m, &c, &one, gram.data(), &c, X.data(), &m);
    return true;
}

}  // namespace pliant
