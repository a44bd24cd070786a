// SPDX-License-Identifier: Zlib
#include "pliant/runtime/ModelCoefficients.h"

#include <vector>

#include "pliant/runtime/SinglePrecision.h"

namespace pliant {

namespace {

/// Zeros to the last bit, as of the flesh of characters by default.
bool isLinear(const StrainEnergyPolynomial& energy) {
    return (energy.cubic.array() == 0.0).all() && (energy.quartic.array() == 0.0).all();
}

}  // namespace

ModelCoefficients::ModelCoefficients(const ReducedModel& model, bool inDouble, bool alone)
    : r(model.energy.dimension()),
      pairs(kernels::packedSize(r)),
      columns(r + pairs),
      rows(kernels::roundUp(pairs, kernels::panelRows)),
      systemRows(kernels::factorRows(r)),
      doublePrecision(inDouble || !fitsSinglePrecision(model)),
      linear(isLinear(model.energy)),
      restStiffness(static_cast<std::size_t>(rows)) {
    for (int a = 0; a < r; ++a)
        for (int b = a; b < r; ++b)
            restStiffness.data()[kernels::packedIndex(r, a, b)] = model.energy.linearStiffness(a, b);
    if (linear) return;
    const MatrixX coefficients = stiffnessCoefficients(model.energy);
    if (doublePrecision)
        doublePanels = kernels::CoefficientPanels<double>(coefficients);
    else
        singlePanels = kernels::CoefficientPanels<float>(coefficients);
    if (alone) {
        cubicPanels = kernels::CoefficientPanels<double>(coefficients.leftCols(r));
        std::vector<bool> square(static_cast<std::size_t>(pairs), false);
        for (int a = 0; a < r; ++a) square[static_cast<std::size_t>(kernels::packedIndex(r, a, a))] = true;
        quarticBlocks = kernels::SymmetricBlocks(pairs, [&](int i, int j) {
            return coefficients(i, r + j) * (square[static_cast<std::size_t>(j)] ? 1.0 : 0.5);
        });
    }
}

}  // namespace pliant
