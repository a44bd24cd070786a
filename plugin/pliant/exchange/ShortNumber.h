// SPDX-License-Identifier: Zlib
#pragma once

#include <cstdio>
#include <string>

namespace pliant {

/// Four digits, for sentences.
inline std::string shortNumber(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

}  // namespace pliant
