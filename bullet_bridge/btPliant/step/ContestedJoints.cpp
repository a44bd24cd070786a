// SPDX-License-Identifier: Zlib
#include "btPliant/step/ContestedJoints.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "btPliant/data/ContactPair.h"
#include "btPliant/joints/JointConstraints.h"

namespace btPliantInternal {

namespace {

/// How far bodies are from where a joint or a contact wants them when both contradict, in the lengths that distances
/// between surfaces are measured by: four times the penetration that is left uncorrected.
constexpr double kFarOff = 0.2;

using Bodies = std::pair<const btCollisionObject*, const btCollisionObject*>;

struct Link {
    Bodies bodies;
    btTypedConstraint* constraint;
};

bool comesBefore(const Bodies& x, const Bodies& y) {
    const std::less<const btCollisionObject*> isLess;
    return x.first != y.first ? isLess(x.first, y.first) : isLess(x.second, y.second);
}

Bodies ordered(const btCollisionObject* a, const btCollisionObject* b) {
    return std::less<const btCollisionObject*>()(b, a) ? Bodies(b, a) : Bodies(a, b);
}

/// What the contacts of a pair have done in the last substep.
struct Pressing {
    btVector3 impulse = btVector3(0, 0, 0);  ///< On `a`, N s.
    double deepest = 0;                      ///< m
};

Pressing pressingOf(const ContactPair& pair) {
    Pressing sum;
    for (const btPersistentManifold* manifold : pair.manifolds) {
        const btScalar sign = manifold->getBody0() == &pair.a ? btScalar(1) : btScalar(-1);
        for (int i = 0; i < manifold->getNumContacts(); ++i) {
            const btManifoldPoint& point = manifold->getContactPoint(i);
            sum.impulse += sign * point.m_appliedImpulse * point.m_normalWorldOnB;
            sum.deepest = std::max(sum.deepest, -static_cast<double>(point.getDistance()));
        }
    }
    return sum;
}

bool contradicts(const ContactPair& pair, const Pressing& pressing, btTypedConstraint& constraint) {
    const btPliantJoint& joint = *btPliantJoint::upcast(&constraint);
    const bool isA = &constraint.getRigidBodyA() == &pair.a;
    const btVector3 pull = isA ? joint.getLinearImpulse() : -joint.getLinearImpulse();
    if (!(pressing.impulse.dot(pull) < 0)) return false;
    const double far = kFarOff * std::min(dataOf(pair.a).contactScale, pair.b ? dataOf(*pair.b).contactScale : 1e30);
    if (pressing.deepest > far) return true;
    if (joint.isSliding() || !dataOf(joint).points.empty()) return false;  // pivots of these may be apart
    return static_cast<double>(joint.getPivotPosition(0).distance(joint.getPivotPosition(1))) > far;
}

void forgetImpulses(const ContactPair& pair) {
    for (btPersistentManifold* manifold : pair.manifolds)
        for (int i = 0; i < manifold->getNumContacts(); ++i)
            manifold->getContactPoint(i).m_contactMotion1 = 0;  // see warmStartShare
}

/// Whether impulses on a body do anything to others that it is linked to.
bool passesOn(const btCollisionObject& object) {
    return btPliantBody::upcast(&object) || !object.isStaticOrKinematicObject();
}

}  // namespace

void findContestedJoints(SystemData& system, std::vector<const btTypedConstraint*>& joints) {
    static thread_local std::vector<Link> links;
    static thread_local std::vector<const btCollisionObject*> contested;
    links.clear();
    contested.clear();
    joints.clear();
    for (int i = 0; i < system.world->getNumConstraints(); ++i) {
        btTypedConstraint* each = system.world->getConstraint(i);
        if (each->isEnabled() && btPliantJoint::upcast(each))
            links.push_back({ordered(&each->getRigidBodyA(), &each->getRigidBodyB()), each});
    }
    const auto isBefore = [](const Link& x, const Link& y) { return comesBefore(x.bodies, y.bodies); };
    std::sort(links.begin(), links.end(), isBefore);
    for (const ContactPair* pair : system.pairs) {
        if (links.empty() || pair->manifolds.empty()) continue;
        const auto range =
            std::equal_range(links.begin(), links.end(), Link{ordered(&pair->a, pair->other), nullptr}, isBefore);
        if (range.first == range.second) continue;
        const Pressing pressing = pressingOf(*pair);
        bool isContested = false;
        for (auto link = range.first; link != range.second; ++link) {
            if (!contradicts(*pair, pressing, *link->constraint)) continue;
            joints.push_back(link->constraint);
            isContested = true;
        }
        if (!isContested) continue;
        forgetImpulses(*pair);
        for (const btCollisionObject* body : {static_cast<const btCollisionObject*>(&pair->a), pair->other})
            if (passesOn(*body)) contested.push_back(body);
    }
    std::sort(contested.begin(), contested.end());
    const auto isOfContested = [](const btCollisionObject* body) {
        return std::binary_search(contested.begin(), contested.end(), body);
    };
    for (const Link& link : links)
        if (isOfContested(link.bodies.first) || isOfContested(link.bodies.second)) joints.push_back(link.constraint);
    std::sort(joints.begin(), joints.end());
}

}  // namespace btPliantInternal
