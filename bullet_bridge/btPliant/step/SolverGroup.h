// SPDX-License-Identifier: Zlib
// Internal: the constraints of one group (an island, or several small ones) that Bullet's solver is solving, and what
// the stages see of that solver.
#pragma once

#include <BulletDynamics/ConstraintSolver/btSolverConstraint.h>

#include <vector>

#include "btPliant/btPliantConstraintSolver.h"
#include "btPliant/joints/JointConstraints.h"
#include "btPliant/solver/ConjugateDirections.h"
#include "btPliant/solver/ContactConstraints.h"
#include "btPliant/touch/TouchConstraint.h"
#include "pliant/collision/body/FunctionRef.h"

struct btPliantConstraintSolver::SolverGroup {
    btPliantInternal::ContactConstraints contacts;
    btPliantInternal::JointConstraints joints;
    btPliantInternal::TouchConstraints touches;
    btPliantInternal::ConjugateDirections directions;

    std::vector<btTypedConstraint*> bulletJoints, reducedJoints;  ///< Joints without and with a reduced body.
    std::vector<btTypedConstraint*> plainJoints;  ///< Our joints that Bullet's rows hold, up to its finish.
    std::vector<btPersistentManifold*> bulletManifolds, reducedManifolds;  ///< Manifolds without, with a reduced body.
    std::vector<btPliantBody*> lateBodies;                                 ///< Bodies woken by their island.
    double shareForDepth = 0;  ///< Of the most iterations, by how deep its solids are (step/SolverSetUp.cpp).
};

namespace btPliantInternal {

/// Forgets the group but for what Bullet has still to finish; keeps the memory.
inline void clear(SolverGroup& group) {
    clear(group.contacts);
    clear(group.joints);
    clear(group.touches);
    group.directions.reset();
    group.bulletJoints.clear();
    group.reducedJoints.clear();
    group.bulletManifolds.clear();
    group.reducedManifolds.clear();
}

/// What Bullet hands over to have solved together.
struct Island {
    btCollisionObject** bodies = nullptr;
    int bodyCount = 0;
    btPersistentManifold** manifolds = nullptr;
    int manifoldCount = 0;
    btTypedConstraint** joints = nullptr;
    int jointCount = 0;
};

/// The parts of Bullet's solver that the stages read and write.
struct BulletSolver {
    SolverBodies& bodies;
    btConstraintArray* rows[4];  ///< Bullet's own rows: joints, contacts, friction, rolling friction.
    int& mostIterations;         ///< Most iterations asked for by any joint or group.
    /// Number of the solver body of an object, made where there is none.
    pliant::FunctionRef<int(btCollisionObject&)> solverBodyOf;
};

}  // namespace btPliantInternal
