// SPDX-License-Identifier: Zlib
#include "pliant/runtime/integrators/IntegrationScheme.h"

#include <array>

#include "pliant/runtime/BatchStorage.h"

namespace pliant {
namespace {

/// In the order of the enumeration.
constexpr std::array<const IntegrationScheme*, 4> schemes = {&newmarkScheme, &analyticScheme, &staticScheme,
                                                             &centralDifferencesScheme};

}  // namespace

const IntegrationScheme& schemeOf(Integrator integrator) {
    return *schemes.at(static_cast<std::size_t>(integrator));
}

void predictByFactor(BatchStorage& batch, int body, double h, double* predicted, BlockScratch& block) {
    batch.predict(body, h, predicted, block);
}

std::vector<const char*> integratorNames() {
    std::vector<const char*> names;
    for (const IntegrationScheme* scheme : schemes) names.push_back(scheme->name);
    return names;
}

}  // namespace pliant
