// SPDX-License-Identifier: Zlib
#include "btPliant/btPliantJoints.h"

namespace {

btTransform at(const btVector3& pivot) {
    return btTransform(btMatrix3x3::getIdentity(), pivot);
}

/// A frame whose z axis is `axis`.
btTransform hingeFrame(const btVector3& pivot, const btVector3& axis) {
    btVector3 x, y;
    btPlaneSpace1(axis, x, y);
    return btTransform(btMatrix3x3(x.x(), y.x(), axis.x(), x.y(), y.y(), axis.y(), x.z(), y.z(), axis.z()), pivot);
}

btRigidBody& world() {
    return btTypedConstraint::getFixedBody();
}

}  // namespace

btPliantPoint2PointConstraint::btPliantPoint2PointConstraint(btRigidBody& A, btRigidBody& B, const btVector3& pivotInA,
                                                             const btVector3& pivotInB)
    : btPoint2PointConstraint(A, B, frameInBody(A, at(pivotInA)).getOrigin(), frameInBody(B, at(pivotInB)).getOrigin()),
      btPliantJoint(A, B, at(pivotInA), at(pivotInB)) {}

btPliantPoint2PointConstraint::btPliantPoint2PointConstraint(btRigidBody& A, const btVector3& pivotInA)
    : btPliantPoint2PointConstraint(A, world(), pivotInA, frameInWorld(A, at(pivotInA)).getOrigin()) {}

void btPliantPoint2PointConstraint::buildJacobian() {
    followMaterial();
    btPoint2PointConstraint::buildJacobian();
}

btTransform btPliantPoint2PointConstraint::getFrame(int side) const {
    return at(side == 0 ? getPivotInA() : getPivotInB());
}

void btPliantPoint2PointConstraint::setFrame(int side, const btTransform& frame) {
    side == 0 ? setPivotA(frame.getOrigin()) : setPivotB(frame.getOrigin());
}

btPliantHingeConstraint::btPliantHingeConstraint(btRigidBody& A, btRigidBody& B, const btTransform& frameInA,
                                                 const btTransform& frameInB, bool useReferenceFrameA)
    : btHingeConstraint(A, B, frameInBody(A, frameInA), frameInBody(B, frameInB), useReferenceFrameA),
      btPliantJoint(A, B, frameInA, frameInB) {}

btPliantHingeConstraint::btPliantHingeConstraint(btRigidBody& A, const btTransform& frameInA, bool useReferenceFrameA)
    : btPliantHingeConstraint(A, world(), frameInA, frameInWorld(A, frameInA), useReferenceFrameA) {}

btPliantHingeConstraint::btPliantHingeConstraint(btRigidBody& A, btRigidBody& B, const btVector3& pivotInA,
                                                 const btVector3& axisInA)
    : btPliantHingeConstraint(A, B, hingeFrame(pivotInA, axisInA),
                              restFrame(B, frameInWorld(A, hingeFrame(pivotInA, axisInA)))) {}

btPliantHingeConstraint::btPliantHingeConstraint(btRigidBody& A, const btVector3& pivotInA, const btVector3& axisInA)
    : btPliantHingeConstraint(A, hingeFrame(pivotInA, axisInA)) {}

void btPliantHingeConstraint::buildJacobian() {
    followMaterial();
    btHingeConstraint::buildJacobian();
}

btTransform btPliantHingeConstraint::getFrame(int side) const {
    return side == 0 ? getAFrame() : getBFrame();
}

void btPliantHingeConstraint::setFrame(int side, const btTransform& frame) {
    (side == 0 ? getAFrame() : getBFrame()) = frame;
}

btPliantSliderConstraint::btPliantSliderConstraint(btRigidBody& A, btRigidBody& B, const btTransform& frameInA,
                                                   const btTransform& frameInB, bool useLinearReferenceFrameA)
    : btSliderConstraint(A, B, frameInBody(A, frameInA), frameInBody(B, frameInB), useLinearReferenceFrameA),
      btPliantJoint(A, B, frameInA, frameInB) {}

btPliantSliderConstraint::btPliantSliderConstraint(btRigidBody& B, const btTransform& frameInB,
                                                   bool useLinearReferenceFrameA)
    : btPliantSliderConstraint(world(), B, frameInWorld(B, frameInB), frameInB, useLinearReferenceFrameA) {}

void btPliantSliderConstraint::buildJacobian() {
    followMaterial();
    btSliderConstraint::buildJacobian();
}

btTransform btPliantSliderConstraint::getFrame(int side) const {
    return side == 0 ? getFrameOffsetA() : getFrameOffsetB();
}

void btPliantSliderConstraint::setFrame(int side, const btTransform& frame) {
    (side == 0 ? m_frameInA : m_frameInB) = frame;
}

btPliantFixedConstraint::btPliantFixedConstraint(btRigidBody& A, btRigidBody& B, const btTransform& frameInA,
                                                 const btTransform& frameInB)
    : btFixedConstraint(A, B, frameInBody(A, frameInA), frameInBody(B, frameInB)),
      btPliantJoint(A, B, frameInA, frameInB) {}

btPliantFixedConstraint::btPliantFixedConstraint(btRigidBody& A, const btTransform& frameInA)
    : btPliantFixedConstraint(A, world(), frameInA, frameInWorld(A, frameInA)) {}

void btPliantFixedConstraint::buildJacobian() {
    followMaterial();
    btFixedConstraint::buildJacobian();
}

btTransform btPliantFixedConstraint::getFrame(int side) const {
    return side == 0 ? m_frameInA : m_frameInB;
}

void btPliantFixedConstraint::setFrame(int side, const btTransform& frame) {
    (side == 0 ? m_frameInA : m_frameInB) = frame;
}

btPliantSpringConstraint::btPliantSpringConstraint(btRigidBody& A, btRigidBody& B, const btTransform& frameInA,
                                                   const btTransform& frameInB, RotateOrder order)
    : btGeneric6DofSpring2Constraint(A, B, frameInBody(A, frameInA), frameInBody(B, frameInB), order),
      btPliantJoint(A, B, frameInA, frameInB) {}

btPliantSpringConstraint::btPliantSpringConstraint(btRigidBody& B, const btTransform& frameInB, RotateOrder order)
    : btPliantSpringConstraint(world(), B, frameInWorld(B, frameInB), frameInB, order) {}

void btPliantSpringConstraint::buildJacobian() {
    followMaterial();
    btGeneric6DofSpring2Constraint::buildJacobian();
}

btTransform btPliantSpringConstraint::getFrame(int side) const {
    return side == 0 ? m_frameInA : m_frameInB;
}

void btPliantSpringConstraint::setFrame(int side, const btTransform& frame) {
    (side == 0 ? m_frameInA : m_frameInB) = frame;
}

// Rows of Bullet's class, in its order: the angular axes as the order of rotation has them, then the linear ones; of an
// axis two rows for a pair of limits or one for an equality, then a motor's, then the spring's.
bool btPliantSpringConstraint::getSpring(int row, btPliantJointSpring& spring) const {
    static constexpr int axes[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    int first = 0;
    const auto isSpring = [&first, row](int limit, bool motor, bool has) {
        first += (limit == 4 ? 2 : limit != 0 ? 1 : 0) + (motor ? 1 : 0);
        const bool found = has && first == row;
        first += has ? 1 : 0;
        return found;
    };
    for (const int i : axes[m_rotateOrder]) {
        const btRotationalLimitMotor2& axis = m_angularLimits[i];
        if (!isSpring(axis.m_currentLimit, axis.m_enableMotor, axis.m_enableSpring)) continue;
        spring.m_stiffness = axis.m_springStiffness;
        spring.m_damping = axis.m_springDamping;
        spring.m_extension = axis.m_equilibriumPoint - axis.m_currentPosition;  // Bullet's angles run against the row
        return true;
    }
    for (int i = 0; i < 3; ++i) {
        const btTranslationalLimitMotor2& axes3 = m_linearLimits;
        if (!isSpring(axes3.m_currentLimit[i], axes3.m_enableMotor[i], axes3.m_enableSpring[i])) continue;
        spring.m_stiffness = axes3.m_springStiffness[i];
        spring.m_damping = axes3.m_springDamping[i];
        spring.m_extension = axes3.m_currentLinearDiff[i] - axes3.m_equilibriumPoint[i];
        return true;
    }
    return false;
}
