// SPDX-License-Identifier: Zlib
#include "pliant/runtime/BatchStorage.h"

#include <algorithm>
#include <thread>

#include "pliant/model/ModelFingerprint.h"

namespace pliant {
namespace {

std::size_t size(int count) {
    return static_cast<std::size_t>(count);
}

}  // namespace

GroupScratch::GroupScratch(const ModelCoefficients& coefficients)
    : rows(size(vectors * coefficients.systemRows * kernels::lanes)),
      system(size(kernels::packedSize(coefficients.systemRows) * kernels::lanes)) {
    weights.resize(size(6 * kernels::lanes));
    double* next = rows.data();
    const auto take = [&](double*& array) {
        array = next;
        next += coefficients.systemRows * kernels::lanes;
    };
    for (double** array : {&q0, &v0, &a0, &q, &v, &a, &f, &force, &dampingProduct, &residual, &rhs}) take(*array);
    for (int c = 0; c < 3; ++c) {
        take(coupling[c]);
        take(frameResponse[c]);
    }
}

BlockScratch::BlockScratch(const ModelCoefficients& coefficients, const RigidConstants& rigid,
                           const StrainRateDamping& damping, int groupCount)
    : definite(coefficients.systemRows), strainRate(damping) {
    const int n = coefficients.systemRows, pairRows = coefficients.rows * kernels::lanes * groupCount;
    const int monomialRows = coefficients.columns * kernels::lanes * groupCount;
    groups.reserve(size(groupCount));
    for (int g = 0; g < groupCount; ++g) groups.emplace_back(coefficients);
    if (coefficients.doublePrecision) {
        doubleMonomials.resize(size(monomialRows));
        doubleTangent.resize(size(pairRows));
        doubleSecant.resize(size(pairRows));
    } else {
        singleMonomials.resize(size(monomialRows));
        singleTangent.resize(size(pairRows));
        singleSecant.resize(size(pairRows));
    }
    panel.resize(rigid.gyroscopic[0].values.size());
    products.resize(size(rigid.all.rows));
    vectors.resize(size(8 * kernels::roundUp(n, kernels::panelRows)));
    dense.resize(size(kernels::packedSize(n)));
    rightHandSides.resize(size(2 * n * kernels::lanes));
    pairVectors.resize(size(5 * coefficients.rows));
    oneRows.resize(size(11 * kernels::roundUp(n, kernels::panelRows)));
    oneSystem.resize(size(n * kernels::roundUp(n, kernels::panelRows)));
}

namespace {

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
    modes.factor.resize(size(kernels::packedSize(coefficients.systemRows)));
    fingerprint = pliant::fingerprint(*model);
    if (boundsStiffness(settings, r)) stiffnessChange = std::make_unique<StiffnessChange>(model->energy);
    makeScratch(1);
}

int BatchStorage::groupsPerBlock() const {
    return std::max(1, (settings.blockSize + kernels::lanes - 1) / kernels::lanes);
}

void BatchStorage::changeSettings(const BatchSettings& newSettings) {
    const bool remake = newSettings.doublePrecision != settings.doublePrecision ||
                        newSettings.blockSize != settings.blockSize ||
                        mayStepAlone(newSettings) != mayStepAlone(settings);
    const int workers = static_cast<int>(scratch.size());
    if (remake) coefficients = ModelCoefficients(*model, newSettings.doublePrecision, mayStepAlone(newSettings));
    if (newSettings.coupling != settings.coupling || newSettings.integrator != settings.integrator)
        for (BodyRecord& body : records) {
            body.rigidValid = body.angularResponseValid = false;
            body.history = 0;
        }
    for (BodyRecord& body : records) {
        body.ledger = EnergyLedger();
        body.tangent = ReusedTangent();
    }
    settings = newSettings;
    scheme = &schemeOf(settings.integrator);
    if (boundsStiffness(settings, r) && !stiffnessChange)
        stiffnessChange = std::make_unique<StiffnessChange>(model->energy);
    if (!remake) return;
    scratch.clear();
    makeScratch(workers);
}

void BatchStorage::reserve(int bodies) {
    if (bodies <= reserved) return;
    reserved = std::max(bodies, 2 * reserved);
    for (kernels::AlignedArray<double>* array :
         {&q, &v, &a, &f, &startVelocity, &rowPosition, &startPosition, &workForce, &lastForce, &contactForce,
          &tangentQ, &tangentForce, &pastQ[0], &pastQ[1], &pastQ[2]})
        array->resize(size(reserved * stride));
    factors.resize(size(reserved) * size(factorStride));
    for (kernels::AlignedArray<double>* array : {&rigidProducts, &pastProducts[0], &pastProducts[1], &pastProducts[2]})
        array->resize(size(reserved) * size(rigidStride));
    couplingColumns.resize(size(3 * reserved * stride));
    angularResponse.resize(size(3 * reserved * stride));
    records.reserve(size(reserved));
    reuses.reserve(size(reserved));
    evaluating.reserve(size(reserved));
    reusing.reserve(size(reserved));
}

void BatchStorage::clearBody(int body) {
    for (kernels::AlignedArray<double>* array :
         {&q, &v, &a, &f, &startVelocity, &rowPosition, &startPosition, &workForce, &lastForce, &contactForce,
          &tangentQ, &tangentForce, &pastQ[0], &pastQ[1], &pastQ[2]})
        std::fill_n(vector(*array, body), stride, 0.0);
    record(body) = BodyRecord();
    forgetSteps(body);
}

void BatchStorage::makeScratch(int workers) {
    while (static_cast<int>(scratch.size()) < workers)
        scratch.push_back(
            std::make_unique<BlockScratch>(coefficients, rigidConstants, model->damping, groupsPerBlock()));
}

BlockScratch& BatchStorage::acquireScratch() {
    for (;;) {
        for (const std::unique_ptr<BlockScratch>& block : scratch)
            if (!block->busy.exchange(true, std::memory_order_acquire)) return *block;
        std::this_thread::yield();  // more callers than workers: wait for one of them
    }
}

RigidTerms BatchStorage::rigid(int body) {
    double* products = rigidVector(rigidProducts, body);
    const RigidTerms terms{&rigidConstants, vector(q, body), products};
    BodyRecord& state = record(body);
    if (state.rigidValid) return terms;
    if (settings.coupling == Coupling::None) {
        state.inertia = model->inertia.principalInertia.asDiagonal();
    } else {
        const kernels::CoefficientPanels<double>& panels = rigidConstants.all;
        const int rows = feelsRotation() ? panels.rows : kernels::roundUp(6 * r, kernels::panelRows);
        table->product(panels.values.data(), rows, panels.columns, terms.q, products);
        state.inertia = terms.inertia();
    }
    state.rigidValid = true;
    return terms;
}

const double* BatchStorage::addStrainRate(const double* position, const double* velocity, BlockScratch& block,
                                          double* force) const {
    StrainRateScratch& memory = block.strainRate;
    strainRateMatrix(model->damping, settings.damping.strainRate, position, memory);
    double* product = memory.vectors.data();
    multiplySymmetric(r, memory.matrix.data(), velocity, product);
    for (int j = 0; j < r; ++j) force[j] += product[j];
    return memory.matrix.data();
}

double BatchStorage::elasticForce(int body, BlockScratch& block, double* force, double* dampingProduct) {
    const double* x = vector(q, body);
    const double* velocity = vector(v, body);
    const auto evaluate = [&](auto* monomials, auto* tangent, auto* secant, const auto& panels,
                              const auto& polynomial) {
        using Scalar = std::remove_pointer_t<decltype(monomials)>;
        int next = r;
        for (int i = 0; i < r; ++i) monomials[i] = static_cast<Scalar>(x[i]);
        for (int i = 0; i < r; ++i)
            for (int j = i; j < r; ++j) monomials[next++] = static_cast<Scalar>(x[i] * x[j]);
        if (!coefficients.linear)
            polynomial(panels.values.data(), panels.rows, r, panels.columns, monomials, tangent, secant);
        std::fill_n(force, r, 0.0);
        std::fill_n(dampingProduct, r, 0.0);
        double tangentEnergy = 0.0, secantEnergy = 0.0, restEnergy = 0.0;
        const bool restDamping = settings.damping.form == DampingForm::RestStiffness;
        const double* rest = coefficients.restStiffness.data();
        for (int i = 0; i < r; ++i)
            for (int j = i; j < r; ++j, ++rest, ++tangent, ++secant) {
                const double k1 = *tangent, k2 = *secant, damping = restDamping ? *rest : *rest + k1;
                const double product = (i == j ? 1.0 : 2.0) * x[i] * x[j];
                force[i] += (*rest + k2) * x[j];
                dampingProduct[i] += damping * velocity[j];
                if (i != j) {
                    force[j] += (*rest + k2) * x[i];
                    dampingProduct[j] += damping * velocity[i];
                }
                restEnergy += *rest * product;
                tangentEnergy += k1 * product;
                secantEnergy += k2 * product;
            }
        // q'K1 q = a, q'K2 q = b: tangent gives a + b, secant a / 2 + b / 3, the energy is a / 6 + b / 12.
        return 0.5 * restEnergy + 0.5 * secantEnergy - tangentEnergy / 12.0;
    };
    return coefficients.doublePrecision
               ? evaluate(block.doubleMonomials.data(), block.doubleTangent.data(), block.doubleSecant.data(),
                          coefficients.doublePanels, table->polynomialOneDouble)
               : evaluate(block.singleMonomials.data(), block.singleTangent.data(), block.singleSecant.data(),
                          coefficients.singlePanels, table->polynomialOneSingle);
}

}  // namespace pliant
