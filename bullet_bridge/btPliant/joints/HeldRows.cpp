// SPDX-License-Identifier: Zlib
#include "btPliant/joints/HeldRows.h"

#include <algorithm>

#include "btPliant/joints/HeldDirections.h"

namespace btPliantInternal {

namespace {

using Direction = HeldDirections::Direction;

/// A row that is a sum of a point's candidates.
JointConstraintRow sumOf(const JointConstraint& joint, const Direction& direction, const JointConstraints& all) {
    const int first = joint.first + 3 * direction.point;
    JointConstraintRow sum = all.rows[first];
    ConstraintRow& row = sum.row;
    row.axis = row.angularA = row.angularB = row.responseA = row.responseB = btVector3(0, 0, 0);
    sum.freeFrameVelocity = sum.freeModalVelocity = sum.startModalVelocity = sum.targetVelocity = 0;
    for (int a = 0; a < 3; ++a) {
        const auto w = static_cast<btScalar>(direction.weights[a]);
        const JointConstraintRow& entry = all.rows[first + a];
        row.axis += w * entry.row.axis;
        row.angularA += w * entry.row.angularA;
        row.angularB += w * entry.row.angularB;
        row.responseA += w * entry.row.responseA;
        row.responseB += w * entry.row.responseB;
        sum.freeFrameVelocity += w * entry.freeFrameVelocity;
        sum.freeModalVelocity += w * entry.freeModalVelocity;
        sum.startModalVelocity += w * entry.startModalVelocity;
        sum.targetVelocity += w * entry.targetVelocity;
    }
    sum.point = direction.point;
    return sum;
}

/// Jacobians and responses of the chosen rows on a side, in place of the candidates'.
void chooseVectors(const std::vector<Direction>& directions, JointConstraint& joint, int side, int stride,
                   JointConstraints& all) {
    const auto n = static_cast<int>(directions.size());
    std::vector<btScalar>& chosen = all.chosenVectors;
    const std::size_t first = chosen.size();
    chosen.resize(first + static_cast<std::size_t>(2 * n * stride), btScalar(0));
    for (int half = 0; half < 2; ++half)
        for (int k = 0; k < n; ++k)
            for (int a = 0; a < 3; ++a) {
                const Direction& direction = directions[static_cast<std::size_t>(k)];
                const auto w = static_cast<btScalar>(direction.weights[a]);
                const int candidate = 3 * direction.point + a;
                const btScalar* from = half == 0 ? jacobian(all, joint, side, candidate, stride)
                                                 : response(all, joint, side, candidate, stride);
                btScalar* to = chosen.data() + first + static_cast<std::size_t>((half * n + k) * stride);
                for (int j = 0; j < stride; ++j) to[j] += w * from[j];
            }
}

}  // namespace

void chooseHeldRows(const ReducedBodies& reducedBodies, const SolverBodies& bodies, JointConstraint& joint, double h,
                    double share, JointConstraints& all) {
    JointData& data = dataOf(*joint.joint);
    HeldDirections choice(reducedBodies, bodies, joint, all);
    choice.take(static_cast<double>(data.pointTolerance));
    const std::vector<Direction>& directions = choice.all();
    const auto held = static_cast<int>(directions.size());
    choice.ask(h, share);
    if (data.warmStartFactor > 0) choice.addRetiring(data);
    for (const auto& point : data.points) point->directions = 0;
    all.chosenRows.resize(0);
    for (const Direction& direction : directions) {
        all.chosenRows.push_back(sumOf(joint, direction, all));
        JointConstraintRow& row = all.chosenRows[all.chosenRows.size() - 1];
        const auto k = static_cast<std::size_t>(all.chosenRows.size() - 1);
        row.isHard = all.chosenRows.size() <= held;
        if (row.isHard) row.targetVelocity -= static_cast<btScalar>(choice.cut(k));
        if (row.isHard && choice.isMet(k)) ++data.points[static_cast<std::size_t>(direction.point)]->directions;
    }
    all.chosenVectors.clear();
    std::size_t offset[2] = {0, 0}, base = all.modalVectors.size();
    for (int side = 0; side < 2; ++side) {
        offset[side] = all.chosenVectors.size();
        if (const ReducedBody* reduced = reducedBody(reducedBodies, joint.reduced[side])) {
            base = std::min(base, joint.modalOffset[side]);
            chooseVectors(directions, joint, side, reduced->stride, all);
        }
    }
    const auto n = static_cast<int>(directions.size());
    all.modalVectors.resize(base);
    all.modalVectors.insert(all.modalVectors.end(), all.chosenVectors.begin(), all.chosenVectors.end());
    all.rows.resize(joint.first);
    for (int k = 0; k < n; ++k) all.rows.push_back(all.chosenRows[k]);
    joint.modalOffset[0] = base + offset[0];
    joint.modalOffset[1] = base + offset[1];
    joint.count = n;
    joint.hardRowCount = held;
    all.hardRows.resize(joint.hardRowOffset);
    for (int k = 0; k < held; ++k) all.hardRows.push_back(k);
    all.pseudoInverses.resize(joint.pseudoInverseOffset + static_cast<std::size_t>(held * held));
    choice.invert(all.pseudoInverses.data() + joint.pseudoInverseOffset);
}

void startFromLastPoints(const JointConstraint& joint, JointConstraints& all) {
    const JointData& last = dataOf(*joint.joint);
    for (int k = 0; k < joint.count; ++k) {
        JointConstraintRow& entry = all.rows[joint.first + k];
        const btVector3& impulse = last.points[static_cast<std::size_t>(entry.point)]->impulse;
        entry.row.impulse = last.warmStartFactor * entry.row.axis.dot(impulse);
        if (!entry.isHard) entry.lower = entry.upper = entry.row.impulse;  // it retires
    }
}

}  // namespace btPliantInternal
