// SPDX-License-Identifier: Zlib
// Angular momentum of pairs in contact: a stage after restitution and split impulses, before everything is written
// back.
//
// An impulse P that acts on both bodies at one point keeps their momentum. Two things take it away all the same. Split
// impulses p move the masses along the normal n without a velocity, and a mass that is moved beside its momentum has
// another angular momentum: a pair gains h p n x (v_A - v_B). And contacts that are still apart may act at two points,
// onA and onB (applicationPoints()): a pair gains (onA - onB) x P.
//
// What a pair gained is taken back from it by one rotation of both bodies about their common centre of mass, as if they
// were one rigid body: of all changes of velocity that keep linear momentum it has the least kinetic energy, and it
// leaves the velocity of the contact points against each other as it was. Bodies have several contacts and velocities
// that are corrected change what the others gained, so a few passes over the pairs follow each other; what is left
// shrinks by the ratio of penetration to size in each.
#include "btPliant/solver/AngularMomentum.h"

#include <vector>

#include "btPliant/data/Convert.h"
#include "btPliant/solver/ContactSetUp.h"

namespace btPliantInternal {

using pliant::Matrix3;
using pliant::Vector3;

namespace {

constexpr int kPasses = 3;

/// One body of a pair.
struct Mover {
    btSolverBody* solver = nullptr;
    btPliantBody* reduced = nullptr;  ///< null: one of Bullet's
    double mass = 0;                  ///< kg
    Vector3 position = Vector3::Zero();
    Matrix3 inertia = Matrix3::Identity();  ///< kg m^2, world

    Vector3 velocity() const {
        return toEigen(
            btVector3(solver->m_linearVelocity + solver->m_externalForceImpulse + solver->m_deltaLinearVelocity));
    }
};

/// What a pair of bodies gained, and what it has given back.
struct Gain {
    Mover A, B;
    Vector3 ofPoints = Vector3::Zero();  ///< sum of (onA - onB) x P, N m s
    Vector3 shift = Vector3::Zero();     ///< sum of h p n, kg m
    Vector3 returned = Vector3::Zero();  ///< N m s
};

/// Whether a body moves and turns freely; what is held in some direction keeps no momentum.
bool isFree(const btSolverBody& body) {
    const btRigidBody* rigid = body.m_originalBody;
    const btVector3 all(1, 1, 1);
    return rigid && rigid->getInvMass() > 0 && rigid->getLinearFactor() == all && rigid->getAngularFactor() == all &&
           !rigid->isStaticOrKinematicObject();
}

Matrix3 inertiaOf(const btRigidBody& body) {
    Matrix3 inverse;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) inverse(i, j) = static_cast<double>(body.getInvInertiaTensorWorld()[i][j]);
    return inverse.inverse();
}

Matrix3 inertiaOf(btPliantBody& body) {
    const Matrix3 A = toEigen(body.getWorldTransform().getBasis());
    return A * dataOf(body).inverseInertia.inverse() * A.transpose();
}

Mover makeMover(btSolverBody& solver, btPliantBody* reduced) {
    Mover mover;
    mover.solver = &solver;
    mover.reduced = reduced;
    mover.mass = 1.0 / static_cast<double>(solver.m_originalBody->getInvMass());
    mover.position = toEigen(solver.getWorldTransform().getOrigin());
    mover.inertia = reduced ? inertiaOf(*reduced) : inertiaOf(*solver.m_originalBody);
    return mover;
}

/// m (|r|^2 1 - r r')
Matrix3 inertiaOfPoint(double mass, const Vector3& r) {
    return mass * (r.squaredNorm() * Matrix3::Identity() - r * r.transpose());
}

/// Turns a body about the common centre of mass. @param offset of the body from there @param turn change of the angular
/// velocity of the pair, rad/s
void rotate(Mover& mover, const Vector3& offset, const Vector3& turn) {
    mover.solver->m_deltaLinearVelocity += toBullet(turn.cross(offset));
    mover.solver->m_deltaAngularVelocity += toBullet(turn);
    if (!mover.reduced) return;
    BodyData& data = dataOf(*mover.reduced);
    data.angularMomentum += mover.inertia * turn;
    data.solvedAngularVelocity += turn;
}

/// What the contacts of a pair gave to it.
Gain gainOf(const PairRange& range, const ContactConstraints& all, btScalar step) {
    Gain gain;
    for (int c = range.first; c < range.first + range.count; ++c) {
        const ContactConstraint& contact = all.contacts[c];
        btVector3 onA, onB, impulse(0, 0, 0);
        applicationPoints(contact, all.reducedBodies, onA, onB);
        for (const ConstraintRow& row : contact.rows) impulse += row.axis * row.impulse;
        gain.ofPoints += toEigen(btVector3(onA - onB)).cross(toEigen(impulse));
        gain.shift += toEigen(btVector3(contact.rows[0].axis * (contact.splitImpulse * step)));
    }
    return gain;
}

void giveBack(Gain& gain) {
    const Mover &A = gain.A, &B = gain.B;
    const Vector3 apart = A.position - B.position;
    const Vector3 lacks = gain.ofPoints + gain.shift.cross(A.velocity() - B.velocity()) + gain.returned;
    if (lacks.isZero(0.0)) return;
    const Matrix3 inertia = A.inertia + B.inertia + inertiaOfPoint(A.mass * B.mass / (A.mass + B.mass), apart);
    // The correction changes v_A - v_B itself, by turn x apart.
    const Matrix3 changed = inertia + gain.shift.dot(apart) * Matrix3::Identity() - apart * gain.shift.transpose();
    const Vector3 turn = -changed.partialPivLu().solve(lacks);
    if (!turn.allFinite()) return;
    rotate(gain.A, B.mass / (A.mass + B.mass) * apart, turn);
    rotate(gain.B, -A.mass / (A.mass + B.mass) * apart, turn);
    gain.returned += inertia * turn;
}

}  // namespace

void keepAngularMomentum(const ContactConstraints& all, btScalar step, SolverBodies& bodies) {
    if (all.divergence.any) return;
    std::vector<Gain> gains;
    const auto mover = [&](int body, int reduced) {
        const ReducedBody* s = reducedBody(all.reducedBodies, reduced);
        return makeMover(bodies[body], s ? s->body : nullptr);
    };
    for (const PairRange& range : all.order.pairRanges) {
        const ContactConstraint& one = all.contacts[range.first];
        if (one.isSelf() || !isFree(bodies[one.bodyA]) || !isFree(bodies[one.bodyB])) continue;
        Gain gain = gainOf(range, all, step);
        if (gain.ofPoints.isZero(0.0) && gain.shift.isZero(0.0)) continue;
        gain.A = mover(one.bodyA, one.reducedA);
        gain.B = mover(one.bodyB, one.reducedB);
        gains.push_back(gain);
    }
    for (int pass = 0; pass < kPasses; ++pass)
        for (Gain& gain : gains) giveBack(gain);
}

}  // namespace btPliantInternal
