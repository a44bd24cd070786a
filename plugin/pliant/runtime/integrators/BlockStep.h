// SPDX-License-Identifier: Zlib
// A block of groups of 16 bodies on its way through the free step (NewmarkStep.cpp has the equations). Every function
// reads and writes the block's scratch of the groups that it is given; what it writes beyond that is said. Private to
// runtime/.
#pragma once

#include <array>

#include "pliant/runtime/BatchStorage.h"

namespace pliant {

/// A block of groups, and the step that it makes.
struct BlockStep {
    BatchStorage& storage;
    BlockScratch& block;
    double h, gamma, beta;
    int groups;

    int rows() const { return storage.r * kernels::lanes; }
};

/// A vector of three numbers for each lane.
using LaneVectors = std::array<std::array<double, kernels::lanes>, 3>;

// BlockStep.cpp

/// Shares the bodies out to groups, and reads their q.
void gatherPositions(const BlockStep& step, const int* bodies, int count);
/// Reads q', q'', f and, where rotation is felt, the frame's end of every lane.
void gather(const BlockStep& step, GroupScratch& group);
/// K1 + K2 and K1 / 2 + K2 / 3 of every body of the block: one matrix product.
void evaluatePolynomial(const BlockStep& step);
/// Strain energy of every lane from the products of the present q, J.
std::array<double, kernels::lanes> strainEnergies(const BlockStep& step, const GroupScratch& group, int index);
/// Strain energy of every lane to the account of its body: writes what guardEnergy() of a body does.
void guardEnergy(const BlockStep& step, const GroupScratch& group, int index);
/// Sets q' and q'' to what belongs to the present q.
void updateRates(const BlockStep& step, GroupScratch& group);
/// Force, damping product and system matrix of the present q and q'.
void assemble(const BlockStep& step, GroupScratch& group, int index);
/// Residual q'' - H'I^-1 H q'' + D q' + R - f; lanes whose residual has become small enough stop.
void measureResidual(const BlockStep& step, GroupScratch& group, bool first);
/// Newton iterations from the present q. Writes the bodies' factors and responses to turns.
void iterate(const BlockStep& step);
/// Writes q, q' and q'' of the bodies, or the old q at rest where the new state is not finite.
void scatter(const BlockStep& step, const GroupScratch& group);

// BlockSolve.cpp

/// One Newton step of the moving lanes. Writes the bodies' factors and responses to turns.
void solveGroup(const BlockStep& step, GroupScratch& group, int index);
/// H x of every lane.
LaneVectors frameProducts(const BlockStep& step, const GroupScratch& group, const double* x);
/// Adds scale * sum_c column_c weight_c to y, lane by lane.
void addColumns(const BlockStep& step, double* const (&columns)[3], const LaneVectors& weights, double scale,
                double* y);
/// (S - H'I^-1 H)^-1 rhs from S^-1 rhs. Writes the bodies' responses to turns.
void addFrameReaction(const BlockStep& step, GroupScratch& group);

// ReusedTangent.cpp

/// Keeps tangent, force and q of the bodies of a group that has just been factored, but for lanes that have failed.
/// Writes tangentQ, tangentForce and BodyRecord::tangent.
void storeTangent(const BlockStep& step, const GroupScratch& group, unsigned failed);
/// Whether S of every lane is BatchStorage::restTangent; after gather().
bool sharesRestTangent(const BlockStep& step, const GroupScratch& group);
/// R(q) = K0 q and the damping product of the present q and q', with the bits of assemble().
void multiplyAtRest(const BlockStep& step, GroupScratch& group);
/// One Newton step of the moving lanes by the shared factor. Writes the bodies' factors.
void solveAtRest(const BlockStep& step, GroupScratch& group);
/// R(q) of every lane by the earlier tangent, and the strain energy to the account of its body.
void recallForce(const BlockStep& step, GroupScratch& group);
/// The step of the group by the earlier factors; after recallForce() and gather().
void recallStep(const BlockStep& step, GroupScratch& group);

}  // namespace pliant
