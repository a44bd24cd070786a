// SPDX-License-Identifier: Zlib
// The constraint solver to hand to the constructor of an ordinary btDiscreteDynamicsWorld.
//
//     btPliantConstraintSolver solver;
//     btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
//     btPliantSystem pliantSystem(&world);
//
// It is Bullet's sequential-impulse solver; contacts that touch a reduced body get constraints of their own whose
// Jacobian and impulse response carry the modal part, J = [n, r x n, U_s' n] [HSO03], and are solved in the same
// iterations as Bullet's own rows of joints and rigid contacts. So do our joints (btPliantJoints.h); Bullet's own
// joints on a reduced body hold its frame and see its rest inertia. Without a btPliantSystem it is exactly Bullet's
// solver.
#pragma once

#include <BulletDynamics/ConstraintSolver/btSequentialImpulseConstraintSolver.h>
#include <BulletDynamics/Dynamics/btDiscreteDynamicsWorldMt.h>

#include <array>
#include <memory>

#include "btPliant/btPliantPrecision.h"

class btPliantBody;
class btPliantJoint;
class btPliantSystem;

class btPliantConstraintSolver : public btSequentialImpulseConstraintSolver {
public:
    btPliantConstraintSolver();
    ~btPliantConstraintSolver() override;
    btPliantConstraintSolver(const btPliantConstraintSolver&) = delete;
    btPliantConstraintSolver& operator=(const btPliantConstraintSolver&) = delete;

    void prepareSolve(int numBodies, int numManifolds) override;
    void allSolved(const btContactSolverInfo& info, btIDebugDraw* debugDrawer) override;
    void reset() override;

    /// The system that uses this solver, or null.
    btPliantSystem* getSystem() const;

    struct ContactConstraints;  ///< internal: of the group that is being solved

protected:
    btScalar solveGroupCacheFriendlySetup(btCollisionObject** bodies, int numBodies, btPersistentManifold** manifolds,
                                          int numManifolds, btTypedConstraint** constraints, int numConstraints,
                                          const btContactSolverInfo& info, btIDebugDraw* debugDrawer) override;
    void convertJoints(btTypedConstraint** constraints, int numConstraints, const btContactSolverInfo& info) override;
    void convertContacts(btPersistentManifold** manifolds, int numManifolds, const btContactSolverInfo& info) override;
    btScalar solveSingleIteration(int iteration, btCollisionObject** bodies, int numBodies,
                                  btPersistentManifold** manifolds, int numManifolds, btTypedConstraint** constraints,
                                  int numConstraints, const btContactSolverInfo& info,
                                  btIDebugDraw* debugDrawer) override;
    void solveGroupCacheFriendlySplitImpulseIterations(btCollisionObject** bodies, int numBodies,
                                                       btPersistentManifold** manifolds, int numManifolds,
                                                       btTypedConstraint** constraints, int numConstraints,
                                                       const btContactSolverInfo& info,
                                                       btIDebugDraw* debugDrawer) override;
    btScalar solveGroupCacheFriendlyFinish(btCollisionObject** bodies, int numBodies,
                                           const btContactSolverInfo& info) override;

private:
    friend class btPliantSystem;
    void addManifold(btPersistentManifold& manifold, btPliantBody* A, btPliantBody* B, const btContactSolverInfo& info);
    void addJoint(btTypedConstraint& constraint, btPliantJoint& joint, const btContactSolverInfo& info);
    void solveDrivenBodies(const btContactSolverInfo& info, btIDebugDraw* debugDrawer);
    void setUpContacts(const btContactSolverInfo& info);
    double workOfBulletRows() const;
    void addOtherMomentum(btPliantBody& body, const btContactSolverInfo& info);

    btPliantSystem* m_system = nullptr;
    std::unique_ptr<ContactConstraints> m_contactConstraints;
};

/// What a btDiscreteDynamicsWorldMt takes for its pool of solvers: one solver of ours, to which islands go one after
/// the other (its work over many rows runs on the system's own workers). Hand no second solver for large islands to the
/// world: it would know nothing of q.
class btPliantConstraintSolverPool : public btConstraintSolverPoolMt {
public:
    btPliantConstraintSolverPool() : btPliantConstraintSolverPool(new btPliantConstraintSolver()) {}
    void prepareSolve(int numBodies, int numManifolds) override { m_solver->prepareSolve(numBodies, numManifolds); }
    void allSolved(const btContactSolverInfo& info, btIDebugDraw* debugDrawer) override {
        m_solver->allSolved(info, debugDrawer);
    }
    btPliantConstraintSolver& getSolver() { return *m_solver; }

private:
    /// Bullet's pool owns the solver.
    explicit btPliantConstraintSolverPool(btPliantConstraintSolver* solver)
        : btConstraintSolverPoolMt(asArray(solver).data(), 1), m_solver(solver) {}
    static std::array<btConstraintSolver*, 1> asArray(btPliantConstraintSolver* solver) { return {solver}; }
    btPliantConstraintSolver* m_solver;
};
