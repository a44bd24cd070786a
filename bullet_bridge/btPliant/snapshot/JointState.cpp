// SPDX-License-Identifier: Zlib
// What joints carry from substep to substep: the impulses that the next one starts from, and whether they hold.
#include <BulletDynamics/ConstraintSolver/btTypedConstraint.h>

#include "btPliant/data/JointData.h"
#include "btPliant/data/SystemData.h"
#include "btPliant/snapshot/StateNumbers.h"
#include "btPliant/snapshot/WorldState.h"

namespace btPliantInternal {

using pliant::StateReader;
using pliant::StateStatus;
using pliant::StateWriter;

namespace {

constexpr std::size_t kMostOwnNumbers = 16 * 1024;  ///< of one joint; 9 for each of btPliantHeldPoints::kMostPoints
constexpr std::size_t kMostSavedRows = 4 * 1024;    ///< of one joint; Bullet's kinds have 24 at most, points 3 each

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
    const JointData& data = dataOf(*joint);
    s.linear = data.linearImpulse;
    s.angular = data.angularImpulse;
    s.lastSize = data.lastSize;
    s.sizeBefore = data.sizeBefore;
    for (int i = 0; i < data.solvedRows.size(); ++i) {
        const SolvedJointRow& row = data.solvedRows[i];
        s.rows.push_back({row.direction, row.impulse, row.isLinear, row.isHard});
    }
    joint->getNumbers(s.own);
    return s;
}

void JointState::apply(btTypedConstraint& constraint) const {
    constraint.setEnabled(enabled);
    constraint.internalSetAppliedImpulse(appliedImpulse);
    btPliantJoint* joint = btPliantJoint::upcast(&constraint);
    if (!joint) return;
    JointData& data = dataOf(*joint);
    data.linearImpulse = linear;
    data.angularImpulse = angular;
    data.lastSize = lastSize;
    data.sizeBefore = sizeBefore;
    data.warmStartFactor = 0;
    data.isSolved = false;
    data.solvedRows.resize(0);
    joint->setNumbers(own);
    for (const Row& row : rows) data.solvedRows.push_back({row.direction, row.impulse, row.isLinear, row.isHard});
}

void putJoints(const btDiscreteDynamicsWorld& world, StateWriter& out) {
    const PutNumbers put{out};
    out.put(static_cast<std::uint64_t>(world.getNumConstraints()));
    for (int i = 0; i < world.getNumConstraints(); ++i) {
        const JointState s = JointState::of(*world.getConstraint(i));
        visitJoint(s, put);
        out.put(static_cast<std::uint64_t>(s.rows.size()));
        for (const JointState::Row& row : s.rows) visitRow(row, put);
        out.put(static_cast<std::uint64_t>(s.own.size()));
        out.put(s.own.data(), s.own.size());
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
        s.own.resize(in.getCount(kMostOwnNumbers));
        in.get(s.own.data(), s.own.size());
        if (s.own.size() != present.own.size()) in.fail(StateStatus::OtherWorld);
        const btPliantJoint* joint = btPliantJoint::upcast(const_cast<btTypedConstraint*>(world.getConstraint(i)));
        if (in.ok() && joint && !joint->acceptsNumbers(s.own)) in.fail(StateStatus::BadNumber);
        states.push_back(s);
    }
    return in.ok();
}

}  // namespace btPliantInternal
