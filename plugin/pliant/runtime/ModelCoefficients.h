// SPDX-License-Identifier: Zlib
// What the kernels need of a model, in their order. Private to runtime/.
#pragma once

#include "pliant/model/ReducedModel.h"
#include "pliant/runtime/kernels/CoefficientPanels.h"

namespace pliant {

struct ModelCoefficients {
    ModelCoefficients(const ReducedModel& model, bool inDouble);

    int r;
    int pairs;       ///< p = r (r + 1) / 2
    int columns;     ///< r + p
    int rows;        ///< p rounded up to whole panels
    int systemRows;  ///< r rounded up to whole factorisation tiles
    bool doublePrecision;
    kernels::CoefficientPanels<float> singlePanels;   ///< p x (r + p); empty in double precision
    kernels::CoefficientPanels<double> doublePanels;  ///< the same; empty in single precision
    kernels::AlignedArray<double> restStiffness;      ///< K0, packed p
};

}  // namespace pliant
