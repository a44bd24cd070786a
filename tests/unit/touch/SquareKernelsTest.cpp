// SPDX-License-Identifier: Zlib
// Sums of squares of rows: those of a plain loop, with the same bits in registers of every width.
#include "pliant/touch/SquareKernels.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace pliant::test {
namespace {

struct Squares {
    Squares(int count, int size) : m_count(count), m_size(size) {
        std::mt19937 random(static_cast<unsigned>(100 * count + size));
        std::normal_distribution<double> normal;
        rows.resize(static_cast<std::size_t>(count * size));
        start.resize(static_cast<std::size_t>(size * size));
        for (std::vector<double>* all : {&rows, &start})
            for (double& x : *all) x = normal(random);
    }
    double expected(int i, int j) const {
        double sum = 0.0;
        for (int k = 0; k < m_count; ++k)
            sum += rows[static_cast<std::size_t>(k * m_size + i)] * rows[static_cast<std::size_t>(k * m_size + j)];
        return start[static_cast<std::size_t>(j * m_size + i)] + sum;
    }
    void expectSums(const std::vector<double>& found) const {
        for (int j = 0; j < m_size; ++j)
            for (int i = j; i < m_size; ++i)
                EXPECT_EQ(found[static_cast<std::size_t>(j * m_size + i)], expected(i, j)) << i << ", " << j;
    }
    std::vector<double> rows, start;

private:
    int m_count, m_size;
};

TEST(SquareKernels, AreThoseOfAPlainLoopInRegistersOfAnyWidth) {
    for (const int size : {8, 16, 24, 40})
        for (const int count : {0, 1, 7, 64}) {
            const Squares squares(count, size);
            std::vector<double> found = squares.start;
            addSquares(squares.rows.data(), count, size, found.data());
            squares.expectSums(found);
            for (const int lanes : {4, 8, 16}) {
                found = squares.start;
                if (addSquaresBy(lanes, squares.rows.data(), count, size, found.data())) squares.expectSums(found);
            }
            EXPECT_FALSE(addSquaresBy(5, squares.rows.data(), count, size, found.data()));
        }
}

}  // namespace
}  // namespace pliant::test
