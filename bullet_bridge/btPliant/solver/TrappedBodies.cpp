// SPDX-License-Identifier: Zlib
#include "btPliant/solver/TrappedBodies.h"

namespace btPliantInternal {

namespace {

/// In terms of the impulse of a body's weight in a step: what lies on bones, or is carried by them, has one or two,
/// what limbs close on hundreds.
constexpr btScalar kWeights = 20;
/// In terms of a body's momentum: what bounces off a bone at rest has got twice what it leaves with.
constexpr btScalar kMomenta = 2;

bool hasDrivenBones(const ReducedBodies& reducedBodies, int index) {
    const ReducedBody* s = reducedBody(reducedBodies, index);
    return s && dataOf(*s->body).character && !dataOf(*s->body).ragdoll();
}

/// The number of the solver body that may be trapped by a contact with driven bones; -1: none, since both sides are
/// driven, or since the other one does not move.
int freeBody(const ContactDescriptor& contact, const SolverBodies& bodies, const ReducedBodies& reducedBodies) {
    const int other = hasDrivenBones(reducedBodies, contact.reducedA) ? contact.bodyB : contact.bodyA;
    const btRigidBody* body = bodies[other].m_originalBody;
    return body && body->getInvMass() > 0 ? other : -1;
}

/// @param impulses sum of the sizes of those that the body has got from bones in the last step, N s
bool isTrapped(btScalar impulses, const btSolverBody& body, double h) {
    const btRigidBody& rigid = *body.m_originalBody;
    const btScalar fall =
        btMax(static_cast<btScalar>(h) * rigid.getGravity().length(), body.m_externalForceImpulse.length());
    return impulses * rigid.getInvMass() > kWeights * fall + kMomenta * rigid.getLinearVelocity().length();
}

}  // namespace

btScalar boneSpeed(const ContactConstraint& contact, const ReducedBodies& reducedBodies, double skin) {
    btVector3 frames(0, 0, 0);
    if (hasDrivenBones(reducedBodies, contact.reducedA))
        frames += reducedBody(reducedBodies, contact.reducedA)->body->getLinearVelocity();
    if (hasDrivenBones(reducedBodies, contact.reducedB))
        frames -= reducedBody(reducedBodies, contact.reducedB)->body->getLinearVelocity();
    return btMax(btScalar(0), static_cast<btScalar>(-skin) - contact.rows[0].axis.dot(frames));
}

void markDrivenContacts(double h, const SolverBodies& bodies, ContactConstraints& all) {
    const int count = static_cast<int>(all.reducedBodies.size());
    bool hasCharacters = false;
    for (int i = 0; i < count && !hasCharacters; ++i) hasCharacters = hasDrivenBones(all.reducedBodies, i);
    if (!hasCharacters) return;
    std::vector<btScalar>& impulses = all.scratch.impulsesOfBones;
    impulses.assign(static_cast<std::size_t>(bodies.size()), 0);
    for (ContactDescriptor& contact : all.descriptors) {
        contact.hasDrivenBones =
            hasDrivenBones(all.reducedBodies, contact.reducedA) || hasDrivenBones(all.reducedBodies, contact.reducedB);
        const int body = contact.hasDrivenBones ? freeBody(contact, bodies, all.reducedBodies) : -1;
        if (body >= 0) impulses[static_cast<std::size_t>(body)] += contact.point->m_appliedImpulse;
    }
    for (ContactDescriptor& contact : all.descriptors) {
        const int body = contact.hasDrivenBones ? freeBody(contact, bodies, all.reducedBodies) : -1;
        contact.isTrapped = body >= 0 && isTrapped(impulses[static_cast<std::size_t>(body)], bodies[body], h);
    }
}

}  // namespace btPliantInternal
