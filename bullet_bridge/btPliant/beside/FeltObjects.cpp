// SPDX-License-Identifier: Zlib
#include "btPliant/beside/FeltObjects.h"

#include <algorithm>
#include <tuple>

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

double FeltObjects::remove(const btCollisionObject& object, double step) {
    double work = 0.0;
    for (Object& felt : m_objects) {
        if (felt.object != &object) continue;
        work += std::max(takeWork(felt, step), felt.promised);
        felt = Object();  // what is owed to it by its number finds nobody
    }
    return work;
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
        // What is nowhere, or has no velocity that is a number, is not felt: it would leave the tool without a contact.
        if (!(shape.field.distance(shape.worldFromField.inversePoint(tool)) <= way + farthest)) continue;
        shape.body = static_cast<int>(b);
        shape.law = felt.law;
        shape.points = felt.points;
        near.shapes.push_back(std::move(shape));
    }
}

void FeltObjects::forgetOwed() {
    for (Object& felt : m_objects) felt.owed = NearShapes::Impulse();
    m_gathered.clear();
}

void FeltObjects::gather(const NearShapes& near) {
    for (std::size_t s = 0; s < near.shapes.size(); ++s) {
        const auto number = static_cast<std::size_t>(near.shapes[s].body);
        NearShapes::Impulse& owed = m_objects[number].owed;
        owed.linear += near.given()[s].linear;
        owed.angular += near.given()[s].angular;
        for (const NearShapes::Pressed& pressed : near.pressed(s))
            m_gathered.push_back(
                {number, m_gathered.size(), near.shapes[s].points->areas[pressed.point].norm(), pressed});
    }
}

void FeltObjects::settle(double covered) {
    if (!(covered > 0.0)) return;
    for (Object& felt : m_objects) felt.force = {felt.owed.linear / covered, felt.owed.angular / covered};
    m_presses.swap(m_gathered);
    joinPresses();
    for (Press& press : m_presses) {
        press.at.pressure /= covered;
        press.at.friction /= covered;
        press.at.angular /= covered;
        press.at.depth /= covered;
    }
}

/// Of a point that several surroundings have had: one entry, by object and point.
void FeltObjects::joinPresses() {
    std::sort(m_presses.begin(), m_presses.end(), [](const Press& a, const Press& b) {
        return std::tie(a.object, a.at.point, a.order) < std::tie(b.object, b.at.point, b.order);
    });
    std::size_t last = 0;
    for (std::size_t i = 1; i < m_presses.size(); ++i) {
        const Press& press = m_presses[i];
        Press& sum = m_presses[last];
        if (press.object != sum.object || press.at.point != sum.at.point) {
            m_presses[++last] = press;
            continue;
        }
        sum.at.pressure += press.at.pressure;
        sum.at.friction += press.at.friction;
        sum.at.angular += press.at.angular;
        sum.at.lever += press.at.lever;
        sum.at.weight += press.at.weight;
        sum.at.depth += press.at.depth;
    }
    if (!m_presses.empty()) m_presses.resize(last + 1);
}

/// What an object gets, point by point.  @param share of its forces
void FeltObjects::tell(std::size_t object, double share, std::vector<HandPush>& told) const {
    const auto first = std::lower_bound(m_presses.begin(), m_presses.end(), object,
                                        [](const Press& press, std::size_t number) { return press.object < number; });
    const btCollisionObject& body = *m_objects[object].object;
    for (auto press = first; press != m_presses.end() && press->object == object; ++press) {
        if (!(press->at.weight > 0.0)) continue;
        HandPush got;
        got.body = &body;
        got.place = toEigen(body.getWorldTransform().getOrigin()) + press->at.lever / press->at.weight;
        got.pressure = share * press->at.pressure;
        got.friction = share * press->at.friction;
        got.torque = share * press->at.angular;
        got.depth = press->at.depth;
        got.area = press->area;
        told.push_back(got);
    }
}

bool FeltObjects::touches() const {
    return std::any_of(m_objects.begin(), m_objects.end(), [](const Object& felt) {
        return felt.object && !(felt.force.linear.isZero() && felt.force.angular.isZero());
    });
}

double FeltObjects::mostEnergy() const {
    double energy = 0.0;
    for (const Press& press : m_presses)
        if (m_objects[press.object].object) energy += press.at.pressure.norm() * press.at.depth;
    return energy;
}

double FeltObjects::ask(const PushStep& step) {
    double asked = 0.0;
    for (Object& felt : m_objects) {
        felt.bounds = PushBounds();
        felt.promised = 0.0;
        if (!felt.object) continue;
        if (!felt.object->getBroadphaseHandle()) felt.force = NearShapes::Impulse();  // nobody steps it
        const btRigidBody* rigid = btRigidBody::upcast(felt.object);
        if (!rigid || rigid->isStaticOrKinematicObject()) continue;
        felt.bounds = boundsOfPush(*rigid, step.share * felt.force.linear, step.share * felt.force.angular, step);
        asked += felt.bounds.asked();
    }
    return asked;
}

void FeltObjects::push(const PushStep& step, std::vector<HandPush>& told) {
    for (std::size_t number = 0; number < m_objects.size(); ++number) {
        Object& felt = m_objects[number];
        if (!felt.object || (felt.force.linear.isZero() && felt.force.angular.isZero())) continue;
        btRigidBody* rigid = btRigidBody::upcast(felt.object);
        const bool moves = rigid && !rigid->isStaticOrKinematicObject();
        const double share = moves ? step.share * felt.bounds.shareIn(step) : step.share;
        if (moves && !(share > 0.0)) continue;
        const Vector3 force = share * felt.force.linear, torque = share * felt.force.angular;
        if (moves) {
            rigid->activate(true);
            rigid->applyCentralForce(toBullet(force));
            rigid->applyTorque(toBullet(torque));
        }
        if (rigid)
            felt.given = {force, torque, toEigen(rigid->getLinearVelocity()), toEigen(rigid->getAngularVelocity())};
        if (moves) felt.promised = felt.bounds.energyOf(felt.bounds.shareIn(step));
        tell(number, share, told);
    }
}

double FeltObjects::takeWork(Object& felt, double step) {
    const btRigidBody* rigid = felt.object ? btRigidBody::upcast(felt.object) : nullptr;
    const GivenPush given = felt.given;
    felt.given = GivenPush();
    return rigid ? given.work(toEigen(rigid->getLinearVelocity()), toEigen(rigid->getAngularVelocity()), step) : 0.0;
}

double FeltObjects::takeWork(double step) {
    double work = 0.0;
    for (Object& felt : m_objects) {
        work += takeWork(felt, step);
        felt.promised = 0.0;
    }
    return work;
}

}  // namespace btPliantInternal
