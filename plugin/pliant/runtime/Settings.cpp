// SPDX-License-Identifier: Zlib
#include "pliant/runtime/Settings.h"

namespace pliant {
namespace {

constexpr double kMost = 1e12;  // of a damping or a tolerance

/// The comparisons catch what is no number, too.
bool isNotNegative(double x) {
    return x >= 0.0 && x <= kMost;
}

}  // namespace

std::string problemOf(const BatchSettings& s) {
    const auto number = [](double x) { return std::to_string(x); };
    // Numbers of other people's files and menus that were taken for one of these.
    const int integrator = static_cast<int>(s.integrator), coupling = static_cast<int>(s.coupling);
    if (integrator < 0 || integrator > static_cast<int>(Integrator::CentralDifferences))
        return "there is no integrator of the number " + std::to_string(integrator);
    if (coupling < 0 || coupling > static_cast<int>(Coupling::Full))
        return "there is no coupling of the number " + std::to_string(coupling);
    if (!(s.newmark.gamma >= 0.5 && s.newmark.gamma <= 10.0))
        return "Newmark's gamma is " + number(s.newmark.gamma) + ", not 1/2 to 10; below, steps gain energy";
    if (s.newmark.iterations < 1)
        return std::to_string(s.newmark.iterations) + " Newton iterations; ask for one or more";
    if (!isNotNegative(s.newmark.tolerance))
        return "the tolerance of Newton's iterations is negative, too large, or no number";
    if (!isNotNegative(s.damping.mass) || !isNotNegative(s.damping.stiffness) || !isNotNegative(s.damping.strainRate))
        return "a damping is negative, which gains energy, too large, or no number";
    if (!isNotNegative(s.tangentTolerance))
        return "the tolerance of reused tangents is negative, too large, or no number";
    if (s.blockSize < 1 || s.aloneUpTo < 0) return "a number of bodies is negative, or blocks have none";
    return {};
}

}  // namespace pliant
