// SPDX-License-Identifier: Zlib
// Pictures that tests look into: a file of the right size may hold nothing but sky.
#pragma once

#include <string>
#include <vector>

namespace pliant::test {

/// Pixels, three bytes each, red, green and blue, row by row from the top.
struct Picture {
    int width = 0, height = 0;
    std::vector<unsigned char> pixels;
};

/// Of a PNG. @throws std::runtime_error when the file is no whole PNG
Picture readPicture(const std::string& file);

/// The tile in that column and row of a picture that is cut into so many of each; pixels left over at the right and
/// below are in none.
Picture tileOf(const Picture& picture, int columns, int rows, int column, int row);

/// Hues from `from` to `to` on the circle of 360 degrees, red 0, green 120, blue 240.
struct Hues {
    double from = 0, to = 0;
};
constexpr Hues wicker{20, 60};  ///< of the basket, lit, in shadow, and when it is picked
constexpr Hues red{340, 15};    ///< of the jelly

/// Share of a picture's pixels that have one of these hues, are not black and no grey: a quarter of their brightest
/// number at least lies between it and the darkest one.
double shareOf(const Hues& hues, const Picture& picture);

}  // namespace pliant::test
