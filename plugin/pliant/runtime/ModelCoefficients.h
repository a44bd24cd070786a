// SPDX-License-Identifier: Zlib
// What the kernels need of a model, in their order. Private to runtime/.
#pragma once

#include "pliant/model/ReducedModel.h"
#include "pliant/runtime/kernels/CoefficientPanels.h"

namespace pliant {

struct ModelCoefficients {
    /// @param alone for bodies stepped one by one; always in double precision then
    ModelCoefficients(const ReducedModel& model, bool inDouble, bool alone);

    int r;
    int pairs;       ///< Number p = r (r + 1) / 2 of pairs of coordinates.
    int columns;     ///< Number r + p of monomials.
    int rows;        ///< Number p rounded up to whole panels.
    int systemRows;  ///< Number r rounded up to whole tiles of the factorisation.
    bool doublePrecision;
    bool linear;  ///< K1 and K2 are zero: panels and blocks are empty, and nobody evaluates them.
    kernels::CoefficientPanels<float>
        singlePanels;  ///< Coefficients of K1 and K2, p x (r + p); empty in double precision.
    kernels::CoefficientPanels<double>
        doublePanels;  ///< Coefficients of K1 and K2, p x (r + p); empty in single precision.
    // Alone: K1 (p x r), and K2 as a symmetric p x p matrix acting on q_i q_j, twice for i < j. The four-index symmetry
    // of the energy makes it symmetric, so half of it is read.
    kernels::CoefficientPanels<double> cubicPanels;
    kernels::SymmetricBlocks quarticBlocks;
    kernels::AlignedArray<double> restStiffness;  ///< The rest stiffness K0, packed, p numbers.
};

}  // namespace pliant
