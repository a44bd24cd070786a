// SPDX-License-Identifier: Zlib
// What the run time calls of an integrator; integrators/ has the table, a row for each value of Integrator. Private to
// runtime/.
#pragma once

#include "pliant/runtime/IntegratorTraits.h"

namespace pliant {

struct BatchStorage;
struct BlockScratch;
class Workers;

/// A row: the properties, and what the rest of the run time calls.
struct IntegrationScheme : IntegratorTraits {
    /// What q moves by for a response of 1 of q' to an impulse, s.
    double (*positionShare)(double h, double gamma, double beta);
    /// Sets q'', and what else a step starts from, of a body whose q and q' have just been written.
    void (*start)(BatchStorage& batch, int body, BlockScratch& block);
    /// The free step of the listed bodies: leaves q*, q'*, q'' and a factor whose inverse is Y.
    void (*step)(BatchStorage& batch, double h, const int* bodies, int count, const Workers& workers);
    /// The free step once more, from its start, with a search, for what q' cannot pay for; null: there is none. Returns
    /// false where it fails: q, q' and q'' are those of before then, the factor is that of the last point tried.
    bool (*search)(BatchStorage& batch, double h, int body, BlockScratch& block);
    /// BodyBatch::predict(); no further from q than BodyBatch::predictedChangeBound() says.
    void (*predict)(BatchStorage& batch, int body, double h, double* predicted, BlockScratch& block);
};

/// The row of an integrator.
const IntegrationScheme& schemeOf(Integrator integrator);
/// The number of rows.
int integratorCount();

}  // namespace pliant
