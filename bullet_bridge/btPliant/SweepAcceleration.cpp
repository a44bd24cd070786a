// SPDX-License-Identifier: Zlib
#include "btPliant/SweepAcceleration.h"

namespace btPliantInternal {

namespace {

/// Calls number(value, weight) for all numbers of the state; the weight of an impulse is its row's J W J' (1/kg), that
/// of a velocity, which follows from the impulses, is zero.
template <class Number>
void forNumbers(const SweepAcceleration::State& state, const Number& number) {
    const auto row = [&number](Row& r) { number(r.impulse, r.inverse > 0 ? 1 / r.inverse : btScalar(0)); };
    for (int c = 0; c < state.rows.contacts.size(); ++c)
        for (Row& r : state.rows.contacts[c].rows) row(r);
    for (int t = 0; t < state.rows.torsions.size(); ++t) row(state.rows.torsions[t].row);
    for (btConstraintArray* pool : state.stock)
        for (int i = 0; i < pool->size(); ++i) {
            btSolverConstraint& c = (*pool)[i];
            btScalar impulse = c.m_appliedImpulse;
            number(impulse, c.m_jacDiagABInv > 0 ? 1 / c.m_jacDiagABInv : btScalar(0));
            c.m_appliedImpulse = impulse;
        }
    for (btScalar& v : state.rows.velocity) number(v, btScalar(0));
    for (int i = 0; i < state.bodies.size(); ++i) {
        btSolverBody& body = state.bodies[i];
        if (!body.m_originalBody) continue;
        for (int k = 0; k < 3; ++k) {
            number(body.internalGetDeltaLinearVelocity()[k], btScalar(0));
            number(body.internalGetDeltaAngularVelocity()[k], btScalar(0));
        }
    }
}

}  // namespace

void SweepAcceleration::beforeSweep(const State& state) {
    m_before.clear();
    forNumbers(state, [this](const btScalar& value, btScalar) { m_before.push_back(value); });
}

void SweepAcceleration::afterSweep(const State& state) {
    std::size_t i = 0;
    double square = 0;
    forNumbers(state, [&](const btScalar& value, btScalar weight) {
        const btScalar change = value - m_before[i++];
        square += static_cast<double>(weight) * static_cast<double>(change) * static_cast<double>(change);
    });
    const bool first = m_sweeps++ == 0;
    const double ratio = first || !(m_lastSquare > 0) ? 2.0 : square / m_lastSquare;
    m_lastSquare = square;
    if (first || m_direction.size() != m_before.size() || !(ratio <= 1.0)) m_direction.assign(m_before.size(), 0);
    const btScalar share = ratio <= 1.0 ? static_cast<btScalar>(ratio) : btScalar(0);
    i = 0;
    forNumbers(state, [&](btScalar& value, btScalar) {
        const btScalar change = value - m_before[i];
        const btScalar step = share * m_direction[i];
        m_direction[i++] = step + change;
        value += step;
    });
}

}  // namespace btPliantInternal
