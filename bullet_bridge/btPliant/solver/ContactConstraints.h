// SPDX-License-Identifier: Zlib
// Internal: rows of contacts that touch a reduced body, in one group of Bullet's solver.
//
// A contact has three rows, normal and two tangents. Row k with world direction d and the two arms a, b (from the
// frames' origins to the contact point, one point for both so that momentum is kept):
//
//     J = [ d, a x d, U_A' d | -d, -(b x d), -U_B' d ],        velocity along d:  J (v, omega, q')
//     W J' = per unit impulse [ d / m, response of [[I(q), H], [H', Y^-1]] ]   for ours, Bullet's own for rigid sides
//
// The deltas of v and omega are those of Bullet's solver bodies, shared with Bullet's rows; those of q' are kept here.
// Where the deformation answers by itself, Y = U^-1 U'^-1, rows hold the one vector j = U'^-1 J' and the delta is x =
// U q' instead: J q' = j.x, and an impulse adds j to x. That is half the memory of a row and half of its solve.
// Target velocity along the normal: contactTarget(u_0) (BodyBatch.h) - distance / h for contacts not yet closed.
//
// Frames move by h v_1, but q by h (q'_0 + q'_1) / 2: a point that is light against its body could reach its target
// velocity and still sink in by h |u_0| / 2. A second bound on the same impulse therefore keeps the gap at the end of
// the step, d + h v_1 + n.U (q_1 - q_0), above a little less than what it was. Where that bound is the active one, the
// impulse works P [-d / h + (v* - v_1) / 2] <= 0 on frame and q together: it bounces, but gains nothing.
#pragma once

#include <BulletDynamics/ConstraintSolver/btSolverBody.h>
#include <LinearMath/btAlignedObjectArray.h>

#include <vector>

#include "btPliant/body/BodyData.h"
#include "btPliant/btPliantConstraintSolver.h"
#include "btPliant/btPliantSystem.h"
#include "pliant/math/CacheAligned.h"
#include "pliant/runtime/Workers.h"

namespace btPliantInternal {

/// What the sweeps look for.
struct RowImpulse {
    btScalar inverse = 0;  ///< effective mass, kg (kg m^2 of a torsion)
    btScalar change = 0;   ///< velocity along the row that the impulses have to add
    btScalar impulse = 0;  ///< N s (N m s)
    // Of the impulse, see ConjugateDirections.h.
    btScalar direction = 0, lastChange = 0;

    /// Moves the impulse on before a sweep. @return what it is then
    btScalar goOn(btScalar share) {
        const btScalar step = share * direction;
        direction = step + lastChange;
        return impulse += step;
    }
};

/// One row; angular parts in the world frame, those of B with B's sign.
struct Row : RowImpulse {
    btVector3 axis = btVector3(0, 0, 0);
    btVector3 angularA = btVector3(0, 0, 0), angularB = btVector3(0, 0, 0);
    btVector3 responseA = btVector3(0, 0, 0), responseB = btVector3(0, 0, 0);  ///< of omega to a unit impulse
};

struct ContactRow {
    Row rows[3];  ///< normal, tangent, tangent
    btManifoldPoint* point = nullptr;
    int bodyA = -1, bodyB = -1;  ///< numbers of solver bodies (the pool moves)
    int softA = -1, softB = -1;  ///< numbers of reduced bodies in the group
    int segmentA = -1, segmentB = -1;
    float parameterA = 0, parameterB = 0;
    std::size_t modalA = 0, modalB = 0;        ///< where J (3 x stride) begins in `modal`
    std::size_t answerA = 0, answerB = 0;      ///< where W J' does: behind J, or J itself (SoftBody::whitened)
    std::size_t velocityA = 0, velocityB = 0;  ///< where the change of q', or x, does in `velocity`
    int strideA = 0, strideB = 0;              ///< of the vectors of all these; 0: no reduced body
    btScalar friction = 0;
    btScalar softness = 0;  ///< constraint force mixing, 1/kg
    /// J W J' of the normal with each tangent, 1/kg: by the frames, by the deformation.
    btScalar frameCoupling[2] = {}, modeCoupling[2] = {};
    btScalar gapChange = 0;  ///< what `change` is to the velocity: the rate of the gap that has to be added
    btScalar pushTarget = 0, pushInverse = 0, pushImpulse = 0;
    int firstTorsion = 0, torsionCount = 0;  ///< in Rows::torsions
    bool acted = false;                      ///< the sweeps have given it an impulse, if only to take it back
    bool hasResponse = false;  ///< else answerLate() has to come before an impulse does; of the normal J is whitened
    bool movesA = true, movesB = true;  ///< false: Bullet's fixed solver body, which nothing writes to
    btVector3 pushResponseA = btVector3(0, 0, 0), pushResponseB = btVector3(0, 0, 0);

    bool isSelf() const { return softA >= 0 && softA == softB; }  ///< a body against itself
    /// Velocity along the normal that is missing to the nearer of its two bounds. @param frames, modes what impulses
    /// have added
    btScalar missing(btScalar frames, btScalar modes) const {
        return btMax(rows[0].change - frames - modes, gapChange - frames - modes / 2);
    }
};

/// What has to be known of all contacts before their rows can be made side by side: a tenth of a row's size.
struct ContactPlace {
    btManifoldPoint* point = nullptr;
    // As in ContactRow.
    int bodyA = -1, bodyB = -1, softA = -1, softB = -1;
    bool movesA = true, movesB = true;
    std::size_t modalA = 0, modalB = 0;
    int firstTorsion = 0, torsionCount = 0;
};

/// Consecutive contacts of the same two bodies.
struct ContactRun {
    int first = 0, count = 0;
    int bodies[2] = {-1, -1};  ///< in Rows::swept, -1: does not move
    int stage = 0, slab = 0;   ///< see ConstraintColouring.cpp
};

/// A body that contacts move: solver bodies, then those of Rows::soft.
struct SweptBody {
    btVector3 place = btVector3(0, 0, 0);
    int contacts = 0;
    int slab = 0;
    int frame = -1;  ///< number of the solver body, -1: does not move
    int soft = -1;   ///< number of the reduced body, -1: none
};

/// Rolling or spinning friction: a torque on the frames about an axis of the contact. Reduced bodies answer together
/// with their deformation as they do to contacts; with responses of another kind the sweeps would not converge.
struct TorsionRow : RowImpulse {
    btScalar coefficient = 0;
    int axis = 0;  ///< that of the contact's row
};

/// A reduced body that has rows in the group.
struct SoftBody {
    btPliantBody* body = nullptr;
    int stride = 0;                    ///< r, padded with zeros to a multiple of 8
    std::size_t offset = 0;            ///< of its change of q', or x, in `velocity`
    bool whitened = false;             ///< BodyBatch::whitens(): one vector a row
    bool touched = false;              ///< by a joint; for contacts see ContactRow::acted
    bool putBack = false;              ///< the sweeps have run away with it
    double gained = 0;                 ///< J, kinetic energy of its change of q'; whitened: and strain that answers it
    int firstSide = 0, sideCount = 0;  ///< in Rows::sides
    bool hasTorsion = false;
    /// Answer to torques about the world's axes, where hasTorsion or whitened: of omega, and of q' (3 x stride in
    /// `modal`; -1: none).
    btMatrix3x3 turn = btMatrix3x3::getIdentity();
    std::ptrdiff_t turnModal = -1;
};

/// What a sweep changed.
struct SweepChange {
    btScalar largest = 0;  ///< squared change of an impulse, (N s)^2
    double square = 0;     ///< sum of J W J' P^2 over the changes P of impulses, J

    /// After a sweep. @param before what goOn() returned
    void add(RowImpulse& row, btScalar before) {
        const btScalar change = row.lastChange = row.impulse - before;
        largest = btMax(largest, change * change);
        if (change != 0) square += static_cast<double>(change) * static_cast<double>(change / row.inverse);
    }
    void add(const SweepChange& other) {
        largest = btMax(largest, other.largest);
        square += other.square;
    }
};

/// The side of a contact that a reduced body is on.
struct ContactSide {
    int contact = -1;
    bool first = true;  ///< body A of the contact
};

/// One of its rows.
struct RowSide {
    ContactSide side;
    int row = 0;
};

}  // namespace btPliantInternal

namespace btPliantInternal {
struct JointRows;
class SweepAcceleration;
}  // namespace btPliantInternal

struct btPliantConstraintSolver::Rows {
    Rows();
    ~Rows();

    std::unique_ptr<btPliantInternal::JointRows> joints;
    std::unique_ptr<btPliantInternal::SweepAcceleration> acceleration;
    std::vector<btTypedConstraint*> stockJoints, driven;
    std::vector<btPliantInternal::SoftBody> soft;
    std::vector<btPliantInternal::ContactPlace> places;  ///< of the contacts, from orderRuns() on in their order
    btAlignedObjectArray<btPliantInternal::ContactRow> contacts;
    btAlignedObjectArray<btPliantInternal::TorsionRow> torsions;
    pliant::CacheAlignedVector<btScalar> modal;      ///< Jacobians and responses, see ContactRow::modalA
    pliant::CacheAlignedVector<btScalar> velocity;   ///< change of q' (x where whitened) of every soft body
    std::vector<btPliantInternal::ContactRun> runs;  ///< in the order of the sweeps, as the contacts are
    std::vector<int> pieces;                         ///< where pieces of the runs begin, and the number of runs
    std::vector<int> stages;                         ///< where the pieces of each stage begin, and the number of pieces
    std::vector<int> pushing;                        ///< contacts with a pushTarget, in the order of the sweeps
    std::vector<int> pushPieces;                     ///< where those of every piece begin, and their number
    std::vector<btPliantInternal::SweptBody> swept;
    std::vector<int> slabOrder;   ///< numbers in `swept` of the bodies that contacts move, along the slabs
    std::vector<int> slabStarts;  ///< where those of every slab begin, and their number
    std::vector<btCollisionObject*> bodiesInOrder;  ///< of the group, along its longest side
    std::vector<char> touches;                      ///< whether a solver body has contacts of ours
    std::vector<btPliantInternal::ContactPlace> inOrder;
    std::vector<btPliantInternal::SweepChange> changes;  ///< of runs
    std::vector<btPliantInternal::ContactSide> sides;    ///< those of one reduced body side by side
    std::vector<btPersistentManifold*> stock, touching;  ///< manifolds without and with a reduced body
    std::vector<btPersistentManifold*> drivenContacts;
    std::vector<btPliantBody*> late;
    std::vector<double> gained;  ///< J, kinetic energy of the change of every solver body
    double energyBefore = 0;     ///< J, kinetic, of the group before the impulses
    std::vector<double> shares;  ///< J, what is summed up in a fixed order: of bodies, of blocks of contacts
    bool hasRunaways = false;

    void clear();
    /// Lists the bodies of a group along its longest side: solver bodies made in this order lie in memory as the slabs
    /// of the sweeps do in space, so that threads seldom share their cache lines.
    void listBodiesInOrder(btCollisionObject* const* bodies, int count);
    int softIndex(btPliantBody& body);
    /// Numbers the reduced bodies of the contacts in the order of their solver bodies.
    void numberSoftBodies();
    /// Brings the contacts into the order of the sweeps: no two pieces of a stage share a body that they move, so they
    /// can be swept side by side.
    void orderRuns(const btAlignedObjectArray<btSolverBody>& bodies);
    void listRuns(const btAlignedObjectArray<btSolverBody>& bodies);
    void listPieces();
    /// Makes room for rows, Jacobians and responses, in the order of the sweeps; after the torsions are counted.
    void reserveRows();
    void reserveModal();
    void countTorsions(int c);
    void makeRow(int c, const btContactSolverInfo& info);  ///< of places[c], with its torsions
    /// Lists the contacts of every reduced body in `sides`.
    void groupBySoftBody();
    /// Has brought near (Prefetch.h) the contact that sides[i] is of, and its Jacobian; of a contact's point.
    void fetchSide(const btPliantInternal::SoftBody& s, int i) const;
    void fetchPoint(int c) const;
    /// Fills modal Jacobians of contact `c`; touches nothing else.
    void prepareJacobians(int c);
    void prepareJacobian(const btPliantInternal::ContactRow& contact, bool first);
    /// Fills frames' Jacobians of contact `c`, and what takes its penetration back.
    void placesOf(const btPliantInternal::ContactRow& contact, btVector3& onA, btVector3& onB) const;  ///< of its force
    void prepareArms(int c, const btAlignedObjectArray<btSolverBody>& bodies);
    /// Fills the responses of one reduced body to those of its contacts that are to have them; after aim().
    void prepareResponses(int index);
    void respond(const btPliantInternal::SoftBody& s, const btPliantInternal::ContactSide* chunk, int count);
    /// J <- J U^-1 of the normals of a whitened body's contacts, of all rows where they are to have responses.
    void whitenSides(const btPliantInternal::SoftBody& s);
    void whiten(const btPliantInternal::SoftBody& s, const btPliantInternal::RowSide* chunk, int count);
    void turnRows(const btPliantInternal::SoftBody& s, btPliantInternal::ContactSide side);
    /// Rigid sides' responses and effective masses of contact `c`, after prepareResponses.
    void prepareMasses(int c, const btAlignedObjectArray<btSolverBody>& bodies);
    /// Responses and masses of a contact that did not look as if it would carry anything; from within a sweep.
    void answerLate(int c, const btAlignedObjectArray<btSolverBody>& bodies);
    /// J W J' of rows k and l on one side, 1/kg. @param index of the reduced body, or -1 @param jacobian, answer of the
    /// side in `modal`
    btScalar modalMass(int index, std::size_t jacobian, std::size_t answer, int k, int l) const;
    /// The same of a body against itself: what its two sides do to each other counts, frames do not.
    btScalar selfMass(const btPliantInternal::ContactRow& contact, int k, int l) const;
    /// Right-hand sides and limits, from the velocities of the free step.
    void aim(int c, const btAlignedObjectArray<btSolverBody>& bodies, const btContactSolverInfo& info,
             const btPliantSystemInfo& settings);
    /// Masses of all contacts, after prepareResponses, and the impulses that they start with.
    void warmStart(btAlignedObjectArray<btSolverBody>& bodies, const btContactSolverInfo& info,
                   const pliant::Workers& workers);
    void warmStart(int c, btAlignedObjectArray<btSolverBody>& bodies, const btContactSolverInfo& info);
    void prepareTorsions(int c, const btAlignedObjectArray<btSolverBody>& bodies);
    /// Turn of a frame by a torque, both in the world.
    btVector3 turn(int softIndex, const btSolverBody& body, const btVector3& torque) const;
    void prepareTurn(int index);  ///< the answer of one reduced body to torques, before rows are turned
    void applyTorsion(const btPliantInternal::ContactRow& contact, const btVector3& torque,
                      btAlignedObjectArray<btSolverBody>& bodies);
    void bendTorsion(int softIndex, const btVector3& torque);  ///< what it does to the deformation
    /// One sweep of projected Gauss-Seidel. @param directions that bodies and impulses go on along
    btPliantInternal::SweepChange sweep(btPliantInternal::SweepAcceleration& directions,
                                        btAlignedObjectArray<btSolverBody>& bodies, const pliant::Workers& workers);
    /// Takes the bodies of a slab on before their contacts are swept.
    void takeSlab(int slab, btPliantInternal::SweepAcceleration& directions,
                  btAlignedObjectArray<btSolverBody>& bodies);
    /// Rolling and spinning friction of a contact.
    btPliantInternal::SweepChange sweepTorsions(const btPliantInternal::ContactRow& contact, btScalar share,
                                                btAlignedObjectArray<btSolverBody>& bodies);
    void sweepSpinning(const btPliantInternal::ContactRow& contact, btPliantInternal::TorsionRow& torsion,
                       btAlignedObjectArray<btSolverBody>& bodies);
    /// @param torsion the rows of both tangents
    void sweepRolling(const btPliantInternal::ContactRow& contact, btPliantInternal::TorsionRow* torsion,
                      btAlignedObjectArray<btSolverBody>& bodies);
    /// Calls run(run, its number) for every run, pieces of a stage on several threads, each in its order; begin(slab)
    /// before those within a slab, which come first.
    template <class Begin, class Run>
    void forRuns(const pliant::Workers& workers, const Begin& begin, const Run& run);
    void listPushes();  ///< which contacts sweepPush() is to take
    /// One sweep of the pseudo-velocities that take penetration back; rigid motion only, so that no strain is stored.
    void sweepPush(btAlignedObjectArray<btSolverBody>& bodies, const pliant::Workers& workers);
    void pushContact(btPliantInternal::ContactRow& contact, btAlignedObjectArray<btSolverBody>& bodies);
    void addMomentum(int softIndex) const;                     ///< of all its rows
    bool hasActed(const btPliantInternal::SoftBody& s) const;  ///< any of its contacts
    /// Finds what the sweeps have run away with (SolutionGuard.cpp) and takes it back. @param workOfOthers of Bullet's
    /// own rows, the sum of |P c|
    void dropRunaways(btAlignedObjectArray<btSolverBody>& bodies, double workOfOthers, const pliant::Workers& workers);
    void weigh(const btAlignedObjectArray<btSolverBody>& bodies, const pliant::Workers& workers);
    double workOfRows(const pliant::Workers& workers);
    /// After everything else: those bodies to the start of the step at rest, their impulses forgotten.
    void putBackRunaways(btAlignedObjectArray<btSolverBody>& bodies);
    /// Impulses to the manifold points, modal velocities to the batches, angular momentum to the bodies.
    void finish(const pliant::Workers& workers);
};
