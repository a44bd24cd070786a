// SPDX-License-Identifier: Zlib
// The response of a body to impulses after its free step, [HSO03] and the rule at the top of BodyBatch.h.
//
//     [ I(q)  H    ] [dW ]   [angular]          Z = Y_c H',  E = I - H Z   (Schur complement)
//     [ H'    Y_c^-1] [dq'] = [modal  ]   ->    y = Y_c modal,  dW = E^-1 (angular - Z' modal),  dq' = y - Z dW
#include "pliant/runtime/response/BatchResponse.h"

#include <Eigen/LU>
#include <algorithm>
#include <limits>

#include "pliant/runtime/SymmetricSystem.h"

namespace pliant {

using kernels::lanes;

namespace {

/// y = what `solve` makes of x in place, `lanes` of the `count` columns at a time; lanes without a column are zero.
template <class Solve>
void solveColumns(BatchStorage& batch, int count, const double* x, double* y, BlockScratch& block, const Solve& solve) {
    const int n = batch.coefficients.systemRows;
    double* rhs = block.rightHandSides.data();
    for (int first = 0; first < count; first += lanes) {
        const int columns = std::min(lanes, count - first);
        if (columns < lanes || n > batch.r) std::fill_n(rhs, n * lanes, 0.0);
        for (int lane = 0; lane < columns; ++lane)
            for (int j = 0; j < batch.r; ++j) rhs[j * lanes + lane] = x[(first + lane) * batch.r + j];
        solve(rhs);
        for (int lane = 0; lane < columns; ++lane)
            for (int j = 0; j < batch.r; ++j) y[(first + lane) * batch.r + j] = rhs[j * lanes + lane];
    }
}

void multiplyLanes(const BatchStorage& batch, const double* symmetric, double* rhs, BlockScratch& block) {
    const int n = batch.coefficients.systemRows;
    double* x = block.vectors.data();
    double* y = x + kernels::roundUp(n, kernels::panelRows);
    for (int lane = 0; lane < lanes; ++lane) {
        for (int j = 0; j < n; ++j) x[j] = rhs[j * lanes + lane];
        multiplySymmetric(n, symmetric, x, y);
        for (int j = 0; j < n; ++j) rhs[j * lanes + lane] = y[j];
    }
}

}  // namespace

void respond(BatchStorage& batch, int body, int count, const double* x, double* y, BlockScratch& block) {
    const BodyRecord& state = batch.record(body);
    const double share = identityShare(state.gamma, state.beta);
    const int n = batch.coefficients.systemRows;
    solveColumns(batch, count, x, y, block, [&](double* rhs) {
        double* before = rhs + n * lanes;
        if (share != 0.0) std::copy_n(rhs, n * lanes, before);
        if (state.inverted)
            multiplyLanes(batch, batch.factor(body), rhs, block);
        else
            batch.table->solveMany(n, batch.factor(body), rhs);
        if (share == 0.0) return;
        for (int at = 0; at < n * lanes; ++at) rhs[at] = share * before[at] + (1.0 - share) * rhs[at];
    });
}

// Both ends of a linear step obey q'' = f - D q' - K q with the same f; with S = 1 + h/2 D + h^2/4 K their difference
// is
//     S (q''_0 + q''_1) = 2 q''_0 - h K q'_0,   q_1 = q_0 + h q'_0 + h^2/4 (q''_0 + q''_1),
// and K = (S - c_0) / c_1 of D = alpha + beta K needs no K: c_0 = 1 + h/2 alpha, c_1 = h^2/4 + h/2 beta.
void predictByFactor(BatchStorage& batch, int body, double h, double* predicted, BlockScratch& block) {
    const BodyRecord& state = batch.record(body);
    const ConstVectorView velocity(batch.vector(batch.v, body), batch.r),
        acceleration(batch.vector(batch.a, body), batch.r);
    VectorView result(predicted, batch.r);
    result = ConstVectorView(batch.vector(batch.q, body), batch.r) + h * velocity;
    const double h0 = state.stepSize;
    if (h0 <= 0.0) return;
    const double c0 = 1.0 + 0.5 * h0 * batch.settings.damping.mass,
                 c1 = 0.25 * h0 * h0 + 0.5 * h0 * batch.settings.damping.stiffness;
    VectorView sum(block.vectors.data(), batch.r), response(block.vectors.data() + batch.stride, batch.r);
    sum = 2.0 * acceleration + (h0 * c0 / c1) * velocity;
    respond(batch, body, 1, sum.data(), response.data(), block);
    response -= (h0 / c1) * velocity;
    result += (0.25 * h * h0) * response;
}

// With the equations above, h_0 the last step's length and K >= 0: |Y| <= 1, 0 <= c_0 Y <= 1 and c_1 >= h_0^2 / 4, so
//     h h_0 / 4 |Y (2 q'' + h_0 c_0 / c_1 q') - h_0 / c_1 q'| <= h h_0 / 2 |q''| + h |q'|,
// also with Y_c, of which gamma > 1/2 makes a share rho <= 1/9 the identity, as long as rho (c_0 - 1) <= 1: alpha h_0
// <= 18.
double predictedChangeBound(const BatchStorage& batch, int body, double h) {
    const BodyRecord& state = batch.record(body);
    const auto norm = [&batch, body](const kernels::AlignedArray<double>& array) {
        return ConstVectorView(batch.vector(array, body), batch.r).norm();
    };
    if (state.stepSize <= 0.0) return h * norm(batch.v);
    if (state.inverted) return std::numeric_limits<double>::infinity();
    return 2.0 * h * norm(batch.v) + 0.5 * h * state.stepSize * norm(batch.a);
}

bool whitens(const BatchStorage& batch, int body) {
    const BodyRecord& state = batch.record(body);
    return state.stepSize > 0.0 && !state.inverted && identityShare(state.gamma, state.beta) == 0.0 &&
           !(batch.feelsRotation() && batch.turns());
}

void whiten(BatchStorage& batch, int body, int count, const double* x, double* y, BlockScratch& block) {
    const double* U = batch.factor(body);
    solveColumns(batch, count, x, y, block,
                 [&](double* rhs) { batch.table->solveHalfMany(batch.coefficients.systemRows, U, rhs); });
}

namespace {

void prepareAngularResponse(BatchStorage& batch, int body, BlockScratch& block) {
    BodyRecord& state = batch.record(body);
    if (state.angularResponseValid) return;
    Matrix3 schur = state.endInertia;
    if (batch.feelsRotation()) {
        double* Z = batch.threeColumns(batch.angularResponse, body);
        const double* H = batch.threeColumns(batch.couplingColumns, body);
        for (int c = 0; c < 3; ++c) respond(batch, body, 1, H + c * batch.stride, Z + c * batch.stride, block);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                schur(i, j) -=
                    ConstVectorView(H + i * batch.stride, batch.r).dot(ConstVectorView(Z + j * batch.stride, batch.r));
    }
    state.schurInverse = schur.inverse();
    state.angularResponseValid = true;
}

}  // namespace

void respondWithFrame(BatchStorage& batch, int body, int count, const double* angular, const double* modal,
                      double* deltaAngular, double* deltaVelocity, BlockScratch& block) {
    prepareAngularResponse(batch, body, block);
    const Matrix3& inverse = batch.record(body).schurInverse;
    const double* columns = batch.threeColumns(batch.angularResponse, body);
    const auto Z = [&](int c) { return ConstVectorView(columns + c * batch.stride, batch.r); };
    for (int i = 0; i < count; ++i) {
        Vector3 torque = Eigen::Map<const Vector3>(angular + 3 * i);
        if (batch.feelsRotation())
            for (int c = 0; c < 3; ++c) torque[c] -= Z(c).dot(ConstVectorView(modal + i * batch.r, batch.r));
        Eigen::Map<Vector3>(deltaAngular + 3 * i).noalias() = inverse * torque;
    }
    respond(batch, body, count, modal, deltaVelocity, block);
    if (!batch.feelsRotation()) return;
    for (int i = 0; i < count; ++i)
        for (int c = 0; c < 3; ++c) VectorView(deltaVelocity + i * batch.r, batch.r) -= deltaAngular[3 * i + c] * Z(c);
}

namespace {

/// @param change of q', r x 1 @param impulse that it answers
void applyChange(BatchStorage& batch, int body, const double* change, const double* impulse,
                 const Vector3& deltaAngular) {
    BodyRecord& state = batch.record(body);
    VectorView velocity(batch.vector(batch.v, body), batch.r), position(batch.vector(batch.q, body), batch.r),
        acceleration(batch.vector(batch.a, body), batch.r);
    const ConstVectorView dv(change, batch.r), P(impulse, batch.r);
    velocity += dv;
    state.rigidValid = false;
    state.struck = true;
    const double h = state.stepSize, share = identityShare(state.gamma, state.beta);
    const double moves = batch.scheme->positionShare(h, state.gamma, state.beta);
    position += moves * (dv - share * P);
    acceleration += (dv - P) / (state.gamma * h);
    VectorView work(batch.vector(batch.workForce, body), batch.r);
    work += P / h;
    if (!batch.reacts()) return;
    const double* H = batch.threeColumns(batch.couplingColumns, body);
    for (int c = 0; c < 3; ++c) work += (deltaAngular[c] / h) * ConstVectorView(H + c * batch.stride, batch.r);
}

}  // namespace

void addVelocity(BatchStorage& batch, int body, const double* deltaVelocity, const Vector3& deltaAngular,
                 BlockScratch& block) {
    const BodyRecord& state = batch.record(body);
    const int n = batch.coefficients.systemRows, rows = kernels::roundUp(n, kernels::panelRows);
    double* change = block.vectors.data();
    double* impulse = change + rows;
    std::copy_n(deltaVelocity, batch.r, change);
    std::fill(change + batch.r, change + rows, 0.0);
    if (state.stepSize == 0.0) {
        VectorView(batch.vector(batch.v, body), batch.r) += ConstVectorView(change, batch.r);
        batch.record(body).rigidValid = false;
        return;
    }
    if (state.inverted)
        multiplySymmetric(n, batch.system(body), change, impulse);
    else
        multiplyFactored(n, batch.factor(body), change, impulse, change + 2 * rows);
    const double share = identityShare(state.gamma, state.beta);
    if (share > 0.0) {
        // dv = (rho + (1 - rho) S^-1) P: solve (rho S + (1 - rho) 1) P = S dv.
        double* blend = block.dense.data();
        for (int a0 = 0, i = 0; a0 < n; ++a0)
            for (int b = a0; b < n; ++b, ++i) blend[i] = share * batch.system(body)[i] + (a0 == b ? 1.0 - share : 0.0);
        solvePositive(n, blend, impulse);
    }
    applyChange(batch, body, change, impulse, deltaAngular);
}

void addWhitened(BatchStorage& batch, int body, const double* sum, BlockScratch& block) {
    const int n = batch.coefficients.systemRows, rows = kernels::roundUp(n, kernels::panelRows);
    double* change = block.vectors.data();
    double* impulse = change + rows;
    std::copy_n(sum, batch.r, change);
    std::fill(change + batch.r, change + rows, 0.0);
    multiplyTransposed(n, batch.factor(body), change, impulse);
    solveUpper(n, batch.factor(body), change);
    applyChange(batch, body, change, impulse, Vector3::Zero());
}

}  // namespace pliant
