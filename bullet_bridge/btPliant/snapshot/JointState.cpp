// SPDX-License-Identifier: Zlib
// What joints carry from substep to substep: the impulses that the next one starts from, and whether they hold.
#include <BulletDynamics/ConstraintSolver/btTypedConstraint.h>

#include "btPliant/btPliantJoint.h"
#include "btPliant/data/SystemData.h"
#include "btPliant/snapshot/StateNumbers.h"
#include "btPliant/snapshot/WorldState.h"

namespace btPliantInternal {

using pliant::StateReader;
using pliant::StateStatus;
using pliant::StateWriter;

namespace {

constexpr std::size_t kMostSavedRows = 64;  ///< of one joint; Bullet's kinds have 24 at most

template <typename State, typename Visit>
void visitJoint(State& s, const Visit& visit) {
    visit(s.kind);
    visit(s.ours);
    visit(s.enabled);
    visit(s.appliedImpulse);
    if (!s.ours) return;
    visit(s.linear);
    visit(s.angular);
    visit(s.lastSize);
    visit(s.sizeBefore);
}

template <typename Row, typename Visit>
void visitRow(Row& row, const Visit& visit) {
    visit(row.direction);
    visit(row.impulse);
    visit(row.isLinear);
    visit(row.isHard);
}

}  // namespace

JointState JointState::of(const btTypedConstraint& constraint) {
    JointState s;
    s.kind = constraint.getConstraintType();
    s.enabled = constraint.isEnabled();
    s.appliedImpulse = const_cast<btTypedConstraint&>(constraint).internalGetAppliedImpulse();
    const btPliantJoint* joint = btPliantJoint::upcast(const_cast<btTypedConstraint*>(&constraint));
    s.ours = joint != nullptr;
    if (!joint) return s;
    s.linear = joint->m_linearImpulse;
    s.angular = joint->m_angularImpulse;
    s.lastSize = joint->m_lastSize;
    s.sizeBefore = joint->m_sizeBefore;
    for (int i = 0; i < joint->m_solvedRows.size(); ++i) {
        const btPliantJoint::SolvedRow& row = joint->m_solvedRows[i];
        s.rows.push_back({row.direction, row.impulse, row.isLinear, row.isHard});
    }
    return s;
}

void JointState::apply(btTypedConstraint& constraint) const {
    constraint.setEnabled(enabled);
    constraint.internalSetAppliedImpulse(appliedImpulse);
    btPliantJoint* joint = btPliantJoint::upcast(&constraint);
    if (!joint) return;
    joint->m_linearImpulse = linear;
    joint->m_angularImpulse = angular;
    joint->m_lastSize = lastSize;
    joint->m_sizeBefore = sizeBefore;
    joint->m_warmStartFactor = 0;
    joint->m_solved = false;
    joint->m_solvedRows.resize(0);
    for (const Row& row : rows) joint->m_solvedRows.push_back({row.direction, row.impulse, row.isLinear, row.isHard});
}

void putJoints(const btDiscreteDynamicsWorld& world, StateWriter& out) {
    const PutNumbers put{out};
    out.put(static_cast<std::uint64_t>(world.getNumConstraints()));
    for (int i = 0; i < world.getNumConstraints(); ++i) {
        const JointState s = JointState::of(*world.getConstraint(i));
        visitJoint(s, put);
        out.put(static_cast<std::uint64_t>(s.rows.size()));
        for (const JointState::Row& row : s.rows) visitRow(row, put);
    }
}

bool getJoints(const btDiscreteDynamicsWorld& world, StateReader& in, std::vector<JointState>& states) {
    const GetNumbers get{in};
    if (in.get<std::uint64_t>() != static_cast<std::uint64_t>(world.getNumConstraints()))
        in.fail(StateStatus::OtherWorld);
    for (int i = 0; i < world.getNumConstraints() && in.ok(); ++i) {
        const JointState present = JointState::of(*world.getConstraint(i));
        JointState s;
        visitJoint(s, get);
        if (s.kind != present.kind || s.ours != present.ours) in.fail(StateStatus::OtherWorld);
        if (s.lastSize < 0 || s.sizeBefore < 0) in.fail(StateStatus::BadNumber);
        s.rows.resize(in.getCount(kMostSavedRows));
        for (JointState::Row& row : s.rows) visitRow(row, get);
        states.push_back(s);
    }
    return in.ok();
}

}  // namespace btPliantInternal
