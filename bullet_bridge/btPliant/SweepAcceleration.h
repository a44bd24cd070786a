// SPDX-License-Identifier: Zlib
// Internal: conjugate directions between sweeps of projected Gauss-Seidel.
//
// A sweep carries an impulse from a body to its neighbours, so weight needs as many sweeps to reach the ground as
// bodies lie on each other. The change that a sweep makes is (in the metric of the sweep) the steepest descent of the
// energy; as conjugate gradients do, the state goes on along the changes of the sweeps before, by the ratio of the
// squares of the last two: the nonsmooth nonlinear conjugate gradients of Silcowitz, Niebe and Erleben 2010. Where a
// change is larger than the one before it, the direction is forgotten. Velocities are linear in the impulses, so both
// are moved together; cones and limits are up to the next sweep, and the last word is always
// that of a few plain ones.
#pragma once

#include <BulletDynamics/ConstraintSolver/btSolverBody.h>
#include <BulletDynamics/ConstraintSolver/btSolverConstraint.h>
#include <LinearMath/btAlignedObjectArray.h>

#include <vector>

#include "btPliant/ContactRows.h"

namespace btPliantInternal {

class SweepAcceleration {
public:
    /// What a sweep changes besides our contact rows, which go on by themselves when the sweep comes to them (share()).
    struct State {
        std::vector<btScalar>& modal;  ///< velocities of the deformation
        btAlignedObjectArray<btSolverBody>& bodies;
        btConstraintArray* stock[4];  ///< Bullet's own rows: joints, contacts, friction, rolling friction
    };

    /// Before the first sweep of a group.
    void restart();
    /// Before each sweep.
    void beforeSweep(const State& state);
    /// After each sweep but the last: moves the state on. @param square of the change that it made, SweepChange
    void afterSweep(const State& state, double square);
    /// After a sweep that the next follows without going on.
    void stay() { m_share = 0; }
    /// Of the direction before the last sweep, that the state has moved on by since.
    btScalar share() const { return m_share; }

private:
    /// Of a sweep, and the direction after it: of the deformation, which is most, and of the rest.
    std::vector<btScalar> m_modalBefore, m_modalDirection, m_before, m_direction;
    double m_lastSquare = -1;  ///< negative: no sweep yet
    btScalar m_share = 0;
};

}  // namespace btPliantInternal
