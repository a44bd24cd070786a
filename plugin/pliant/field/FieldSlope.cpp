// SPDX-License-Identifier: Zlib
#include "pliant/field/FieldSlope.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>

#include "pliant/field/FieldGrid.h"

namespace pliant {
namespace {

/// Squared length of the steepest gradient in a cell of width 1.
template <typename Number>
double steepestInCell(const Number* first, std::size_t row, std::size_t layer) {
    double value[2][2][2];
    for (std::size_t z = 0; z < 2; ++z)
        for (std::size_t y = 0; y < 2; ++y)
            for (std::size_t x = 0; x < 2; ++x) value[z][y][x] = static_cast<double>(first[x + row * y + layer * z]);
    double steepest = 0.0;
    for (int z = 0; z < 2; ++z)
        for (int y = 0; y < 2; ++y)
            for (int x = 0; x < 2; ++x) {
                const double gx = value[z][y][1] - value[z][y][0], gy = value[z][1][x] - value[z][0][x],
                             gz = value[1][y][x] - value[0][y][x];
                steepest = std::max(steepest, gx * gx + gy * gy + gz * gz);
            }
    return steepest;
}

double steepestInSamples(const std::int16_t* samples) {
    double steepest = 0.0;
    constexpr std::size_t row = kSamplesOfEdge, layer = row * row;
    for (std::size_t z = 0; z < kCellsOfBrick; ++z)
        for (std::size_t y = 0; y < kCellsOfBrick; ++y)
            for (std::size_t x = 0; x < kCellsOfBrick; ++x)
                steepest = std::max(steepest, steepestInCell(samples + x + row * y + layer * z, row, layer));
    return steepest;
}

}  // namespace

double steepestSlope(const DistanceField& field) {
    FieldGrid grid;
    grid.bricks = field.bricks;
    const double fine = field.unit / field.spacing, coarse = 1.0 / (kCellsOfBrick * field.spacing);
    std::vector<double> steepest(static_cast<std::size_t>(grid.brickCount()), 0.0);
    tbb::parallel_for(0, grid.brickCount(), [&](int b) {
        const int number = field.brickSamples[static_cast<std::size_t>(b)];
        const auto row = static_cast<std::size_t>(grid.bricks[0] + 1);
        const std::size_t layer = row * static_cast<std::size_t>(grid.bricks[1] + 1);
        steepest[static_cast<std::size_t>(b)] =
            number < 0
                ? coarse *
                      std::sqrt(steepestInCell(field.corners.data() + grid.cornerNumber(grid.brick(b)), row, layer))
                : fine * std::sqrt(steepestInSamples(field.samples.data() +
                                                     static_cast<std::size_t>(number) * kSamplesStored));
    });
    // The look-up rounds to single precision.
    return std::max(1.0, *std::max_element(steepest.begin(), steepest.end())) * (1.0 + 1e-6);
}

}  // namespace pliant
