// SPDX-License-Identifier: Zlib
#include "btPliant/joints/DrawnLimits.h"

#include <BulletDynamics/ConstraintSolver/btGeneric6DofConstraint.h>
#include <BulletDynamics/ConstraintSolver/btGeneric6DofSpring2Constraint.h>
#include <BulletDynamics/ConstraintSolver/btSliderConstraint.h>

#include <optional>

namespace btPliantInternal {

namespace {

/// Limits along three axes and about three, and where these are in the world.
struct Limits {
    btVector3 least[2], most[2];  ///< Ways, m, and angles, rad.
    btTransform frame;            ///< Of the first body, whose axes the ways go along.
    btMatrix3x3 turning;          ///< Axes that the angles are about, as columns.
    btVector3 turned;             ///< Where the second body is held.
    btScalar sense = -1;  ///< Of the angles about them: -1 for six axes, 1 for sliders, as Bullet measures them.

    bool isFree(int kind, int axis) const { return least[kind][axis] > most[kind][axis]; }
    bool isBetween(int kind, int axis) const { return least[kind][axis] < most[kind][axis]; }
};

template <class Joint>
Limits limitsOf(Joint& joint) {
    Limits limits;
    joint.getLinearLowerLimit(limits.least[0]);
    joint.getLinearUpperLimit(limits.most[0]);
    joint.getAngularLowerLimit(limits.least[1]);
    joint.getAngularUpperLimit(limits.most[1]);
    limits.frame = joint.getCalculatedTransformA();
    for (int axis = 0; axis < 3; ++axis) {
        const btVector3 about = joint.getAxis(axis);
        for (int k = 0; k < 3; ++k) limits.turning[k][axis] = about[k];
    }
    limits.turned = joint.getCalculatedTransformB().getOrigin();
    return limits;
}

Limits limitsOf(btSliderConstraint& slider) {
    Limits limits;
    const bool isFirst = slider.getUseLinearReferenceFrameA();
    limits.least[0] = btVector3(slider.getLowerLinLimit(), 0, 0);
    limits.most[0] = btVector3(slider.getUpperLinLimit(), 0, 0);
    limits.least[1] = btVector3(slider.getLowerAngLimit(), 0, 0);
    limits.most[1] = btVector3(slider.getUpperAngLimit(), 0, 0);
    limits.frame = isFirst ? slider.getCalculatedTransformA() : slider.getCalculatedTransformB();
    limits.turning = limits.frame.getBasis();
    limits.sense = 1;
    limits.turned = slider.getCalculatedTransformB().getOrigin();
    return limits;
}

std::optional<Limits> limitsOf(btTypedConstraint& constraint) {
    switch (constraint.getConstraintType()) {
        case D6_CONSTRAINT_TYPE:
        case D6_SPRING_CONSTRAINT_TYPE:
            return limitsOf(static_cast<btGeneric6DofConstraint&>(constraint));
        case D6_SPRING_2_CONSTRAINT_TYPE:
            return limitsOf(static_cast<btGeneric6DofSpring2Constraint&>(constraint));
        case SLIDER_CONSTRAINT_TYPE:
            return limitsOf(static_cast<btSliderConstraint&>(constraint));
        default:
            return std::nullopt;
    }
}

}  // namespace

bool hasFreeAxis(btTypedConstraint& constraint) {
    const std::optional<Limits> limits = limitsOf(constraint);
    for (int axis = 0; limits && axis < 3; ++axis)
        if (limits->isFree(0, axis) || limits->isFree(1, axis)) return true;
    return false;
}

void drawLimitsOfOtherAxes(btTypedConstraint& constraint, btIDebugDraw& drawer) {
    const std::optional<Limits> limits = limitsOf(constraint);
    const btScalar radius = constraint.getDbgDrawSize();
    if (!limits || radius <= 0) return;
    const btVector3 colour(0, 0, 0);
    for (int axis = 0; axis < 3; ++axis) {
        btVector3 least(0, 0, 0), most(0, 0, 0);
        least[axis] = limits->least[0][axis];
        most[axis] = limits->most[0][axis];
        if (limits->isBetween(0, axis)) drawer.drawLine(limits->frame * least, limits->frame * most, colour);
        if (!limits->isBetween(1, axis)) continue;
        const btVector3 about = limits->turning.getColumn(axis),
                        side = limits->frame.getBasis().getColumn((axis + 1) % 3),
                        across = side - about.dot(side) * about;
        if (across.fuzzyZero()) continue;
        drawer.drawArc(limits->turned, limits->sense * about, across.normalized(), radius, radius,
                       limits->least[1][axis], limits->most[1][axis], colour, true);
    }
}

}  // namespace btPliantInternal
