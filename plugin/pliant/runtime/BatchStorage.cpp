// SPDX-License-Identifier: Zlib
#include "pliant/runtime/BatchStorage.h"

#include <algorithm>
#include <thread>

#include "pliant/model/ModelFingerprint.h"

namespace pliant {
namespace {

std::size_t arraySize(int count) {
    return static_cast<std::size_t>(count);
}

bool mayStepAlone(const BatchSettings& settings) {
    return settings.blockSize == 1 || settings.aloneUpTo > 0;
}

/// The bound takes r^5 operations to prepare, a tenth of a second at 64; larger models, which are few, evaluate V(q)
/// instead of asking for it.
bool boundsStiffness(const BatchSettings& settings, int r) {
    constexpr int largest = 64;
    return settings.tangentTolerance > 0.0 || (settings.energyGuard && r <= largest);
}

}  // namespace

BatchStorage::BatchStorage(std::shared_ptr<const ReducedModel> reducedModel, const BatchSettings& batchSettings)
    : model(std::move(reducedModel)),
      settings(batchSettings),
      scheme(&schemeOf(settings.integrator)),
      table(&kernels::active()),
      coefficients(*model, settings.doublePrecision, mayStepAlone(settings)),
      rigidConstants(*model),
      r(coefficients.r),
      stride(kernels::roundUp(r, kernels::panelRows)),
      rigidStride(rigidConstants.all.rows),
      factorStride(2 * kernels::roundUp(kernels::packedSize(coefficients.systemRows), kernels::panelRows)),
      meanAxis(rigidConstants.translation.squaredNorm() <= 1e-12 * model->inertia.mass),
      modes(*model) {
    modes.factor.resize(arraySize(kernels::packedSize(coefficients.systemRows)));
    modes.meanFactor.resize(arraySize(kernels::packedSize(coefficients.systemRows)));
    fingerprint = pliant::fingerprint(*model);
    if (boundsStiffness(settings, r)) stiffnessChange = std::make_unique<StiffnessChange>(model->energy);
    makeScratch(*this, 1);
}

void changeSettings(BatchStorage& batch, const BatchSettings& newSettings) {
    const bool remake = newSettings.doublePrecision != batch.settings.doublePrecision ||
                        newSettings.blockSize != batch.settings.blockSize ||
                        mayStepAlone(newSettings) != mayStepAlone(batch.settings);
    const int workers = static_cast<int>(batch.scratch.size());
    if (remake)
        batch.coefficients = ModelCoefficients(*batch.model, newSettings.doublePrecision, mayStepAlone(newSettings));
    if (newSettings.coupling != batch.settings.coupling || newSettings.integrator != batch.settings.integrator)
        for (BodyRecord& body : batch.records) {
            body.rigidValid = body.angularResponseValid = false;
            body.history = 0;
        }
    for (BodyRecord& body : batch.records) {
        body.ledger = EnergyLedger();
        body.tangent = ReusedTangent();
    }
    batch.settings = newSettings;
    batch.scheme = &schemeOf(batch.settings.integrator);
    if (boundsStiffness(batch.settings, batch.r) && !batch.stiffnessChange)
        batch.stiffnessChange = std::make_unique<StiffnessChange>(batch.model->energy);
    if (!remake) return;
    batch.scratch.clear();
    makeScratch(batch, workers);
}

void reserve(BatchStorage& batch, int bodies) {
    if (bodies <= batch.reserved) return;
    batch.reserved = std::max(bodies, 2 * batch.reserved);
    for (kernels::AlignedArray<double>* array :
         {&batch.q, &batch.v, &batch.a, &batch.f, &batch.startVelocity, &batch.rowPosition, &batch.startPosition,
          &batch.workForce, &batch.lastForce, &batch.contactForce, &batch.tangentQ, &batch.tangentForce,
          &batch.pastQ[0], &batch.pastQ[1], &batch.pastQ[2]})
        array->resize(arraySize(batch.reserved * batch.stride));
    batch.factors.resize(arraySize(batch.reserved) * arraySize(batch.factorStride));
    for (kernels::AlignedArray<double>* array :
         {&batch.rigidProducts, &batch.pastProducts[0], &batch.pastProducts[1], &batch.pastProducts[2]})
        array->resize(arraySize(batch.reserved) * arraySize(batch.rigidStride));
    batch.couplingColumns.resize(arraySize(3 * batch.reserved * batch.stride));
    batch.angularResponse.resize(arraySize(3 * batch.reserved * batch.stride));
    batch.records.reserve(arraySize(batch.reserved));
    batch.reuses.reserve(arraySize(batch.reserved));
    batch.evaluating.reserve(arraySize(batch.reserved));
    batch.reusing.reserve(arraySize(batch.reserved));
    batch.moved.reserve(arraySize(batch.reserved));
}

void makeScratch(BatchStorage& batch, int workers) {
    while (static_cast<int>(batch.scratch.size()) < workers)
        batch.scratch.push_back(std::make_unique<BlockScratch>(batch.coefficients, batch.rigidConstants,
                                                               batch.model->damping, batch.groupsPerBlock()));
}

BlockScratch& acquireScratch(BatchStorage& batch) {
    for (;;) {
        for (const std::unique_ptr<BlockScratch>& block : batch.scratch)
            if (!block->busy.exchange(true, std::memory_order_acquire)) return *block;
        std::this_thread::yield();  // more callers than workers: wait for one of them
    }
}

}  // namespace pliant
