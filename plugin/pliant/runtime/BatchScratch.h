// SPDX-License-Identifier: Zlib
// Working memory of the steps of a batch. Private to runtime/.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <vector>

#include "pliant/runtime/ModelCoefficients.h"
#include "pliant/runtime/RigidTerms.h"
#include "pliant/runtime/StrainRateTerms.h"
#include "pliant/runtime/SymmetricSystem.h"

namespace pliant {

/// Arrays of one group of 16 bodies, [row][16]; `n` rows each where nothing else is said.
struct GroupScratch {
    explicit GroupScratch(const ModelCoefficients& coefficients);

    static constexpr int vectors = 17;
    kernels::AlignedArray<double> rows;
    double *q0, *v0, *a0, *q, *v, *a, *f, *force, *dampingProduct, *residual, *rhs;
    double* coupling[3];       ///< Columns of H', the angular momentum of the coordinates.
    double* frameResponse[3];  ///< Columns of Z = S^-1 H', what the coordinates answer to a turn of the frame.
    kernels::AlignedArray<double> weights;  ///< Weights of the centrifugal terms, [6][16].
    kernels::AlignedArray<double> system;   ///< The system matrix S, packed, n rows.

    const int* bodies = nullptr;  ///< The bodies of the lanes; lanes from `count` on are padding.
    int count = 0;
    std::array<bool, kernels::lanes> moving{};  ///< Lanes whose Newton iteration goes on.
    std::array<double, kernels::lanes> firstResidual{};

    bool anyMoving() const { return std::find(moving.begin(), moving.end(), true) != moving.end(); }
};

/// Working memory of one block of groups; kept and reused.
struct BlockScratch {
    BlockScratch(const ModelCoefficients& coefficients, const RigidConstants& rigid, const StrainRateDamping& damping,
                 int groupCount);

    std::atomic<bool> busy{false};
    std::vector<GroupScratch> groups;
    kernels::AlignedArray<float> singleMonomials, singleTangent, singleSecant;
    kernels::AlignedArray<double> doubleMonomials, doubleTangent, doubleSecant;
    kernels::AlignedArray<double> panel;     ///< The gyroscopic matrix of one body.
    kernels::AlignedArray<double> products;  ///< Products of a predicted q for its rigid terms.
    kernels::AlignedArray<double> vectors;   ///< Eight vectors of r numbers.
    kernels::AlignedArray<double> dense;     ///< What one body's response is blended from, packed, n rows.
    kernels::AlignedArray<double>
        pairVectors;  ///< Of one body alone: monomials, K1, K2, tangent and secant, p numbers each.
    kernels::AlignedArray<double> oneRows;         ///< Of one body alone: the vectors of OneBodyStep.
    kernels::AlignedArray<double> oneSystem;       ///< Of one body alone: the system matrix, square.
    kernels::AlignedArray<double> rightHandSides;  ///< Two sets of 16 right-hand sides, [n][16] each, in whole panels.
    DefiniteInverse definite;                      ///< Inverse of one body's system matrix that is made definite.
    StrainRateScratch strainRate;                  ///< Strain-rate damping of one body.
};

}  // namespace pliant
