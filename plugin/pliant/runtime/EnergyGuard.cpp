// SPDX-License-Identifier: Zlib
// The account of a body's energy, and what is done where it does not balance.
//
// A linear body gains nothing in a Newmark step (BodyBatch.h), a nonlinear one does where the step is too long for it:
// one Newton iteration through an impact, an indefinite system, modes that turn against each other. For a step under
// the constant force f (contact impulses P as f = P / h) that turns the momentum by T,
//
//     E_1 - E_0 = f.(q_1 - q_0) + T.(w_0 + w_1) / 2 - losses,   E = |q'|^2 / 2 + V(q) + W.(I W) / 2 + W.(H q'),
//
// the last two only where the frame reacts to the deformation. What is more than that is added to the body's surplus,
// losses are taken off it; the surplus may grow to a small share of the body's energy, beyond it q' is scaled down.
// With the momentum L = I W + H q' as it is, E = L.(I^-1 L) / 2 + q'.(1 - H'I^-1 H) q' / 2 + V: scaling q' lowers the
// middle term alone, which is never negative.
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "pliant/runtime/BatchState.h"

namespace pliant {
namespace {

/// Share of the deformation's energy that may have come from nowhere: what one Newton iteration of a large but resolved
/// motion is off by.
constexpr double toleratedDeformation = 0.02;
/// The same of the energy of rotation; the coupled terms keep it much better than this.
constexpr double toleratedRotation = 1e-3;

/// A frame that the user turns does work on q, and so does one whose q has linear momentum: neither is accounted for.
bool balances(const BatchState& batch, const BodyRecord& body) {
    if (!batch.feelsRotation()) return true;
    return batch.reacts(body) ? batch.meanAxis : body.frame.angularVelocity.isZero(0.0);
}

/// A body's energy now, and how much of it has come from nowhere.
struct Balance {
    double energy = 0.0;   ///< J
    double kinetic = 0.0;  ///< what scaling q' can take away
    double surplus = 0.0;  ///< since the account began, what has been lost again taken off
    double tolerated = 0.0;
    Vector3 momentum = Vector3::Zero();   ///< L, body frame
    Vector3 modalTurn = Vector3::Zero();  ///< I^-1 H q': what W gains where q' stops
};

Balance balance(BatchState& batch, int body, double strainEnergy) {
    const BodyRecord& state = batch.record(body);
    const ConstVectorView velocity(batch.vector(batch.v, body), batch.r),
        position(batch.vector(batch.q, body), batch.r);
    Balance now;
    now.kinetic = 0.5 * velocity.squaredNorm();
    double turning = 0.0;
    if (batch.reacts(state)) {
        const Vector3 h = batch.rigid(body).modalMomentum(velocity.data());
        const Matrix3 inverse = state.inertia.inverse();
        now.modalTurn = inverse * h;
        now.momentum = state.inertia * state.frame.angularVelocity + h;
        now.kinetic -= 0.5 * h.dot(now.modalTurn);
        turning = 0.5 * now.momentum.dot(inverse * now.momentum);
    }
    now.energy = turning + now.kinetic + strainEnergy;
    now.tolerated = toleratedDeformation * (now.kinetic + strainEnergy) + toleratedRotation * turning;
    const EnergyLedger& ledger = state.ledger;
    if (!ledger.known) return now;
    const ConstVectorView force(batch.vector(batch.workForce, body), batch.r);
    double work = force.dot(position - ConstVectorView(batch.vector(batch.startPosition, body), batch.r));
    const Matrix3& A = state.frame.rotation;
    if (batch.reacts(state))
        work +=
            0.5 *
            (A * now.momentum - ledger.angularMomentum).dot(A * state.frame.angularVelocity + ledger.angularVelocity);
    now.surplus = std::max(0.0, ledger.surplus + now.energy - ledger.energy - work);
    return now;
}

}  // namespace

void BatchState::guardEnergy(int body, double strainEnergy) {
    BodyRecord& state = record(body);
    EnergyLedger& ledger = state.ledger;
    Balance now;
    if (settings.energyGuard && balances(*this, state)) now = balance(*this, body, strainEnergy);
    ledger.known = settings.energyGuard && balances(*this, state) && std::isfinite(now.energy);
    if (!ledger.known) return;
    const double excess = std::min(now.kinetic, now.surplus - now.tolerated);
    if (excess > 0.0) {
        const double scale = std::sqrt(std::max(0.0, 1.0 - excess / now.kinetic));
        VectorView(vector(v, body), r) *= scale;
        state.frame.angularVelocity += (1.0 - scale) * now.modalTurn;
        now.energy -= excess;
        now.surplus -= excess;
        state.limited = true;
    }
    ledger.energy = now.energy;
    ledger.surplus = now.surplus;
    ledger.angularMomentum = state.frame.rotation * now.momentum;
    ledger.angularVelocity = state.frame.rotation * state.frame.angularVelocity;
    VectorView(vector(startPosition, body), r) = ConstVectorView(vector(q, body), r);
}

// A hard contact moves q by a linear response, over a distance at which the body may be far stiffer than that: where
// its strain energy alone is more than there can be, the move is taken back by halves (the contact goes on in the next
// step).
void BatchState::settleEnergy(int body, const Vector3& angularVelocity, BlockScratch& block) {
    BodyRecord& state = record(body);
    if (!state.struck) return;
    state.struck = false;
    if (!state.ledger.known) return;
    state.frame.angularVelocity = angularVelocity;
    double* products = block.vectors.data();
    const auto strainEnergy = [&] { return elasticForce(body, block, products, products + stride); };
    double strain = strainEnergy();
    VectorView position(vector(q, body), r);
    const ConstVectorView start(vector(startPosition, body), r);
    for (int halving = 0; halving < 6; ++halving) {
        const Balance now = balance(*this, body, strain);
        if (!(now.surplus - now.tolerated > now.kinetic)) break;
        position = 0.5 * (position + start);
        state.rigidValid = false;
        strain = strainEnergy();
    }
    guardEnergy(body, strain);
    if (state.limited) state.status = BodyStatus::EnergyLimited;
    state.limited = false;
}

// The strain energy of the new state is known only when the next step begins, and contacts would hand the excess on to
// others before that. But no kinetic energy can be larger than all there was.
void BatchState::limitFreeStep(int body, double h) {
    BodyRecord& state = record(body);
    if (!state.ledger.known) return;
    VectorView velocity(vector(v, body), r), position(vector(q, body), r);
    const double work =
        ConstVectorView(vector(workForce, body), r).dot(position - ConstVectorView(vector(startPosition, body), r));
    const double allowed = 2.0 * std::max(0.0, state.ledger.energy + std::max(0.0, work));
    const double kinetic = 0.5 * velocity.squaredNorm();
    if (!(kinetic > allowed)) return;
    const double scale = std::sqrt(allowed / kinetic);
    // The position that the smaller velocity would have led to, by the trapezoid of the two ends.
    position -= 0.5 * h * (1.0 - scale) * velocity;
    velocity *= scale;
    state.limited = true;
}

}  // namespace pliant
