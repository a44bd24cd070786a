// SPDX-License-Identifier: Zlib
#include "btPliant/btPliantJoint.h"

#include "btPliant/data/Convert.h"
#include "btPliant/joints/JointSide.h"

using btPliantInternal::toBullet;
using btPliantInternal::toEigen;

btPliantJoint::Side::Side(btRigidBody& rigid, const btTransform& frame)
    : body(&rigid), reduced(btPliantBody::upcast(&rigid)) {
    if (!reduced) return;
    const pliant::RigidTransform meshFrame = toEigen(frame);
    material =
        std::make_unique<pliant::MaterialFrame>(reduced->getModel(), reduced->locate(frame.getOrigin()), meshFrame);
}

btTransform btPliantJoint::Side::follow() {
    const btPliantBody::Data& data = reduced->data();
    if (data.hasStepped) {
        midstepCoordinates = data.previousQ + (0.5 * data.stepLength) * data.batch().startVelocity(data.slot);
        material->update(midstepCoordinates.data());
    } else {
        material->update(data.batch().q(data.slot).data());
    }
    return btTransform(btPliantInternal::toBulletBasis(material->basis()), toBullet(material->position()));
}

btPliantJoint::btPliantJoint(btRigidBody& A, btRigidBody& B, const btTransform& frameInA, const btTransform& frameInB) {
    m_sides[0] = std::make_unique<Side>(A, frameInA);
    m_sides[1] = std::make_unique<Side>(B, frameInB);
}

btPliantJoint::~btPliantJoint() = default;

btPliantJoint* btPliantJoint::upcast(btTypedConstraint* constraint) {
    return dynamic_cast<btPliantJoint*>(constraint);
}

btTransform btPliantJoint::restFrame(const btRigidBody& body, const btTransform& world) {
    const btPliantBody* reduced = btPliantBody::upcast(&body);
    return (reduced ? reduced->getMeshTransform() : body.getCenterOfMassTransform()).inverse() * world;
}

btVector3 btPliantJoint::getPivotPosition(int side) const {
    Side& held = *m_sides[side];
    return held.body->getCenterOfMassTransform() * (held.reduced ? held.follow() : getFrame(side)).getOrigin();
}

btTransform btPliantJoint::frameInBody(btRigidBody& body, const btTransform& frame) {
    Side side(body, frame);
    return side.reduced ? side.follow() : frame;
}

btTransform btPliantJoint::frameInWorld(btRigidBody& body, const btTransform& frame) {
    return body.getCenterOfMassTransform() * frameInBody(body, frame);
}

bool btPliantJoint::getSpring(int, btPliantJointSpring&) const {
    return false;
}

btScalar btPliantJoint::getLargestImpulse(btScalar) const {
    return SIMD_INFINITY;
}

void btPliantJoint::followMaterial() {
    for (int side = 0; side < 2; ++side)
        if (m_sides[side]->reduced) setFrame(side, m_sides[side]->follow());
}
