// SPDX-License-Identifier: Zlib
#include "btPliant/solver/ConjugateDirections.h"

#include <algorithm>
#include <cstddef>

namespace btPliantInternal {

bool ConjugateDirections::State::hasBulletRows() const {
    return std::any_of(bulletRows, bulletRows + 4, [](const btConstraintArray* pool) { return pool->size() > 0; });
}

void ConjugateDirections::reset() {
    m_beta = 0;
    m_lastSquaredNorm = -1;
    m_isStarted = m_isDue = false;
    m_task = Task::None;
}

void ConjugateDirections::beforeIteration(const State& state) {
    m_task = !m_isStarted ? Task::Record : m_isDue ? Task::Extrapolate : Task::None;
    if (!m_isStarted) {
        m_modalBefore.resize(state.modalVelocities.size());
        m_modalDirection.resize(state.modalVelocities.size());
        m_frames.resize(static_cast<std::size_t>(state.bodies.size()));
    }
    m_isStarted = true;
    m_isDue = false;
    if (!state.hasBulletRows()) return;
    extrapolateAll(state);
    m_task = Task::None;
}

void ConjugateDirections::extrapolate(int count, btScalar* before, btScalar* direction, btScalar* value) const {
    for (int i = 0; i < count; ++i) {
        const btScalar step = m_task == Task::Record ? btScalar(0) : m_beta * direction[i];
        direction[i] = m_task == Task::Record ? btScalar(0) : step + (value[i] - before[i]);
        before[i] = value[i] += step;
    }
}

void ConjugateDirections::extrapolateModes(std::size_t begin, int count, btScalar* modalVelocities) {
    if (m_task != Task::None)
        extrapolate(count, &m_modalBefore[begin], &m_modalDirection[begin], modalVelocities + begin);
}

void ConjugateDirections::extrapolateFrame(int index, btSolverBody& body) {
    if (m_task == Task::None || !body.m_originalBody) return;
    Frame& frame = m_frames[static_cast<std::size_t>(index)];
    for (int k = 0; k < 3; ++k) {
        extrapolate(1, &frame.before[k], &frame.direction[k], &body.internalGetDeltaLinearVelocity()[k]);
        extrapolate(1, &frame.before[k + 3], &frame.direction[k + 3], &body.internalGetDeltaAngularVelocity()[k]);
    }
}

void ConjugateDirections::extrapolateAll(const State& state) {
    extrapolateModes(0, static_cast<int>(state.modalVelocities.size()), state.modalVelocities.data());
    for (int i = 0; i < state.bodies.size(); ++i) extrapolateFrame(i, state.bodies[i]);
    std::size_t count = 0;
    for (const btConstraintArray* pool : state.bulletRows) count += static_cast<std::size_t>(pool->size());
    m_bulletBefore.resize(count);
    m_bulletDirection.resize(count);
    std::size_t next = 0;
    for (btConstraintArray* pool : state.bulletRows)
        for (int i = 0; i < pool->size(); ++i, ++next) {
            btScalar impulse = (*pool)[i].m_appliedImpulse;
            extrapolate(1, &m_bulletBefore[next], &m_bulletDirection[next], &impulse);
            (*pool)[i].m_appliedImpulse = impulse;
        }
}

void ConjugateDirections::afterIteration(double squaredNorm) {
    m_beta = m_lastSquaredNorm > 0 && squaredNorm <= m_lastSquaredNorm
                 ? static_cast<btScalar>(squaredNorm / m_lastSquaredNorm)
                 : btScalar(0);
    m_lastSquaredNorm = squaredNorm;
    m_isDue = true;
}

void ConjugateDirections::pause() {
    m_beta = 0;
    m_isDue = false;
}

}  // namespace btPliantInternal
