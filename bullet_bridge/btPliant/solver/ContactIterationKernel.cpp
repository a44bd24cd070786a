// SPDX-License-Identifier: Zlib
// The three rows of a contact are read once and written once in an iteration: the velocities along all of them before
// it, then the friction, then the normal, which sees what the friction has changed by the couplings of the rows.
#include "btPliant/solver/ContactIterationKernel.h"

#include <algorithm>

#include "btPliant/solver/ModalResponse.h"
#include "btPliant/solver/ModalVectorKernels.h"
#include "btPliant/solver/TorsionalFriction.h"
#include "pliant/math/InstructionTargets.h"
#include "pliant/runtime/kernels/Kernels.h"

namespace btPliantInternal {

namespace {

/// The deformation on one side of a contact.
struct ModalSide {
    PLIANT_INLINE ModalSide(ContactConstraints& all, int stride, std::size_t jacobian, std::size_t response,
                            std::size_t velocity)
        : n(stride),
          J(all.modalVectors.data() + jacobian),
          W(all.modalVectors.data() + response),
          v(all.modalVelocities.data() + velocity) {}

    int n;  ///< 0: none
    const btScalar *J, *W;
    btScalar* v;
};

/// Adds J_0 v.
template <int width>
PLIANT_INLINE btScalar alongNormal(const ModalSide& side) {
    return side.n > 0 ? modalDot<width>(side.J, side.v, side.n) : btScalar(0);
}

/// Adds J v of all three rows.
template <int width>
PLIANT_INLINE void addAlongRows(const ModalSide& side, btScalar* sum) {
    if (side.n > 0) modalDots<width>(side.J, side.v, side.n, sum);
}

/// v += W J' P
template <int width>
PLIANT_INLINE void applyToModes(const ModalSide& side, const btScalar* P) {
    if (side.n > 0) modalAddThree<width>(side.v, P, side.W, side.n);
}

/// What the impulses so far have added to the velocities of the frames.
struct FrameVelocities {
    PLIANT_INLINE FrameVelocities(btSolverBody& A, btSolverBody& B) {
        load(A.internalGetDeltaLinearVelocity(), linearA);
        load(B.internalGetDeltaLinearVelocity(), linearB);
        load(A.internalGetDeltaAngularVelocity(), angularA);
        load(B.internalGetDeltaAngularVelocity(), angularB);
    }
    PLIANT_INLINE btScalar along(const ConstraintRow& row) const {
        SpaceVector axis, a, b;
        load(row.axis, axis);
        load(row.angularA, a);
        load(row.angularB, b);
        return sumOfThree(axis * (linearA - linearB) + (a * angularA + b * angularB));
    }

    SpaceVector linearA, linearB, angularA, angularB;
};

/// sum += x P_0 + y P_1 + z P_2
PLIANT_INLINE void addWeighted(const btVector3& x, const btVector3& y, const btVector3& z, const btScalar* P,
                               SpaceVector& sum) {
    SpaceVector u, v, w;
    load(x, u);
    load(y, v);
    load(z, w);
    sum += (P[0] * u + P[1] * v) + P[2] * w;
}

PLIANT_INLINE void applyToFrames(const ContactConstraint& contact, const btScalar* P, FrameVelocities& v,
                                 btSolverBody& A, btSolverBody& B) {
    const ConstraintRow* rows = contact.rows;
    SpaceVector impulse{}, inverseMass;
    if (contact.isSelf()) {  // the linear impulses cancel; the turn that comes with a change of q' stays
        if (!contact.movesA) return;
        addWeighted(rows[0].responseA, rows[1].responseA, rows[2].responseA, P, v.angularA);
        addWeighted(rows[0].responseB, rows[1].responseB, rows[2].responseB, P, v.angularA);
        store(v.angularA, A.internalGetDeltaAngularVelocity());
        return;
    }
    addWeighted(rows[0].axis, rows[1].axis, rows[2].axis, P, impulse);
    if (contact.movesA) {
        load(A.internalGetInvMass(), inverseMass);
        addWeighted(rows[0].responseA, rows[1].responseA, rows[2].responseA, P, v.angularA);
        store(v.linearA + impulse * inverseMass, A.internalGetDeltaLinearVelocity());
        store(v.angularA, A.internalGetDeltaAngularVelocity());
    }
    if (contact.movesB) {
        load(B.internalGetInvMass(), inverseMass);
        addWeighted(rows[0].responseB, rows[1].responseB, rows[2].responseB, P, v.angularB);
        store(v.linearB - impulse * inverseMass, B.internalGetDeltaLinearVelocity());
        store(v.angularB, B.internalGetDeltaAngularVelocity());
    }
}

/// Changes of the tangents' impulses. Within the disc each row takes a step by its own mass. Beyond it both rows take
/// one by the same mass before they are put back onto the disc: that comes to rest where friction opposes the slip,
/// which steps by different masses would not. That mass, the inverse of the trace of J W J', is no more than the least
/// of any direction between the tangents, however they are coupled.
PLIANT_INLINE void iterateFriction(ContactConstraint& contact, const btScalar* added, btScalar* P) {
    ConstraintRow* rows = contact.rows;
    const btScalar limit = contact.friction * btMax(btScalar(0), rows[0].impulse);
    btScalar next[3], scale = 1;
    for (int k = 1; k < 3; ++k) next[k] = rows[k].impulse + (rows[k].rhs - added[k]) * rows[k].effectiveMass;
    if (next[1] * next[1] + next[2] * next[2] > limit * limit) {
        const btScalar sum = rows[1].effectiveMass + rows[2].effectiveMass;
        const btScalar mass = sum > 0 ? rows[1].effectiveMass * rows[2].effectiveMass / sum : btScalar(0);
        for (int k = 1; k < 3; ++k) next[k] = rows[k].impulse + (rows[k].rhs - added[k]) * mass;
        const btScalar length = btSqrt(next[1] * next[1] + next[2] * next[2]);
        if (length > limit) scale = limit / length;
    }
    for (int k = 1; k < 3; ++k) {
        P[k] = scale * next[k] - rows[k].impulse;
        rows[k].impulse += P[k];
    }
}

/// Both bounds by the larger effective mass of the two: rows whose bound is the gap and rows whose bound is the
/// velocity respond to each other unsymmetrically, and full steps of both have been seen to diverge between wedged
/// segments.
PLIANT_INLINE btScalar rigidImpulse(const ContactConstraint& contact, btScalar frames, btScalar modes) {
    const ConstraintRow& normal = contact.rows[0];
    const btScalar velocityError = contact.velocityError(frames + contact.cfm * normal.impulse, modes);
    const btScalar next = normal.impulse + velocityError * normal.effectiveMass;
    // Bones that yield stop, and do not give way to what comes by itself.
    const btScalar held = normal.impulse + (normal.rhs - contact.boneSpeed - frames - modes) * contact.heldMass;
    return btMax(btMax(btScalar(0), next), contact.heldMass > 0 ? held : btScalar(0));
}

/// Of a spring by area. @param added velocity along the normal by all impulses
btScalar springImpulse(const ContactConstraints& all, int c, btScalar added) {
    const ConstraintRow& normal = all.contacts[c].rows[0];
    const double response = normal.effectiveMass > 0 ? 1.0 / static_cast<double>(normal.effectiveMass) : 0.0;
    return static_cast<btScalar>(all.springs[static_cast<std::size_t>(c)].solve(static_cast<double>(normal.impulse),
                                                                                static_cast<double>(added), response));
}

template <int width>
PLIANT_INLINE void iterateContact(ContactConstraints& all, int c, SolverBodies& bodies) {
    ContactConstraint& contact = all.contacts[c];
    ConstraintRow* rows = contact.rows;
    btSolverBody& A = bodies[contact.bodyA];
    btSolverBody& B = bodies[contact.bodyB];
    const ModalSide sideA(all, contact.strideA, contact.jacobianOffsetA, contact.responseOffsetA,
                          contact.velocityOffsetA);
    const ModalSide sideB(all, contact.strideB, contact.jacobianOffsetB, contact.responseOffsetB,
                          contact.velocityOffsetB);
    FrameVelocities v(A, B);
    if (rows[0].impulse == 0 && rows[1].impulse == 0 && rows[2].impulse == 0) {
        const btScalar modes = alongNormal<width>(sideA) + alongNormal<width>(sideB);
        if (contact.velocityError(v.along(rows[0]), modes) <= 0) return;
        if (!contact.hasResponse) prepareLateResponse(c, bodies, all);
    }
    contact.isActive = true;
    btScalar frames[3], modes[3] = {}, added[3], P[3];
    for (int k = 0; k < 3; ++k) frames[k] = v.along(rows[k]);
    addAlongRows<width>(sideA, modes);
    addAlongRows<width>(sideB, modes);
    for (int k = 0; k < 3; ++k) added[k] = frames[k] + modes[k];
    iterateFriction(contact, added, P);  // first: the last word is that nothing penetrates
    for (int k = 1; k < 3; ++k) {
        frames[0] += contact.frameCoupling[k - 1] * P[k];
        modes[0] += contact.modeCoupling[k - 1] * P[k];
    }
    const btScalar next =
        contact.isSpring ? springImpulse(all, c, frames[0] + modes[0]) : rigidImpulse(contact, frames[0], modes[0]);
    P[0] = next - rows[0].impulse;
    rows[0].impulse = next;
    applyToFrames(contact, P, v, A, B);
    applyToModes<width>(sideA, P);
    applyToModes<width>(sideB, P);
}

template <int width>
PLIANT_INLINE void iteratePairRange(ContactConstraints& all, const PairRange& range, btScalar beta,
                                    SolverBodies& bodies, IterationChange& change) {
    for (int c = range.first; c < range.first + range.count; ++c) {
        ContactConstraint& contact = all.contacts[c];
        btScalar before[3];
        for (int k = 0; k < 3; ++k) before[k] = contact.rows[k].extrapolate(beta);
        iterateContact<width>(all, c, bodies);
        for (int k = 0; k < 3; ++k) change.add(contact.rows[k], before[k]);
        if (contact.torsionCount > 0) change.add(iterateTorsionalFriction(contact, beta, bodies, all));
    }
}

void iterateBaseline(ContactConstraints& all, const PairRange& range, btScalar beta, SolverBodies& bodies,
                     IterationChange& change) {
    iteratePairRange<kModalWidthBaseline>(all, range, beta, bodies, change);
}

#if defined(__x86_64__)
PLIANT_TARGET_AVX2 void iterateAvx2(ContactConstraints& all, const PairRange& range, btScalar beta,
                                    SolverBodies& bodies, IterationChange& change) {
    iteratePairRange<kModalWidthAvx2>(all, range, beta, bodies, change);
}
PLIANT_TARGET_AVX512 void iterateAvx512(ContactConstraints& all, const PairRange& range, btScalar beta,
                                        SolverBodies& bodies, IterationChange& change) {
    iteratePairRange<kModalWidthAvx512>(all, range, beta, bodies, change);
}

#endif

}  // namespace

ContactIterationKernel contactIterationKernel() {
#if defined(__x86_64__)
    const pliant::kernels::InstructionSet set = pliant::kernels::active().set;
    if (set == pliant::kernels::InstructionSet::Avx512) return iterateAvx512;
    if (set == pliant::kernels::InstructionSet::Avx2) return iterateAvx2;
#endif
    return iterateBaseline;
}

}  // namespace btPliantInternal
