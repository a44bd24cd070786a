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
//
// Every number goes on by itself. So the sweep's own threads take the bodies on when they come to them, as our contact
// rows go on (share()): one thread that took all on would fetch half of them out of the other's cache and send them
// back, in every sweep. Only where Bullet's own rows are swept before ours, the state goes on before those.
#pragma once

#include <BulletDynamics/ConstraintSolver/btSolverBody.h>
#include <BulletDynamics/ConstraintSolver/btSolverConstraint.h>
#include <LinearMath/btAlignedObjectArray.h>

#include <vector>

#include "pliant/math/CacheAligned.h"

namespace btPliantInternal {

class SweepAcceleration {
public:
    /// What a sweep changes besides our contact rows.
    struct State {
        pliant::CacheAlignedVector<btScalar>& modal;  ///< velocities of the deformation
        btAlignedObjectArray<btSolverBody>& bodies;
        btConstraintArray* stock[4];  ///< Bullet's own rows: joints, contacts, friction, rolling friction

        bool hasStock() const;
    };

    /// Before the first sweep of a group.
    void restart();
    /// Before each sweep, and before Bullet's rows are swept: from here on bodies are to be taken.
    void beforeSweep(const State& state);
    /// Of a body's deformation, numbers `begin` and on in State::modal, and of its frame: before a sweep changes them,
    /// and once in a sweep. Different bodies may be taken by different threads; what no sweep changes need not be.
    void takeModes(std::size_t begin, int count, btScalar* modal);
    void takeFrame(int index, btSolverBody& body);
    /// After each sweep but the last: the next one is to go on. @param square of the change that it made, SweepChange
    void afterSweep(double square);
    /// After a sweep that the next follows without going on.
    void stay();
    /// Of the direction before the last sweep, that the state has moved on by since.
    btScalar share() const { return m_share; }

private:
    /// What is to be done with each number: nothing, to note it before the first sweep, to move it on.
    enum class Task { None, Note, GoOn };
    static constexpr int kFrame = 6;  ///< numbers of a frame's velocities
    /// Of a sweep, and the direction after it; a cache line in single precision.
    struct alignas(pliant::kCacheLine) Frame {
        btScalar before[kFrame], direction[kFrame];
    };

    void take(int count, btScalar* before, btScalar* direction, btScalar* value) const;
    void takeAll(const State& state);

    Task m_task = Task::None;
    bool m_started = false, m_due = false;
    pliant::CacheAlignedVector<btScalar> m_modalBefore, m_modalDirection;
    pliant::CacheAlignedVector<Frame> m_frames;
    std::vector<btScalar> m_stockBefore, m_stockDirection;
    double m_lastSquare = -1;  ///< negative: no sweep yet
    btScalar m_share = 0;
};

}  // namespace btPliantInternal
