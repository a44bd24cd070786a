// SPDX-License-Identifier: Zlib
// Internal: a block of groups of 16 bodies on its way through the free step (NewmarkStep.cpp has the equations).
#pragma once

#include <array>

#include "pliant/runtime/BatchStorage.h"

namespace pliant {

/// A block of groups on its way through a step.
struct BlockStep {
    BatchStorage& storage;
    BlockScratch& block;
    double h, gamma, beta;
    int groups;

    static constexpr int lanes = kernels::lanes;
    using LaneVectors = std::array<std::array<double, lanes>, 3>;  ///< A vector of three numbers for each lane.

    int rows() const { return storage.r * lanes; }

    void gatherPositions(const int* bodies, int count) const;
    void gatherPositions(GroupScratch& group) const;
    std::array<double, lanes> strainEnergies(const GroupScratch& group, int index) const;
    void guardEnergy(const GroupScratch& group, int index) const;
    void gather(GroupScratch& group) const;
    void gatherFrame(GroupScratch& group, int lane) const;
    void updateRates(GroupScratch& group) const;
    void evaluatePolynomial() const;
    void assemble(GroupScratch& group, int index) const;
    void addStrainRate(GroupScratch& group) const;
    void measureResidual(GroupScratch& group, bool first) const;
    void iterate() const;
    LaneVectors frameProducts(const GroupScratch& group, const double* x) const;
    void addColumns(double* const (&columns)[3], const LaneVectors& weights, double scale, double* y) const;
    void addFrameReaction(GroupScratch& group) const;
    void solve(GroupScratch& group, int index) const;
    unsigned smallPivots(const GroupScratch& group) const;
    void keepSystem(const GroupScratch& group, unsigned chosen) const;
    void keepFactors(const GroupScratch& group, unsigned failed) const;
    void solveDefinite(GroupScratch& group, int lane) const;
    void scatter(const GroupScratch& group) const;

    // ReusedTangent.cpp: the same for bodies that go on with the tangent stiffness of an earlier step.
    TangentFactors tangentFactors() const;
    void storeTangent(const GroupScratch& group, unsigned failed) const;
    void multiplyRestStiffness(const double* x, double* y) const;
    void recallForce(GroupScratch& group) const;
    void recallDamping(GroupScratch& group) const;
    void solveWithReusedTangent(GroupScratch& group) const;
    void recallStep(GroupScratch& group) const;
};

}  // namespace pliant
