// SPDX-License-Identifier: Zlib
// Iterations of a group, and what is written back beside the impulses of its rows.
#include <cmath>

#include "btPliant/data/Convert.h"
#include "btPliant/joints/JointWriteBack.h"
#include "btPliant/solver/RagdollRows.h"
#include "btPliant/solver/SolutionGuard.h"
#include "btPliant/step/SolverStages.h"

namespace btPliantInternal {

namespace {

/// At the end of each solve. Impulses that were extrapolated along a direction may do work that no contact does until
/// plain iterations have taken it back: with a single one, an impact at 20 m/s gained a hundredth of its energy.
constexpr int kPlainIterations = 3;
/// Solves of fewer iterations stay plain: directions leave them no time to take that work back, and impacts gain
/// energy.
constexpr int kFewestIterations = 12;

// Angular momentum from outside torques and from Bullet's own rows (joints), which know the rest inertia.
void addOtherMomentum(btPliantBody& body, const BulletSolver& solver, const btContactSolverInfo& info) {
    BodyData& data = dataOf(body);
    if (!data.frameIsFree) return;
    data.angularMomentum += static_cast<double>(info.m_timeStep) * toEigen(body.getTotalTorque());
    const int id = body.getCompanionId();
    const bool hadBulletRows = data.hasBulletRows;
    data.hasBulletRows = false;
    if (!hadBulletRows || id < 0) return;
    const pliant::Matrix3 A = toEigen(body.getWorldTransform().getBasis());
    pliant::Vector3 turn = toEigen(solver.bodies[id].getDeltaAngularVelocity());
    if (data.reducedIndex >= 0) turn -= data.solvedAngularVelocity;  // by our own rows
    const pliant::Vector3 rest = data.handInertia > 0.0 ? pliant::Vector3(pliant::Vector3::Constant(data.handInertia))
                                                        : data.model().inertia.principalInertia;
    data.angularMomentum += A * rest.cwiseProduct(A.transpose() * turn);
}

}  // namespace

bool extrapolates(const SolverGroup& group) {
    return group.joints.joints.empty() && group.touches.count == 0 && group.contacts.contacts.size() > 0 &&
           !hasRagdoll(group.contacts.reducedBodies);
}

ConjugateDirections::State iteratedState(SolverGroup& group, const BulletSolver& solver) {
    return {group.contacts.modalVelocities,
            solver.bodies,
            {solver.rows[0], solver.rows[1], solver.rows[2], solver.rows[3]}};
}

bool isAmongTheLast(int iteration, btScalar largestChange, const BulletSolver& solver,
                    const btContactSolverInfo& info) {
    const int most = btMax(solver.mostIterations, info.m_numIterations);
    return most < kFewestIterations || iteration + kPlainIterations >= most ||
           largestChange <= info.m_leastSquaresResidualThreshold;
}

double workOfBulletRows(const BulletSolver& solver) {
    double sum = 0;
    for (const btConstraintArray* pool : solver.rows)
        for (int i = 0; i < pool->size(); ++i) {
            const btSolverConstraint& row = (*pool)[i];
            const double product = static_cast<double>(row.m_appliedImpulse) * static_cast<double>(row.m_rhs);
            if (row.m_jacDiagABInv > 0 && std::isfinite(product))
                sum += std::abs(product) / static_cast<double>(row.m_jacDiagABInv);
        }
    return sum;
}

void addOtherMomenta(const BulletSolver& solver, const Island& island, const btContactSolverInfo& info) {
    for (int i = 0; i < island.bodyCount; ++i)
        if (btPliantBody* body = btPliantBody::upcast(island.bodies[i])) addOtherMomentum(*body, solver, info);
}

void forgetDivergedImpulses(SolverGroup& group) {
    if (!group.contacts.divergence.any) return;
    forgetImpulses(group.joints,
                   [&group](int reduced, int body) { return hasDiverged(group.contacts, reduced, body); });
}

}  // namespace btPliantInternal
