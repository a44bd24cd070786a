// SPDX-License-Identifier: Zlib
#include "pliant/runtime/ModelCoefficients.h"

namespace pliant {

ModelCoefficients::ModelCoefficients(const ReducedModel& model, bool inDouble)
    : r(model.energy.dimension()),
      pairs(kernels::packedSize(r)),
      columns(r + pairs),
      rows(kernels::roundUp(pairs, kernels::panelRows)),
      systemRows(kernels::factorRows(r)),
      doublePrecision(inDouble),
      restStiffness(static_cast<std::size_t>(pairs)) {
    const MatrixX coefficients = stiffnessCoefficients(model.energy);
    if (inDouble)
        doublePanels = kernels::CoefficientPanels<double>(coefficients);
    else
        singlePanels = kernels::CoefficientPanels<float>(coefficients);
    for (int a = 0; a < r; ++a)
        for (int b = a; b < r; ++b)
            restStiffness.data()[kernels::packedIndex(r, a, b)] = model.energy.linearStiffness(a, b);
}

}  // namespace pliant
