// SPDX-License-Identifier: Zlib
// Filled boxes that are different in every brick, for tests.
#pragma once

#include <cmath>

#include "pliant/mesh/FilledBox.h"

namespace pliant::test {

/// The first one is whole; others lie anywhere in their bricks, some a little beyond them.
inline FilledBoxes unevenBoxes(int count) {
    FilledBoxes boxes(6, count);
    for (int e = 0; e < count; ++e)
        for (int axis = 0; axis < 3; ++axis) {
            const double a = 0.5 + 0.5 * std::sin(1.7 * e + 2.3 * axis), b = 0.5 + 0.5 * std::cos(0.9 * e + axis);
            boxes(axis, e) = e == 0 ? 0.0 : 0.8 * a - 0.1;
            boxes(3 + axis, e) = e == 0 ? 1.0 : boxes(axis, e) + 0.05 + 0.4 * b;
        }
    return boxes;
}

}  // namespace pliant::test
