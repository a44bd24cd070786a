// SPDX-License-Identifier: Zlib
#include "pliant/fem/Blas.h"

extern "C" {
void dgemm_(const char* transA, const char* transB, const int* m, const int* n, const int* k, const double* alpha,
            const double* a, const int* lda, const double* b, const int* ldb, const double* beta, double* c,
            const int* ldc);
void dsyrk_(const char* uplo, const char* trans, const int* n, const int* k, const double* alpha, const double* a,
            const int* lda, const double* beta, double* c, const int* ldc);
// OpenBLAS only; another BLAS leaves them null.
__attribute__((weak)) int openblas_get_parallel(void);
__attribute__((weak)) int openblas_get_num_threads(void);
__attribute__((weak)) void openblas_set_num_threads(int count);
}

namespace pliant {
namespace {

constexpr int builtWithoutThreads = 0;  // what openblas_get_parallel says of such a build

struct ThreadSetting {
    std::mutex mutex;
    int sections = 0;
    int usersThreads = 1;
};

ThreadSetting& threadSetting() {
    static ThreadSetting setting;
    return setting;
}

bool threadsCanBeSet() {
    return openblas_set_num_threads != nullptr && openblas_get_num_threads != nullptr && blasServesManyThreads();
}

std::recursive_mutex& sectionMutex() {
    static std::recursive_mutex mutex;
    return mutex;
}

/// Holds the mutex of calls where they must wait for each other, else nothing.
std::unique_lock<std::mutex> turnToCall() {
    static std::mutex mutex;
    return blasServesManyThreads() ? std::unique_lock<std::mutex>() : std::unique_lock<std::mutex>(mutex);
}

int number(std::size_t value) {
    return static_cast<int>(value);
}

}  // namespace

bool blasServesManyThreads() {
    static const bool serves = openblas_get_parallel == nullptr || openblas_get_parallel() != builtWithoutThreads;
    return serves;
}

BlasSection::BlasSection() {
    if (!blasServesManyThreads()) m_alone = std::unique_lock<std::recursive_mutex>(sectionMutex());
    if (!threadsCanBeSet()) return;
    ThreadSetting& setting = threadSetting();
    const std::lock_guard<std::mutex> lock(setting.mutex);
    if (setting.sections++ > 0) return;
    setting.usersThreads = openblas_get_num_threads();
    openblas_set_num_threads(1);
}

BlasSection::~BlasSection() {
    if (!threadsCanBeSet()) return;
    ThreadSetting& setting = threadSetting();
    const std::lock_guard<std::mutex> lock(setting.mutex);
    if (--setting.sections == 0) openblas_set_num_threads(setting.usersThreads);
}

void multiplyTransposed(std::size_t m, std::size_t n, std::size_t k, const double* A, std::size_t lda, const double* B,
                        std::size_t ldb, double beta, double* C, std::size_t ldc) {
    const int rows = number(m), columns = number(n), inner = number(k), strideA = number(lda), strideB = number(ldb),
              strideC = number(ldc);
    const double one = 1.0;
    const auto turn = turnToCall();
    dgemm_("N", "T", &rows, &columns, &inner, &one, A, &strideA, B, &strideB, &beta, C, &strideC);
}

void addSquare(std::size_t n, std::size_t k, const double* A, std::size_t lda, double* C, std::size_t ldc) {
    const int size = number(n), inner = number(k), strideA = number(lda), strideC = number(ldc);
    const double one = 1.0;
    const auto turn = turnToCall();
    dsyrk_("L", "N", &size, &inner, &one, A, &strideA, &one, C, &strideC);
}

}  // namespace pliant
