// SPDX-License-Identifier: Zlib
// Responses are computed body by body: the triangular solves of a body's rows share its factor and fill whole vector
// registers, which they would not contact by contact.
#include "btPliant/solver/ModalResponse.h"

#include <algorithm>

#include "btPliant/data/BodyMomentum.h"
#include "btPliant/data/Convert.h"
#include "btPliant/solver/ContactSetUp.h"
#include "btPliant/solver/EffectiveMass.h"
#include "btPliant/solver/ModalVectorKernels.h"
#include "btPliant/solver/RagdollRows.h"
#include "pliant/collision/body/CollisionModel.h"

namespace btPliantInternal {

using pliant::Matrix3;
using pliant::Vector3;

namespace {

constexpr int kContacts = 16;  ///< taken together: 48 right-hand sides
constexpr int kRows = 3 * kContacts;

/// Working memory of `kContacts` contacts on one body, kept by each thread.
struct ChunkScratch {
    static ChunkScratch& of(int r) {
        thread_local ChunkScratch scratch;
        if (scratch.basis.cols() < r) {
            scratch.basis.resize(3, r);
            scratch.modal.resize(r, kRows);
            scratch.velocity.resize(r, kRows);
        }
        return scratch;
    }

    Eigen::Matrix<double, 3, Eigen::Dynamic> basis;  ///< U_s of one point
    Eigen::MatrixXd modal, velocity;                 ///< J' and W J', r x rows
    Eigen::Matrix<double, 3, kRows> angular, turn;   ///< the same of the frame, in the body's axes
};

/// `count` numbers of one row as the iterations read them: in Bullet's precision, padded with zeros.
void store(const double* from, int count, int stride, btScalar* to) {
    for (int j = 0; j < count; ++j) to[j] = static_cast<btScalar>(from[j]);
    std::fill(to + count, to + stride, btScalar(0));
}

/// Where the Jacobian of one side begins in modalVectors.
std::size_t jacobianOffset(const ContactConstraint& contact, bool first) {
    return first ? contact.jacobianOffsetA : contact.jacobianOffsetB;
}

/// Of a character: the bones' mean turns what q does, and of a ragdoll the limbs carry it.
void prepareSkinnedJacobian(const ContactConstraint& contact, bool first, const ReducedBodies& reducedBodies,
                            const ReducedBody& s, btScalar* modalVectors) {
    const BodyData& data = dataOf(*s.body);
    const int r = data.model().dimension(), size = solvedDimension(data);
    double* modal = ChunkScratch::of(size).modal.data();
    btVector3 at[2];
    if (data.ragdoll()) applicationPoints(contact, reducedBodies, at[0], at[1]);
    for (int k = 0; k < 3; ++k) {
        const btVector3 axis = first ? contact.rows[k].axis : -contact.rows[k].axis;
        pliant::skinnedPointProject(*data.deformed, first ? contact.segmentA : contact.segmentB,
                                    first ? contact.parameterA : contact.parameterB, toEigen(axis), modal);
        if (data.ragdoll())
            projectOnLimbs(data, first ? contact.segmentA : contact.segmentB,
                           first ? contact.parameterA : contact.parameterB, toEigen(at[first ? 0 : 1]), toEigen(axis),
                           modal + r);
        store(modal, size, s.stride, modalVectors + jacobianOffset(contact, first) + k * s.stride);
    }
}

void prepareModalJacobian(const ContactConstraint& contact, bool first, const ReducedBodies& reducedBodies,
                          const ReducedBody& s, btScalar* modalVectors) {
    const BodyData& data = dataOf(*s.body);
    const int r = data.model().dimension();
    if (data.character) {
        prepareSkinnedJacobian(contact, first, reducedBodies, s, modalVectors);
        return;
    }
    const Matrix3 toBody = toEigen(s.body->getWorldTransform().getBasis()).transpose();
    double* basis = ChunkScratch::of(r).basis.data();
    pliant::skeletonPointBasis(*data.group->collision, first ? contact.segmentA : contact.segmentB,
                               first ? contact.parameterA : contact.parameterB, basis);
    for (int k = 0; k < 3; ++k) {
        const btVector3 axis = first ? contact.rows[k].axis : -contact.rows[k].axis;
        const Vector3 d = toBody * toEigen(axis);
        btScalar* J = modalVectors + jacobianOffset(contact, first) + k * s.stride;
        for (int j = 0; j < r; ++j)
            J[j] = static_cast<btScalar>(basis[3 * j] * d[0] + basis[3 * j + 1] * d[1] + basis[3 * j + 2] * d[2]);
        std::fill(J + r, J + s.stride, btScalar(0));
    }
}

void whiten(const ReducedBody& s, const ConstraintSideRow* chunk, int count, ContactConstraints& all) {
    const BodyData& data = dataOf(*s.body);
    const int r = data.model().dimension();
    double* x = ChunkScratch::of(r).modal.data();
    const auto row = [&all, &s](const ConstraintSideRow& of) {
        const ContactConstraint& contact = all.contacts[of.side.contact];
        return all.modalVectors.data() + jacobianOffset(contact, of.side.first) + of.row * s.stride;
    };
    for (int i = 0; i < count; ++i) {
        const btScalar* J = row(chunk[i]);
        for (int j = 0; j < r; ++j) x[i * r + j] = static_cast<double>(J[j]);
    }
    data.batch().whiten(data.slot, count, x, x);
    for (int i = 0; i < count; ++i) store(x + i * r, r, s.stride, row(chunk[i]));
}

void prepareAngularResponses(const ReducedBody& s, ConstraintSide side, ContactConstraints& all) {
    for (ConstraintRow& row : all.contacts[side.contact].rows)
        (side.first ? row.responseA : row.responseB) = s.torqueResponse * (side.first ? row.angularA : row.angularB);
}

/// J <- J U^-1 of the normals of a whitened body's contacts, of all rows where they are to have responses.
void whitenSides(const ReducedBody& s, ContactConstraints& all) {
    ConstraintSideRow chunk[kRows];
    int count = 0;
    for (int i = s.firstSide; i < s.firstSide + s.sideCount; ++i) {
        const ConstraintSide side = all.sides[static_cast<std::size_t>(i)];
        const bool hasResponse = all.contacts[side.contact].hasResponse;
        for (int k = 0; k < (hasResponse ? 3 : 1); ++k) chunk[count++] = ConstraintSideRow{side, k};
        if (hasResponse) prepareAngularResponses(s, side, all);
        if (count <= kRows - 3) continue;
        whiten(s, chunk, count, all);
        count = 0;
    }
    if (count > 0) whiten(s, chunk, count, all);
}

/// Of a ragdoll.
void computeLimbResponses(const ReducedBody& s, const ConstraintSide* chunk, int count, ContactConstraints& all) {
    BodyData& data = dataOf(*s.body);
    const int size = solvedDimension(data);
    double* x = ChunkScratch::of(size).modal.data();
    for (int row = 0; row < 3 * count; ++row) {
        const ContactConstraint& contact = all.contacts[chunk[row / 3].contact];
        const btScalar* J =
            all.modalVectors.data() + jacobianOffset(contact, chunk[row / 3].first) + row % 3 * s.stride;
        for (int j = 0; j < size; ++j) x[row * size + j] = static_cast<double>(J[j]);
    }
    respondWithLimbs(data, 3 * count, x, x);
    for (int row = 0; row < 3 * count; ++row) {
        ContactConstraint& contact = all.contacts[chunk[row / 3].contact];
        const bool isA = chunk[row / 3].first;
        store(x + row * size, size, s.stride,
              all.modalVectors.data() + (isA ? contact.responseOffsetA : contact.responseOffsetB) + row % 3 * s.stride);
        (isA ? contact.rows[row % 3].responseA : contact.rows[row % 3].responseB).setZero();
    }
}

void computeResponses(const ReducedBody& s, const ConstraintSide* chunk, int count, ContactConstraints& all) {
    const BodyData& data = dataOf(*s.body);
    if (data.ragdoll()) {
        computeLimbResponses(s, chunk, count, all);
        return;
    }
    const int r = data.model().dimension();
    const Matrix3 A = toEigen(s.body->getWorldTransform().getBasis());
    const btVector3 factor = s.body->getAngularFactor();
    ChunkScratch& scratch = ChunkScratch::of(r);
    double *x = scratch.modal.data(), *y = scratch.velocity.data();  // r numbers a row
    for (int row = 0; row < 3 * count; ++row) {
        const ContactConstraint& contact = all.contacts[chunk[row / 3].contact];
        const bool isA = chunk[row / 3].first;
        const btScalar* J = all.modalVectors.data() + jacobianOffset(contact, isA) + row % 3 * s.stride;
        for (int j = 0; j < r; ++j) x[row * r + j] = static_cast<double>(J[j]);
        const ConstraintRow& entry = contact.rows[row % 3];
        scratch.angular.col(row) = data.frameIsFree
                                       ? Vector3(A.transpose() * toEigen(isA ? entry.angularA : entry.angularB))
                                       : Vector3::Zero();
    }
    respondTo(data, 3 * count, scratch.angular.data(), x, scratch.turn.data(), y);
    for (int row = 0; row < 3 * count; ++row) {
        ContactConstraint& contact = all.contacts[chunk[row / 3].contact];
        const bool isA = chunk[row / 3].first;
        store(y + row * r, r, s.stride,
              all.modalVectors.data() + (isA ? contact.responseOffsetA : contact.responseOffsetB) + row % 3 * s.stride);
        btVector3& response = isA ? contact.rows[row % 3].responseA : contact.rows[row % 3].responseB;
        response.setZero();
        if (data.frameIsFree) response = toBullet(Vector3(A * scratch.turn.col(row))) * factor;
    }
}

/// Response of a body to torques about the world's axes, before prepareAngularResponses().
void prepareTorqueResponse(ReducedBody& s, ContactConstraints& all) {
    const BodyData& data = dataOf(*s.body);
    if (!data.frameIsFree) {
        s.torqueResponse = btMatrix3x3(0, 0, 0, 0, 0, 0, 0, 0, 0);
        return;
    }
    const int r = data.model().dimension();
    const Matrix3 A = toEigen(s.body->getWorldTransform().getBasis()), torques = A.transpose();
    const btVector3 factor = s.body->getAngularFactor();
    if (s.whitened) {
        const Matrix3 frame = data.handInertia > 0.0 ? Matrix3(Matrix3::Identity() / data.handInertia)
                                                     : Matrix3(data.batch().frameResponse(data.slot));
        const Matrix3 turn = A * frame * torques;
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k) s.torqueResponse[i][k] = static_cast<btScalar>(turn(i, k)) * factor[i];
        return;
    }
    const Eigen::MatrixXd noForces = Eigen::MatrixXd::Zero(r, 3);
    Eigen::MatrixXd bends(r, 3);
    Matrix3 turns;
    respondTo(data, 3, torques.data(), noForces.data(), turns.data(), bends.data());
    for (int k = 0; k < 3; ++k) {
        const btVector3 column = toBullet(Vector3(A * turns.col(k))) * factor;
        for (int i = 0; i < 3; ++i) s.torqueResponse[i][k] = column[i];
        if (s.modalTorqueResponse >= 0)
            store(bends.col(k).data(), r, s.stride, all.modalVectors.data() + s.modalTorqueResponse + k * s.stride);
    }
}

}  // namespace

void prepareModalJacobians(const ContactConstraint& contact, const ReducedBodies& reducedBodies,
                           btScalar* modalVectors) {
    if (const ReducedBody* s = reducedBody(reducedBodies, contact.reducedA))
        prepareModalJacobian(contact, true, reducedBodies, *s, modalVectors);
    if (const ReducedBody* s = reducedBody(reducedBodies, contact.reducedB))
        prepareModalJacobian(contact, false, reducedBodies, *s, modalVectors);
}

void prepareResponses(int index, ContactConstraints& all) {
    ReducedBody& s = all.reducedBodies[static_cast<std::size_t>(index)];
    if (s.hasTorsion || s.whitened) prepareTorqueResponse(s, all);
    if (s.whitened) {
        whitenSides(s, all);
        return;
    }
    ConstraintSide chunk[kContacts];
    int count = 0;
    for (int i = s.firstSide; i < s.firstSide + s.sideCount; ++i) {
        if (!all.contacts[all.sides[static_cast<std::size_t>(i)].contact].hasResponse) continue;
        chunk[count++] = all.sides[static_cast<std::size_t>(i)];
        if (count < kContacts) continue;
        computeResponses(s, chunk, count, all);
        count = 0;
    }
    if (count > 0) computeResponses(s, chunk, count, all);
}

void prepareLateResponse(int c, const SolverBodies& bodies, ContactConstraints& all) {
    ContactConstraint& contact = all.contacts[c];
    contact.hasResponse = true;
    for (const bool first : {true, false}) {
        const int index = first ? contact.reducedA : contact.reducedB;
        if (index < 0) continue;
        const ReducedBody& s = all.reducedBodies[static_cast<std::size_t>(index)];
        const ConstraintSide side{c, first};
        if (!s.whitened) {
            computeResponses(s, &side, 1, all);
            continue;
        }
        const ConstraintSideRow tangents[2] = {{side, 1}, {side, 2}};
        whiten(s, tangents, 2, all);
        prepareAngularResponses(s, side, all);
    }
    prepareEffectiveMasses(bodies, all.reducedBodies, all.modalVectors.data(), contact);
}

}  // namespace btPliantInternal
