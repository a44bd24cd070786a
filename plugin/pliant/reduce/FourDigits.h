// SPDX-License-Identifier: Zlib
// Internal: numbers in the sentences of a reduction.
#pragma once

#include <cstdio>
#include <string>

namespace pliant {

/// Four digits at most.
inline std::string fourDigits(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

}  // namespace pliant
