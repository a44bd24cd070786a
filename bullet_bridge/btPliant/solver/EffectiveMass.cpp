// SPDX-License-Identifier: Zlib
#include "btPliant/solver/EffectiveMass.h"

#include "btPliant/data/SystemData.h"
#include "btPliant/solver/FrameResponse.h"
#include "btPliant/solver/ModalVectorKernels.h"
#include "pliant/collision/body/CollisionSkin.h"

namespace btPliantInternal {

namespace {

/// J W J' of rows k and l by the deformations of both sides, 1/kg.
btScalar modalInverseMass(const ContactConstraint& contact, const btScalar* vectors, int k, int l) {
    return modalDot(vectors + contact.jacobianOffsetA + k * contact.strideA,
                    vectors + contact.responseOffsetA + l * contact.strideA, contact.strideA) +
           modalDot(vectors + contact.jacobianOffsetB + k * contact.strideB,
                    vectors + contact.responseOffsetB + l * contact.strideB, contact.strideB);
}

/// Of the mass of the flesh that follows a bone: what the bone weighs against what does not give way.
constexpr double kLimbs = 4.0;

/// What the sides of a contact that are characters give way by beyond their flesh, 1/kg.
///
/// Bones are driven, whatever stands in their way. Where they press flesh that hardly moves, J W J' all but 0, against
/// something as unyielding, the row's impulse v / J W J' has no bound, and W J' times it throws all other flesh about:
/// a hoof on the ground swung ears and tail by metres. So a bone yields as a limb would that is not driven, and that
/// carries kLimbs times the mass m of the flesh that follows it: J W J' counts 1 / (kLimbs m) at least. Then a contact
/// gives the deformation at most kLimbs m v^2 / 2 in a step, v what the bone goes into the other by. Where flesh, or
/// what it meets, gives way by more than that nothing changes.
/// @param other J W J' of a side that is no character, 1/kg; of what cannot move, be it that something holds it
/// (TrappedBodies.h), none
btScalar boneInverseMass(const ContactConstraint& contact, const ReducedBodies& reducedBodies, const btScalar* vectors,
                         btScalar other) {
    btScalar sum = 0;
    for (const bool first : {true, false}) {
        const ReducedBody* s = reducedBody(reducedBodies, first ? contact.reducedA : contact.reducedB);
        if (!s || !dataOf(*s->body).character || dataOf(*s->body).ragdoll()) continue;
        const pliant::DeformedBody& deformed = *dataOf(*s->body).deformed;
        const auto& segments = deformed.model().skeleton().segments;
        const int segment = first ? contact.segmentA : contact.segmentB;
        const double share = static_cast<double>(first ? contact.parameterA : contact.parameterB);
        const double mass = (1.0 - share) * deformed.skin()->massBehind(segments(0, segment)) +
                            share * deformed.skin()->massBehind(segments(1, segment));
        if (!(mass > 0.0)) continue;
        const btScalar* J = vectors + (first ? contact.jacobianOffsetA : contact.jacobianOffsetB);
        const btScalar* response = vectors + (first ? contact.responseOffsetA : contact.responseOffsetB);
        const btScalar own = modalDot(J, response, s->stride);
        sum += btMax(btScalar(0), static_cast<btScalar>(1.0 / (kLimbs * mass)) - own - other);
    }
    return sum;
}

/// J W J' of the normal row by what moves beside the flesh of a character: frames that are free, and deformation of
/// the other side. None where something holds them.
btScalar otherInverseMass(const SolverBodies& bodies, const ReducedBodies& reducedBodies, const btScalar* vectors,
                          const ContactConstraint& contact) {
    if (contact.isTrapped) return 0;
    const ConstraintRow& row = contact.rows[0];
    const btScalar frames = linearInverseMass(row, bodies[contact.bodyA], bodies[contact.bodyB]) +
                            row.angularA.dot(row.responseA) + row.angularB.dot(row.responseB);
    btScalar modes = 0;
    for (const bool first : {true, false}) {
        const ReducedBody* s = reducedBody(reducedBodies, first ? contact.reducedA : contact.reducedB);
        if (!s || dataOf(*s->body).character) continue;
        modes += modalDot(vectors + (first ? contact.jacobianOffsetA : contact.jacobianOffsetB),
                          vectors + (first ? contact.responseOffsetA : contact.responseOffsetB), s->stride);
    }
    return frames > 0 ? frames + modes : btScalar(0);
}

struct BoneYield {
    btScalar inverseMass = 0;    ///< As boneInverseMass(), 1/kg.
    bool meetsFreeBody = false;  ///< Bones then yield by no more than ContactConstraint::boneSpeed.
};

/// What driven bones yield by. In front of a free body they stop at most: what falls onto a bone at rest, or lies on
/// it, is held, however heavy it is. (A ball of 100 kg on a quadruped's neck sank through it.)
BoneYield boneYield(const SolverBodies& bodies, const ReducedBodies& reducedBodies, const btScalar* vectors,
                    const ContactConstraint& contact) {
    const btScalar other = otherInverseMass(bodies, reducedBodies, vectors, contact);
    return {boneInverseMass(contact, reducedBodies, vectors, other), other > 0};
}

/// J W J' of rows of a body against itself: what its two sides do to each other counts, frames do not.
btScalar selfInverseMass(const ContactConstraint& contact, const btScalar* vectors, int k, int l) {
    btScalar sum = 0;
    const int n = contact.strideA;
    for (const std::size_t row : {contact.jacobianOffsetA, contact.jacobianOffsetB})
        for (const std::size_t response : {contact.responseOffsetA, contact.responseOffsetB})
            sum += modalDot(vectors + row + k * n, vectors + response + l * n, n);
    return sum;
}

/// What an impulse along the normal does to the velocities along the tangents.
void prepareCoupling(const SolverBodies& bodies, const btScalar* modalVectors, ContactConstraint& contact) {
    const ConstraintRow& normal = contact.rows[0];
    const btVector3 linear =
        normal.axis * (bodies[contact.bodyA].internalGetInvMass() + bodies[contact.bodyB].internalGetInvMass());
    for (int k = 1; k < 3; ++k) {
        const ConstraintRow& row = contact.rows[k];
        if (contact.isSelf()) {
            contact.frameCoupling[k - 1] = 0;
            contact.modeCoupling[k - 1] = selfInverseMass(contact, modalVectors, 0, k);
            continue;
        }
        contact.frameCoupling[k - 1] =
            linear.dot(row.axis) + normal.angularA.dot(row.responseA) + normal.angularB.dot(row.responseB);
        contact.modeCoupling[k - 1] = modalInverseMass(contact, modalVectors, 0, k);
    }
}

}  // namespace

void prepareEffectiveMasses(const SolverBodies& bodies, const ReducedBodies& reducedBodies,
                            const btScalar* modalVectors, ContactConstraint& contact) {
    const btSolverBody& A = bodies[contact.bodyA];
    const btSolverBody& B = bodies[contact.bodyB];
    for (ConstraintRow& row : contact.rows) {
        if (contact.reducedA < 0) row.responseA = rigidResponse(A, row.angularA);
        if (contact.reducedB < 0) row.responseB = rigidResponse(B, row.angularB);
    }
    BoneYield bones;
    if (contact.hasDrivenBones && !contact.isSelf()) bones = boneYield(bodies, reducedBodies, modalVectors, contact);
    contact.cfm += bones.inverseMass;
    for (int k = 0; k < 3; ++k) {
        ConstraintRow& row = contact.rows[k];
        const btScalar frames =
            linearInverseMass(row, A, B) + row.angularA.dot(row.responseA) + row.angularB.dot(row.responseB);
        const btScalar bare = contact.isSelf() ? selfInverseMass(contact, modalVectors, k, k)
                                               : frames + modalInverseMass(contact, modalVectors, k, k);
        const btScalar sum = bare + (k == 0 ? contact.cfm : btScalar(0));
        row.effectiveMass = sum > 0 ? 1 / sum : 0;
    }
    if (bones.inverseMass > 0 && bones.meetsFreeBody)
        contact.heldMass = 1 / (1 / contact.rows[0].effectiveMass - bones.inverseMass);
    prepareCoupling(bodies, modalVectors, contact);
}

}  // namespace btPliantInternal
