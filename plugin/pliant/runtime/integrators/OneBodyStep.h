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
};

// OneBodyStep.cpp. What is evaluated goes to the step's vectors and its block; what is written beyond that is said.

/// K1 + K2 and the secant at the present q.
void evaluatePolynomial(const OneBodyStep& step);
/// Adds the centrifugal terms to tangent and secant.
void addRotation(const OneBodyStep& step);
/// Force, damping product and system matrix of the present q and q'.
void assemble(const OneBodyStep& step);
/// Residual q'' - H'I^-1 H q'' + D q' + R - f. @return its norm
double measureResidual(const OneBodyStep& step);
/// Solves for rhs = -beta h^2 S^-1 residual, and for Z. Writes the body's factor and system.
void factorAndSolve(OneBodyStep& step);
/// (S - H'I^-1 H)^-1 in place of S^-1. Writes the body's response to turns.
void addFrameReaction(OneBodyStep& step);
/// The free step of one body. Writes its state.
void stepAlone(BatchStorage& batch, double h, int body);

// SearchedStep.cpp

/// The free step once more, from its start, by Newton's method with a search along its directions.
/// Writes the state, the factor and the record, as stepAlone() does.
/// @return false where it fails: q, q' and q'' are those of before then; factor and response are those of the last
/// point that was tried, near which the body is
bool searchStep(BatchStorage& batch, double h, int body, BlockScratch& block);

}  // namespace pliant
