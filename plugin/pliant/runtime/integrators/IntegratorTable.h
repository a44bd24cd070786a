// SPDX-License-Identifier: Zlib
// The rows of the table of integrators, one for each value of Integrator. A new one is a value of the enumeration, a
// file in this folder that defines its row, its line here and its place in IntegratorTable.cpp. Private to runtime/.
#pragma once

#include "pliant/runtime/IntegrationScheme.h"

namespace pliant {

extern const IntegrationScheme newmarkScheme;             ///< Implicit Newmark (NewmarkStep.cpp).
extern const IntegrationScheme analyticScheme;            ///< Exact steps of the linear model (AnalyticStep.cpp).
extern const IntegrationScheme staticScheme;              ///< Equilibrium in every step (StaticStep.cpp).
extern const IntegrationScheme centralDifferencesScheme;  ///< Central differences (CentralDifferencesStep.cpp).

}  // namespace pliant
