// SPDX-License-Identifier: Zlib
#include "pliant/runtime/integrators/IntegratorTable.h"

#include <array>

namespace pliant {
namespace {

/// In the order of the enumeration.
constexpr std::array<const IntegrationScheme*, 4> schemes = {&newmarkScheme, &analyticScheme, &staticScheme,
                                                             &centralDifferencesScheme};

}  // namespace

const IntegrationScheme& schemeOf(Integrator integrator) {
    return *schemes.at(static_cast<std::size_t>(integrator));
}

const IntegratorTraits& traitsOf(Integrator integrator) {
    return schemeOf(integrator);
}

int integratorCount() {
    return static_cast<int>(schemes.size());
}

bool movesByHalfStep(const BatchSettings& settings) {
    return schemeOf(settings.integrator).positionShare(1.0, settings.newmark.gamma, settings.newmark.beta()) == 0.5;
}

std::vector<const char*> integratorNames() {
    std::vector<const char*> names;
    for (const IntegrationScheme* scheme : schemes) names.push_back(scheme->name);
    return names;
}

}  // namespace pliant
