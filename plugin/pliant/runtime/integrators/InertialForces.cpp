// SPDX-License-Identifier: Zlib
// What the motion of the frame does to q, [S]; signs as in docs/notation.md. Free body, no torque:
//
//     I W' + H q'' = -(W x (I W + H q') + I_t W) =: -g          (I_t: rate of I(q))
//     q'' + D q' + R(q) + H'W' + 2 P q' + sum_c w_c(W) (s_c + sym(S)_c q) = f,   P_ji = W.C_ij
// so  (1 - H'I^-1 H) q'' + ... = f + H'I^-1 g.
//
// The mass on the left and the centrifugal stiffness are implicit: taken from the last step they damp or excite with
// the rate of their delay. The Coriolis term 2 P q' rotates q' by halves before and after: taken explicitly it gains
// energy. I, H and W are those at the end of the step, where Newmark asks for the balance, predicted from its start.
#include "pliant/runtime/integrators/InertialForces.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "pliant/runtime/BodyTerms.h"

namespace pliant {
namespace {

// Modes that the step does not resolve flip sign from step to step: every further term only multiplies them (up to 15
// times |q|), and with them I, H and W at the end of the step. An order that fails on the present q is not used on the
// next.
int bestExtrapolation(BatchStorage& batch, int body) {
    const int known = batch.record(body).history;
    const double* x = batch.vector(batch.q, body);
    const double *one = batch.vector(batch.pastQ[0], body), *two = batch.vector(batch.pastQ[1], body),
                 *three = batch.vector(batch.pastQ[2], body);
    double errors[3] = {0.0, 0.0, 0.0};
    for (int j = 0; j < batch.r; ++j) {
        const double constant = x[j] - one[j], linear = constant - (one[j] - two[j]);
        const double quadratic = linear - (one[j] - 2.0 * two[j] + three[j]);
        errors[0] += constant * constant;
        errors[1] += linear * linear;
        errors[2] += quadratic * quadratic;
    }
    if (known >= 3 && errors[2] <= errors[1] && errors[1] <= errors[0]) return 3;
    if (known >= 2 && errors[1] <= errors[0]) return std::min(known, 2);
    // Two states alone do not tell yet how smooth the motion is.
    return known == 1 ? 1 : 0;
}

void predictFrame(BatchStorage& batch, int body, double h, const RigidTerms& now, BlockScratch& block) {
    BodyRecord& state = batch.record(body);
    const Vector3& W = state.frame.angularVelocity;
    const ConstVectorView x(batch.vector(batch.q, body), batch.r), velocity(batch.vector(batch.v, body), batch.r);
    state.startModalMomentum = now.modalMomentum(velocity.data());
    const Vector3 momentum = state.inertia * W + state.startModalMomentum;

    // Continue q and with it the rigid products, which are linear in q, through the last three steps. Four terms: the
    // error, h^4 times the fourth derivative, is in phase with q and takes no energy; three terms lose some. It stays
    // within 15 |q| for modes that h does not resolve, where q + h q' + h^2 q'' / 2 would be off by (omega h)^2 / 2;
    // and any q gives a definite [[I, H], [H', 1]].
    const double weights[4][4] = {
        {1.0, 0.0, 0.0, 0.0}, {2.0, -1.0, 0.0, 0.0}, {3.0, -3.0, 1.0, 0.0}, {4.0, -6.0, 4.0, -1.0}};
    const double* weight = weights[bestExtrapolation(batch, body)];
    const int rows = kernels::roundUp(batch.r, kernels::panelRows);
    double* endPosition = block.vectors.data();
    batch.table->combine(batch.stride, x.data(), batch.vector(batch.pastQ[0], body), batch.vector(batch.pastQ[1], body),
                         batch.vector(batch.pastQ[2], body), weight, endPosition);
    batch.table->combine(batch.rigidStride, now.products, batch.rigidVector(batch.pastProducts[0], body),
                         batch.rigidVector(batch.pastProducts[1], body), batch.rigidVector(batch.pastProducts[2], body),
                         weight, block.products.data());
    VectorView endVelocity(block.vectors.data() + rows, batch.r);
    endVelocity = velocity;
    if (weight != weights[0]) endVelocity = 2.0 / h * (ConstVectorView(endPosition, batch.r) - x) - velocity;
    const RigidTerms end{&batch.rigidConstants, endPosition, block.products.data()};
    double* columns = batch.threeColumns(batch.couplingColumns, body);
    end.coupling(columns, batch.stride);
    state.endInertia = end.inertiaAgainstModes();
    state.endInertiaInverse = state.endInertia.inverse();

    const double angle = h * W.norm();
    const Vector3 endMomentum = angle > 0.0 ? Vector3(Eigen::AngleAxisd(-angle, W.normalized()) * momentum) : momentum;
    state.endAngularVelocity = state.endInertiaInverse * (endMomentum - end.modalMomentum(endVelocity.data()));
    const Vector3& endW = state.endAngularVelocity;
    const Vector3 g = endW.cross(endMomentum) + end.inertiaRate(endVelocity.data()) * endW;
    end.addEuler(-(state.endInertiaInverse * g), batch.vector(batch.f, body));
}

/// Euler and centrifugal forces, at the end of the step.
void addRotation(BatchStorage& batch, int body, double h, const RigidTerms& now, BlockScratch& block) {
    BodyRecord& state = batch.record(body);
    VectorView force(batch.vector(batch.f, body), batch.r);
    if (batch.reacts(state)) {
        predictFrame(batch, body, h, now, block);
    } else {
        if (batch.turns()) std::fill_n(batch.threeColumns(batch.couplingColumns, body), 3 * batch.stride, 0.0);
        now.addEuler((state.frame.angularVelocity - state.previousAngularVelocity) / h, force.data());
    }
    const std::array<double, 6> weights = centrifugalWeights(state.endAngularVelocity);
    for (int c = 0; c < 6; ++c)
        force -= weights[static_cast<std::size_t>(c)] * batch.rigidConstants.firstMoments.col(c);
}

/// The frame of a body that is held, as a character's, neither turns nor has turned: Euler's and centrifugal forces are
/// nothing, and nobody asks what its inertia is at this q.
bool standsStill(const BatchStorage& batch, const BodyRecord& state) {
    return !batch.turns() && state.frame.angularVelocity.isZero(0.0) && state.previousAngularVelocity.isZero(0.0);
}

}  // namespace

void addInertialForces(BatchStorage& batch, int body, double h, BlockScratch& block) {
    BodyRecord& state = batch.record(body);
    VectorView force(batch.vector(batch.f, body), batch.r);
    VectorView work(batch.vector(batch.workForce, body), batch.r), last(batch.vector(batch.lastForce, body), batch.r);
    const ConstVectorView contact(batch.vector(batch.contactForce, body), batch.r);
    // q'' at the start of the step holds the force of the last one: the work is done by the mean of the two.
    const auto accountFor = [&] {
        work = 0.5 * (last + force) + contact;
        last = force;
    };
    if (batch.reacts(state)) accountFor();
    force.noalias() -= batch.rigidConstants.translation * state.frame.acceleration;
    state.startModalMomentum = Vector3::Zero();
    state.endAngularVelocity = state.frame.angularVelocity;
    if (standsStill(batch, state)) {
        state.startInertia = state.endInertia = batch.model->inertia.principalInertia.asDiagonal();
    } else {
        const RigidTerms now = rigidTerms(batch, body);
        state.startInertia = state.endInertia = state.inertia;
        if (batch.feelsRotation()) addRotation(batch, body, h, now, block);
    }
    if (!batch.reacts(state)) accountFor();
}

namespace {

/// Radians that the series of exp() is taken at once for: its terms grow to exp(4) before they fall.
constexpr double kSeriesAngle = 4.0;
/// Most pieces: what turns by more in a step is no motion but a prediction of one, and is turned by so much.
constexpr int kMostPieces = 64;

/// q' := exp(-h P) q', P the panel. @param term, next working memory, a column each
void rotateBySeries(const BatchStorage& batch, const double* panel, double* velocity, double* term, double* next) {
    // exp(-h P) q' = sum_k (-h P)^k q' / k!, to rounding; |P| <= |W| because the basis is mass-orthonormal.
    const kernels::CoefficientPanels<double>& C = batch.rigidConstants.gyroscopic[0];
    std::copy_n(velocity, batch.r, term);
    const double start = VectorView(velocity, batch.r).squaredNorm();
    for (int k = 1; k <= 60; ++k) {
        batch.table->product(panel, C.rows, C.columns, term, next);
        double square = 0.0;
        for (int j = 0; j < batch.r; ++j) {
            next[j] /= k;
            velocity[j] += next[j];
            square += next[j] * next[j];
        }
        if (!(square > 1e-34 * start)) break;
        std::swap(term, next);
    }
}

}  // namespace

// A body that is squeezed may be predicted to end at thousands of rad/s. The series of such an angle has terms of e^60,
// whose rounding made 1e13 m/s of a few: so it is taken piece by piece.
void rotateHalf(const BatchStorage& batch, const Vector3& W, double h, double* velocity, BlockScratch& block) {
    if (W.squaredNorm() == 0.0) return;
    const double angle = h * W.norm();
    if (!std::isfinite(angle)) return;  // the finite check at the end of the step tells
    const int pieces =
        angle > kSeriesAngle ? static_cast<int>(std::min<double>(kMostPieces, std::ceil(angle / kSeriesAngle))) : 1;
    const double part = pieces > 1 ? h * std::min(1.0, kSeriesAngle * kMostPieces / angle) / pieces : h;
    const kernels::CoefficientPanels<double>* C = batch.rigidConstants.gyroscopic;
    double* panel = block.panel.data();
    const double weights[4] = {-part * W.x(), -part * W.y(), -part * W.z(), 0.0};
    batch.table->combine(static_cast<int>(C[0].values.size()), C[0].values.data(), C[1].values.data(),
                         C[2].values.data(), C[2].values.data(), weights, panel);
    double* term = block.vectors.data();
    for (int piece = 0; piece < pieces; ++piece) rotateBySeries(batch, panel, velocity, term, term + C[0].rows);
}

}  // namespace pliant
