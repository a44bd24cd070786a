// SPDX-License-Identifier: Zlib
#include "btPliant/beside/FeltObjects.h"

#include "btPliant/beside/ToolShape.h"
#include "btPliant/data/Convert.h"

namespace btPliantInternal {

using pliant::Vector3;

void FeltObjects::add(btCollisionObject& object, const FeltLaw& law, int points) {
    Object felt;
    felt.object = &object;
    felt.law = law;
    felt.count = points;
    for (const Object& other : m_objects)
        if (other.count == points) felt.points = other.points;
    if (!felt.points) felt.points = std::make_shared<ToolPoints>(toolPoints(m_shape, points));
    m_objects.push_back(std::move(felt));  // numbers of what is gone are not used again while forces are owed
}

void FeltObjects::remove(const btCollisionObject& object) {
    for (Object& felt : m_objects)
        if (felt.object == &object) felt = Object();  // what is owed to it by its number finds nobody
}

void FeltObjects::collect(const ToolReach& reach, double farthest, NearShapes& near) const {
    for (std::size_t b = 0; b < m_objects.size(); ++b) {
        const Object& felt = m_objects[b];
        if (!felt.object || !felt.object->getBroadphaseHandle()) continue;  // what is in no world touches nothing
        ShapeField field;
        if (!fieldOf(*felt.object->getCollisionShape(), felt.object->getWorldTransform(), field)) continue;
        NearShapes::Shape shape;
        shape.field = field.field;
        shape.worldFromField = field.worldFromField;
        // A matrix of Bullet's is a rotation to 1e-7: places on the shape and back would creep by that in each cycle.
        shape.worldFromField.rotation = pliant::Rotation(field.worldFromField.rotation).normalized().toRotationMatrix();
        shape.centre = toEigen(felt.object->getWorldTransform().getOrigin());
        const btRigidBody* rigid = btRigidBody::upcast(felt.object);
        if (rigid && !rigid->isStaticObject()) {
            shape.velocity = toEigen(rigid->getLinearVelocity());
            shape.angularVelocity = toEigen(rigid->getAngularVelocity());
        }
        const Vector3 tool = reach.worldFromTool.translation;
        const double arm = (tool - shape.centre).norm() + farthest + reach.reach;
        const double way =
            2.0 * reach.step * (shape.velocity.norm() + shape.angularVelocity.norm() * arm) + reach.reach + farthest;
        if (shape.field.distance(shape.worldFromField.inversePoint(tool)) > way + farthest) continue;
        shape.body = static_cast<int>(b);
        shape.law = felt.law;
        shape.points = felt.points;
        near.shapes.push_back(std::move(shape));
    }
}

void FeltObjects::forgetOwed() {
    for (Object& felt : m_objects) felt.owed = NearShapes::Impulse();
}

void FeltObjects::gather(const NearShapes& near) {
    for (std::size_t s = 0; s < near.shapes.size(); ++s) {
        NearShapes::Impulse& owed = m_objects[static_cast<std::size_t>(near.shapes[s].body)].owed;
        owed.linear += near.given()[s].linear;
        owed.angular += near.given()[s].angular;
    }
}

void FeltObjects::settle(double covered) {
    if (!(covered > 0.0)) return;
    for (Object& felt : m_objects) felt.force = {felt.owed.linear / covered, felt.owed.angular / covered};
}

void FeltObjects::push(const PushStep& step) {
    for (Object& felt : m_objects) {
        btRigidBody* rigid = felt.object ? btRigidBody::upcast(felt.object) : nullptr;
        if (!rigid || rigid->isStaticOrKinematicObject()) continue;
        if (!rigid->getBroadphaseHandle()) felt.force = NearShapes::Impulse();  // nobody steps it
        if (felt.force.linear.isZero() && felt.force.angular.isZero()) continue;
        const double share =
            step.share * shareOfPush(*rigid, step.share * felt.force.linear, step.share * felt.force.angular, step);
        if (!(share > 0.0)) continue;
        rigid->activate(true);
        rigid->applyCentralForce(toBullet(Vector3(share * felt.force.linear)));
        rigid->applyTorque(toBullet(Vector3(share * felt.force.angular)));
    }
}

}  // namespace btPliantInternal
