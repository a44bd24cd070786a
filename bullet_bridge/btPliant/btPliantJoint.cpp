// SPDX-License-Identifier: Zlib
#include "btPliant/btPliantJoint.h"

#include "btPliant/data/Convert.h"
#include "btPliant/data/JointData.h"

namespace btPliantInternal {

JointSide::JointSide(btRigidBody& rigid, const btTransform& frame)
    : body(&rigid), reduced(btPliantBody::upcast(&rigid)) {
    if (!reduced) return;
    const pliant::RigidTransform meshFrame = toEigen(frame);
    material =
        std::make_unique<pliant::MaterialFrame>(reduced->getModel(), reduced->locate(frame.getOrigin()), meshFrame);
}

btTransform JointSide::follow() {
    const btPliantBody::Data& data = reduced->data();
    if (data.hasStepped) {
        midstepCoordinates = data.previousQ + (0.5 * data.stepLength) * data.batch().startVelocity(data.slot);
        material->update(midstepCoordinates.data());
    } else {
        material->update(data.batch().q(data.slot).data());
    }
    return btTransform(toBulletBasis(material->basis()), toBullet(material->position()));
}

}  // namespace btPliantInternal

using btPliantInternal::JointSide;

btPliantJoint::btPliantJoint(btRigidBody& A, btRigidBody& B, const btTransform& frameInA, const btTransform& frameInB)
    : m_data(std::make_unique<Data>(A, B, frameInA, frameInB)) {}

btPliantJoint::~btPliantJoint() = default;

btPliantJoint* btPliantJoint::upcast(btTypedConstraint* constraint) {
    return dynamic_cast<btPliantJoint*>(constraint);
}

btTransform btPliantJoint::restFrame(const btRigidBody& body, const btTransform& world) {
    const btPliantBody* reduced = btPliantBody::upcast(&body);
    return (reduced ? reduced->getMeshTransform() : body.getCenterOfMassTransform()).inverse() * world;
}

btVector3 btPliantJoint::getPivotPosition(int side) const {
    JointSide& held = m_data->sides[side];
    return held.body->getCenterOfMassTransform() * (held.reduced ? held.follow() : getFrame(side)).getOrigin();
}

btTransform btPliantJoint::frameInBody(btRigidBody& body, const btTransform& frame) {
    JointSide side(body, frame);
    return side.reduced ? side.follow() : frame;
}

btTransform btPliantJoint::frameInWorld(btRigidBody& body, const btTransform& frame) {
    return body.getCenterOfMassTransform() * frameInBody(body, frame);
}

const btVector3& btPliantJoint::getLinearImpulse() const {
    return m_data->linearImpulse;
}

const btVector3& btPliantJoint::getAngularImpulse() const {
    return m_data->angularImpulse;
}

bool btPliantJoint::getSpring(int, btPliantJointSpring&) const {
    return false;
}

btScalar btPliantJoint::getLargestImpulse(btScalar) const {
    return SIMD_INFINITY;
}

void btPliantJoint::getNumbers(std::vector<double>& numbers) const {
    numbers.clear();
}

bool btPliantJoint::acceptsNumbers(const std::vector<double>& numbers) const {
    return numbers.empty();
}

void btPliantJoint::setNumbers(const std::vector<double>&) {}

void btPliantJoint::followMaterial() {
    for (int side = 0; side < 2; ++side)
        if (m_data->sides[side].reduced) setFrame(side, m_data->sides[side].follow());
}
