// SPDX-License-Identifier: Zlib
#include "btPliant/SweepAcceleration.h"

#include <cstddef>

namespace btPliantInternal {

namespace {

/// Calls number(value) for all numbers of the state but those of the deformation.
template <class Number>
void forNumbers(const SweepAcceleration::State& state, const Number& number) {
    for (btConstraintArray* pool : state.stock)
        for (int i = 0; i < pool->size(); ++i) {
            btScalar impulse = (*pool)[i].m_appliedImpulse;
            number(impulse);
            (*pool)[i].m_appliedImpulse = impulse;
        }
    for (int i = 0; i < state.bodies.size(); ++i) {
        btSolverBody& body = state.bodies[i];
        if (!body.m_originalBody) continue;
        for (int k = 0; k < 3; ++k) {
            number(body.internalGetDeltaLinearVelocity()[k]);
            number(body.internalGetDeltaAngularVelocity()[k]);
        }
    }
}

/// Moves `count` numbers on along their directions, and those by what the sweep has changed.
void goOn(std::ptrdiff_t count, btScalar share, const btScalar* before, btScalar* direction, btScalar* value) {
    for (std::ptrdiff_t i = 0; i < count; ++i) {
        const btScalar step = share * direction[i];
        direction[i] = step + (value[i] - before[i]);
        value[i] += step;
    }
}

}  // namespace

void SweepAcceleration::restart() {
    m_share = 0;
    m_lastSquare = -1;
    m_direction.clear();
    m_modalDirection.clear();
}

void SweepAcceleration::beforeSweep(const State& state) {
    m_modalBefore = state.modal;
    m_modalDirection.resize(m_modalBefore.size(), btScalar(0));
    m_before.clear();
    forNumbers(state, [this](btScalar value) { m_before.push_back(value); });
    m_direction.resize(m_before.size(), btScalar(0));
}

void SweepAcceleration::afterSweep(const State& state, double square) {
    m_share = m_lastSquare > 0 && square <= m_lastSquare ? static_cast<btScalar>(square / m_lastSquare) : btScalar(0);
    m_lastSquare = square;
    goOn(static_cast<std::ptrdiff_t>(m_modalBefore.size()), m_share, m_modalBefore.data(), m_modalDirection.data(),
         state.modal.data());
    std::size_t i = 0;
    forNumbers(state, [&](btScalar& value) {
        goOn(1, m_share, &m_before[i], &m_direction[i], &value);
        ++i;
    });
}

}  // namespace btPliantInternal
