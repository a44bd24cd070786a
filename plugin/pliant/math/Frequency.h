// SPDX-License-Identifier: Zlib
// Frequencies of eigenvalues.
#pragma once

#include <algorithm>
#include <cmath>

namespace pliant {

/// The frequency, Hz, of an eigenvalue in (rad/s)^2; 0 of those that rounding has made negative.
inline double hertz(double eigenvalue) {
    return std::sqrt(std::max(0.0, eigenvalue)) / 6.283185307179586;
}

}  // namespace pliant
