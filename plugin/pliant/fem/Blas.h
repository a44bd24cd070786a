// SPDX-License-Identifier: Zlib
// BLAS as the reduction uses it: from many threads of oneTBB at once, each call on the thread that makes it.
//
// An OpenBLAS built without threads (Debian's libopenblas0-serial) is not only single-threaded, it also is not safe to
// call from two threads: they share a work buffer, and products come out wrong without a word. Which build serves a
// process is a choice of its machine (update-alternatives), not of ours. So we ask the library that was loaded: calls
// into such a build wait for each other, calls into any other are set to use one thread each.
#pragma once

#include <cstddef>
#include <mutex>

namespace pliant {

/// False where calls must wait for each other: a reduction then uses little more than one core, with the same result.
bool blasServesManyThreads();

/// While one lives, BLAS starts no threads of its own (they would change the bits of a product with their number).
/// The user's setting comes back with the last one. May be nested; one a thread of control, not one a task.
class BlasSection {
public:
    BlasSection();
    ~BlasSection();
    BlasSection(const BlasSection&) = delete;
    BlasSection& operator=(const BlasSection&) = delete;

private:
    std::unique_lock<std::recursive_mutex> m_alone;
};

/// C = A B' + beta C, all column-major.  @param A m x k, lda doubles a column  @param B n x k  @param C m x n
/// For tasks within a BlasSection.
void multiplyTransposed(std::size_t m, std::size_t n, std::size_t k, const double* A, std::size_t lda, const double* B,
                        std::size_t ldb, double beta, double* C, std::size_t ldc);

/// Lower triangle of C += A A'.  @param A n x k, column-major  @param C n x n. For tasks within a BlasSection.
void addSquare(std::size_t n, std::size_t k, const double* A, std::size_t lda, double* C, std::size_t ldc);

}  // namespace pliant
