// SPDX-License-Identifier: Zlib
// The linear systems of a block's Newton step, and what a reacting frame adds to them.
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>

#include "pliant/runtime/SymmetricSystem.h"
#include "pliant/runtime/integrators/BlockStep.h"
#include "pliant/runtime/integrators/BodyStep.h"
#include "pliant/runtime/integrators/ReusedTangent.h"

namespace pliant {

using kernels::lanes;

LaneVectors frameProducts(const BlockStep& step, const GroupScratch& group, const double* x) {
    LaneVectors sums{};
    for (std::size_t c = 0; c < 3; ++c)
        for (int row = 0; row < step.storage.r; ++row)
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                const std::size_t i = static_cast<std::size_t>(row * lanes) + lane;
                sums[c][lane] += group.coupling[c][i] * x[i];
            }
    return sums;
}

void addColumns(const BlockStep& step, double* const (&columns)[3], const LaneVectors& weights, double scale,
                double* y) {
    for (std::size_t c = 0; c < 3; ++c)
        for (int row = 0; row < step.storage.r; ++row)
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                const std::size_t i = static_cast<std::size_t>(row * lanes) + lane;
                y[i] += scale * columns[c][i] * weights[c][lane];
            }
}

namespace {

/// E = I - H Z of each lane, Z = S^-1 H' the response to its frame's coupling.
std::array<Matrix3, lanes> schurComplements(const BlockStep& step, const GroupScratch& group) {
    LaneVectors products[3];
    for (std::size_t c = 0; c < 3; ++c) products[c] = frameProducts(step, group, group.frameResponse[c]);
    std::array<Matrix3, lanes> schur;
    for (std::size_t lane = 0; lane < static_cast<std::size_t>(group.count); ++lane) {
        schur[lane] = step.storage.record(group.bodies[lane]).endInertia;
        for (std::size_t c = 0; c < 3; ++c)
            schur[lane].col(static_cast<int>(c)) -=
                Vector3(products[c][0][lane], products[c][1][lane], products[c][2][lane]);
    }
    return schur;
}

/// Moving lanes whose S is definite, and whose frame and deformation together are not.
unsigned indefiniteFrames(const BlockStep& step, const GroupScratch& group) {
    BatchStorage& batch = step.storage;
    const std::array<Matrix3, lanes> schur = schurComplements(step, group);
    unsigned found = 0;
    for (int lane = 0; lane < group.count; ++lane) {
        const auto at = static_cast<std::size_t>(lane);
        const double* H = batch.threeColumns(batch.couplingColumns, group.bodies[at]);
        if (group.moving[at] &&
            !frameIsDefinite(schur[at], batch.record(group.bodies[at]).endInertia, H, batch.stride, batch.r))
            found |= 1u << lane;
    }
    return found;
}

}  // namespace

/// (S - H'I^-1 H)^-1 rhs from S^-1 rhs: x + Z E^-1 H x with Z = S^-1 H' and E = I - H Z (Woodbury), the very inverse
/// that response() applies. Keeps E^-1 and Z for it.
void addFrameReaction(const BlockStep& step, GroupScratch& group) {
    BatchStorage& batch = step.storage;
    LaneVectors turn = frameProducts(step, group, group.rhs);
    const std::array<Matrix3, lanes> schur = schurComplements(step, group);
    for (std::size_t lane = 0; lane < static_cast<std::size_t>(group.count); ++lane) {
        BodyRecord& record = batch.record(group.bodies[lane]);
        if (group.moving[lane]) record.schurInverse = schur[lane].inverse();
        const Vector3 w = record.schurInverse * Vector3(turn[0][lane], turn[1][lane], turn[2][lane]);
        for (std::size_t c = 0; c < 3; ++c) turn[c][lane] = w[static_cast<int>(c)];
        if (!group.moving[lane]) continue;
        double* target = batch.threeColumns(batch.angularResponse, group.bodies[lane]);
        for (int c = 0; c < 3; ++c)
            for (int j = 0; j < batch.r; ++j)
                target[c * batch.stride + j] = group.frameResponse[c][static_cast<std::size_t>(j * lanes) + lane];
        record.angularResponseValid = identityShare(step.gamma, step.beta) == 0.0;
    }
    addColumns(step, group.frameResponse, turn, 1.0, group.rhs);
}

namespace {

/// Lanes that are definite by a hair: the smallest pivot bounds the smallest eigenvalue from above.
unsigned smallPivots(const BlockStep& step, const GroupScratch& group) {
    BatchStorage& batch = step.storage;
    const int n = batch.coefficients.systemRows;
    unsigned found = 0;
    for (int row = 0; row < batch.r; ++row) {
        const double* inverse = group.system.data() + kernels::packedIndex(n, row, row) * lanes;  // 1 / U_aa
        for (int lane = 0; lane < group.count; ++lane)
            if (inverse[lane] > largestInversePivot) found |= 1u << lane;
    }
    return found;
}

/// Copies S of the chosen moving lanes to their bodies.
void keepSystem(const BlockStep& step, const GroupScratch& group, unsigned chosen) {
    BatchStorage& batch = step.storage;
    const int size = kernels::packedSize(batch.coefficients.systemRows);
    for (int lane = 0; lane < group.count; ++lane) {
        if (!group.moving[static_cast<std::size_t>(lane)] || !(chosen >> lane & 1u)) continue;
        double* target = batch.system(group.bodies[lane]);
        for (int i = 0; i < size; ++i) target[i] = group.system.data()[i * lanes + lane];
    }
}

void keepFactors(const BlockStep& step, const GroupScratch& group, unsigned failed) {
    BatchStorage& batch = step.storage;
    const int size = kernels::packedSize(batch.coefficients.systemRows);
    std::array<double*, lanes> targets{};
    int count = 0;
    std::array<int, lanes> kept{};
    for (int lane = 0; lane < group.count; ++lane) {
        if (!group.moving[static_cast<std::size_t>(lane)] || (failed >> lane & 1u)) continue;
        kept[static_cast<std::size_t>(count)] = lane;
        targets[static_cast<std::size_t>(count++)] = batch.factor(group.bodies[lane]);
        batch.record(group.bodies[lane]).inverted = batch.record(group.bodies[lane]).tangent.isRest = false;
    }
    // By pieces that stay near while all lanes take theirs out of them.
    constexpr int piece = 8;
    for (int start = 0; start < size; start += piece)
        for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k)
            for (int i = start; i < std::min(start + piece, size); ++i)
                targets[k][i] = group.system.data()[i * lanes + kept[k]];
}

/// The same of one lane whose system is not, or hardly, definite; keeps the inverse for the response.
void solveDefinite(const BlockStep& step, GroupScratch& group, int lane) {
    BatchStorage& batch = step.storage;
    BlockScratch& block = step.block;
    const int n = batch.coefficients.systemRows, body = group.bodies[lane];
    const bool finite = invertSystem(batch, body, block);
    double* solution = block.vectors.data();
    double* rhs = solution + kernels::roundUp(n, kernels::panelRows);
    std::fill(rhs, rhs + n, 0.0);
    const auto solveLane = [&](const double* source, double scale, double* target) {
        for (int j = 0; j < batch.r; ++j) rhs[j] = scale * source[j * lanes + lane];
        multiplySymmetric(n, batch.factor(body), rhs, solution);
        // The finite check at the end of the step puts the body back.
        for (int j = 0; j < batch.r; ++j) target[j * lanes + lane] = finite ? solution[j] : std::nan("");
    };
    solveLane(group.residual, -step.beta * step.h * step.h, group.rhs);
    if (batch.reacts())
        for (int c = 0; c < 3; ++c) solveLane(group.coupling[c], 1.0, group.frameResponse[c]);
}

}  // namespace

void solveGroup(const BlockStep& step, GroupScratch& group, int index) {
    BatchStorage& batch = step.storage;
    const int n = batch.coefficients.systemRows;
    if (identityShare(step.gamma, step.beta) != 0.0) keepSystem(step, group, ~0u);
    unsigned failed = batch.table->factor(n, group.system.data()) | smallPivots(step, group);
    keepFactors(step, group, failed);
    storeTangent(step, group, failed);
    batch.table->solve(n, group.system.data(), group.rhs);
    if (batch.reacts()) {
        for (int c = 0; c < 3; ++c) {
            std::copy_n(group.coupling[c], step.rows(), group.frameResponse[c]);
            batch.table->solve(n, group.system.data(), group.frameResponse[c]);
        }
        failed |= indefiniteFrames(step, group);
    }
    unsigned fallback = 0;
    for (int lane = 0; lane < group.count; ++lane)
        if (group.moving[static_cast<std::size_t>(lane)]) fallback |= failed & (1u << lane);
    if (fallback) {
        // Factorisation and solution were in place: form the failed lanes' equations once more.
        assemble(step, group, index);
        keepSystem(step, group, fallback);
        for (int lane = 0; lane < group.count; ++lane)
            if (fallback >> lane & 1u) solveDefinite(step, group, lane);
    }
    if (batch.reacts()) addFrameReaction(step, group);
    for (int row = 0; row < batch.r; ++row)
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const std::size_t i = static_cast<std::size_t>(row * lanes) + lane;
            if (group.moving[lane]) group.q[i] += group.rhs[i];
        }
}

}  // namespace pliant
