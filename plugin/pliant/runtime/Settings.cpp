// SPDX-License-Identifier: Zlib
#include "pliant/runtime/Settings.h"

#include <cmath>

namespace pliant {
namespace {

bool isNotNegative(double x) {
    return std::isfinite(x) && x >= 0.0;
}

}  // namespace

std::string problemOf(const BatchSettings& s) {
    const auto number = [](double x) { return std::to_string(x); };
    if (!(std::isfinite(s.newmark.gamma) && s.newmark.gamma >= 0.5))
        return "Newmark's gamma is " + number(s.newmark.gamma) + "; below 1/2 steps gain energy";
    if (s.newmark.iterations < 1)
        return std::to_string(s.newmark.iterations) + " Newton iterations; ask for one or more";
    if (!isNotNegative(s.newmark.tolerance)) return "the tolerance of Newton's iterations is negative, or no number";
    if (!isNotNegative(s.damping.mass) || !isNotNegative(s.damping.stiffness) || !isNotNegative(s.damping.strainRate))
        return "a damping is negative, which gains energy, or no number";
    if (!isNotNegative(s.tangentTolerance)) return "the tolerance of reused tangents is negative, or no number";
    if (s.blockSize < 1 || s.aloneUpTo < 0) return "a number of bodies is negative, or blocks have none";
    return {};
}

}  // namespace pliant
