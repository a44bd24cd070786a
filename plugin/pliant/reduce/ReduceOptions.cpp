// SPDX-License-Identifier: Zlib
#include "pliant/reduce/ReduceOptions.h"

#include <iomanip>
#include <limits>
#include <sstream>

namespace pliant {

std::string ReduceOptions::canonical() const {
    std::ostringstream text;
    text << std::setprecision(std::numeric_limits<double>::max_digits10);
    text << "modes=" << modes << ";dimension=" << dimension << ";fixed=" << fixedVertices << ";voxels=" << voxels
         << ";solid=" << (solid ? 1 : 0);
    if (metresPerUnit != 1.0) text << ";unit=" << metresPerUnit;
    if (youngsModulus) text << ";young=" << *youngsModulus;
    if (poissonRatio) text << ";poisson=" << *poissonRatio;
    if (density) text << ";density=" << *density;
    text << ";surface=" << surface;
    return text.str();
}

}  // namespace pliant
