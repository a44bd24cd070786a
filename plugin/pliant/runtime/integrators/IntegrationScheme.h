// SPDX-License-Identifier: Zlib
// The table of integrators, a row for each value of Integrator. A new one is a value of the enumeration, a file in this
// folder that defines its row, and its line in IntegrationScheme.cpp. Private to runtime/.
#pragma once

#include "pliant/runtime/Settings.h"

namespace pliant {

struct BatchStorage;
struct BlockScratch;
class Workers;

/// What the rest of the run time asks of an integrator.
struct IntegrationScheme {
    Integrator integrator;
    const char* name;  ///< The word of scene files.
    /// With Coupling::Full the Euler, Coriolis and centrifugal terms act on q, and q' carries angular momentum.
    /// Otherwise Full acts as Inertia.
    bool feelsRotation;
    /// Whether q' carries momentum and kinetic energy.
    bool hasInertia;
    /// A free step that has gained what q' cannot pay for can be made anew with a search (BatchStorage::searchStep()).
    bool canSearch;
    /// What q moves by for a response of 1 of q' to an impulse, s.
    double (*positionShare)(double h, double gamma, double beta);
    /// Sets q'', and what else a step starts from, of a body whose q and q' have just been written.
    void (*start)(BatchStorage& batch, int body, BlockScratch& block);
    /// The free step of the listed bodies: leaves q*, q'*, q'' and a factor whose inverse is Y.
    void (*step)(BatchStorage& batch, double h, const int* bodies, int count, const Workers& workers);
    /// BodyBatch::predict(); no further from q than BodyBatch::predictedChangeBound() says.
    void (*predict)(BatchStorage& batch, int body, double h, double* predicted, BlockScratch& block);
};

/// The row of an integrator.
const IntegrationScheme& schemeOf(Integrator integrator);

/// The prediction of steps whose factor is that of S = 1 + h/2 D + h^2/4 K.
void predictByFactor(BatchStorage& batch, int body, double h, double* predicted, BlockScratch& block);

extern const IntegrationScheme newmarkScheme;             ///< Implicit Newmark (NewmarkStep.cpp).
extern const IntegrationScheme analyticScheme;            ///< Exact steps of the linear model (AnalyticStep.cpp).
extern const IntegrationScheme staticScheme;              ///< Equilibrium in every step (StaticStep.cpp).
extern const IntegrationScheme centralDifferencesScheme;  ///< Central differences (CentralDifferencesStep.cpp).

}  // namespace pliant
