// SPDX-License-Identifier: Zlib
#include "btPliant/narrowphase/FixedNeighbours.h"

#include <BulletCollision/BroadphaseCollision/btBroadphaseInterface.h>
#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionShapes/btCompoundShape.h>
#include <BulletDynamics/Dynamics/btDynamicsWorld.h>
#include <LinearMath/btAabbUtil2.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace btPliantInternal {

using pliant::FieldSample;
using pliant::Vector3;

namespace {

/// Cosine between the normals where something comes in and where it comes out again, from which on it has gone through.
constexpr double kThroughAPlate = -0.3;
/// Cosine of 18 degrees: what rises by more from a face, seen along its normal, covers it.
constexpr double kCovers = 0.95;

}  // namespace

// It goes by what the field says is free, and in parts where that is little.
Entry entryOf(pliant::FunctionRef<FieldSample(double)> fieldAt, double length, double slop) {
    constexpr double smallest = 1.0 / 64.0;
    constexpr int bisections = 8;
    Entry first;
    for (double t = 0.0, before = 0.0;;) {
        const FieldSample there = fieldAt(t);
        if (there.distance <= -slop) {
            for (int i = 0; i < bisections; ++i) {
                const double middle = 0.5 * (before + t);
                (fieldAt(middle).distance <= -slop ? t : before) = middle;
            }
            return {true, t, fieldAt(t)};
        }
        if (there.distance < 0.0 && !first.isThere) first = {true, t, there};
        if (there.distance >= 0.0 && first.isThere) {
            if (there.normal.dot(first.sample.normal) < kThroughAPlate) return first;
            first.isThere = false;
        }
        if (!(t < 1.0) || !(length > 0.0)) return {};
        before = t;
        t = std::min(1.0, t + std::max(smallest, std::abs(there.distance) / length));
    }
}

Entry MarginField::entryOn(const Vector3& from, const Vector3& way, double slop) const {
    const auto fieldAt = [&](double t) { return at(from + t * way); };
    return entryOf(fieldAt, way.norm(), slop);
}

namespace {

std::vector<MarginField>& fieldsOfThread() {
    static thread_local std::vector<MarginField> fields;
    return fields;
}

bool standsStill(const btCollisionObject& object) {
    return object.isStaticObject() && !object.isKinematicObject() && object.hasContactResponse();
}

bool mayCollide(const btBroadphaseProxy& a, const btBroadphaseProxy& b) {
    return (a.m_collisionFilterGroup & b.m_collisionFilterMask) != 0 &&
           (b.m_collisionFilterGroup & a.m_collisionFilterMask) != 0;
}

/// Objects whose boxes meet a body's, whether Bullet has pairs of them already or not, by their numbers.
struct NearObjects : btBroadphaseAabbCallback {
    bool process(const btBroadphaseProxy* proxy) override {
        found.push_back(proxy);
        return true;
    }

    std::vector<const btBroadphaseProxy*> found;
};

/// Parts of a compound by their numbers.
struct NearParts : btDbvt::ICollide {
    using btDbvt::ICollide::Process;
    void Process(const btDbvtNode* leaf) override { found.push_back(leaf->dataAsInt); }

    std::vector<int> found;
};

}  // namespace

FixedNeighbours::FixedNeighbours(const ContactPair& pair, double slop)
    : m_pair(pair), m_slop(slop), m_neighbours(fieldsOfThread()) {
    m_neighbours.clear();
}

WayLeft FixedNeighbours::wayLeft(const Vector3& from, const Vector3& way, double time) {
    if (!m_isListed) list();
    Entry earliest;
    const MarginField* stops = nullptr;
    const double reach = way.norm() + m_slop;
    for (const MarginField& neighbour : m_neighbours) {
        if (neighbour.distance(from) > reach) continue;  // most are elsewhere, and a distance is cheap
        // Close to a seam nothing gets any deeper before it is beyond: what comes by within what sliding points may be
        // off is stopped. What is deep already is not on its way in.
        const Entry own = neighbour.entryOn(from, way, -m_slop);
        if (!own.isThere || own.time >= time || own.sample.distance < -m_slop || !(own.sample.normal.dot(way) < 0.0))
            continue;
        time = own.time;
        earliest = own;
        stops = &neighbour;
    }
    WayLeft left;
    left.way = way;
    if (!stops) return left;
    left.isStopped = true;
    left.isHeld = stops->entryOn(from, way, m_slop).isThere;
    left.normal = earliest.sample.normal;
    left.ahead = earliest.sample.distance - earliest.time * left.normal.dot(way);
    left.way -= (left.normal.dot(way) + std::max(0.0, left.ahead)) * left.normal;
    return left;
}

double clearOfRounding(const Vector3& place, double way) {
    constexpr double units = 64.0;
    return std::max(way, units * std::numeric_limits<btScalar>::epsilon() * place.cwiseAbs().maxCoeff());
}

bool FixedNeighbours::cover(const Vector3& place, const Vector3& normal) {
    if (!m_isListed) list();
    const double ahead = clearOfRounding(place, 2.0 * m_slop);
    const Vector3 beside = place + ahead * normal;
    return std::any_of(m_neighbours.begin(), m_neighbours.end(), [&](const MarginField& neighbour) {
        return neighbour.shape.distance(beside) < kCovers * ahead;
    });
}

void FixedNeighbours::list() {
    m_isListed = true;
    const btBroadphaseProxy* ours = m_pair.a.getBroadphaseHandle();
    if (!ours) return;
    if (standsStill(*m_pair.other))
        addObjects(*ours);
    else if (m_pair.other->getCollisionShape()->isCompound())
        addParts(*m_pair.other, static_cast<const btCompoundShape&>(*m_pair.other->getCollisionShape()));
}

void FixedNeighbours::addObjects(const btBroadphaseProxy& ours) {
    static thread_local NearObjects near;
    near.found.clear();
    m_pair.system.world->getBroadphase()->aabbTest(ours.m_aabbMin, ours.m_aabbMax, near);
    std::sort(near.found.begin(), near.found.end(),
              [](const btBroadphaseProxy* x, const btBroadphaseProxy* y) { return x->m_uniqueId < y->m_uniqueId; });
    for (const btBroadphaseProxy* proxy : near.found) {
        const auto& object = *static_cast<const btCollisionObject*>(proxy->m_clientObject);
        if (!standsStill(object) || !mayCollide(ours, *proxy)) continue;
        const btCollisionShape& shape = *object.getCollisionShape();
        if (shape.isCompound())
            addParts(object, static_cast<const btCompoundShape&>(shape));
        else if (&object != m_pair.other)
            add(object, shape, object.getWorldTransform());
    }
}

void FixedNeighbours::addParts(const btCollisionObject& object, const btCompoundShape& compound) {
    static thread_local NearParts near;
    near.found.clear();
    const btBroadphaseProxy& ours = *m_pair.a.getBroadphaseHandle();
    btVector3 lower, upper;
    btTransformAabb(ours.m_aabbMin, ours.m_aabbMax, 0, object.getWorldTransform().inverse(), lower, upper);
    if (const btDbvt* tree = compound.getDynamicAabbTree()) {
        tree->collideTV(tree->m_root, btDbvtVolume::FromMM(lower, upper), near);
        std::sort(near.found.begin(), near.found.end());
    } else {  // its user wants none
        near.found.resize(static_cast<std::size_t>(compound.getNumChildShapes()));
        std::iota(near.found.begin(), near.found.end(), 0);
    }
    const auto isOwn = [&](int part) {
        return &object == m_pair.other && part == m_pair.order.child && compound.getChildShape(part) == m_pair.shape;
    };
    for (const int part : near.found)
        if (!isOwn(part))
            add(object, *compound.getChildShape(part), object.getWorldTransform() * compound.getChildTransform(part));
}

void FixedNeighbours::add(const btCollisionObject& object, const btCollisionShape& shape,
                          const btTransform& transform) {
    const btCollisionObjectWrapper wrap(nullptr, &shape, &object, transform, -1, -1);
    const ShapeCollider* collider = colliderOf(wrap);
    if (!collider || !collider->field) return;
    MarginField neighbour;
    collider->field({shape, transform}, neighbour.shape);
    neighbour.margins =
        static_cast<double>(m_pair.system.info.m_margin) + (collider->margin ? collider->margin(m_pair, shape) : 0.0);
    m_neighbours.push_back(neighbour);
}

}  // namespace btPliantInternal
