// SPDX-License-Identifier: Zlib
// Modal Jacobians of contact constraints, and the responses of reduced bodies to unit impulses along them. The latter
// body by body: the triangular solves of a body's rows share its factor and fill whole vector registers, which they
// would not contact by contact.
#include <algorithm>

#include "btPliant/data/Convert.h"
#include "btPliant/solver/ContactConstraints.h"
#include "btPliant/solver/ModalVectorKernels.h"
#include "pliant/collision/body/CollisionModel.h"
#include "pliant/math/Prefetch.h"

using btPliantInternal::ConstraintRow;
using btPliantInternal::ConstraintSide;
using btPliantInternal::ConstraintSideRow;
using btPliantInternal::ContactConstraint;
using btPliantInternal::ContactDescriptor;
using btPliantInternal::ReducedBody;
using btPliantInternal::toEigen;
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

}  // namespace

void btPliantConstraintSolver::ContactConstraints::groupByReducedBody() {
    for (ReducedBody& s : reducedBodies) s.sideCount = 0;
    const auto each = [this](auto use) {
        int c = 0;
        for (const ContactDescriptor& descriptor : descriptors) {
            if (descriptor.reducedA >= 0)
                use(reducedBodies[static_cast<std::size_t>(descriptor.reducedA)], ConstraintSide{c, true});
            if (descriptor.reducedB >= 0)
                use(reducedBodies[static_cast<std::size_t>(descriptor.reducedB)], ConstraintSide{c, false});
            ++c;
        }
    };
    each([](ReducedBody& s, ConstraintSide) { ++s.sideCount; });
    int next = 0;
    for (ReducedBody& s : reducedBodies) {
        s.firstSide = next;
        next += s.sideCount;
        s.sideCount = 0;
    }
    sides.resize(static_cast<std::size_t>(next));
    each([this](ReducedBody& s, ConstraintSide side) {
        sides[static_cast<std::size_t>(s.firstSide + s.sideCount++)] = side;
    });
}

void btPliantConstraintSolver::ContactConstraints::prefetchSide(const ReducedBody& s, int i) const {
    if (i >= s.firstSide + s.sideCount) return;
    const ConstraintSide side = sides[static_cast<std::size_t>(i)];
    const ContactDescriptor& descriptor = descriptors[static_cast<std::size_t>(side.contact)];
    pliant::prefetch(&contacts[side.contact], sizeof(ContactConstraint));
    pliant::prefetch(modalVectors.data() + (side.first ? descriptor.jacobianOffsetA : descriptor.jacobianOffsetB),
                     3 * static_cast<std::size_t>(s.stride) * sizeof(btScalar));
}

void btPliantConstraintSolver::ContactConstraints::prepareModalJacobians(int c) {
    const ContactConstraint& contact = contacts[c];
    if (contact.reducedA >= 0) prepareModalJacobian(contact, true);
    if (contact.reducedB >= 0) prepareModalJacobian(contact, false);
}

void btPliantConstraintSolver::ContactConstraints::prepareModalJacobian(const ContactConstraint& contact, bool first) {
    const ReducedBody& s = reducedBodies[static_cast<std::size_t>(first ? contact.reducedA : contact.reducedB)];
    const btPliantBody::Data& data = s.body->data();
    const int r = data.model().dimension();
    const Matrix3 toBody = toEigen(s.body->getWorldTransform().getBasis()).transpose();
    double* basis = ChunkScratch::of(r).basis.data();
    pliant::skeletonPointBasis(*data.group->collision, first ? contact.segmentA : contact.segmentB,
                               first ? contact.parameterA : contact.parameterB, basis);
    for (int k = 0; k < 3; ++k) {
        const btVector3 axis = first ? contact.rows[k].axis : -contact.rows[k].axis;
        const Vector3 d = toBody * toEigen(axis);
        btScalar* J = modalVectors.data() + (first ? contact.jacobianOffsetA : contact.jacobianOffsetB) + k * s.stride;
        for (int j = 0; j < r; ++j)
            J[j] = static_cast<btScalar>(basis[3 * j] * d[0] + basis[3 * j + 1] * d[1] + basis[3 * j + 2] * d[2]);
        std::fill(J + r, J + s.stride, btScalar(0));
    }
}

void btPliantConstraintSolver::ContactConstraints::prepareResponses(int index) {
    const ReducedBody& s = reducedBodies[static_cast<std::size_t>(index)];
    if (s.hasTorsion || s.whitened) prepareTorqueResponse(index);
    if (s.whitened) {
        whitenSides(s);
        return;
    }
    ConstraintSide chunk[kContacts];
    int count = 0;
    for (int i = s.firstSide; i < s.firstSide + s.sideCount; ++i) {
        if (!contacts[sides[static_cast<std::size_t>(i)].contact].hasResponse) continue;
        chunk[count++] = sides[static_cast<std::size_t>(i)];
        if (count < kContacts) continue;
        computeResponses(s, chunk, count);
        count = 0;
    }
    if (count > 0) computeResponses(s, chunk, count);
}

void btPliantConstraintSolver::ContactConstraints::whitenSides(const ReducedBody& s) {
    ConstraintSideRow chunk[kRows];
    int count = 0;
    for (int i = s.firstSide; i < s.firstSide + s.sideCount; ++i) {
        prefetchSide(s, i + 3);
        const ConstraintSide side = sides[static_cast<std::size_t>(i)];
        const bool hasResponse = contacts[side.contact].hasResponse;
        for (int k = 0; k < (hasResponse ? 3 : 1); ++k) chunk[count++] = ConstraintSideRow{side, k};
        if (hasResponse) prepareAngularResponses(s, side);
        if (count <= kRows - 3) continue;
        whiten(s, chunk, count);
        count = 0;
    }
    if (count > 0) whiten(s, chunk, count);
}

void btPliantConstraintSolver::ContactConstraints::whiten(const ReducedBody& s, const ConstraintSideRow* chunk,
                                                          int count) {
    const btPliantBody::Data& data = s.body->data();
    const int r = data.model().dimension();
    double* x = ChunkScratch::of(r).modal.data();
    const auto row = [this, &s](const ConstraintSideRow& of) {
        const ContactConstraint& contact = contacts[of.side.contact];
        return modalVectors.data() + (of.side.first ? contact.jacobianOffsetA : contact.jacobianOffsetB) +
               of.row * s.stride;
    };
    for (int i = 0; i < count; ++i) {
        const btScalar* J = row(chunk[i]);
        for (int j = 0; j < r; ++j) x[i * r + j] = static_cast<double>(J[j]);
    }
    data.batch().whiten(data.slot, count, x, x);
    for (int i = 0; i < count; ++i) store(x + i * r, r, s.stride, row(chunk[i]));
}

void btPliantConstraintSolver::ContactConstraints::prepareAngularResponses(const ReducedBody& s, ConstraintSide side) {
    for (ConstraintRow& row : contacts[side.contact].rows)
        (side.first ? row.responseA : row.responseB) = s.torqueResponse * (side.first ? row.angularA : row.angularB);
}

void btPliantConstraintSolver::ContactConstraints::computeResponses(const ReducedBody& s, const ConstraintSide* chunk,
                                                                    int count) {
    const btPliantBody::Data& data = s.body->data();
    const int r = data.model().dimension();
    const Matrix3 A = toEigen(s.body->getWorldTransform().getBasis());
    const btVector3 factor = s.body->getAngularFactor();
    ChunkScratch& scratch = ChunkScratch::of(r);
    double *x = scratch.modal.data(), *y = scratch.velocity.data();  // r numbers a row
    for (int row = 0; row < 3 * count; ++row) {
        const ContactConstraint& contact = contacts[chunk[row / 3].contact];
        const bool isA = chunk[row / 3].first;
        const btScalar* J =
            modalVectors.data() + (isA ? contact.jacobianOffsetA : contact.jacobianOffsetB) + row % 3 * s.stride;
        for (int j = 0; j < r; ++j) x[row * r + j] = static_cast<double>(J[j]);
        const ConstraintRow& entry = contact.rows[row % 3];
        scratch.angular.col(row) = data.frameIsFree
                                       ? Vector3(A.transpose() * toEigen(isA ? entry.angularA : entry.angularB))
                                       : Vector3::Zero();
    }
    data.batch().responses(data.slot, 3 * count, scratch.angular.data(), x, scratch.turn.data(), y);
    for (int row = 0; row < 3 * count; ++row) {
        ContactConstraint& contact = contacts[chunk[row / 3].contact];
        const bool isA = chunk[row / 3].first;
        store(y + row * r, r, s.stride,
              modalVectors.data() + (isA ? contact.responseOffsetA : contact.responseOffsetB) + row % 3 * s.stride);
        btVector3& response = isA ? contact.rows[row % 3].responseA : contact.rows[row % 3].responseB;
        response.setZero();
        if (data.frameIsFree) response = btPliantInternal::toBullet(Vector3(A * scratch.turn.col(row))) * factor;
    }
}

void btPliantConstraintSolver::ContactConstraints::prepareLateResponse(
    int c, const btAlignedObjectArray<btSolverBody>& bodies) {
    ContactConstraint& contact = contacts[c];
    contact.hasResponse = true;
    for (const bool first : {true, false}) {
        const int index = first ? contact.reducedA : contact.reducedB;
        if (index < 0) continue;
        const ReducedBody& s = reducedBodies[static_cast<std::size_t>(index)];
        const ConstraintSide side{c, first};
        if (!s.whitened) {
            computeResponses(s, &side, 1);
            continue;
        }
        const ConstraintSideRow tangents[2] = {{side, 1}, {side, 2}};
        whiten(s, tangents, 2);
        prepareAngularResponses(s, side);
    }
    prepareEffectiveMasses(c, bodies);
}

void btPliantConstraintSolver::ContactConstraints::prepareTorqueResponse(int index) {
    ReducedBody& s = reducedBodies[static_cast<std::size_t>(index)];
    const btPliantBody::Data& data = s.body->data();
    if (!data.frameIsFree) {
        s.torqueResponse = btMatrix3x3(0, 0, 0, 0, 0, 0, 0, 0, 0);
        return;
    }
    const int r = data.model().dimension();
    const Matrix3 A = toEigen(s.body->getWorldTransform().getBasis()), torques = A.transpose();
    const btVector3 factor = s.body->getAngularFactor();
    if (s.whitened) {
        const Matrix3 turn = A * data.batch().frameResponse(data.slot) * torques;
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k) s.torqueResponse[i][k] = static_cast<btScalar>(turn(i, k)) * factor[i];
        return;
    }
    const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(r, 3);
    Eigen::MatrixXd bends(r, 3);
    Matrix3 turns;
    data.batch().responses(data.slot, 3, torques.data(), none.data(), turns.data(), bends.data());
    for (int k = 0; k < 3; ++k) {
        const btVector3 column = btPliantInternal::toBullet(Vector3(A * turns.col(k))) * factor;
        for (int i = 0; i < 3; ++i) s.torqueResponse[i][k] = column[i];
        if (s.modalTorqueResponse >= 0)
            store(bends.col(k).data(), r, s.stride, modalVectors.data() + s.modalTorqueResponse + k * s.stride);
    }
}
