// SPDX-License-Identifier: Zlib
#include "btPliant/joints/JointSystem.h"

#include <algorithm>

#include "btPliant/solver/ModalVectorKernels.h"

namespace btPliantInternal {

namespace {

constexpr double kMostWork = 4e6;  ///< products of a factorisation; beyond, joints are iterated one by one

/// A number of what a joint moves on one side, or -1: what is not moved couples nothing. Bodies whose frame Bullet
/// holds may share a solver body.
int movedBody(const JointConstraint& joint, int side, const ReducedBodies& reducedBodies, const SolverBodies& bodies) {
    if (joint.reduced[side] >= 0) return joint.reduced[side];
    const btRigidBody* body = bodies[joint.body[side]].m_originalBody;
    if (!body || body->isStaticOrKinematicObject()) return -1;
    return static_cast<int>(reducedBodies.size()) + joint.body[side];
}

bool mayBeSolved(const JointConstraint& joint) {
    return joint.hardRowCount > 0 && joint.coupling < 0 && dataOf(*joint.joint).points.empty() &&
           joint.largestLinearImpulse >= SIMD_INFINITY && joint.largestAngularImpulse >= SIMD_INFINITY;
}

/// Velocity along row k of a joint for a unit impulse of row l of another one.
double crossCoupling(const JointConstraints& all, const JointConstraint& a, int k, const JointConstraint& b, int l,
                     const ReducedBodies& reducedBodies, const SolverBodies& bodies) {
    const ConstraintRow &x = all.rows[a.first + k].row, &y = all.rows[b.first + l].row;
    btScalar sum = 0;
    for (int s = 0; s < 2; ++s)
        for (int t = 0; t < 2; ++t) {
            const int body = movedBody(a, s, reducedBodies, bodies);
            if (body < 0 || body != movedBody(b, t, reducedBodies, bodies)) continue;
            const btScalar sign = s == t ? btScalar(1) : btScalar(-1);
            sum += sign * (x.axis * bodies[a.body[s]].internalGetInvMass()).dot(y.axis) +
                   (s == 0 ? x.angularA : x.angularB).dot(t == 0 ? y.responseA : y.responseB);
            if (a.reduced[s] < 0) continue;
            const int n = reducedBodies[static_cast<std::size_t>(a.reduced[s])].stride;
            sum += modalDot(jacobian(all, a, s, k, n), response(all, b, t, l, n), n);
        }
    return static_cast<double>(sum);
}

/// Whether it is a geometric row that acts.
bool isInertia(const JointConstraintRow& entry) {
    return entry.isGeometric && entry.springFrameGain > 0;
}

/// 1 / b of a geometric row, and Bullet's softness of others, as a part of the diagonal.
double softness(const JointConstraintRow& entry) {
    return isInertia(entry) ? 1.0 / static_cast<double>(entry.springFrameGain)
                            : static_cast<double>(entry.cfm * (entry.frameInverseMass + entry.modalInverseMass));
}

/// Which joints share bodies with others.
void listJoints(const ReducedBodies& reducedBodies, const SolverBodies& bodies, JointConstraints& all) {
    JointSystem& system = all.system;
    system.holds.assign(all.joints.size(), 0);
    system.jointCounts.assign(reducedBodies.size() + static_cast<std::size_t>(bodies.size()), 0);
    const auto forSides = [&](const auto& what) {
        for (std::size_t j = 0; j < all.joints.size(); ++j)
            for (int side = 0; side < 2 && mayBeSolved(all.joints[j]); ++side) {
                const int body = movedBody(all.joints[j], side, reducedBodies, bodies);
                if (body >= 0) what(j, system.jointCounts[static_cast<std::size_t>(body)]);
            }
    };
    forSides([](std::size_t, int& count) { ++count; });
    forSides([&system](std::size_t j, const int& count) {
        if (count > 1) system.holds[j] = 1;
    });
}

/// Row of the system from which on those of a joint can be coupled with it; notes where it begins itself.
int firstCoupled(const JointConstraint& joint, const ReducedBodies& reducedBodies, const SolverBodies& bodies,
                 JointSystem& system) {
    const int begin = static_cast<int>(system.rows.size());
    int first = begin;
    for (int side = 0; side < 2; ++side) {
        const int body = movedBody(joint, side, reducedBodies, bodies);
        if (body < 0) continue;
        int& known = system.firstRows[static_cast<std::size_t>(body)];
        if (known < 0) known = begin;
        first = std::min(first, known);
    }
    return first;
}

/// The rows with their envelope. @return products that their factorisation takes
double listRows(const ReducedBodies& reducedBodies, const SolverBodies& bodies, JointConstraints& all) {
    JointSystem& system = all.system;
    system.rows.clear();
    system.firstRows.assign(system.jointCounts.size(), -1);
    double work = 0;
    std::size_t offset = 0;
    for (std::size_t j = 0; j < all.joints.size(); ++j) {
        if (!system.holds[j]) continue;
        const JointConstraint& joint = all.joints[j];
        JointSystem::Row row;
        row.joint = static_cast<int>(j);
        row.first = firstCoupled(joint, reducedBodies, bodies, system);
        for (row.row = 0; row.row < joint.count; ++row.row) {
            const JointConstraintRow& entry = all.rows[joint.first + row.row];
            if (!entry.isHard && !isInertia(entry)) continue;
            row.offset = offset;
            const std::size_t width = system.rows.size() - static_cast<std::size_t>(row.first);
            offset += width;
            work += static_cast<double>(width * width) / 2;
            system.rows.push_back(row);
        }
    }
    system.lower.resize(offset);
    system.right.resize(system.rows.size());
    return work;
}

/// Row i of L, and its pivot.
void factorRow(int i, const ReducedBodies& reducedBodies, const SolverBodies& bodies, JointConstraints& all) {
    JointSystem& system = all.system;
    JointSystem::Row& row = system.rows[static_cast<std::size_t>(i)];
    const JointConstraint& joint = all.joints[static_cast<std::size_t>(row.joint)];
    const auto W = [&](const JointSystem::Row& other) {
        return crossCoupling(all, joint, row.row, all.joints[static_cast<std::size_t>(other.joint)], other.row,
                             reducedBodies, bodies);
    };
    double* L = system.lower.data() + row.offset;  // from column row.first on
    for (int j = row.first; j < i; ++j) {          // L_ij D_j = W_ij - sum L_ik D_k L_jk
        const JointSystem::Row& other = system.rows[static_cast<std::size_t>(j)];
        const double* M = system.lower.data() + other.offset;
        double sum = W(other);
        for (int k = std::max(row.first, other.first); k < j; ++k) sum -= L[k - row.first] * M[k - other.first];
        L[j - row.first] = sum;
    }
    const double own = W(row) + softness(all.rows[joint.first + row.row]);
    double pivot = own;
    for (int j = row.first; j < i; ++j) {
        const double product = L[j - row.first];
        L[j - row.first] *= system.rows[static_cast<std::size_t>(j)].inversePivot;
        pivot -= product * L[j - row.first];
    }
    constexpr double least = sizeof(btScalar) == sizeof(double) ? 1e-7 : 1e-5;
    row.inversePivot = pivot > least * own ? 1.0 / pivot : 0.0;
}

/// What the velocity of a row lacks.
double velocityError(const JointSystem::Row& row, const ContactConstraints& contacts, const SolverBodies& bodies,
                     const JointConstraints& all) {
    const JointConstraint& joint = all.joints[static_cast<std::size_t>(row.joint)];
    const JointConstraintRow& entry = all.rows[joint.first + row.row];
    const btScalar wanted = isInertia(entry) ? entry.springImpulse / entry.springFrameGain : entry.targetVelocity;
    return static_cast<double>(wanted - entry.freeFrameVelocity - entry.freeModalVelocity -
                               velocityChange(all, joint, row.row, contacts, bodies).sum()) -
           softness(entry) * static_cast<double>(entry.row.impulse);
}

}  // namespace

void setUpJointSystem(const ReducedBodies& reducedBodies, const SolverBodies& bodies, JointConstraints& all) {
    listJoints(reducedBodies, bodies, all);
    if (listRows(reducedBodies, bodies, all) > kMostWork) {
        all.system.rows.clear();
        all.system.holds.assign(all.joints.size(), 0);
    }
    for (int i = 0; i < static_cast<int>(all.system.rows.size()); ++i) factorRow(i, reducedBodies, bodies, all);
}

void solveJointSystem(const ContactConstraints& contacts, const SolverBodies& bodies, JointConstraints& all) {
    JointSystem& system = all.system;
    const std::size_t n = system.rows.size();
    double* x = system.right.data();
    for (std::size_t i = 0; i < n; ++i) {
        const JointSystem::Row& row = system.rows[i];
        const double* L = system.lower.data() + row.offset;
        x[i] = velocityError(row, contacts, bodies, all);
        for (auto j = static_cast<std::size_t>(row.first); j < i; ++j)
            x[i] -= L[j - static_cast<std::size_t>(row.first)] * x[j];
    }
    for (std::size_t i = 0; i < n; ++i) x[i] *= system.rows[i].inversePivot;
    for (std::size_t i = n; i-- > 0;) {
        const JointSystem::Row& row = system.rows[i];
        const double* L = system.lower.data() + row.offset;
        for (auto j = static_cast<std::size_t>(row.first); j < i; ++j)
            x[j] -= L[j - static_cast<std::size_t>(row.first)] * x[i];
    }
}

}  // namespace btPliantInternal
