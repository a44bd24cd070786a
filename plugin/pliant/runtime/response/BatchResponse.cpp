// SPDX-License-Identifier: Zlib
// The response of a body to impulses after its free step, [HSO03] and the rule at the top of BodyBatch.h.
//
//     [ I(q)  H    ] [dW ]   [angular]          Z = Y_c H',  E = I - H Z   (Schur complement)
//     [ H'    Y_c^-1] [dq'] = [modal  ]   ->    y = Y_c modal,  dW = E^-1 (angular - Z' modal),  dq' = y - Z dW
#include <Eigen/LU>
#include <algorithm>
#include <limits>

#include "pliant/runtime/BatchStorage.h"
#include "pliant/runtime/SymmetricSystem.h"

namespace pliant {

using kernels::lanes;

/// y = what `solve` makes of x in place, `lanes` of the `count` columns at a time; lanes without a column are zero.
template <class Solve>
void BatchStorage::solveColumns(int count, const double* x, double* y, BlockScratch& block, const Solve& solve) {
    const int n = coefficients.systemRows;
    double* rhs = block.rightHandSides.data();
    for (int first = 0; first < count; first += lanes) {
        const int columns = std::min(lanes, count - first);
        if (columns < lanes || n > r) std::fill_n(rhs, n * lanes, 0.0);
        for (int lane = 0; lane < columns; ++lane)
            for (int j = 0; j < r; ++j) rhs[j * lanes + lane] = x[(first + lane) * r + j];
        solve(rhs);
        for (int lane = 0; lane < columns; ++lane)
            for (int j = 0; j < r; ++j) y[(first + lane) * r + j] = rhs[j * lanes + lane];
    }
}

void BatchStorage::respond(int body, int count, const double* x, double* y, BlockScratch& block) {
    const BodyRecord& state = record(body);
    const double share = identityShare(state.gamma, state.beta);
    const int n = coefficients.systemRows;
    solveColumns(count, x, y, block, [&](double* rhs) {
        double* before = rhs + n * lanes;
        if (share != 0.0) std::copy_n(rhs, n * lanes, before);
        if (state.inverted)
            multiplyLanes(factor(body), rhs, block);
        else
            table->solveMany(n, factor(body), rhs);
        if (share == 0.0) return;
        for (int at = 0; at < n * lanes; ++at) rhs[at] = share * before[at] + (1.0 - share) * rhs[at];
    });
}

// Both ends of a linear step obey q'' = f - D q' - K q with the same f; with S = 1 + h/2 D + h^2/4 K their difference
// is
//     S (q''_0 + q''_1) = 2 q''_0 - h K q'_0,   q_1 = q_0 + h q'_0 + h^2/4 (q''_0 + q''_1),
// and K = (S - c_0) / c_1 of D = alpha + beta K needs no K: c_0 = 1 + h/2 alpha, c_1 = h^2/4 + h/2 beta.
void BatchStorage::predict(int body, double h, double* predicted, BlockScratch& block) {
    const BodyRecord& state = record(body);
    const ConstVectorView velocity(vector(v, body), r), acceleration(vector(a, body), r);
    VectorView result(predicted, r);
    result = ConstVectorView(vector(q, body), r) + h * velocity;
    const double h0 = state.stepSize;
    if (h0 <= 0.0) return;
    const double c0 = 1.0 + 0.5 * h0 * settings.damping.mass,
                 c1 = 0.25 * h0 * h0 + 0.5 * h0 * settings.damping.stiffness;
    VectorView sum(block.vectors.data(), r), response(block.vectors.data() + stride, r);
    sum = 2.0 * acceleration + (h0 * c0 / c1) * velocity;
    respond(body, 1, sum.data(), response.data(), block);
    response -= (h0 / c1) * velocity;
    result += (0.25 * h * h0) * response;
}

// With the equations above, h_0 the last step's length and K >= 0: |Y| <= 1, 0 <= c_0 Y <= 1 and c_1 >= h_0^2 / 4, so
//     h h_0 / 4 |Y (2 q'' + h_0 c_0 / c_1 q') - h_0 / c_1 q'| <= h h_0 / 2 |q''| + h |q'|,
// also with Y_c, of which gamma > 1/2 makes a share rho <= 1/9 the identity, as long as rho (c_0 - 1) <= 1: alpha h_0
// <= 18.
double BatchStorage::predictedChangeBound(int body, double h) const {
    const BodyRecord& state = records[static_cast<std::size_t>(body)];
    const auto norm = [this, body](const kernels::AlignedArray<double>& array) {
        return ConstVectorView(array.data() + static_cast<std::size_t>(body) * static_cast<std::size_t>(stride), r)
            .norm();
    };
    if (state.stepSize <= 0.0) return h * norm(v);
    if (state.inverted) return std::numeric_limits<double>::infinity();
    return 2.0 * h * norm(v) + 0.5 * h * state.stepSize * norm(a);
}

bool BatchStorage::whitens(int body) const {
    const BodyRecord& state = records[static_cast<std::size_t>(body)];
    return state.stepSize > 0.0 && !state.inverted && identityShare(state.gamma, state.beta) == 0.0 &&
           !(feelsRotation() && turns());
}

void BatchStorage::whiten(int body, int count, const double* x, double* y, BlockScratch& block) {
    const double* U = factor(body);
    solveColumns(count, x, y, block, [&](double* rhs) { table->solveHalfMany(coefficients.systemRows, U, rhs); });
}

void BatchStorage::multiplyLanes(const double* symmetric, double* rhs, BlockScratch& block) const {
    const int n = coefficients.systemRows;
    double* x = block.vectors.data();
    double* y = x + kernels::roundUp(n, kernels::panelRows);
    for (int lane = 0; lane < lanes; ++lane) {
        for (int j = 0; j < n; ++j) x[j] = rhs[j * lanes + lane];
        multiplySymmetric(n, symmetric, x, y);
        for (int j = 0; j < n; ++j) rhs[j * lanes + lane] = y[j];
    }
}

void BatchStorage::prepareAngularResponse(int body, BlockScratch& block) {
    BodyRecord& state = record(body);
    if (state.angularResponseValid) return;
    Matrix3 schur = state.endInertia;
    if (feelsRotation()) {
        double* Z = threeColumns(angularResponse, body);
        const double* H = threeColumns(couplingColumns, body);
        for (int c = 0; c < 3; ++c) respond(body, 1, H + c * stride, Z + c * stride, block);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                schur(i, j) -= ConstVectorView(H + i * stride, r).dot(ConstVectorView(Z + j * stride, r));
    }
    state.schurInverse = schur.inverse();
    state.angularResponseValid = true;
}

void BatchStorage::respondWithFrame(int body, int count, const double* angular, const double* modal,
                                    double* deltaAngular, double* deltaVelocity, BlockScratch& block) {
    prepareAngularResponse(body, block);
    const Matrix3& inverse = record(body).schurInverse;
    const double* columns = threeColumns(angularResponse, body);
    const auto Z = [&](int c) { return ConstVectorView(columns + c * stride, r); };
    for (int i = 0; i < count; ++i) {
        Vector3 torque = Eigen::Map<const Vector3>(angular + 3 * i);
        if (feelsRotation())
            for (int c = 0; c < 3; ++c) torque[c] -= Z(c).dot(ConstVectorView(modal + i * r, r));
        Eigen::Map<Vector3>(deltaAngular + 3 * i).noalias() = inverse * torque;
    }
    respond(body, count, modal, deltaVelocity, block);
    if (!feelsRotation()) return;
    for (int i = 0; i < count; ++i)
        for (int c = 0; c < 3; ++c) VectorView(deltaVelocity + i * r, r) -= deltaAngular[3 * i + c] * Z(c);
}

void BatchStorage::addVelocity(int body, const double* deltaVelocity, const Vector3& deltaAngular,
                               BlockScratch& block) {
    const BodyRecord& state = record(body);
    const int n = coefficients.systemRows, rows = kernels::roundUp(n, kernels::panelRows);
    double* change = block.vectors.data();
    double* impulse = change + rows;
    std::copy_n(deltaVelocity, r, change);
    std::fill(change + r, change + rows, 0.0);
    if (state.stepSize == 0.0) {
        VectorView(vector(v, body), r) += ConstVectorView(change, r);
        record(body).rigidValid = false;
        return;
    }
    if (state.inverted)
        multiplySymmetric(n, system(body), change, impulse);
    else
        multiplyFactored(n, factor(body), change, impulse, change + 2 * rows);
    const double share = identityShare(state.gamma, state.beta);
    if (share > 0.0) {
        // dv = (rho + (1 - rho) S^-1) P: solve (rho S + (1 - rho) 1) P = S dv.
        double* blend = block.dense.data();
        for (int a0 = 0, i = 0; a0 < n; ++a0)
            for (int b = a0; b < n; ++b, ++i) blend[i] = share * system(body)[i] + (a0 == b ? 1.0 - share : 0.0);
        solvePositive(n, blend, impulse);
    }
    applyChange(body, change, impulse, deltaAngular);
}

void BatchStorage::addWhitened(int body, const double* sum, BlockScratch& block) {
    const int n = coefficients.systemRows, rows = kernels::roundUp(n, kernels::panelRows);
    double* change = block.vectors.data();
    double* impulse = change + rows;
    std::copy_n(sum, r, change);
    std::fill(change + r, change + rows, 0.0);
    multiplyTransposed(n, factor(body), change, impulse);
    solveUpper(n, factor(body), change);
    applyChange(body, change, impulse, Vector3::Zero());
}

/// @param change of q', r x 1 @param impulse that it answers
void BatchStorage::applyChange(int body, const double* change, const double* impulse, const Vector3& deltaAngular) {
    BodyRecord& state = record(body);
    VectorView velocity(vector(v, body), r), position(vector(q, body), r), acceleration(vector(a, body), r);
    const ConstVectorView dv(change, r), P(impulse, r);
    velocity += dv;
    state.rigidValid = false;
    state.struck = true;
    const double h = state.stepSize, share = identityShare(state.gamma, state.beta);
    const double moves = scheme->positionShare(h, state.gamma, state.beta);
    position += moves * (dv - share * P);
    acceleration += (dv - P) / (state.gamma * h);
    VectorView work(vector(workForce, body), r);
    work += P / h;
    if (!reacts()) return;
    const double* H = threeColumns(couplingColumns, body);
    for (int c = 0; c < 3; ++c) work += (deltaAngular[c] / h) * ConstVectorView(H + c * stride, r);
}

}  // namespace pliant
