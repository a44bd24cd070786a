// SPDX-License-Identifier: Zlib
#include "pliant/runtime/BodyTerms.h"

#include <algorithm>

namespace pliant {

RigidTerms rigidTerms(BatchStorage& batch, int body) {
    double* products = batch.rigidVector(batch.rigidProducts, body);
    const RigidTerms terms{&batch.rigidConstants, batch.vector(batch.q, body), products};
    BodyRecord& state = batch.record(body);
    if (state.rigidValid) return terms;
    if (batch.settings.coupling == Coupling::None) {
        state.inertia = batch.model->inertia.principalInertia.asDiagonal();
    } else {
        const kernels::CoefficientPanels<double>& panels = batch.rigidConstants.all;
        const int rows = batch.feelsRotation() ? panels.rows : kernels::roundUp(6 * batch.r, kernels::panelRows);
        batch.table->product(panels.values.data(), rows, panels.columns, terms.q, products);
        state.inertia = batch.reacts() ? terms.inertiaAgainstModes() : terms.inertia();
    }
    state.rigidValid = true;
    return terms;
}

const double* addStrainRate(const BatchStorage& batch, const double* position, const double* velocity,
                            BlockScratch& block, double* force) {
    StrainRateScratch& memory = block.strainRate;
    strainRateMatrix(batch.model->damping, batch.settings.damping.strainRate, position, memory);
    double* product = memory.vectors.data();
    multiplySymmetric(batch.r, memory.matrix.data(), velocity, product);
    for (int j = 0; j < batch.r; ++j) force[j] += product[j];
    return memory.matrix.data();
}

double elasticForce(const BatchStorage& batch, int body, BlockScratch& block, double* force, double* dampingProduct) {
    const double* x = batch.vector(batch.q, body);
    const double* velocity = batch.vector(batch.v, body);
    const auto evaluate = [&](auto* monomials, auto* tangent, auto* secant, const auto& panels,
                              const auto& polynomial) {
        using Scalar = std::remove_pointer_t<decltype(monomials)>;
        int next = batch.r;
        for (int i = 0; i < batch.r; ++i) monomials[i] = static_cast<Scalar>(x[i]);
        for (int i = 0; i < batch.r; ++i)
            for (int j = i; j < batch.r; ++j) monomials[next++] = static_cast<Scalar>(x[i] * x[j]);
        if (!batch.coefficients.linear)
            polynomial(panels.values.data(), panels.rows, batch.r, panels.columns, monomials, tangent, secant);
        std::fill_n(force, batch.r, 0.0);
        std::fill_n(dampingProduct, batch.r, 0.0);
        double tangentEnergy = 0.0, secantEnergy = 0.0, restEnergy = 0.0;
        const bool restDamping = batch.settings.damping.form == DampingForm::RestStiffness;
        const double* rest = batch.coefficients.restStiffness.data();
        for (int i = 0; i < batch.r; ++i)
            for (int j = i; j < batch.r; ++j, ++rest, ++tangent, ++secant) {
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
    return batch.coefficients.doublePrecision
               ? evaluate(block.doubleMonomials.data(), block.doubleTangent.data(), block.doubleSecant.data(),
                          batch.coefficients.doublePanels, batch.table->polynomialOneDouble)
               : evaluate(block.singleMonomials.data(), block.singleTangent.data(), block.singleSecant.data(),
                          batch.coefficients.singlePanels, batch.table->polynomialOneSingle);
}

}  // namespace pliant
