// SPDX-License-Identifier: Zlib
#include "pliant/runtime/DefaultDamping.h"

#include <cmath>

namespace pliant {

DampingSettings defaultDamping(const ReducedModel& model) {
    DampingSettings damping;
    if (model.restEigenvalues.size() == 0) return damping;
    // Rounding may leave a rigid motion of an imported basis with next to no stiffness.
    const double least = 1e-12 * model.restEigenvalues.maxCoeff();
    double lowest = 0.0;
    for (const double lambda : model.restEigenvalues)
        if (lambda > least && (lowest == 0.0 || lambda < lowest)) lowest = lambda;
    if (lowest > 0.0) damping.stiffness = 2.0 * defaultDampingRatio / std::sqrt(lowest);
    return damping;
}

}  // namespace pliant
