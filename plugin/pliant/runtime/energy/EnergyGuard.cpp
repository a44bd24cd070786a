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
//
// A linearised step can also throw q far up the quartic: where K(q) has lost most of its stiffness in some direction by
// compression, S dq = rhs is soft in it, and a few centimetres along it hold thousands of joules. Whether a step can
// have done so is told by a bound: V(q_1) differs from its expansion of second order at q_0 by the integral of
// (1 - t) dq'(K(q_0 + t dq) - K(q_0)) dq over t in [0, 1], no more than b / 3 times dq'K0 dq / 2 where K changes by no
// more than t b in terms of K0 (StiffnessChange, whose b is that of t = 1). Where that is more than a share of the
// body's energy, V(q_1) is evaluated in the same step. A free step that holds more than there is is made again with a
// search (SearchedStep.cpp); what gains even so, or by contacts, is shortened along dq to the first point that holds
// all there is: V is a quartic along the line, known from its values and slopes at three points.
#include "pliant/runtime/energy/EnergyGuard.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <utility>

#include "pliant/runtime/BodyTerms.h"
#include "pliant/runtime/IntegrationScheme.h"
#include "pliant/runtime/response/BatchResponse.h"

namespace pliant {
namespace {

/// Share of the deformation's energy that may have come from nowhere: what one Newton iteration of a large but resolved
/// motion is off by.
constexpr double toleratedDeformation = 0.02;
/// The same of the energy of rotation; the coupled terms keep it much better than this.
constexpr double toleratedRotation = 1e-3;
/// Share of the body's energy that dq'K0 dq / 2 has to be before the change of the stiffness is looked at: below it,
/// K(q) would have to change by two hundred times K0 for the tolerated share of the deformation's energy to come of it.
constexpr double noticedMove = 1e-4;
/// Share of the body's energy that the bound on the gain has to exceed before V(q) is evaluated in the step itself. The
/// bound is some ten times the gain, and what is less than this is taken back when the next step begins.
constexpr double largestUnseenGain = 0.5;
/// Points of the line along which a step is shortened.
constexpr int pointsOfLine = 64;
/// Share of what a free step has gained that the body must have gained by itself for the step to be made again.
constexpr double ownShare = 0.1;

/// A frame that the user turns does work on q, and so does one whose q has linear momentum: neither is accounted for.
bool balances(const BatchStorage& batch, const BodyRecord& body) {
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

/// @param momentum L where the frame has not been given its new velocity yet (body frame, kg m^2/s), else null
Balance balance(BatchStorage& batch, int body, double strainEnergy, const Vector3* momentum = nullptr) {
    const BodyRecord& state = batch.record(body);
    const ConstVectorView velocity(batch.vector(batch.v, body), batch.r),
        position(batch.vector(batch.q, body), batch.r);
    Balance now;
    now.kinetic = 0.5 * velocity.squaredNorm();
    double turning = 0.0;
    if (batch.reacts(state)) {
        const Vector3 h = rigidTerms(batch, body).modalMomentum(velocity.data());
        const Matrix3 inverse = state.inertia.inverse();
        now.modalTurn = inverse * h;
        now.momentum = momentum ? *momentum : Vector3(state.inertia * state.frame.angularVelocity + h);
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
    if (batch.reacts(state) && !momentum)
        work +=
            0.5 *
            (A * now.momentum - ledger.angularMomentum).dot(A * state.frame.angularVelocity + ledger.angularVelocity);
    // Energy that leaves as work takes its share of the surplus along.
    const double left = work < 0.0 ? std::max(0.0, 1.0 + work / ledger.energy) : 1.0;
    now.surplus = std::max(0.0, left * ledger.surplus + now.energy - ledger.energy - work);
    return now;
}

// Bodies that hardly move are done with the first of the two questions (see noticedMove).
bool mayHaveGained(const BatchStorage& batch, int body, BlockScratch& block) {
    if (batch.stiffnessChange && batch.stiffnessChange->isZero()) return false;  // the bound is nothing for any move
    const BodyRecord& state = batch.record(body);
    const double *start = batch.vector(batch.startPosition, body), *end = batch.vector(batch.q, body),
                 *entry = batch.coefficients.restStiffness.data();
    double* move = block.vectors.data();
    for (int j = 0; j < batch.r; ++j) move[j] = end[j] - start[j];
    double linear = 0.0;  // dq'K0 dq / 2
    for (int i = 0; i < batch.r; ++i) {
        const ConstVectorView row(entry, batch.r - i);
        linear += move[i] * (row.dot(ConstVectorView(move + i, batch.r - i)) - 0.5 * entry[0] * move[i]);
        entry += batch.r - i;
    }
    if (linear <= noticedMove * state.ledger.energy) return false;
    if (!batch.stiffnessChange) return true;
    const double remainder = batch.stiffnessChange->bound(start, end) * linear / 3.0;
    return !(remainder <= largestUnseenGain * state.ledger.energy);
}

bool mayHaveGained(const BatchStorage& batch, int body, const BodyRecord::Move& known, BlockScratch& block) {
    return known.isKnown ? known.mayHaveGained : mayHaveGained(batch, body, block);
}

/// V(q). @param force, damping written where the energy is not known
double strainOf(const BatchStorage& batch, int body, const BodyRecord::Move& known, BlockScratch& block) {
    double* force = block.vectors.data();
    return known.hasStrain ? known.strain : elasticForce(batch, body, block, force, force + batch.stride);
}

double workOf(const BatchStorage& batch, int body) {
    return ConstVectorView(batch.vector(batch.workForce, body), batch.r)
        .dot(ConstVectorView(batch.vector(batch.q, body), batch.r) -
             ConstVectorView(batch.vector(batch.startPosition, body), batch.r));
}

/// Shortens the way from startPosition to q to the first point where the strain energy alone is all that `allowed`
/// (J) is, and `work` (J) done along the whole way in proportion.
/// @param strain at the new q, J, written
/// @return the share of the way that is left
double shortenMove(BatchStorage& batch, int body, double allowed, double work, BlockScratch& block, double& strain) {
    VectorView position(batch.vector(batch.q, body), batch.r);
    const ConstVectorView start(batch.vector(batch.startPosition, body), batch.r);
    double *force = block.vectors.data(), *damping = force + batch.stride, *move = damping + batch.stride;
    VectorView way(move, batch.r);
    way = position - start;
    strain = elasticForce(batch, body, block, force, damping);
    const auto strainAt = [&](double share) {
        position = start + share * way;
        batch.record(body).rigidValid = false;
        return elasticForce(batch, body, block, force, damping);
    };
    // V(s) = a + b s + c s^2 + d s^3 + e s^4 from V(0), and V and V' at 1/2 and 1.
    const double atStart = batch.record(body).startStrain, end = strain,
                 slopeEnd = way.dot(ConstVectorView(force, batch.r));
    const double middle = strainAt(0.5), slopeMiddle = way.dot(ConstVectorView(force, batch.r));
    Eigen::Matrix4d rows;
    rows << 1, 1, 1, 1, 1, 2, 3, 4, 0.5, 0.25, 0.125, 0.0625, 1, 1, 0.75, 0.5;
    const Eigen::Vector4d c = rows.inverse() * Eigen::Vector4d(end - atStart, slopeEnd, middle - atStart, slopeMiddle);
    const double perWay = std::max(0.0, work);
    double share = 0.0;
    for (int k = 1; k <= pointsOfLine; ++k) {
        const double s = static_cast<double>(k) / pointsOfLine;
        if (!(atStart + s * (c[0] + s * (c[1] + s * (c[2] + s * c[3]))) <= allowed + s * perWay)) break;
        share = s;
    }
    while (share > 0.0) {
        strain = strainAt(share);
        if (strain <= allowed + share * perWay) return share;
        share = share > 1.0 / pointsOfLine ? 0.5 * share : 0.0;
    }
    strain = strainAt(0.0);
    return 0.0;
}

/// What a free step has gained.
struct FreeStepGain {
    double strain = 0.0;         ///< Strain energy at q, J.
    double allowedStrain = 0.0;  ///< What the strain energy may be, work not counted, J.
    double excess = 0.0;         ///< Energy that came from nowhere, beyond what is tolerated, J.
    double kinetic = 0.0;        ///< Kinetic energy that scaling q' can take away, J.
    bool canBePaid() const { return !(excess > kinetic); }
};

/// What the free step of a body has gained.
FreeStepGain freeStepGain(BatchStorage& batch, int body, double h, BlockScratch& block,
                          const BodyRecord::Move& known = {}) {
    BodyRecord& state = batch.record(body);
    FreeStepGain gain;
    gain.strain = strainOf(batch, body, known, block);
    const double angle = h * state.frame.angularVelocity.norm();
    Vector3 momentum = state.frame.rotation.transpose() * state.ledger.angularMomentum;
    if (angle > 0.0) momentum = Eigen::AngleAxisd(-angle, state.frame.angularVelocity / angle * h) * momentum;
    state.rigidValid = false;
    const Balance now = balance(batch, body, gain.strain, &momentum);
    gain.kinetic = now.kinetic;
    gain.excess = now.surplus - state.ledger.surplus - now.tolerated;
    gain.allowedStrain = std::max(state.startStrain, state.ledger.energy - (now.energy - now.kinetic - gain.strain));
    return gain;
}

/// What the free step would have gained without the contact forces of the last step, whose linear response is taken out
/// of q and q' for the time of the question.
FreeStepGain gainWithoutContacts(BatchStorage& batch, int body, double h, BlockScratch& block) {
    double* impulse = block.vectors.data() + 4 * batch.stride;
    double *change = impulse + batch.stride, *keptPosition = change + batch.stride,
           *keptVelocity = keptPosition + batch.stride;
    VectorView position(batch.vector(batch.q, body), batch.r), velocity(batch.vector(batch.v, body), batch.r),
        work(batch.vector(batch.workForce, body), batch.r);
    const ConstVectorView contact(batch.vector(batch.contactForce, body), batch.r), dv(change, batch.r),
        P(impulse, batch.r);
    std::copy_n(position.data(), batch.r, keptPosition);
    std::copy_n(velocity.data(), batch.r, keptVelocity);
    VectorView(impulse, batch.r) = h * contact;
    const Vector3 torque = Vector3::Zero();
    Vector3 turn;
    if (batch.reacts(batch.record(body)))
        respondWithFrame(batch, body, 1, torque.data(), impulse, turn.data(), change, block);
    else
        respond(batch, body, 1, impulse, change, block);
    const BodyRecord& state = batch.record(body);
    velocity -= dv;
    position -=
        batch.scheme->positionShare(h, state.gamma, state.beta) * (dv - identityShare(state.gamma, state.beta) * P);
    work -= contact;
    const FreeStepGain gain = freeStepGain(batch, body, h, block);
    work += contact;
    std::copy_n(keptPosition, batch.r, position.data());
    std::copy_n(keptVelocity, batch.r, velocity.data());
    batch.record(body).rigidValid = false;
    return gain;
}

/// Whether what a free step cannot pay for comes of the contact forces of the last step that it was made with.
bool isThrownByContacts(BatchStorage& batch, int body, double h, const FreeStepGain& gain, BlockScratch& block) {
    if (ConstVectorView(batch.vector(batch.contactForce, body), batch.r).isZero(0.0)) return false;
    const FreeStepGain own = gainWithoutContacts(batch, body, h, block);
    return own.canBePaid() || own.excess < ownShare * gain.excess;
}

/// Shortens the free step to where its strain energy is what is allowed. The velocity follows from the shorter way by
/// Newmark's own relation and the acceleration from the equation of motion; the angular momentum is not touched.
void shortenFreeStep(BatchStorage& batch, int body, double h, BlockScratch& block, const FreeStepGain& gain) {
    double strain = 0.0;
    BodyRecord& state = batch.record(body);
    VectorView velocity(batch.vector(batch.v, body), batch.r), position(batch.vector(batch.q, body), batch.r),
        acceleration(batch.vector(batch.a, body), batch.r);
    double *force = block.vectors.data(), *damping = force + batch.stride;
    const double work = workOf(batch, body);
    VectorView way(block.vectors.data() + 3 * batch.stride, batch.r);
    way = position - ConstVectorView(batch.vector(batch.startPosition, body), batch.r);
    const double share = shortenMove(batch, body, gain.allowedStrain, work, block, strain);
    velocity -= (1.0 - share) * batch.settings.newmark.gamma / (batch.settings.newmark.beta() * h) * way;
    const double most = std::max(0.0, gain.allowedStrain + share * std::max(0.0, work) - strain);
    const double kinetic = 0.5 * velocity.squaredNorm();
    if (kinetic > most) velocity *= std::sqrt(most / kinetic);
    elasticForce(batch, body, block, force, damping);
    if (batch.dampsStrainRate()) addStrainRate(batch, position.data(), velocity.data(), block, force);
    acceleration = ConstVectorView(batch.vector(batch.f, body), batch.r) - ConstVectorView(force, batch.r) -
                   batch.settings.damping.mass * velocity -
                   batch.settings.damping.stiffness * ConstVectorView(damping, batch.r);
    state.rigidValid = false;
    state.limited = true;
}

}  // namespace

void guardEnergy(BatchStorage& batch, int body, double strainEnergy) {
    BodyRecord& state = batch.record(body);
    EnergyLedger& ledger = state.ledger;
    Balance now;
    if (batch.settings.energyGuard && balances(batch, state)) now = balance(batch, body, strainEnergy);
    ledger.known = batch.settings.energyGuard && balances(batch, state) && std::isfinite(now.energy);
    if (!ledger.known) return;
    const double excess = std::min(now.kinetic, now.surplus - now.tolerated);
    if (excess > 0.0) {
        const double scale = std::sqrt(std::max(0.0, 1.0 - excess / now.kinetic));
        VectorView(batch.vector(batch.v, body), batch.r) *= scale;
        state.frame.angularVelocity += (1.0 - scale) * now.modalTurn;
        now.energy -= excess;
        now.surplus -= excess;
        state.limited = true;
    }
    state.startStrain = strainEnergy;
    ledger.energy = now.energy;
    ledger.surplus = now.surplus;
    ledger.angularMomentum = state.frame.rotation * now.momentum;
    ledger.angularVelocity = state.frame.rotation * state.frame.angularVelocity;
    VectorView(batch.vector(batch.startPosition, body), batch.r) =
        ConstVectorView(batch.vector(batch.q, body), batch.r);
}

bool noteMove(BatchStorage& batch, int body, BlockScratch& block) {
    BodyRecord& state = batch.record(body);
    state.move = {};
    state.move.isKnown = true;
    state.move.mayHaveGained = state.ledger.known && mayHaveGained(batch, body, block);
    return state.move.mayHaveGained;
}

// A hard contact moves q by a linear response, over a distance at which the body may be far stiffer than that: where
// its strain energy alone is more than there can be, the way is shortened (the contact goes on in the next step).
void settleEnergy(BatchStorage& batch, int body, const Vector3& angularVelocity, BlockScratch& block) {
    BodyRecord& state = batch.record(body);
    if (!state.struck) return;
    state.struck = false;
    const BodyRecord::Move known = std::exchange(state.move, {});
    if (!state.ledger.known || !mayHaveGained(batch, body, known, block)) return;
    state.frame.angularVelocity = angularVelocity;
    double strain = strainOf(batch, body, known, block);
    const Balance now = balance(batch, body, strain);
    if (now.surplus - now.tolerated > now.kinetic) {
        const double work = workOf(batch, body);
        const double turning = now.energy - now.kinetic - strain;
        shortenMove(batch, body, std::max(state.startStrain, state.ledger.energy - turning), work, block, strain);
    }
    guardEnergy(batch, body, strain);
    if (state.limited) state.status = BodyStatus::EnergyLimited;
    state.limited = false;
}

// Contacts of this step would hand on what the free step has gained, so its account is made before them. Where it has
// gained more than q' could pay for, one linearised step was not enough: it is made again with a search, and shortened
// only where that gains as well.
//
// Not so where contact forces of the last step have thrown the body: one of those contacts may be gone, and what it
// held up is thrown until this step's contacts have answered, by the same linear response that the forces acted by. A
// search would go to a q that nobody is to come to, and leave contacts the factor of that place: a thin plate under a
// heavy cube, thrown by 0.6 J where it had 1e-6, trembled by some cm/s for ever. What is left of it settleEnergy()
// judges.
//
// What a linearised step gained and q' can pay for is paid when the next step begins: a body whose motion was changed
// is not where its contacts were looked for. A searched step, which is not there anyway, pays at once: a ball of a
// thousand baskets' mass carried 3 % of the scene's energy out of such a basket.
void limitFreeStep(BatchStorage& batch, int body, double h, BlockScratch& block) {
    BodyRecord& state = batch.record(body);
    const BodyRecord::Move known = std::exchange(state.move, {});
    if (!state.ledger.known) return;
    if (mayHaveGained(batch, body, known, block)) {
        FreeStepGain gain = freeStepGain(batch, body, h, block, known);
        if (!gain.canBePaid() && batch.scheme->search) {
            if (isThrownByContacts(batch, body, h, gain, block)) {
                state.struck = true;
                return;
            }
            batch.scheme->search(batch, h, body, block);
            gain = freeStepGain(batch, body, h, block);
            if (gain.canBePaid() && gain.excess > 0.0) {
                VectorView(batch.vector(batch.v, body), batch.r) *= std::sqrt(1.0 - gain.excess / gain.kinetic);
                state.limited = true;
            }
        }
        if (!gain.canBePaid()) return shortenFreeStep(batch, body, h, block, gain);
    }
    // No kinetic energy can be larger than all there was.
    VectorView velocity(batch.vector(batch.v, body), batch.r), position(batch.vector(batch.q, body), batch.r);
    const double allowed = 2.0 * std::max(0.0, state.ledger.energy + std::max(0.0, workOf(batch, body)));
    const double kinetic = 0.5 * velocity.squaredNorm();
    if (!(kinetic > allowed)) return;
    const double scale = std::sqrt(allowed / kinetic);
    // The position that the smaller velocity would have led to, by the trapezoid of the two ends.
    position -= 0.5 * h * (1.0 - scale) * velocity;
    velocity *= scale;
    state.limited = true;
}

}  // namespace pliant
