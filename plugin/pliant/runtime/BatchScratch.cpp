// SPDX-License-Identifier: Zlib
#include "pliant/runtime/BatchScratch.h"

namespace pliant {
namespace {

std::size_t scratchSize(int count) {
    return static_cast<std::size_t>(count);
}

}  // namespace

GroupScratch::GroupScratch(const ModelCoefficients& coefficients)
    : rows(scratchSize(vectors * coefficients.systemRows * kernels::lanes)),
      system(scratchSize(kernels::packedSize(coefficients.systemRows) * kernels::lanes)) {
    weights.resize(scratchSize(6 * kernels::lanes));
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
    groups.reserve(scratchSize(groupCount));
    for (int g = 0; g < groupCount; ++g) groups.emplace_back(coefficients);
    if (coefficients.doublePrecision) {
        doubleMonomials.resize(scratchSize(monomialRows));
        doubleTangent.resize(scratchSize(pairRows));
        doubleSecant.resize(scratchSize(pairRows));
    } else {
        singleMonomials.resize(scratchSize(monomialRows));
        singleTangent.resize(scratchSize(pairRows));
        singleSecant.resize(scratchSize(pairRows));
    }
    panel.resize(rigid.gyroscopic[0].values.size());
    products.resize(scratchSize(rigid.all.rows));
    vectors.resize(scratchSize(8 * kernels::roundUp(n, kernels::panelRows)));
    dense.resize(scratchSize(kernels::packedSize(n)));
    rightHandSides.resize(scratchSize(2 * kernels::roundUp(n, kernels::panelRows) * kernels::lanes));
    pairVectors.resize(scratchSize(5 * coefficients.rows));
    oneRows.resize(scratchSize(11 * kernels::roundUp(n, kernels::panelRows)));
    oneSystem.resize(scratchSize(n * kernels::roundUp(n, kernels::panelRows)));
}

}  // namespace pliant
