// SPDX-License-Identifier: Zlib
#include "btPliantScene/JointLinks.h"

#include <BulletDynamics/ConstraintSolver/btGeneric6DofSpring2Constraint.h>
#include <BulletDynamics/ConstraintSolver/btHingeConstraint.h>
#include <BulletDynamics/ConstraintSolver/btPoint2PointConstraint.h>
#include <BulletDynamics/ConstraintSolver/btSliderConstraint.h>

#include <algorithm>

#include "btPliant/btPliantHeldPoints.h"
#include "btPliantScene/btPliantConversions.h"

namespace btPliantInternal {

using pliant::scene::LinkShapes;

namespace {

using pliant::fromBullet;
using pliant::Vector3;

constexpr double kPinShare = 0.025;  // radius of a pin in sizes of the smaller body
// All in radii of the pin:
constexpr double kRod = 0.45, kHook = 5.0, kPlate = 2.0, kAxle = 3.0, kRail = 12.0;

/// What the world holds things by: Bullet's own body without mass.
bool isWorld(const btRigidBody& body) {
    return &body == &btTypedConstraint::getFixedBody();
}

double sizeOf(const btRigidBody& body) {
    btVector3 least, most;
    body.getAabb(least, most);
    return static_cast<double>((most - least).length());
}

/// The frame of a joint on its body 0 (A) or 1 (B), in that body's frame.
btTransform frameOn(const btTypedConstraint& joint, int side) {
    btTransform frame = btTransform::getIdentity();
    switch (joint.getConstraintType()) {
        case POINT2POINT_CONSTRAINT_TYPE: {
            const auto& point = static_cast<const btPoint2PointConstraint&>(joint);
            frame.setOrigin(side == 0 ? point.getPivotInA() : point.getPivotInB());
            break;
        }
        case HINGE_CONSTRAINT_TYPE: {
            const auto& hinge = static_cast<const btHingeConstraint&>(joint);
            return side == 0 ? hinge.getAFrame() : hinge.getBFrame();
        }
        case SLIDER_CONSTRAINT_TYPE: {
            const auto& slider = static_cast<const btSliderConstraint&>(joint);
            return side == 0 ? slider.getFrameOffsetA() : slider.getFrameOffsetB();
        }
        default: {
            const auto& six = static_cast<const btGeneric6DofSpring2Constraint&>(joint);
            return side == 0 ? six.getFrameOffsetA() : six.getFrameOffsetB();
        }
    }
    return frame;
}

/// The links of one joint.
class JointDrawing {
public:
    JointDrawing(const btTypedConstraint& joint, const Vector3& up, LinkShapes& links)
        : m_joint(joint), m_up(up), m_links(links) {
        const btRigidBody &A = joint.getRigidBodyA(), &B = joint.getRigidBodyB();
        const double size = std::min(isWorld(A) ? 1e30 : sizeOf(A), isWorld(B) ? 1e30 : sizeOf(B));
        m_pin = kPinShare * std::min(size, 1e3);
    }

    void draw() {
        if (const auto* held = dynamic_cast<const btPliantHeldPoints*>(&m_joint)) return drawPoints(*held);
        const btTypedConstraintType kind = m_joint.getConstraintType();
        const btTransform a = inWorld(m_joint.getRigidBodyA(), 0), b = inWorld(m_joint.getRigidBodyB(), 1);
        const Vector3 first = fromBullet(a.getOrigin()), second = fromBullet(b.getOrigin());
        drawEnd(m_joint.getRigidBodyA(), first);
        if ((first - second).norm() > m_pin) {
            drawEnd(m_joint.getRigidBodyB(), second);
            addRod(first, second, kRod);
        } else {
            drawHook(m_joint.getRigidBodyB(), second);
        }
        if (kind == HINGE_CONSTRAINT_TYPE) addAxis(a, 2, kAxle);
        if (kind == SLIDER_CONSTRAINT_TYPE) addAxis(a, 0, kRail);
    }

private:
    /// Points that are not where they should be show the way.
    void drawPoints(const btPliantHeldPoints& held) {
        for (int i = 0; i < held.getNumPoints(); ++i) {
            const Vector3 at = fromBullet(held.getPosition(i)), target = fromBullet(held.getTarget(i));
            m_links.pins.push_back({at, m_pin});
            if ((at - target).norm() > m_pin) addRod(at, target, kRod);
        }
    }
    btTransform inWorld(const btRigidBody& body, int side) const {
        return body.getCenterOfMassTransform() * frameOn(m_joint, side);
    }
    void addRod(const Vector3& from, const Vector3& to, double radius) {
        m_links.rods.push_back({from, to, radius * m_pin});
    }
    void addAxis(const btTransform& frame, int column, double half) {
        const Vector3 axis = fromBullet(frame.getBasis().getColumn(column)), at = fromBullet(frame.getOrigin());
        addRod(at - half * m_pin * axis, at + half * m_pin * axis, 2.0 * kRod);
    }
    void drawEnd(const btRigidBody& body, const Vector3& at) {
        m_links.pins.push_back({at, m_pin});
        drawHook(body, at);
        if (isWorld(body)) return;
        btVector3 least, most;
        body.getAabb(least, most);
        const Vector3 nearest = at.cwiseMax(fromBullet(least)).cwiseMin(fromBullet(most));
        if ((nearest - at).norm() > m_pin) addRod(at, fromBullet(body.getCenterOfMassPosition()), kRod);
    }
    /// Where the world holds a point: a rod upwards to a plate. Axles and rails show it by themselves.
    void drawHook(const btRigidBody& body, const Vector3& at) {
        const btTypedConstraintType kind = m_joint.getConstraintType();
        if (!isWorld(body) || kind == HINGE_CONSTRAINT_TYPE || kind == SLIDER_CONSTRAINT_TYPE) return;
        const Vector3 top = at + kHook * m_pin * m_up;
        addRod(at, top, kRod);
        addRod(top, top + kRod * m_pin * m_up, kPlate);
    }

    const btTypedConstraint& m_joint;
    const Vector3 m_up;
    LinkShapes& m_links;
    double m_pin = 0.0;  ///< radius, m
};

}  // namespace

void collectLinks(const btPliantScene& world, LinkShapes& links) {
    links.rods.clear();
    links.pins.clear();
    const pliant::Vector3 up = world.getDescription().up();
    for (const auto& joint : world.getJoints())
        if (joint->isEnabled()) JointDrawing(*joint, up, links).draw();
}

}  // namespace btPliantInternal
