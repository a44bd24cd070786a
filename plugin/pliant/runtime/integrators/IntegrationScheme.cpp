// SPDX-License-Identifier: Zlib
#include "pliant/runtime/integrators/IntegrationScheme.h"

#include <array>

namespace pliant {
namespace {

/// In the order of the enumeration.
constexpr std::array<const IntegrationScheme*, 3> schemes = {&newmarkScheme, &analyticScheme, &staticScheme};

}  // namespace

const IntegrationScheme& schemeOf(Integrator integrator) {
    return *schemes.at(static_cast<std::size_t>(integrator));
}

std::vector<const char*> integratorNames() {
    std::vector<const char*> names;
    for (const IntegrationScheme* scheme : schemes) names.push_back(scheme->name);
    return names;
}

}  // namespace pliant
