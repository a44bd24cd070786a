// SPDX-License-Identifier: Zlib
// The linear systems of a block's Newton step, and what a reacting frame adds to them.
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "pliant/runtime/SymmetricSystem.h"
#include "pliant/runtime/integrators/BlockStep.h"

namespace pliant {

using kernels::lanes;

/// H x of every lane.
BlockStep::LaneVectors BlockStep::frameProducts(const GroupScratch& group, const double* x) const {
    LaneVectors sums{};
    for (std::size_t c = 0; c < 3; ++c)
        for (int row = 0; row < storage.r; ++row)
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                const std::size_t i = static_cast<std::size_t>(row * lanes) + lane;
                sums[c][lane] += group.coupling[c][i] * x[i];
            }
    return sums;
}

/// y += scale * sum_c column_c weight_c, lane by lane.
void BlockStep::addColumns(double* const (&columns)[3], const LaneVectors& weights, double scale, double* y) const {
    for (std::size_t c = 0; c < 3; ++c)
        for (int row = 0; row < storage.r; ++row)
            for (std::size_t lane = 0; lane < lanes; ++lane) {
                const std::size_t i = static_cast<std::size_t>(row * lanes) + lane;
                y[i] += scale * columns[c][i] * weights[c][lane];
            }
}

/// (S - H'I^-1 H)^-1 rhs from S^-1 rhs: x + Z E^-1 H x with Z = S^-1 H' and E = I - H Z (Woodbury), the very inverse
/// that response() applies. Keeps E^-1 and Z for it.
void BlockStep::addFrameReaction(GroupScratch& group) const {
    LaneVectors products[3], turn = frameProducts(group, group.rhs);
    for (std::size_t c = 0; c < 3; ++c) products[c] = frameProducts(group, group.frameResponse[c]);
    for (std::size_t lane = 0; lane < static_cast<std::size_t>(group.count); ++lane) {
        BodyRecord& record = storage.record(group.bodies[lane]);
        Matrix3 schur = record.endInertia;
        for (std::size_t c = 0; c < 3; ++c)
            schur.col(static_cast<int>(c)) -= Vector3(products[c][0][lane], products[c][1][lane], products[c][2][lane]);
        if (group.moving[lane]) record.schurInverse = schur.inverse();
        const Vector3 w = record.schurInverse * Vector3(turn[0][lane], turn[1][lane], turn[2][lane]);
        for (std::size_t c = 0; c < 3; ++c) turn[c][lane] = w[static_cast<int>(c)];
        if (!group.moving[lane]) continue;
        double* target = storage.threeColumns(storage.angularResponse, group.bodies[lane]);
        for (int c = 0; c < 3; ++c)
            for (int j = 0; j < storage.r; ++j)
                target[c * storage.stride + j] = group.frameResponse[c][static_cast<std::size_t>(j * lanes) + lane];
        record.angularResponseValid = identityShare(gamma, beta) == 0.0;
    }
    addColumns(group.frameResponse, turn, 1.0, group.rhs);
}

/// One Newton step of the moving lanes.
void BlockStep::solve(GroupScratch& group, int index) const {
    const int n = storage.coefficients.systemRows;
    if (identityShare(gamma, beta) != 0.0) keepSystem(group, ~0u);
    const unsigned failed = storage.table->factor(n, group.system.data()) | smallPivots(group);
    keepFactors(group, failed);
    storeTangent(group, failed);
    storage.table->solve(n, group.system.data(), group.rhs);
    if (storage.reacts())
        for (int c = 0; c < 3; ++c) {
            std::copy_n(group.coupling[c], rows(), group.frameResponse[c]);
            storage.table->solve(n, group.system.data(), group.frameResponse[c]);
        }
    unsigned fallback = 0;
    for (int lane = 0; lane < group.count; ++lane)
        if (group.moving[static_cast<std::size_t>(lane)]) fallback |= failed & (1u << lane);
    if (fallback) {
        // Factorisation and solution were in place: form the failed lanes' equations once more.
        assemble(group, index);
        keepSystem(group, fallback);
        for (int lane = 0; lane < group.count; ++lane)
            if (fallback >> lane & 1u) solveDefinite(group, lane);
    }
    if (storage.reacts()) addFrameReaction(group);
    for (int row = 0; row < storage.r; ++row)
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const std::size_t i = static_cast<std::size_t>(row * lanes) + lane;
            if (group.moving[lane]) group.q[i] += group.rhs[i];
        }
}

/// Lanes that are definite by a hair: the smallest pivot bounds the smallest eigenvalue from above.
unsigned BlockStep::smallPivots(const GroupScratch& group) const {
    const int n = storage.coefficients.systemRows;
    unsigned found = 0;
    for (int row = 0; row < storage.r; ++row) {
        const double* inverse = group.system.data() + kernels::packedIndex(n, row, row) * lanes;  // 1 / U_aa
        for (int lane = 0; lane < group.count; ++lane)
            if (inverse[lane] > largestInversePivot) found |= 1u << lane;
    }
    return found;
}

/// Copies S of the chosen moving lanes to their bodies.
void BlockStep::keepSystem(const GroupScratch& group, unsigned chosen) const {
    const int size = kernels::packedSize(storage.coefficients.systemRows);
    for (int lane = 0; lane < group.count; ++lane) {
        if (!group.moving[static_cast<std::size_t>(lane)] || !(chosen >> lane & 1u)) continue;
        double* target = storage.system(group.bodies[lane]);
        for (int i = 0; i < size; ++i) target[i] = group.system.data()[i * lanes + lane];
    }
}

void BlockStep::keepFactors(const GroupScratch& group, unsigned failed) const {
    const int size = kernels::packedSize(storage.coefficients.systemRows);
    std::array<double*, lanes> targets{};
    int count = 0;
    std::array<int, lanes> kept{};
    for (int lane = 0; lane < group.count; ++lane) {
        if (!group.moving[static_cast<std::size_t>(lane)] || (failed >> lane & 1u)) continue;
        kept[static_cast<std::size_t>(count)] = lane;
        targets[static_cast<std::size_t>(count++)] = storage.factor(group.bodies[lane]);
        storage.record(group.bodies[lane]).inverted = false;
    }
    // By pieces that stay near while all lanes take theirs out of them.
    constexpr int piece = 8;
    for (int start = 0; start < size; start += piece)
        for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k)
            for (int i = start; i < std::min(start + piece, size); ++i)
                targets[k][i] = group.system.data()[i * lanes + kept[k]];
}

/// The same of one lane whose system is not, or hardly, definite; keeps the inverse for the response.
void BlockStep::solveDefinite(GroupScratch& group, int lane) const {
    const int n = storage.coefficients.systemRows, body = group.bodies[lane];
    const bool finite = storage.invertSystem(body, block);
    double* solution = block.vectors.data();
    double* rhs = solution + kernels::roundUp(n, kernels::panelRows);
    std::fill(rhs, rhs + n, 0.0);
    const auto solveLane = [&](const double* source, double scale, double* target) {
        for (int j = 0; j < storage.r; ++j) rhs[j] = scale * source[j * lanes + lane];
        multiplySymmetric(n, storage.factor(body), rhs, solution);
        // The finite check at the end of the step puts the body back.
        for (int j = 0; j < storage.r; ++j) target[j * lanes + lane] = finite ? solution[j] : std::nan("");
    };
    solveLane(group.residual, -beta * h * h, group.rhs);
    if (storage.reacts())
        for (int c = 0; c < 3; ++c) solveLane(group.coupling[c], 1.0, group.frameResponse[c]);
}

}  // namespace pliant
