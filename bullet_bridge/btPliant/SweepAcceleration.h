// SPDX-License-Identifier: Zlib
// Internal: conjugate directions between sweeps of projected Gauss-Seidel.
//
// A sweep carries an impulse from a body to its neighbours, so weight needs as many sweeps to reach the ground as bodies
// lie on each other. The change that a sweep makes is (in the metric of the sweep) the steepest descent of the
// energy; as conjugate gradients do, the state goes on along the changes of the sweeps before, by the ratio of the
// squares of the last two: the nonsmooth nonlinear conjugate gradients of Silcowitz, Niebe and Erleben 2010. Where a
// change is larger than the one before it, the direction is forgotten. Velocities are linear in the impulses, so both
// are moved together; cones and limits are up to the next sweep, and the last word is always a sweep's.
#pragma once

#include <BulletDynamics/ConstraintSolver/btSolverBody.h>
#include <BulletDynamics/ConstraintSolver/btSolverConstraint.h>
#include <LinearMath/btAlignedObjectArray.h>

#include <vector>

#include "btPliant/ContactRows.h"

namespace btPliantInternal {

class SweepAcceleration {
public:
    /// Everything that a sweep changes: our rows and Bullet's own, and the velocities of both.
    struct State {
        btPliantConstraintSolver::Rows& rows;
        btAlignedObjectArray<btSolverBody>& bodies;
        btConstraintArray* stock[4];  ///< joints, contacts, friction, rolling friction
    };

    /// Before the sweeps of a group.
    void restart() { m_sweeps = 0; }
    /// Before each sweep.
    void beforeSweep(const State& state);
    /// After each sweep but the last.
    void afterSweep(const State& state);

private:
    std::vector<btScalar> m_before, m_direction;
    double m_lastSquare = 0;  ///< of the change that the last sweep made
    int m_sweeps = 0;
};

}  // namespace btPliantInternal
