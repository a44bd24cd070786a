// SPDX-License-Identifier: Zlib
// Internal: constraints of contacts that touch a reduced body, in one group of Bullet's solver. Plain data: what the
// stages of the solver do with them is told by the header of each (ConstraintColouring.h, ContactSetUp.h,
// ModalResponse.h, WarmStart.h, ContactIteration.h, SplitImpulses.h, WriteBack.h and those of what comes before the
// write back), with what it reads and writes.
//
// A contact has three rows, normal and two tangents. Row k with world direction d and the two arms a, b (from the
// frames' origins to the contact point, one point for both so that momentum is kept):
//
//     J = [ d, a x d, U_A' d | -d, -(b x d), -U_B' d ],        velocity along d:  J (v, omega, q')
//     W J' = per unit impulse [ d / m, response of [[I(q), H], [H', Y^-1]] ]   for ours, Bullet's own for rigid sides
//
// The deltas of v and omega are those of Bullet's solver bodies, shared with Bullet's rows; those of q' are held here.
// Where the response of the deformation is uncoupled, Y = U^-1 U'^-1, rows hold the one vector j = U'^-1 J' and the
// delta is x = U q' instead: J q' = j.x, and an impulse adds j to x. That is half the memory of a row and half of its
// solve. Target velocity along the normal: contactTarget(u_0) (BodyBatch.h) - distance / h for contacts not yet closed.
// Restitution comes after the iterations (Restitution.cpp).
//
// Frames move by h v_1, but q by h (q'_0 + q'_1) / 2: a point that is light against its body could reach its target
// velocity and still sink in by h |u_0| / 2. A second bound on the same impulse therefore keeps the gap at the end of
// the step, d + h v_1 + n.U (q_1 - q_0), above a little less than what it was. Where that bound is the active one, the
// impulse works P [-d / h + (v* - v_1) / 2] on frame and q together, v* being the frame's velocity without it. That is
// <= 0 but for what gravity has given v* in the step, up to P g h / 2, which SolidWork.h takes back.
#pragma once

#include <BulletCollision/NarrowPhaseCollision/btManifoldPoint.h>
#include <BulletDynamics/ConstraintSolver/btSolverBody.h>
#include <LinearMath/btAlignedObjectArray.h>

#include <atomic>
#include <vector>

#include "btPliant/data/BodyData.h"
#include "btPliant/solver/PenaltySpring.h"
#include "pliant/math/CacheAligned.h"

namespace btPliantInternal {

/// Bullet's velocities of the bodies of one solver group, by solver id.
using SolverBodies = btAlignedObjectArray<btSolverBody>;

/// Impulse of one row, which the iterations solve for.
struct ConstraintImpulse {
    btScalar effectiveMass = 0;  ///< Effective mass, kg (kg m^2 of torsional friction).
    btScalar rhs = 0;            ///< Velocity along the row that the impulses have to add, m/s (rad/s).
    btScalar impulse = 0;        ///< Impulse, N s (N m s).
    // Of the impulse, see ConjugateDirections.h.
    btScalar conjugateDirection = 0, lastIncrement = 0;

    /// Extrapolates the impulse before an iteration. @return the new impulse
    btScalar extrapolate(btScalar beta) {
        const btScalar step = beta * conjugateDirection;
        conjugateDirection = step + lastIncrement;
        return impulse += step;
    }
};

/// One row; angular parts in the world frame, those of B with B's sign.
struct ConstraintRow : ConstraintImpulse {
    btVector3 axis = btVector3(0, 0, 0);
    btVector3 angularA = btVector3(0, 0, 0), angularB = btVector3(0, 0, 0);
    btVector3 responseA = btVector3(0, 0, 0), responseB = btVector3(0, 0, 0);  ///< Changes of omega by a unit impulse.
};

struct ContactConstraint {
    ConstraintRow rows[3];  ///< Rows of the normal and the two tangents.
    btManifoldPoint* point = nullptr;
    int bodyA = -1, bodyB = -1;        ///< Numbers of solver bodies (the pool moves).
    int reducedA = -1, reducedB = -1;  ///< Numbers of reduced bodies in the group; -1: none.
    int segmentA = -1, segmentB = -1;
    float parameterA = 0, parameterB = 0;
    std::size_t jacobianOffsetA = 0, jacobianOffsetB = 0;  ///< Where J (3 x stride) begins in `modalVectors`.
    std::size_t responseOffsetA = 0, responseOffsetB = 0;  ///< Where W J' begins in `modalVectors`; whitened: as J.
    std::size_t velocityOffsetA = 0, velocityOffsetB = 0;  ///< Where the change of q', or x, is in `modalVelocities`.
    int strideA = 0, strideB = 0;                          ///< Length of the vectors of all these; 0: no reduced body.
    btScalar friction = 0;
    btScalar cfm = 0;  ///< Constraint force mixing, 1/kg.
    /// Of driven bones that yield to a free body (EffectiveMass.cpp): speed at which they go into it, m/s, which is the
    /// most that they yield by; effective mass without that, kg; 0: they yield by any speed, or not at all.
    btScalar boneSpeed = 0, heldMass = 0;
    /// J W J' of the normal with each tangent, 1/kg: by the frames, by the deformation.
    btScalar frameCoupling[2] = {}, modeCoupling[2] = {};
    btScalar gapRhs = 0;  ///< Right-hand side as `rhs`, of the gap's rate, m/s.
    btScalar splitImpulseVelocity = 0, splitImpulseEffectiveMass = 0, splitImpulse = 0;
    /// Of restitution (Restitution.cpp): share that is asked for; speed at which the frames approach each other at the
    /// start of the step, m/s, 0: none; their velocity after the step's forces; sum of the modes' velocities along the
    /// normal at the start of the step and after the free step, m/s.
    btScalar restitution = 0, approachSpeed = 0, freeFrameVelocity = 0, modalVelocitySum = 0;
    /// Of friction anchors (FrictionAnchors.cpp), along the tangents: slip since the contact sticks, m; its rate
    /// without impulses, m/s.
    btScalar slip[2] = {}, freeSlipRate[2] = {};
    bool hasAnchor = false;
    bool isPenalty = false;  ///< Whether it is a spring and a damper: `gapRhs` alone is a bound.
    /// Whether it is one of those by area (ContactConstraints::springs): of `rhs` and `gapRhs` the signs alone count.
    bool isSpring = false;
    int firstTorsion = 0, torsionCount = 0;  ///< Its range in ContactConstraints::torsions.
    bool isActive = false;                   ///< Whether an iteration has given it an impulse, be it zero again.
    bool hasResponse = false;                ///< False: prepareLateResponse() comes before an impulse.
    bool movesA = true, movesB = true;       ///< False: Bullet's fixed solver body, never written to.
    bool hasDrivenBones = false;             ///< Whether a side is a character that is no ragdoll.
    bool isTrapped = false;                  ///< Whether driven bones press its free body against something.
    btVector3 splitImpulseResponseA = btVector3(0, 0, 0), splitImpulseResponseB = btVector3(0, 0, 0);

    bool isSelf() const { return reducedA >= 0 && reducedA == reducedB; }  ///< Whether a body touches itself.
    /// Velocity along the normal that lacks to the nearer of its two bounds, m/s. @param frames, modes velocities that
    /// the impulses so far have added
    btScalar velocityError(btScalar frames, btScalar modes) const {
        return btMax(rows[0].rhs - frames - modes, gapRhs - frames - modes / 2);
    }
};

/// What has to be known of all contacts before their constraints can be made in parallel: a tenth of a constraint's
/// size.
struct ContactDescriptor {
    btManifoldPoint* point = nullptr;
    // As in ContactConstraint.
    int bodyA = -1, bodyB = -1, reducedA = -1, reducedB = -1;
    bool movesA = true, movesB = true;
    bool hasDrivenBones = false, isTrapped = false;
    std::size_t jacobianOffsetA = 0, jacobianOffsetB = 0;
    int firstTorsion = 0, torsionCount = 0;
};

/// Consecutive contacts of the same two bodies.
struct PairRange {
    int first = 0, count = 0;
    int bodies[2] = {-1, -1};       ///< Numbers in ContactOrder::constrainedBodies; -1: does not move.
    int colour = 0, partition = 0;  ///< Colour and partition, see ConstraintColouring.cpp.
};

/// A body that contacts move: solver bodies, then those of ContactConstraints::reducedBodies.
struct ConstrainedBody {
    btVector3 position = btVector3(0, 0, 0);
    int contacts = 0;
    int partition = 0;
    int solverBody = -1;  ///< Number of the solver body; -1: it does not move.
    int reduced = -1;     ///< Number of the reduced body; -1: none.
};

/// Rolling or spinning friction: a torque on the frames about an axis of the contact. Reduced bodies respond together
/// with their deformation as they do to contacts; with responses of another kind the iterations would not converge.
struct TorsionalFrictionRow : ConstraintImpulse {
    btScalar coefficient = 0;
    int axis = 0;  ///< Number of the contact's row whose axis it has.
};

/// A reduced body that has rows in the group.
struct ReducedBody {
    btPliantBody* body = nullptr;
    int stride = 0;                    ///< Length of its vectors: r, padded with zeros to a multiple of 8.
    std::size_t velocityOffset = 0;    ///< Where its change of q', or x, begins in `modalVelocities`.
    bool whitened = false;             ///< Whether BodyBatch::whitens(): one vector a row.
    bool hasJointImpulse = false;      ///< Whether a joint gave an impulse; of contacts: ContactConstraint::isActive.
    bool hasDiverged = false;          ///< Whether its solution is rejected (SolutionGuard.cpp).
    double energyGain = 0;             ///< Kinetic energy of its change of q', J; whitened: strain included.
    double contactGain = 0;            ///< What its contacts have brought in (SolidWork.h), J.
    int firstSide = 0, sideCount = 0;  ///< Its range in ContactConstraints::sides.
    bool hasTorsion = false;
    /// Response to torques about the world's axes, where hasTorsion or whitened: of omega, and of q' (3 x stride in
    /// `modalVectors`; -1: none).
    btMatrix3x3 torqueResponse = btMatrix3x3::getIdentity();
    std::ptrdiff_t modalTorqueResponse = -1;
};

/// What one iteration changed, by which convergence is judged.
struct IterationChange {
    btScalar largest = 0;    ///< Largest squared change of an impulse, (N s)^2.
    double squaredNorm = 0;  ///< Sum of J W J' P^2 over the changes P of impulses, J.

    /// After an iteration. @param before what extrapolate() returned
    void add(ConstraintImpulse& row, btScalar before) {
        const btScalar change = row.lastIncrement = row.impulse - before;
        largest = btMax(largest, change * change);
        if (change != 0) squaredNorm += static_cast<double>(change) * static_cast<double>(change / row.effectiveMass);
    }
    void add(const IterationChange& other) {
        largest = btMax(largest, other.largest);
        squaredNorm += other.squaredNorm;
    }
};

/// The side of a contact that a reduced body is on.
struct ConstraintSide {
    int contact = -1;
    bool first = true;  ///< Whether it is body A of the contact.
};

/// One row of such a side.
struct ConstraintSideRow {
    ConstraintSide side;
    int row = 0;
};

/// In which order the iterations solve the contacts, and which of them may be solved in parallel
/// (ConstraintColouring.h).
struct ContactOrder {
    std::vector<PairRange> pairRanges;  ///< Pair ranges in the order of iteration, as the contacts are.
    std::vector<int> batches;           ///< Where the pair ranges of each batch begin, and their number.
    std::vector<int> colours;           ///< Where the batches of each colour begin, and their number.
    std::vector<ConstrainedBody> constrainedBodies;
    std::vector<int> partitionOrder;   ///< Numbers in `constrainedBodies`, partition by partition.
    std::vector<int> partitionStarts;  ///< Where those of every partition begin, and their number.
};

/// The contacts that split impulses are solved for (SplitImpulses.h).
struct SplitImpulseOrder {
    std::vector<int> contacts;  ///< Contacts with a splitImpulseVelocity, in the order of iteration.
    std::vector<int> batches;   ///< Where those of each batch of ContactOrder begin, and their number.
};

/// What the solution guard has found (SolutionGuard.h).
struct Divergence {
    bool any = false;                 ///< Whether any body's solution is rejected; of which: ReducedBody and here.
    std::vector<double> energyGains;  ///< Kinetic energy of the change of every solver body, J; no number: rejected.
};

/// Velocities along the rows of a contact that holds a ragdoll, m/s: at the start of the step, before its forces, and
/// without impulses at its end.
struct ContactStart {
    double start[3] = {}, free[3] = {};
};

/// What the account of a solid's contacts (SolidWork.h) keeps of a contact from its set-up, since Jacobians are
/// overwritten later: the mean over the step, without impulses, of the velocities along its rows, m/s. Of the normal
/// without the velocity by which the row itself is to take depth back, whose work is wanted.
struct ContactMean {
    double along[3] = {};
};

/// An end of the range of a ragdoll's joint (RagdollRows.h).
struct RagdollLimit {
    int reduced = -1;        ///< Number of the body.
    std::size_t offset = 0;  ///< Where J, and behind it W J', begin in `limitVectors`.
    btScalar effectiveMass = 0, rhs = 0, impulse = 0;
    double start = 0, free = 0;  ///< Rate of the gap as in ContactStart, rad/s.
};

/// Working memory of the stages, kept so that a step allocates nothing.
struct ContactScratch {
    std::vector<char> touchesReducedBody;  ///< Whether a solver body has contacts with a reduced body.
    std::vector<ContactDescriptor> orderedDescriptors;
    std::vector<btScalar> impulsesOfBones;      ///< That solver bodies have got from driven bones, N s.
    std::vector<IterationChange> rangeChanges;  ///< Changes of the pair ranges.
    std::vector<double> partialSums;            ///< Sums in a fixed order, J: of bodies, of blocks of contacts.
};

struct ContactConstraints {
    std::vector<btCollisionObject*> orderedBodies;  ///< Bodies of the group, along its longest side.
    std::vector<ReducedBody> reducedBodies;
    std::vector<ContactDescriptor> descriptors;  ///< Descriptors of the contacts; colourContacts() reorders them.
    ContactOrder order;
    std::vector<ConstraintSide> sides;  ///< Sides of contacts, those of one reduced body side by side.
    btAlignedObjectArray<ContactConstraint> contacts;
    btAlignedObjectArray<TorsionalFrictionRow> torsions;
    pliant::CacheAlignedVector<btScalar> modalVectors;     ///< Jacobians and responses.
    pliant::CacheAlignedVector<btScalar> modalVelocities;  ///< Change of q' (x where whitened) of every reduced body.
    std::atomic<bool> hasRestitution{false};               ///< Whether any contact has restitution.
    SplitImpulseOrder splitImpulses;
    std::vector<ContactStart> ragdollVelocities;  ///< Velocities of every contact, where the group has ragdolls.
    std::vector<ContactMean> meanVelocities;      ///< Of every contact, where the group has solids with an account.
    bool hasSprings = false;                      ///< Whether a contact may be a spring by area.
    std::vector<PenaltySpring> springs;           ///< Of every contact, where `hasSprings`.
    std::vector<double> springSurplus;  ///< Of every pair range: what its account holds beyond its springs, J.
    std::vector<RagdollLimit> limits;
    pliant::CacheAlignedVector<btScalar> limitVectors;
    Divergence divergence;
    ContactScratch scratch;
};

using ReducedBodies = std::vector<ReducedBody>;

/// The reduced body of that number in the group, or null for -1.
inline const ReducedBody* reducedBody(const ReducedBodies& all, int number) {
    return number < 0 ? nullptr : &all[static_cast<std::size_t>(number)];
}

/// Forgets the group; keeps the memory.
void clear(ContactConstraints& all);

/// The number of a reduced body in the group, given to it at the first call. Writes reducedBodies, modalVelocities.
int numberReducedBody(ContactConstraints& all, btPliantBody& body);

/// Makes room for constraints, Jacobians and responses in the order of the iterations. Reads the torsions counted in
/// the descriptors; writes where everything begins into descriptors and reducedBodies, and the sizes of contacts,
/// torsions and modalVectors, which ContactSetUp.h and ModalResponse.h fill.
void reserveConstraints(ContactConstraints& all);

/// Lists the contacts of every reduced body. Reads descriptors; writes `sides`, and its part of each reduced body.
void groupByReducedBody(ContactConstraints& all);

bool hasSolids(const ReducedBodies& bodies);  ///< Whether any of them touches with its surface.
/// Whether any of them is a sheet that sags under its own weight (isLimpSheet()).
bool hasLimpSheets(const ReducedBodies& bodies);

/// Numbers that move of a body: r, of a ragdoll those of its limbs besides.
int solvedDimension(const BodyData& data);
/// Whether either side of a contact is a ragdoll.
bool hasRagdoll(const ContactConstraint& contact, const ReducedBodies& reducedBodies);
/// Whether any of the bodies is one.
bool hasRagdoll(const ReducedBodies& reducedBodies);
/// Whether the work of a body's contacts has an account (SolidWork.h): solids of integrators whose modes move by half a
/// step of an impulse's change of q' (implicit Newmark with gamma = 1/2, and the analytic one).
bool hasWorkAccount(const ReducedBody& s);
/// Whether any of the bodies has one.
bool hasWorkAccount(const ReducedBodies& reducedBodies);

}  // namespace btPliantInternal
