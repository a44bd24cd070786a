// SPDX-License-Identifier: Zlib
// What Bullet's own solver is told of the deformation at contact points (OneWayStep.h).
#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>

#include <algorithm>
#include <cmath>

#include "btPliant/data/ContactPair.h"
#include "btPliant/data/Convert.h"
#include "btPliant/data/ManifoldPoint.h"
#include "btPliant/step/OneWayStep.h"

namespace btPliantInternal {

using pliant::Matrix3;
using pliant::VectorX;

namespace {

/// Of a contact, along its normal.
struct Softness {
    btManifoldPoint* point = nullptr;
    double inverse = 0;   ///< D, 1/kg
    double start = 0;     ///< m/s, of the modes at the start of the step
    double loaded = 0;    ///< m/s, of the modes at its end under the last impulses
    double recovery = 0;  ///< m/s
};

/// Memory of a pair, used again.
struct Memory {
    std::vector<Softness> contacts;
    std::vector<double> jacobians, responses, turns, torques;  // r x n, r x n, 3 x n, 3 x n
    std::vector<double> scaled, square, root;                  // n x n, n x n, n; grow, and stay
};

void listContacts(ContactPair& pair, std::vector<Softness>& list) {
    list.clear();
    for (btPersistentManifold* manifold : pair.manifolds)
        for (int i = 0; i < manifold->getNumContacts(); ++i) {
            Softness softness;
            softness.point = &manifold->getContactPoint(i);
            list.push_back(softness);
        }
}

/// Before the first step there is no response: that of a body without stiffness is no smaller.
void respond(const BodyData& data, int count, Memory& memory) {
    memory.responses = memory.jacobians;
    if (!data.batch().hasResponse(data.slot)) return;
    memory.torques.assign(static_cast<std::size_t>(3 * count), 0.0);
    memory.turns.resize(memory.torques.size());
    data.batch().responses(data.slot, count, memory.torques.data(), memory.jacobians.data(), memory.turns.data(),
                           memory.responses.data());
}

/// No less than x'W x / x'diag(W) x for any x, W = J'Y positive semidefinite: the largest eigenvalue of
/// G = diag(W)^-1/2 W diag(W)^-1/2, whose eighth power is no larger than the trace of G^8 = |G^4|_F^2.
template <class Columns>
double largestRatio(const Columns& J, const Columns& Y, Memory& memory) {
    const Eigen::Index n = J.cols();
    for (std::vector<double>* each : {&memory.scaled, &memory.square, &memory.root})
        each->resize(std::max(each->size(), static_cast<std::size_t>(n * n)));
    Eigen::Map<pliant::MatrixX> G(memory.scaled.data(), n, n), square(memory.square.data(), n, n);
    pliant::VectorView root(memory.root.data(), n);
    G.noalias() = J.transpose() * Y;
    root = G.diagonal().cwiseMax(0.0).cwiseSqrt();
    for (Eigen::Index i = 0; i < n; ++i)
        for (Eigen::Index j = 0; j < n; ++j) {
            const double scale = root[i] * root[j];
            G(i, j) = scale > 0.0 ? G(i, j) / scale : 0.0;
        }
    square.noalias() = G * G;
    G.noalias() = square * square;
    return std::pow(G.squaredNorm(), 0.125);
}

/// Adds what one body's deformation does to all contacts of a pair. @param first the body is the first of Bullet's
void addBody(BodyData& data, bool first, bool isNewPair, Memory& memory) {
    if (data.character) return;
    const auto r = static_cast<Eigen::Index>(data.model().dimension());
    const auto n = static_cast<Eigen::Index>(memory.contacts.size());
    memory.jacobians.resize(static_cast<std::size_t>(r * n));
    const Matrix3 toBody = toEigen(data.body->getWorldTransform().getBasis()).transpose();
    for (Eigen::Index i = 0; i < n; ++i) {
        const btManifoldPoint& point = *memory.contacts[static_cast<std::size_t>(i)].point;
        pliant::skeletonPointProject(*data.group->collision, first ? point.m_index0 : point.m_index1,
                                     decodeParameter(first ? point.m_partId0 : point.m_partId1),
                                     (first ? 1.0 : -1.0) * (toBody * toEigen(point.m_normalWorldOnB)),
                                     &memory.jacobians[static_cast<std::size_t>(r * i)]);
    }
    respond(data, static_cast<int>(n), memory);
    const Eigen::Map<const pliant::MatrixX> J(memory.jacobians.data(), r, n), Y(memory.responses.data(), r, n);
    const double pairs = std::max(1, data.pairsInContact + (isNewPair ? 1 : 0));
    const double bound = largestRatio(J, Y, memory);
    for (Eigen::Index i = 0; i < n; ++i) {
        Softness& contact = memory.contacts[static_cast<std::size_t>(i)];
        contact.inverse += pairs * bound * J.col(i).dot(Y.col(i));
        contact.start += J.col(i).dot(data.batch().velocity(data.slot));
        contact.loaded += J.col(i).dot(data.loadedVelocity);
    }
}

btVector3 velocityAt(const btCollisionObject& object, const btVector3& at) {
    const btRigidBody* body = btRigidBody::upcast(&object);
    return body ? body->getVelocityInLocalPoint(at - body->getCenterOfMassPosition()) : btVector3(0, 0, 0);
}

/// m/s that the frames shall at least have against each other, but for D P.
double targetOf(const btPersistentManifold& manifold, const ContactPair& pair, double h, Softness& contact) {
    const btManifoldPoint& point = *contact.point;
    const btVector3 frames = velocityAt(*manifold.getBody0(), point.getPositionWorldOnA()) -
                             velocityAt(*manifold.getBody1(), point.getPositionWorldOnB());
    const auto distance = static_cast<double>(point.getDistance());
    double target = pliant::contactTarget(static_cast<double>(point.m_normalWorldOnB.dot(frames)) + contact.start);
    if (distance > 0) target -= distance / h;
    const btPliantSystemInfo& settings = pair.system.info;
    const double scale = std::min(dataOf(pair.a).contactScale, pair.b ? dataOf(*pair.b).contactScale : 1e30);
    const double slop = static_cast<double>(settings.m_penetrationSlop) * scale;
    contact.recovery = static_cast<double>(settings.m_penetrationRecovery) * std::max(0.0, -distance - slop) / h;
    const double last = static_cast<double>(warmStartShare(point) * point.m_appliedImpulse);
    return target + contact.recovery - contact.loaded + contact.inverse * last;
}

/// Bullet's row asks for -distance / h of what is apart and -ERP distance / h of what is not, unless that is so deep
/// that it leaves it to split impulses.
void tell(double target, double h, const btContactSolverInfo& info, const Softness& contact) {
    btManifoldPoint& point = *contact.point;
    double way = -target * h, share = 1.0;
    const double deepest =
        info.m_splitImpulse ? -0.5 * static_cast<double>(info.m_splitImpulsePenetrationThreshold) : std::abs(way);
    if (way < 0.0 && deepest <= 0.0) {
        way = -contact.recovery * h;  // all that is not apart is left to them: of the deformation nothing can be told
    } else if (-way > deepest) {
        share = -way / deepest;
        way = -deepest;
    }
    const bool hasOwn = (point.m_contactPointFlags & BT_CONTACT_FLAG_HAS_CONTACT_CFM) != 0;
    point.m_contactCFM = (hasOwn ? point.m_contactCFM : info.m_globalCfm) + static_cast<btScalar>(contact.inverse * h);
    point.m_contactERP = static_cast<btScalar>(share);
    point.m_contactPointFlags |= BT_CONTACT_FLAG_HAS_CONTACT_CFM | BT_CONTACT_FLAG_HAS_CONTACT_ERP;
    point.m_distance1 = static_cast<btScalar>(way) - info.m_linearSlop;
}

/// Where points keep what they told before, until they tell it again.
btScalar& keptDistance(btManifoldPoint& point) {
    return point.m_prevRHS;
}
btScalar& keptImpulse(btManifoldPoint& point) {
    return point.m_contactMotion2;
}

}  // namespace

void softenContacts(ContactPair& pair, double h) {
    if (pair.contacts.empty() || !(h > 0.0)) return;
    static thread_local Memory memory;
    listContacts(pair, memory.contacts);
    const bool isNew = !pair.wasInContact;
    BodyData& a = dataOf(pair.a);
    addBody(a, !pair.swapped, isNew, memory);
    if (pair.b) addBody(dataOf(*pair.b), pair.swapped, isNew, memory);
    const btContactSolverInfo& info = pair.system.world->getSolverInfo();
    const btPersistentManifold& manifold = *pair.manifolds.front();
    for (Softness& contact : memory.contacts) {
        btManifoldPoint& point = *contact.point;
        const double target = targetOf(manifold, pair, h, contact);
        keptDistance(point) = point.m_distance1;
        keptImpulse(point) = point.m_appliedImpulse;
        // Bullet takes it for a velocity where somebody has given the directions of friction.
        if (point.m_contactPointFlags & BT_CONTACT_FLAG_LATERAL_FRICTION_INITIALIZED) point.m_contactMotion1 = 0;
        if (!isPenalty(point)) tell(target, h, info, contact);
    }
    pair.isSoftened = true;
}

void restoreContacts(SystemData& system) {
    for (ContactPair* pair : system.pairs) {
        if (!pair->isSoftened) continue;
        pair->isSoftened = false;
        for (btPersistentManifold* manifold : pair->manifolds)
            for (int i = 0; i < manifold->getNumContacts(); ++i) {
                btManifoldPoint& point = manifold->getContactPoint(i);
                point.m_distance1 = keptDistance(point);
                point.m_contactMotion1 = keptImpulse(point);  // see warmStartShare
                keptDistance(point) = keptImpulse(point) = 0;
            }
    }
}

}  // namespace btPliantInternal
