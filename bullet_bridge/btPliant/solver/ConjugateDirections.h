// SPDX-License-Identifier: Zlib
// Internal: conjugate directions between iterations of projected Gauss-Seidel.
//
// An iteration carries an impulse from a body to its neighbours, so weight needs as many iterations to reach the ground
// as bodies lie on each other. The change that an iteration makes is (in the metric of the iteration) the steepest
// descent of the energy; as conjugate gradients do, the state is extrapolated along the changes of the iterations
// before, by the ratio beta of the squares of the last two: the nonsmooth nonlinear conjugate gradients of
// [SNE10]. Where a change is larger than the one before it, the direction is dropped. Velocities are
// linear in the impulses, so both are extrapolated together; cones and limits are up to the next iteration, and the
// last iterations are always plain ones.
//
// Every number is extrapolated by itself. So the iteration's own threads extrapolate the bodies when they come to them,
// as the contact constraints do their impulses (beta()): one thread that did it for all would fetch half of them out of
// the other's cache and send them back, in every iteration. Only where Bullet's own rows are solved before ours, the
// state is extrapolated before those.
#pragma once

#include <BulletDynamics/ConstraintSolver/btSolverBody.h>
#include <BulletDynamics/ConstraintSolver/btSolverConstraint.h>
#include <LinearMath/btAlignedObjectArray.h>

#include <vector>

#include "pliant/math/CacheAligned.h"

namespace btPliantInternal {

class ConjugateDirections {
public:
    /// What an iteration changes besides the impulses of contact constraints.
    struct State {
        pliant::CacheAlignedVector<btScalar>& modalVelocities;  ///< Velocities of the deformation.
        btAlignedObjectArray<btSolverBody>& bodies;
        btConstraintArray* bulletRows[4];  ///< Bullet's own rows: joints, contacts, friction, rolling friction.

        bool hasBulletRows() const;
    };

    /// Before the first iteration of a group.
    void reset();
    /// Before each iteration, and before Bullet's rows are solved: from here on bodies are to be extrapolated.
    void beforeIteration(const State& state);
    /// Extrapolates a body's deformation, numbers `begin` and on in State::modalVelocities, and its frame: before an
    /// iteration changes them, and once in an iteration. Different bodies may be extrapolated by different threads;
    /// what no iteration changes need not be.
    void extrapolateModes(std::size_t begin, int count, btScalar* modalVelocities);
    void extrapolateFrame(int index, btSolverBody& body);
    /// After each iteration but the last: the next one is to be extrapolated. @param squaredNorm of the change that it
    /// made, IterationChange
    void afterIteration(double squaredNorm);
    /// After an iteration that the next one follows without extrapolation.
    void pause();
    /// Share of the direction before the last iteration by which the state has been extrapolated since.
    btScalar beta() const { return m_beta; }

private:
    /// What is to be done with each number: nothing, to record it before the first iteration, to extrapolate it.
    enum class Task { None, Record, Extrapolate };
    static constexpr int kFrameVelocities = 6;  ///< Numbers of a frame's velocities.
    /// Velocities of a frame before an iteration, and the direction after it; a cache line in single precision.
    struct alignas(pliant::kCacheLine) Frame {
        btScalar before[kFrameVelocities], direction[kFrameVelocities];
    };

    void extrapolate(int count, btScalar* before, btScalar* direction, btScalar* value) const;
    void extrapolateAll(const State& state);

    Task m_task = Task::None;
    bool m_isStarted = false, m_isDue = false;
    pliant::CacheAlignedVector<btScalar> m_modalBefore, m_modalDirection;
    pliant::CacheAlignedVector<Frame> m_frames;
    std::vector<btScalar> m_bulletBefore, m_bulletDirection;
    double m_lastSquaredNorm = -1;  ///< Square of the last change; negative: no iteration yet.
    btScalar m_beta = 0;
};

}  // namespace btPliantInternal
