// SPDX-License-Identifier: Zlib
#include "pliant/runtime/Settings.h"

#include "pliant/runtime/IntegrationScheme.h"

namespace pliant {
namespace {

constexpr double kMost = 1e12;  // of a damping or a tolerance

/// The comparisons catch what is no number, too.
bool isNotNegative(double x) {
    return x >= 0.0 && x <= kMost;
}

// The compiler names the values that these switches lack.
bool isThere(Coupling coupling) {
    switch (coupling) {
        case Coupling::None:
        case Coupling::Inertia:
        case Coupling::Full:
            return true;
    }
    return false;
}

bool isThere(DampingForm form) {
    switch (form) {
        case DampingForm::RestStiffness:
        case DampingForm::CurrentStiffness:
            return true;
    }
    return false;
}

/// Numbers of other people's files and menus that were taken for a value of an enumeration.
std::string missingChoice(const BatchSettings& s) {
    const auto told = [](const char* what, int number) {
        return std::string("there is no ") + what + " of the number " + std::to_string(number);
    };
    const int integrator = static_cast<int>(s.integrator);
    if (integrator < 0 || integrator >= integratorCount()) return told("integrator", integrator);
    if (!isThere(s.coupling)) return told("coupling", static_cast<int>(s.coupling));
    if (!isThere(s.damping.form)) return told("form of damping", static_cast<int>(s.damping.form));
    return {};
}

}  // namespace

std::string problemOf(const BatchSettings& s) {
    const auto number = [](double x) { return std::to_string(x); };
    if (std::string missing = missingChoice(s); !missing.empty()) return missing;
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
