// SPDX-License-Identifier: Zlib
/// @file
/// The constraint solver to hand to the constructor of an ordinary btDiscreteDynamicsWorld, and the pool of a
/// btDiscreteDynamicsWorldMt.
#pragma once

#include <BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolver.h>
#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorldMt.h>

#include <array>
#include <memory>
#include <vector>

#include "btPliant/btPliantPrecision.h"
#include "pliant/math/Api.h"

namespace btPliantInternal {
struct Access;
}  // namespace btPliantInternal

class btPliantBody;
class btPliantJoint;
class btPliantSystem;

/// Bullet's sequential-impulse solver, extended by contact constraints that bend reduced bodies.
///
///     btPliantConstraintSolver solver;
///     btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
///     btPliantSystem pliantSystem(&world);
///
/// A contact that touches a reduced body becomes a contact constraint of its own, whose Jacobian and effective mass
/// carry the modes: J = [n, r x n, U_s' n], with the contact normal n, the arm r, and the rows U_s of the basis at the
/// contact [HSO03]. These are iterated together with Bullet's own rows of joints and rigid contacts. So are Pliant's
/// joints (btPliantJoints.h); Bullet's own joints on a reduced body hold its frame and see its rest inertia. Without a
/// btPliantSystem this is exactly Bullet's solver.
class PLIANT_API btPliantConstraintSolver : public btSequentialImpulseConstraintSolver {
public:
    /// A solver without a system: it does what Bullet's does until a btPliantSystem is made for its world.
    btPliantConstraintSolver();
    /// The solver outlives the system and the world that use it.
    ~btPliantConstraintSolver() override;
    btPliantConstraintSolver(const btPliantConstraintSolver&) = delete;
    btPliantConstraintSolver& operator=(const btPliantConstraintSolver&) = delete;

    /// Bullet's callback before the islands of a substep are solved.
    void prepareSolve(int numBodies, int numManifolds) override;
    /// Bullet's callback after all islands of a substep are solved; bodies without an island are solved here.
    void allSolved(const btContactSolverInfo& info, btIDebugDraw* debugDrawer) override;
    /// Bullet's callback to forget everything that was kept for the next solve.
    void reset() override;

    /// The system that uses this solver, or null.
    btPliantSystem* getSystem() const;

protected:
    /// Bullet's callback that sets up the constraints of an island.
    btScalar solveGroupCacheFriendlySetup(btCollisionObject** bodies, int numBodies, btPersistentManifold** manifolds,
                                          int numManifolds, btTypedConstraint** constraints, int numConstraints,
                                          const btContactSolverInfo& info, btIDebugDraw* debugDrawer) override;
    /// Bullet's callback that makes rows of an island's joints; takes those that touch a reduced body.
    void convertJoints(btTypedConstraint** constraints, int numConstraints, const btContactSolverInfo& info) override;
    /// Bullet's callback that makes rows of an island's contacts; takes those that touch a reduced body.
    void convertContacts(btPersistentManifold** manifolds, int numManifolds, const btContactSolverInfo& info) override;
    /// Bullet's callback for one iteration over all constraints of an island.
    btScalar solveSingleIteration(int iteration, btCollisionObject** bodies, int numBodies,
                                  btPersistentManifold** manifolds, int numManifolds, btTypedConstraint** constraints,
                                  int numConstraints, const btContactSolverInfo& info,
                                  btIDebugDraw* debugDrawer) override;
    /// Bullet's callback for the iterations of the split impulse, which corrects penetration without adding velocity.
    void solveGroupCacheFriendlySplitImpulseIterations(btCollisionObject** bodies, int numBodies,
                                                       btPersistentManifold** manifolds, int numManifolds,
                                                       btTypedConstraint** constraints, int numConstraints,
                                                       const btContactSolverInfo& info,
                                                       btIDebugDraw* debugDrawer) override;
    /// Bullet's callback that writes an island's velocities and impulses back.
    btScalar solveGroupCacheFriendlyFinish(btCollisionObject** bodies, int numBodies,
                                           const btContactSolverInfo& info) override;

private:
    friend class btPliantSystem;
    friend struct btPliantInternal::Access;
    struct PLIANT_HIDDEN SolverGroup;
    template <class Stage>
    void withSolver(btScalar step, const Stage& stage);

    btPliantSystem* m_system = nullptr;
    std::unique_ptr<SolverGroup> m_group;
    std::vector<btTypedConstraint*> m_drivenJoints;
    std::vector<btPersistentManifold*> m_drivenManifolds;
};

/// What a btDiscreteDynamicsWorldMt takes for its pool of solvers: one btPliantConstraintSolver, to which islands go
/// one after the other (its work over many constraints runs on the system's own workers). Hand no second solver for
/// large islands to the world: it would know nothing of q.
class btPliantConstraintSolverPool : public btConstraintSolverPoolMt {
public:
    /// A pool with a new btPliantConstraintSolver, which it owns.
    btPliantConstraintSolverPool() : btPliantConstraintSolverPool(new btPliantConstraintSolver()) {}
    /// Bullet's callback before the islands of a substep are solved.
    void prepareSolve(int numBodies, int numManifolds) override { m_solver->prepareSolve(numBodies, numManifolds); }
    /// Bullet's callback after all islands of a substep are solved.
    void allSolved(const btContactSolverInfo& info, btIDebugDraw* debugDrawer) override {
        m_solver->allSolved(info, debugDrawer);
    }
    /// The one solver of the pool.
    btPliantConstraintSolver& getSolver() { return *m_solver; }

private:
    /// Bullet's pool owns the solver.
    explicit btPliantConstraintSolverPool(btPliantConstraintSolver* solver)
        : btConstraintSolverPoolMt(asArray(solver).data(), 1), m_solver(solver) {}
    static std::array<btConstraintSolver*, 1> asArray(btPliantConstraintSolver* solver) { return {solver}; }
    btPliantConstraintSolver* m_solver;
};
