// SPDX-License-Identifier: Zlib
// Sums over rows: those of a plain loop, with the same bits in registers of every width.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "pliant/touch/ElementRowKernels.h"

namespace pliant::test {
namespace {

constexpr int kWidths[] = {4, 8, 16};

std::vector<double> numbers(int count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::vector<double> all(static_cast<std::size_t>(count));
    for (double& x : all) x = normal(random);
    return all;
}

TEST(ElementRowKernels, AddSquaresAsAPlainLoopDoes) {
    for (const int size : {8, 16, 24, 40})
        for (const int count : {0, 1, 7, 64}) {
            const std::vector<double> rows = numbers(count * size, 1), start = numbers(size * size, 2);
            const RowsView of{rows.data(), count, size, size};
            const auto expectSums = [&](const std::vector<double>& found) {
                for (int j = 0; j < size; ++j)
                    for (int i = j; i < size; ++i) {
                        double sum = 0.0;
                        for (int k = 0; k < count; ++k)
                            sum += rows[static_cast<std::size_t>(k * size + i)] *
                                   rows[static_cast<std::size_t>(k * size + j)];
                        const auto at = static_cast<std::size_t>(j * size + i);
                        EXPECT_EQ(found[at], start[at] + sum) << i << ", " << j;
                    }
            };
            std::vector<double> found = start;
            addSquares(of, found.data());
            expectSums(found);
            for (const int width : kWidths) {
                found = start;
                if (!elementRowKernelsBy(width).addSquares) continue;
                elementRowKernelsBy(width).addSquares(of, found.data());
                expectSums(found);
            }
        }
    EXPECT_EQ(elementRowKernelsBy(5).addSquares, nullptr);
}

TEST(ElementRowKernels, MultiplyAndAddRowsAsAPlainLoopDoes) {
    for (const int size : {1, 6, 8, 21, 36, 67})
        for (const int count : {0, 1, 5, 30}) {
            const int stride = count % 2 ? size : 3 * size;
            const std::vector<double> rows = numbers(count * stride, 3), z = numbers(size, 4);
            std::vector<double> factors = numbers(count, 5);
            if (count > 2) factors[2] = 0.0;
            const RowsView of{rows.data(), count, stride, size};
            std::vector<double> products(factors.size()), sums = z;
            multiplyRows(of, z.data(), products.data());
            addRows(of, factors.data(), sums.data());
            for (int k = 0; k < count; ++k) {
                double product = 0.0, sizes = 0.0;
                for (int j = 0; j < size; ++j) {
                    const double term = rows[static_cast<std::size_t>(k * stride + j)] * z[static_cast<std::size_t>(j)];
                    product += term;
                    sizes += std::abs(term);
                }
                EXPECT_NEAR(products[static_cast<std::size_t>(k)], product, 1e-15 * size * sizes);
            }
            for (int j = 0; j < size; ++j) {
                double sum = z[static_cast<std::size_t>(j)];
                for (int k = 0; k < count; ++k)
                    sum += rows[static_cast<std::size_t>(k * stride + j)] * factors[static_cast<std::size_t>(k)];
                EXPECT_EQ(sums[static_cast<std::size_t>(j)], sum);
            }
            for (const int width : kWidths) {
                const ElementRowKernels kernels = elementRowKernelsBy(width);
                if (!kernels.addRows) continue;
                std::vector<double> others(products.size()), otherSums = z;
                kernels.multiplyRows(of, z.data(), others.data());
                kernels.addRows(of, factors.data(), otherSums.data());
                EXPECT_EQ(others, products);
                EXPECT_EQ(otherSums, sums);
            }
        }
}

}  // namespace
}  // namespace pliant::test
