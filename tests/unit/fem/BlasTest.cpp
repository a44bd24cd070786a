// SPDX-License-Identifier: Zlib
#include <gtest/gtest.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "pliant/fem/Blas.h"
#include "pliant/math/Types.h"

extern "C" {
__attribute__((weak)) int openblas_get_num_threads(void);
__attribute__((weak)) void openblas_set_num_threads(int count);
}

namespace pliant {
namespace {

MatrixX randomMatrix(Eigen::Index rows, Eigen::Index columns) {
    std::mt19937 generator(7);
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    return MatrixX::NullaryExpr(rows, columns, [&] { return number(generator); });
}

std::size_t count(Eigen::Index size) {
    return static_cast<std::size_t>(size);
}

MatrixX product(const MatrixX& A, const MatrixX& B) {
    MatrixX C = MatrixX::Constant(A.rows(), B.rows(), 2.0);
    multiplyTransposed(count(A.rows()), count(B.rows()), count(A.cols()), A.data(), count(A.rows()), B.data(),
                       count(B.rows()), 0.5, C.data(), count(A.rows()));
    return C;
}

MatrixX square(const MatrixX& A) {
    MatrixX C = MatrixX::Zero(A.rows(), A.rows());
    addSquare(count(A.rows()), count(A.cols()), A.data(), count(A.rows()), C.data(), count(A.rows()));
    return C;
}

bool sameBits(const MatrixX& A, const MatrixX& B) {
    return A.size() == B.size() && std::memcmp(A.data(), B.data(), count(A.size()) * sizeof(double)) == 0;
}

TEST(Blas, ProductsAreWhatTheirFormulasSay) {
    const BlasSection section;
    const MatrixX A = randomMatrix(37, 11), B = randomMatrix(23, 11);
    EXPECT_LT((product(A, B) - (A * B.transpose() + MatrixX::Constant(37, 23, 1.0))).norm(), 1e-12);
    const MatrixX difference = square(A) - A * A.transpose();
    EXPECT_LT(MatrixX(difference.triangularView<Eigen::Lower>()).norm(), 1e-12);
}

// An OpenBLAS without threads gives wrong products here, within a few rounds, unless calls wait for each other.
TEST(Blas, ManyThreadsAtOnceGetTheProductsOfOne) {
    const BlasSection section;
    const MatrixX A = randomMatrix(64, 6);
    const auto result = [&](std::size_t i) {  // no two tasks in a row pack the same numbers
        const MatrixX operand = A * (1.0 + double(i % 16));
        return i % 2 ? product(operand, A) : square(operand);
    };
    std::vector<MatrixX> alone;
    for (std::size_t i = 0; i < 16; ++i) alone.push_back(result(i));
    std::vector<char> same(100000, 0);
    tbb::parallel_for(std::size_t{0}, same.size(),
                      [&](std::size_t i) { same[i] = sameBits(result(i), alone[i % 16]); });
    EXPECT_EQ(std::count(same.begin(), same.end(), 1), 100000);
}

TEST(Blas, SectionsFromManyThreadsLeaveTheUsersThreadsAsTheyWere) {
    if (openblas_set_num_threads == nullptr) GTEST_SKIP() << "the BLAS in use is not OpenBLAS";
    if (!blasServesManyThreads()) GTEST_SKIP() << "the OpenBLAS in use is built without threads";
    openblas_set_num_threads(2);
    ASSERT_EQ(openblas_get_num_threads(), 2);
    {
        const BlasSection section;
        const auto nest = [] {
            for (int i = 0; i < 1000; ++i) const BlasSection inner;
        };
        std::thread first(nest), second(nest);
        first.join();
        second.join();
        EXPECT_EQ(openblas_get_num_threads(), 1);
    }
    EXPECT_EQ(openblas_get_num_threads(), 2);
}

}  // namespace
}  // namespace pliant
