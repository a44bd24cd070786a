// SPDX-License-Identifier: Zlib
// Internal: one body on its way through the free step (OneBodyStep.cpp has the equations, SearchedStep.cpp the search
// along Newton directions).
#pragma once

#include "pliant/runtime/BatchStorage.h"

namespace pliant {

struct OneBodyStep {
    OneBodyStep(BatchStorage& owner, BlockScratch& scratch, int number, double step)
        : storage(owner),
          block(scratch),
          body(number),
          h(step),
          gamma(owner.settings.newmark.gamma),
          beta(owner.settings.newmark.beta()),
          r(owner.r),
          n(owner.coefficients.systemRows),
          stride(kernels::roundUp(n, kernels::panelRows)) {
        double* next = block.oneRows.data();
        for (double** rows :
             {&q, &v, &a, &force, &damping, &residual, &rhs, &frame[0], &frame[1], &predictedQ, &predictedV}) {
            *rows = next;
            next += stride;
        }
        frame[2] = block.vectors.data();
    }

    BatchStorage& storage;
    BlockScratch& block;
    const int body;
    const double h, gamma, beta;
    const int r, n, stride;
    double *q, *v, *a, *force, *damping, *residual, *rhs;
    double* frame[3];                 ///< Columns of Z = S^-1 H', what the coordinates answer to a turn of the frame.
    double *predictedQ, *predictedV;  ///< Of the searched step: q and q' where q'' is 0.

    void updateRates() const;
    void evaluatePolynomial() const;
    double strainEnergy() const;
    void addRotation() const;
    void addCentrifugal() const;
    void assemble() const;
    double measureResidual() const;
    void factorAndSolve();
    void solveDefinite();
    void addFrameReaction();
    bool run();

    // SearchedStep.cpp
    void predict() const;
    void updatePredictedRates() const;
    void evaluateBlockPolynomial() const;
    void evaluate() const;
    double curvatureAlong(const double* way) const;
    bool searchLine(const double* way, double slope);
    bool search();
};

}  // namespace pliant
