// SPDX-License-Identifier: Zlib
#include "btPliant/solver/ConjugateDirections.h"

#include <algorithm>
#include <cstddef>

namespace btPliantInternal {

bool SweepAcceleration::State::hasStock() const {
    return std::any_of(stock, stock + 4, [](const btConstraintArray* pool) { return pool->size() > 0; });
}

void SweepAcceleration::restart() {
    m_share = 0;
    m_lastSquare = -1;
    m_started = m_due = false;
    m_task = Task::None;
}

void SweepAcceleration::beforeSweep(const State& state) {
    m_task = !m_started ? Task::Note : m_due ? Task::GoOn : Task::None;
    if (!m_started) {
        m_modalBefore.resize(state.modal.size());
        m_modalDirection.resize(state.modal.size());
        m_frames.resize(static_cast<std::size_t>(state.bodies.size()));
    }
    m_started = true;
    m_due = false;
    if (!state.hasStock()) return;
    takeAll(state);
    m_task = Task::None;
}

void SweepAcceleration::take(int count, btScalar* before, btScalar* direction, btScalar* value) const {
    for (int i = 0; i < count; ++i) {
        const btScalar step = m_task == Task::Note ? btScalar(0) : m_share * direction[i];
        direction[i] = m_task == Task::Note ? btScalar(0) : step + (value[i] - before[i]);
        before[i] = value[i] += step;
    }
}

void SweepAcceleration::takeModes(std::size_t begin, int count, btScalar* modal) {
    if (m_task != Task::None) take(count, &m_modalBefore[begin], &m_modalDirection[begin], modal + begin);
}

void SweepAcceleration::takeFrame(int index, btSolverBody& body) {
    if (m_task == Task::None || !body.m_originalBody) return;
    Frame& frame = m_frames[static_cast<std::size_t>(index)];
    for (int k = 0; k < 3; ++k) {
        take(1, &frame.before[k], &frame.direction[k], &body.internalGetDeltaLinearVelocity()[k]);
        take(1, &frame.before[k + 3], &frame.direction[k + 3], &body.internalGetDeltaAngularVelocity()[k]);
    }
}

void SweepAcceleration::takeAll(const State& state) {
    takeModes(0, static_cast<int>(state.modal.size()), state.modal.data());
    for (int i = 0; i < state.bodies.size(); ++i) takeFrame(i, state.bodies[i]);
    std::size_t count = 0;
    for (const btConstraintArray* pool : state.stock) count += static_cast<std::size_t>(pool->size());
    m_stockBefore.resize(count);
    m_stockDirection.resize(count);
    std::size_t next = 0;
    for (btConstraintArray* pool : state.stock)
        for (int i = 0; i < pool->size(); ++i, ++next) {
            btScalar impulse = (*pool)[i].m_appliedImpulse;
            take(1, &m_stockBefore[next], &m_stockDirection[next], &impulse);
            (*pool)[i].m_appliedImpulse = impulse;
        }
}

void SweepAcceleration::afterSweep(double square) {
    m_share = m_lastSquare > 0 && square <= m_lastSquare ? static_cast<btScalar>(square / m_lastSquare) : btScalar(0);
    m_lastSquare = square;
    m_due = true;
}

void SweepAcceleration::stay() {
    m_share = 0;
    m_due = false;
}

}  // namespace btPliantInternal
