// SPDX-License-Identifier: Zlib
#include "btPliant/SweepAcceleration.h"

namespace btPliantInternal {

namespace {

/// Calls number(value) for all numbers of the state.
template <class Number>
void forNumbers(const SweepAcceleration::State& state, const Number& number) {
    for (btConstraintArray* pool : state.stock)
        for (int i = 0; i < pool->size(); ++i) {
            btScalar impulse = (*pool)[i].m_appliedImpulse;
            number(impulse);
            (*pool)[i].m_appliedImpulse = impulse;
        }
    for (btScalar& v : state.modal) number(v);
    for (int i = 0; i < state.bodies.size(); ++i) {
        btSolverBody& body = state.bodies[i];
        if (!body.m_originalBody) continue;
        for (int k = 0; k < 3; ++k) {
            number(body.internalGetDeltaLinearVelocity()[k]);
            number(body.internalGetDeltaAngularVelocity()[k]);
        }
    }
}

}  // namespace

void SweepAcceleration::restart() {
    m_share = 0;
    m_lastSquare = -1;
    m_direction.clear();
}

void SweepAcceleration::beforeSweep(const State& state) {
    m_before.clear();
    forNumbers(state, [this](btScalar value) { m_before.push_back(value); });
    m_direction.resize(m_before.size(), btScalar(0));
}

void SweepAcceleration::afterSweep(const State& state, double square) {
    m_share = m_lastSquare > 0 && square <= m_lastSquare ? static_cast<btScalar>(square / m_lastSquare) : btScalar(0);
    m_lastSquare = square;
    std::size_t i = 0;
    forNumbers(state, [&](btScalar& value) {
        const btScalar step = m_share * m_direction[i];
        m_direction[i] = step + (value - m_before[i]);
        value += step;
        ++i;
    });
}

}  // namespace btPliantInternal
