// SPDX-License-Identifier: Zlib
// Internal: constraints of contacts that touch a reduced body, in one group of Bullet's solver.
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
// impulse works P [-d / h + (v* - v_1) / 2] <= 0 on frame and q together: it bounces, but gains nothing.
#pragma once

#include <BulletDynamics/ConstraintSolver/btSolverBody.h>
#include <LinearMath/btAlignedObjectArray.h>

#include <atomic>
#include <vector>

#include "btPliant/btPliantConstraintSolver.h"
#include "btPliant/btPliantSystem.h"
#include "btPliant/data/BodyData.h"
#include "pliant/math/CacheAligned.h"
#include "pliant/runtime/Workers.h"

namespace btPliantInternal {

/// Bullet's velocities of the bodies of one solver group, by solver id.
using SolverBodies = btAlignedObjectArray<btSolverBody>;

/// Impulse of one row, which the iterations solve for.
struct ConstraintImpulse {
    btScalar effectiveMass = 0;  ///< kg (kg m^2 of torsional friction)
    btScalar rhs = 0;            ///< velocity along the row that the impulses have to add
    btScalar impulse = 0;        ///< N s (N m s)
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
    btVector3 responseA = btVector3(0, 0, 0), responseB = btVector3(0, 0, 0);  ///< of omega to a unit impulse
};

struct ContactConstraint {
    ConstraintRow rows[3];  ///< normal, tangent, tangent
    btManifoldPoint* point = nullptr;
    int bodyA = -1, bodyB = -1;        ///< numbers of solver bodies (the pool moves)
    int reducedA = -1, reducedB = -1;  ///< numbers of reduced bodies in the group
    int segmentA = -1, segmentB = -1;
    float parameterA = 0, parameterB = 0;
    std::size_t jacobianOffsetA = 0, jacobianOffsetB = 0;  ///< where J (3 x stride) begins in `modalVectors`
    std::size_t responseOffsetA = 0, responseOffsetB = 0;  ///< where W J' does; whitened: at J
    std::size_t velocityOffsetA = 0, velocityOffsetB = 0;  ///< where the change of q', or x, does in `modalVelocities`
    int strideA = 0, strideB = 0;                          ///< of the vectors of all these; 0: no reduced body
    btScalar friction = 0;
    btScalar cfm = 0;  ///< constraint force mixing, 1/kg
    /// J W J' of the normal with each tangent, 1/kg: by the frames, by the deformation.
    btScalar frameCoupling[2] = {}, modeCoupling[2] = {};
    btScalar gapRhs = 0;  ///< as `rhs`, of the gap's rate, m/s
    btScalar splitImpulseVelocity = 0, splitImpulseEffectiveMass = 0, splitImpulse = 0;
    /// Of restitution (Restitution.cpp): share that is asked for; speed at which the frames approach each other at the
    /// start of the step, m/s, 0: none; their velocity after the step's forces; sum of the modes' velocities along the
    /// normal at the start of the step and after the free step, m/s.
    btScalar restitution = 0, approachSpeed = 0, freeFrameVelocity = 0, modalVelocitySum = 0;
    /// Of friction anchors (FrictionAnchors.cpp), along the tangents: slip since the contact sticks, m; its rate after
    /// the free step, m/s.
    btScalar slip[2] = {}, freeSlipRate[2] = {};
    bool hasAnchor = false;
    int firstTorsion = 0, torsionCount = 0;  ///< in ContactConstraints::torsions
    bool isActive = false;                   ///< an iteration has given it an impulse, be it zero again
    bool hasResponse = false;                ///< else prepareLateResponse() comes before an impulse
    bool movesA = true, movesB = true;       ///< false: Bullet's fixed solver body, never written to
    btVector3 splitImpulseResponseA = btVector3(0, 0, 0), splitImpulseResponseB = btVector3(0, 0, 0);

    bool isSelf() const { return reducedA >= 0 && reducedA == reducedB; }  ///< a body against itself
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
    std::size_t jacobianOffsetA = 0, jacobianOffsetB = 0;
    int firstTorsion = 0, torsionCount = 0;
};

/// Consecutive contacts of the same two bodies.
struct PairRange {
    int first = 0, count = 0;
    int bodies[2] = {-1, -1};       ///< in ContactConstraints::constrainedBodies, -1: does not move
    int colour = 0, partition = 0;  ///< see ConstraintColouring.cpp
};

/// Velocity of a patch that moves as one.
struct PlanarMotion {
    btVector3 velocity = btVector3(0, 0, 0), turn = btVector3(0, 0, 0), centre = btVector3(0, 0, 0);
    btVector3 at(const btVector3& point) const { return velocity + turn.cross(point - centre); }
};

/// A body that contacts move: solver bodies, then those of ContactConstraints::reducedBodies.
struct ConstrainedBody {
    btVector3 position = btVector3(0, 0, 0);
    int contacts = 0;
    int partition = 0;
    int solverBody = -1;  ///< number of the solver body, -1: does not move
    int reduced = -1;     ///< number of the reduced body, -1: none
};

/// Rolling or spinning friction: a torque on the frames about an axis of the contact. Reduced bodies respond together
/// with their deformation as they do to contacts; with responses of another kind the iterations would not converge.
struct TorsionalFrictionRow : ConstraintImpulse {
    btScalar coefficient = 0;
    int axis = 0;  ///< that of the contact's row
};

/// A reduced body that has rows in the group.
struct ReducedBody {
    btPliantBody* body = nullptr;
    int stride = 0;                    ///< r, padded with zeros to a multiple of 8
    std::size_t velocityOffset = 0;    ///< of its change of q', or x, in `modalVelocities`
    bool whitened = false;             ///< BodyBatch::whitens(): one vector a row
    bool hasJointImpulse = false;      ///< from a joint; for contacts see ContactConstraint::isActive
    bool hasDiverged = false;          ///< its solution is rejected (SolutionGuard.cpp)
    double energyGain = 0;             ///< J, kinetic energy of its change of q'; whitened: strain included
    int firstSide = 0, sideCount = 0;  ///< in ContactConstraints::sides
    bool hasTorsion = false;
    /// Response to torques about the world's axes, where hasTorsion or whitened: of omega, and of q' (3 x stride in
    /// `modalVectors`; -1: none).
    btMatrix3x3 torqueResponse = btMatrix3x3::getIdentity();
    std::ptrdiff_t modalTorqueResponse = -1;
};

/// What one iteration changed, by which convergence is judged.
struct IterationChange {
    btScalar largest = 0;    ///< squared change of an impulse, (N s)^2
    double squaredNorm = 0;  ///< sum of J W J' P^2 over the changes P of impulses, J

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
    bool first = true;  ///< body A of the contact
};

/// One row of such a side.
struct ConstraintSideRow {
    ConstraintSide side;
    int row = 0;
};

/// Change of a frame's angular velocity by the angular part of an impulse, world. @param reduced null: a rigid body
btVector3 frameTurn(const btSolverBody& body, const ReducedBody* reduced, const btVector3& angular);

}  // namespace btPliantInternal

namespace btPliantInternal {
class ConjugateDirections;
}

struct btPliantConstraintSolver::ContactConstraints {
    std::vector<btPliantInternal::ReducedBody> reducedBodies;
    std::vector<btPliantInternal::ContactDescriptor> descriptors;  ///< of the contacts; colourContacts() reorders them
    btAlignedObjectArray<btPliantInternal::ContactConstraint> contacts;
    btAlignedObjectArray<btPliantInternal::TorsionalFrictionRow> torsions;
    pliant::CacheAlignedVector<btScalar> modalVectors;     ///< Jacobians and responses
    pliant::CacheAlignedVector<btScalar> modalVelocities;  ///< change of q' (x where whitened) of every reduced body
    std::vector<btPliantInternal::PairRange> pairRanges;   ///< in the order of iteration, as the contacts are
    std::vector<int> batches;               ///< where the pair ranges of each batch begin, and their number
    std::vector<int> colours;               ///< where the batches of each colour begin, and their number
    std::vector<int> splitImpulseContacts;  ///< contacts with a splitImpulseVelocity, in that order
    std::vector<int> splitImpulseBatches;   ///< where those of each batch begin, and their number
    std::vector<btPliantInternal::ConstrainedBody> constrainedBodies;
    std::vector<int> partitionOrder;                ///< numbers in `constrainedBodies`, partition by partition
    std::vector<int> partitionStarts;               ///< where those of every partition begin, and their number
    std::vector<btCollisionObject*> orderedBodies;  ///< of the group, along its longest side
    std::vector<char> touchesReducedBody;           ///< whether a solver body has contacts with a reduced body
    std::vector<btPliantInternal::ContactDescriptor> orderedDescriptors;
    std::vector<btPliantInternal::IterationChange> rangeChanges;  ///< of the pair ranges
    std::vector<btPliantInternal::ConstraintSide> sides;          ///< those of one reduced body side by side
    std::vector<double> energyGains;  ///< J, kinetic energy of the change of every solver body
    double kineticEnergyBefore = 0;   ///< J, kinetic, of the group before the impulses
    std::vector<double> partialSums;  ///< J, what is summed up in a fixed order: of bodies, of blocks of contacts
    bool hasDivergedBodies = false;
    std::atomic<bool> hasRestitution{false};  ///< of any contact

    void clear();
    /// Lists the bodies of a group along its longest side: solver bodies made in this order lie in memory as the
    /// partitions of the iterations do in space, so that threads seldom share their cache lines.
    void orderBodies(btCollisionObject* const* bodies, int count);
    int reducedIndex(btPliantBody& body);
    /// Numbers the reduced bodies of the contacts in the order of their solver bodies. @param manifolds with a reduced
    /// body
    void numberReducedBodies(const std::vector<btPersistentManifold*>& manifolds);
    /// Brings the contacts into the order of iteration: no two batches of a colour share a body that they move, so they
    /// can be solved in parallel.
    void colourContacts(const btAlignedObjectArray<btSolverBody>& bodies);
    void listPairRanges(const btAlignedObjectArray<btSolverBody>& bodies);
    void listBatches();
    /// Makes room for rows, Jacobians and responses, in the order of the iterations; after the torsions are counted.
    void reserveConstraints();
    void reserveModalVectors();
    void countTorsions(int c);
    void makeConstraint(int c, const btContactSolverInfo& info);  ///< of descriptors[c], with its torsional friction
    bool hasSolids() const;                                       ///< whether any reduced body touches with its surface
    /// Lists the contacts of every reduced body in `sides`.
    void groupByReducedBody();
    /// Prefetches (Prefetch.h) the contact that sides[i] belongs to and its Jacobian; the point of a contact.
    void prefetchSide(const btPliantInternal::ReducedBody& s, int i) const;
    void prefetchPoint(int c) const;
    /// Fills modal Jacobians of contact `c`; touches nothing else.
    void prepareModalJacobians(int c);
    void prepareModalJacobian(const btPliantInternal::ContactConstraint& contact, bool first);
    /// Points on both bodies where the contact's force acts, world.
    void applicationPoints(const btPliantInternal::ContactConstraint& contact, btVector3& onA, btVector3& onB) const;
    /// Fills the frames' Jacobians of contact `c`, and those of its split impulse.
    void prepareFrameJacobians(int c, const btAlignedObjectArray<btSolverBody>& bodies);
    /// Fills the responses of one reduced body to those of its contacts that are to have them; after computeBias().
    void prepareResponses(int index);
    void computeResponses(const btPliantInternal::ReducedBody& s, const btPliantInternal::ConstraintSide* chunk,
                          int count);
    /// J <- J U^-1 of the normals of a whitened body's contacts, of all rows where they are to have responses.
    void whitenSides(const btPliantInternal::ReducedBody& s);
    void whiten(const btPliantInternal::ReducedBody& s, const btPliantInternal::ConstraintSideRow* chunk, int count);
    void prepareAngularResponses(const btPliantInternal::ReducedBody& s, btPliantInternal::ConstraintSide side);
    /// Rigid sides' responses and effective masses of contact `c`, after prepareResponses.
    void prepareEffectiveMasses(int c, const btAlignedObjectArray<btSolverBody>& bodies);
    /// Responses and effective masses of a contact that was not expected to carry an impulse; called from within an
    /// iteration.
    void prepareLateResponse(int c, const btAlignedObjectArray<btSolverBody>& bodies);
    /// J W J' of rows k and l on one side, 1/kg. @param index of the reduced body, or -1 @param jacobian, response
    /// offsets of the side in `modalVectors`
    btScalar modalInverseMass(int index, std::size_t jacobian, std::size_t response, int k, int l) const;
    /// The same of a body against itself: what its two sides do to each other counts, frames do not.
    btScalar selfInverseMass(const btPliantInternal::ContactConstraint& contact, int k, int l) const;
    /// Biases: right-hand sides and bounds of the rows, from the velocities of the free step.
    void computeBias(int c, const btAlignedObjectArray<btSolverBody>& bodies, const btContactSolverInfo& info,
                     const btPliantSystemInfo& settings);
    /// Masses of all contacts, after prepareResponses, and the impulses that they start with.
    void warmStart(btAlignedObjectArray<btSolverBody>& bodies, const btContactSolverInfo& info,
                   const pliant::Workers& workers);
    void warmStart(int c, btAlignedObjectArray<btSolverBody>& bodies, const btContactSolverInfo& info);
    /// An impulse that turns and moves the frames, while the deformation stays as it is. @param impulse on body A, N s
    /// @param P the same along the rows
    void applyToFramesAlone(const btPliantInternal::ContactConstraint& contact, const btVector3& impulse,
                            const btScalar* P, btAlignedObjectArray<btSolverBody>& bodies);
    /// What of a contact's bias restitution needs later. @param modalStart, modalFree velocity of the deformations
    /// along the normal at the start of the step and after the free step, m/s
    void computeRestitution(int c, const btAlignedObjectArray<btSolverBody>& bodies, const btContactSolverInfo& info,
                            double modalStart, double modalFree);
    /// After the iterations and the solution guard: frames that met leave each other with the share of their speed that
    /// was asked for.
    void applyRestitution(btAlignedObjectArray<btSolverBody>& bodies, int iterations);
    /// After restitution and split impulses: takes from pairs of free bodies the angular momentum that they gained by
    /// being moved apart and by impulses that act at two points (AngularMomentum.cpp). @param step s
    void keepAngularMomentum(btAlignedObjectArray<btSolverBody>& bodies, btScalar step);
    bool isOfSolid(const btPliantInternal::ContactConstraint& contact) const;  ///< one of two bodies
    /// Lets the tangents of a contact take back what it has slipped. @param freeSlipRate along the tangents, m/s
    void addAnchors(btPliantInternal::ContactConstraint& contact, const btContactSolverInfo& info,
                    const double* freeSlipRate) const;
    /// Velocity of the two points of a contact along its tangents, as the solution has it, m/s.
    btVector3 slipRate(const btPliantInternal::ContactConstraint& contact, btAlignedObjectArray<btSolverBody>& bodies,
                       btScalar turnShare) const;
    /// That of the pair: the contacts' mean by load, which slip as one.
    btPliantInternal::PlanarMotion meanSlipRate(const btPliantInternal::PairRange& range,
                                                btAlignedObjectArray<btSolverBody>& bodies, btScalar turnShare) const;
    bool sticks(const btPliantInternal::PairRange& range) const;  ///< whether friction holds a pair as a whole
    btScalar longestSlip(const btPliantInternal::ContactConstraint& contact) const;  ///< that is remembered, m
    /// After all impulses are known: what the contacts that stick have slipped, into their points.
    void moveAnchors(btAlignedObjectArray<btSolverBody>& bodies, const btContactSolverInfo& info);
    void prepareTorsions(int c, const btAlignedObjectArray<btSolverBody>& bodies);
    /// Change of a frame's angular velocity by a torque impulse, both in the world.
    btVector3 torqueResponse(int reducedIndex, const btSolverBody& body, const btVector3& torque) const;
    void prepareTorqueResponse(int index);  ///< of one reduced body, before prepareAngularResponses()
    void applyTorsionalImpulse(const btPliantInternal::ContactConstraint& contact, const btVector3& torque,
                               btAlignedObjectArray<btSolverBody>& bodies);
    void applyModalTorsionalImpulse(int reducedIndex, const btVector3& torque);  ///< what it does to the deformation
    /// One iteration of projected Gauss-Seidel. @param directions along which bodies and impulses are extrapolated
    btPliantInternal::IterationChange iterate(btPliantInternal::ConjugateDirections& directions,
                                              btAlignedObjectArray<btSolverBody>& bodies,
                                              const pliant::Workers& workers);
    /// Extrapolates the bodies of a partition before their contacts are solved.
    void extrapolatePartition(int partition, btPliantInternal::ConjugateDirections& directions,
                              btAlignedObjectArray<btSolverBody>& bodies);
    /// Rolling and spinning friction of a contact.
    btPliantInternal::IterationChange iterateTorsionalFriction(const btPliantInternal::ContactConstraint& contact,
                                                               btScalar beta,
                                                               btAlignedObjectArray<btSolverBody>& bodies);
    void iterateSpinningFriction(const btPliantInternal::ContactConstraint& contact,
                                 btPliantInternal::TorsionalFrictionRow& torsion,
                                 btAlignedObjectArray<btSolverBody>& bodies);
    /// @param torsion the rows of both tangents
    void iterateRollingFriction(const btPliantInternal::ContactConstraint& contact,
                                btPliantInternal::TorsionalFrictionRow* torsion,
                                btAlignedObjectArray<btSolverBody>& bodies);
    /// Calls visit(range, its number) for every pair range, the batches of a colour on several threads, each in its
    /// order; begin(partition) before those within a partition, which come first.
    template <class Begin, class Visit>
    void forPairRanges(const pliant::Workers& workers, const Begin& begin, const Visit& visit);
    void listSplitImpulseContacts();  ///< the contacts that iterateSplitImpulses() solves
    /// One iteration of the split impulses, whose pseudo-velocities take penetration back; rigid motion only, so that
    /// no strain is stored.
    void iterateSplitImpulses(btAlignedObjectArray<btSolverBody>& bodies, const pliant::Workers& workers);
    void iterateSplitImpulse(btPliantInternal::ContactConstraint& contact, btAlignedObjectArray<btSolverBody>& bodies);
    void addMomentum(int reducedIndex) const;                             ///< of all its rows
    bool hasActiveContact(const btPliantInternal::ReducedBody& s) const;  ///< any of its contacts
    /// Finds the bodies whose solution has diverged (SolutionGuard.cpp) and rejects it. @param workOfJoints,
    /// workOfOthers of the joints of reduced bodies and of Bullet's own rows, the sum of |P c|
    void rejectDivergedBodies(btAlignedObjectArray<btSolverBody>& bodies, double workOfJoints, double workOfOthers,
                              const pliant::Workers& workers);
    /// Of a reduced body of the group (or -1) and a solver body: whether the solution of one of them was rejected.
    bool hasDiverged(int reduced, int solverBody) const;
    void measureEnergyGains(const btAlignedObjectArray<btSolverBody>& bodies, const pliant::Workers& workers);
    double workOfConstraints(double workOfJoints, const pliant::Workers& workers);
    /// After everything else: puts those bodies back to the start of the step, at rest, and drops their impulses.
    void restoreDivergedBodies(btAlignedObjectArray<btSolverBody>& bodies);
    /// Impulses to the manifold points, modal velocities to the batches, angular momentum to the bodies.
    void writeBack(const pliant::Workers& workers);
};
