// SPDX-License-Identifier: Zlib
#include "pliant/runtime/integrators/MovedStrain.h"

#include <algorithm>
#include <array>

#include "pliant/runtime/integrators/BlockStep.h"

namespace pliant {
namespace {

using kernels::lanes;

/// What is less takes no longer one by one.
constexpr int fewestTogether = 3;

using LaneEnergies = std::array<double, lanes>;

/// The sums of elasticForce(), lane by lane.
template <class Scalar>
LaneEnergies energiesOf(const BatchStorage& batch, const double* q, const Scalar* tangent, const Scalar* secant) {
    LaneEnergies ofRest{}, ofTangent{}, ofSecant{}, energies;
    const double* rest = batch.coefficients.restStiffness.data();
    for (int i = 0; i < batch.r; ++i)
        for (int j = i; j < batch.r; ++j, ++rest, tangent += lanes, secant += lanes) {
            const double *x = q + i * lanes, *y = q + j * lanes, share = i == j ? 1.0 : 2.0;
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                const double product = share * x[lane] * y[lane];
                ofRest[lane] += *rest * product;
                ofTangent[lane] += static_cast<double>(tangent[lane]) * product;
                ofSecant[lane] += static_cast<double>(secant[lane]) * product;
            }
        }
    for (std::size_t lane = 0; lane < lanes; ++lane)
        energies[lane] = 0.5 * ofRest[lane] + 0.5 * ofSecant[lane] - ofTangent[lane] / 12.0;
    return energies;
}

/// @param count up to 16
void evaluateGroup(BatchStorage& batch, const int* bodies, int count) {
    BlockScratch& block = acquireScratch(batch);
    const BlockStep step{batch, block, 0.0, batch.settings.newmark.gamma, batch.settings.newmark.beta(), 1};
    gatherPositions(step, bodies, count);
    evaluatePolynomial(step);
    const double* q = block.groups.front().q;
    const LaneEnergies energies = batch.coefficients.doublePrecision
                                      ? energiesOf(batch, q, block.doubleTangent.data(), block.doubleSecant.data())
                                      : energiesOf(batch, q, block.singleTangent.data(), block.singleSecant.data());
    for (int i = 0; i < count; ++i) {
        BodyRecord::Move& move = batch.record(bodies[i]).move;
        move.strain = energies[static_cast<std::size_t>(i)];
        move.hasStrain = true;
    }
    releaseScratch(block);
}

}  // namespace

void evaluateMoves(BatchStorage& batch, const std::vector<int>& bodies, const Workers& workers) {
    struct Job {
        BatchStorage* batch;
        const std::vector<int>* bodies;
    } job{&batch, &bodies};
    const auto count = static_cast<int>(bodies.size());
    workers.forBlocks((count + lanes - 1) / lanes, 1, [&job](int group, int) {
        const int first = group * lanes, size = std::min(lanes, static_cast<int>(job.bodies->size()) - first);
        if (size >= fewestTogether) evaluateGroup(*job.batch, job.bodies->data() + first, size);
    });
}

}  // namespace pliant
