// SPDX-License-Identifier: Zlib
// Gauss points and weights on [0, 1], and Legendre polynomials that are orthonormal there.
#pragma once

#include <array>
#include <cmath>

namespace pliant {

inline const std::array<double, 2> gauss2 = {0.5 - std::sqrt(1.0 / 12.0), 0.5 + std::sqrt(1.0 / 12.0)};
inline const std::array<double, 3> gauss3 = {0.5 - std::sqrt(0.15), 0.5, 0.5 + std::sqrt(0.15)};
inline constexpr std::array<double, 3> weight3 = {5.0 / 18.0, 8.0 / 18.0,
                                                  5.0 / 18.0};  ///< Weights of three points; those of two are 1/2 each.

/// @param degree 0, 1 or 2
inline double legendre(int degree, double x) {
    const double s = 2.0 * x - 1.0;
    if (degree == 0) return 1.0;
    return degree == 1 ? std::sqrt(3.0) * s : std::sqrt(5.0) * 0.5 * (3.0 * s * s - 1.0);
}

}  // namespace pliant
