// SPDX-License-Identifier: Zlib
#include "btPliant/joints/JointConstraints.h"

#include "btPliant/solver/ModalVectorKernels.h"

namespace btPliantInternal {

btVector3 applicationPoint(const btPliantJoint& joint) {
    const btVector3 a = joint.getPivotPosition(0), b = joint.getPivotPosition(1);
    const JointSide* sides = dataOf(joint).sides;
    if (joint.isSliding() || !isMovable(sides[0])) return b;
    return isMovable(sides[1]) ? (a + b) * btScalar(0.5) : a;
}

btVector3 applicationPoint(const HeldPoint& point) {
    const btVector3 &a = point.position[0], &b = point.position[1];
    return isMovable(point.sides[1]) ? (a + b) * btScalar(0.5) : a;
}

JointVelocity couplingParts(const JointConstraints& all, const JointConstraint& joint, int k, int l,
                            const ReducedBodies& reducedBodies, const SolverBodies& bodies) {
    const ConstraintRow &a = all.rows[joint.first + k].row, &b = all.rows[joint.first + l].row;
    const btVector3 inverseMass =
        bodies[joint.body[0]].internalGetInvMass() + bodies[joint.body[1]].internalGetInvMass();
    JointVelocity v;
    v.frames = (a.axis * inverseMass).dot(b.axis) + a.angularA.dot(b.responseA) + a.angularB.dot(b.responseB);
    for (int side = 0; side < 2; ++side) {
        if (joint.reduced[side] < 0) continue;
        const int n = reducedBodies[static_cast<std::size_t>(joint.reduced[side])].stride;
        v.modes += modalDot(jacobian(all, joint, side, k, n), response(all, joint, side, l, n), n);
    }
    return v;
}

double coupling(const JointConstraints& all, const JointConstraint& joint, int k, int l,
                const ReducedBodies& reducedBodies, const SolverBodies& bodies) {
    return static_cast<double>(couplingParts(all, joint, k, l, reducedBodies, bodies).sum());
}

JointVelocity velocityChange(const JointConstraints& all, const JointConstraint& joint, int k,
                             const ContactConstraints& contacts, const SolverBodies& bodies) {
    const ConstraintRow& row = all.rows[joint.first + k].row;
    const btSolverBody &A = bodies[joint.body[0]], &B = bodies[joint.body[1]];
    JointVelocity v;
    v.frames = row.axis.dot(A.m_deltaLinearVelocity - B.m_deltaLinearVelocity) +
               row.angularA.dot(A.m_deltaAngularVelocity) + row.angularB.dot(B.m_deltaAngularVelocity);
    for (int side = 0; side < 2; ++side) {
        if (joint.reduced[side] < 0) continue;
        const ReducedBody& reduced = contacts.reducedBodies[static_cast<std::size_t>(joint.reduced[side])];
        v.modes += modalDot(jacobian(all, joint, side, k, reduced.stride),
                            contacts.modalVelocities.data() + reduced.velocityOffset, reduced.stride);
    }
    return v;
}

}  // namespace btPliantInternal
