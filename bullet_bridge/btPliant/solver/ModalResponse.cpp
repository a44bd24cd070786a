// SPDX-License-Identifier: Zlib
// Modal Jacobians of contact rows, and what unit impulses along them do to reduced bodies. The latter body by body: the
// triangular solves of a body's rows share its factor and fill whole vector registers, which they would not contact by
// contact.
#include <algorithm>

#include "btPliant/body/Convert.h"
#include "btPliant/solver/ContactConstraints.h"
#include "btPliant/solver/ModalVectorKernels.h"
#include "pliant/collision/body/CollisionModel.h"
#include "pliant/math/Prefetch.h"

using btPliantInternal::ContactPlace;
using btPliantInternal::ContactRow;
using btPliantInternal::ContactSide;
using btPliantInternal::Row;
using btPliantInternal::RowSide;
using btPliantInternal::SoftBody;
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

/// `count` numbers of one row as the sweeps read them: in Bullet's precision, padded with zeros.
void store(const double* from, int count, int stride, btScalar* to) {
    for (int j = 0; j < count; ++j) to[j] = static_cast<btScalar>(from[j]);
    std::fill(to + count, to + stride, btScalar(0));
}

}  // namespace

void btPliantConstraintSolver::Rows::groupBySoftBody() {
    for (SoftBody& s : soft) s.sideCount = 0;
    const auto each = [this](auto use) {
        int c = 0;
        for (const ContactPlace& place : places) {
            if (place.softA >= 0) use(soft[static_cast<std::size_t>(place.softA)], ContactSide{c, true});
            if (place.softB >= 0) use(soft[static_cast<std::size_t>(place.softB)], ContactSide{c, false});
            ++c;
        }
    };
    each([](SoftBody& s, ContactSide) { ++s.sideCount; });
    int next = 0;
    for (SoftBody& s : soft) {
        s.firstSide = next;
        next += s.sideCount;
        s.sideCount = 0;
    }
    sides.resize(static_cast<std::size_t>(next));
    each(
        [this](SoftBody& s, ContactSide side) { sides[static_cast<std::size_t>(s.firstSide + s.sideCount++)] = side; });
}

void btPliantConstraintSolver::Rows::fetchSide(const SoftBody& s, int i) const {
    if (i >= s.firstSide + s.sideCount) return;
    const ContactSide side = sides[static_cast<std::size_t>(i)];
    const ContactPlace& place = places[static_cast<std::size_t>(side.contact)];
    pliant::prefetch(&contacts[side.contact], sizeof(ContactRow));
    pliant::prefetch(modal.data() + (side.first ? place.modalA : place.modalB),
                     3 * static_cast<std::size_t>(s.stride) * sizeof(btScalar));
}

void btPliantConstraintSolver::Rows::prepareJacobians(int c) {
    const ContactRow& contact = contacts[c];
    if (contact.softA >= 0) prepareJacobian(contact, true);
    if (contact.softB >= 0) prepareJacobian(contact, false);
}

void btPliantConstraintSolver::Rows::prepareJacobian(const ContactRow& contact, bool first) {
    const SoftBody& s = soft[static_cast<std::size_t>(first ? contact.softA : contact.softB)];
    const btPliantBody::Data& data = s.body->data();
    const int r = data.model().dimension();
    const Matrix3 toBody = toEigen(s.body->getWorldTransform().getBasis()).transpose();
    double* basis = ChunkScratch::of(r).basis.data();
    pliant::skeletonPointBasis(*data.group->collision, first ? contact.segmentA : contact.segmentB,
                               first ? contact.parameterA : contact.parameterB, basis);
    for (int k = 0; k < 3; ++k) {
        const btVector3 axis = first ? contact.rows[k].axis : -contact.rows[k].axis;
        const Vector3 d = toBody * toEigen(axis);
        btScalar* J = modal.data() + (first ? contact.modalA : contact.modalB) + k * s.stride;
        for (int j = 0; j < r; ++j)
            J[j] = static_cast<btScalar>(basis[3 * j] * d[0] + basis[3 * j + 1] * d[1] + basis[3 * j + 2] * d[2]);
        std::fill(J + r, J + s.stride, btScalar(0));
    }
}

void btPliantConstraintSolver::Rows::prepareResponses(int index) {
    const SoftBody& s = soft[static_cast<std::size_t>(index)];
    if (s.hasTorsion || s.whitened) prepareTurn(index);
    if (s.whitened) {
        whitenSides(s);
        return;
    }
    ContactSide chunk[kContacts];
    int count = 0;
    for (int i = s.firstSide; i < s.firstSide + s.sideCount; ++i) {
        if (!contacts[sides[static_cast<std::size_t>(i)].contact].hasResponse) continue;
        chunk[count++] = sides[static_cast<std::size_t>(i)];
        if (count < kContacts) continue;
        respond(s, chunk, count);
        count = 0;
    }
    if (count > 0) respond(s, chunk, count);
}

void btPliantConstraintSolver::Rows::whitenSides(const SoftBody& s) {
    RowSide chunk[kRows];
    int count = 0;
    for (int i = s.firstSide; i < s.firstSide + s.sideCount; ++i) {
        fetchSide(s, i + 3);
        const ContactSide side = sides[static_cast<std::size_t>(i)];
        const bool answers = contacts[side.contact].hasResponse;
        for (int k = 0; k < (answers ? 3 : 1); ++k) chunk[count++] = RowSide{side, k};
        if (answers) turnRows(s, side);
        if (count <= kRows - 3) continue;
        whiten(s, chunk, count);
        count = 0;
    }
    if (count > 0) whiten(s, chunk, count);
}

void btPliantConstraintSolver::Rows::whiten(const SoftBody& s, const RowSide* chunk, int count) {
    const btPliantBody::Data& data = s.body->data();
    const int r = data.model().dimension();
    double* x = ChunkScratch::of(r).modal.data();
    const auto row = [this, &s](const RowSide& of) {
        const ContactRow& contact = contacts[of.side.contact];
        return modal.data() + (of.side.first ? contact.modalA : contact.modalB) + of.row * s.stride;
    };
    for (int i = 0; i < count; ++i) {
        const btScalar* J = row(chunk[i]);
        for (int j = 0; j < r; ++j) x[i * r + j] = static_cast<double>(J[j]);
    }
    data.batch().whiten(data.slot, count, x, x);
    for (int i = 0; i < count; ++i) store(x + i * r, r, s.stride, row(chunk[i]));
}

void btPliantConstraintSolver::Rows::turnRows(const SoftBody& s, ContactSide side) {
    for (Row& row : contacts[side.contact].rows)
        (side.first ? row.responseA : row.responseB) = s.turn * (side.first ? row.angularA : row.angularB);
}

void btPliantConstraintSolver::Rows::respond(const SoftBody& s, const ContactSide* chunk, int count) {
    const btPliantBody::Data& data = s.body->data();
    const int r = data.model().dimension();
    const Matrix3 A = toEigen(s.body->getWorldTransform().getBasis());
    const btVector3 factor = s.body->getAngularFactor();
    ChunkScratch& scratch = ChunkScratch::of(r);
    double *x = scratch.modal.data(), *y = scratch.velocity.data();  // r numbers a row
    for (int row = 0; row < 3 * count; ++row) {
        const ContactRow& contact = contacts[chunk[row / 3].contact];
        const bool isA = chunk[row / 3].first;
        const btScalar* J = modal.data() + (isA ? contact.modalA : contact.modalB) + row % 3 * s.stride;
        for (int j = 0; j < r; ++j) x[row * r + j] = static_cast<double>(J[j]);
        const Row& entry = contact.rows[row % 3];
        scratch.angular.col(row) = data.frameIsFree
                                       ? Vector3(A.transpose() * toEigen(isA ? entry.angularA : entry.angularB))
                                       : Vector3::Zero();
    }
    data.batch().responses(data.slot, 3 * count, scratch.angular.data(), x, scratch.turn.data(), y);
    for (int row = 0; row < 3 * count; ++row) {
        ContactRow& contact = contacts[chunk[row / 3].contact];
        const bool isA = chunk[row / 3].first;
        store(y + row * r, r, s.stride, modal.data() + (isA ? contact.answerA : contact.answerB) + row % 3 * s.stride);
        btVector3& response = isA ? contact.rows[row % 3].responseA : contact.rows[row % 3].responseB;
        response.setZero();
        if (data.frameIsFree) response = btPliantInternal::toBullet(Vector3(A * scratch.turn.col(row))) * factor;
    }
}

void btPliantConstraintSolver::Rows::answerLate(int c, const btAlignedObjectArray<btSolverBody>& bodies) {
    ContactRow& contact = contacts[c];
    contact.hasResponse = true;
    for (const bool first : {true, false}) {
        const int index = first ? contact.softA : contact.softB;
        if (index < 0) continue;
        const SoftBody& s = soft[static_cast<std::size_t>(index)];
        const ContactSide side{c, first};
        if (!s.whitened) {
            respond(s, &side, 1);
            continue;
        }
        const RowSide tangents[2] = {{side, 1}, {side, 2}};
        whiten(s, tangents, 2);
        turnRows(s, side);
    }
    prepareMasses(c, bodies);
}

void btPliantConstraintSolver::Rows::prepareTurn(int index) {
    SoftBody& s = soft[static_cast<std::size_t>(index)];
    const btPliantBody::Data& data = s.body->data();
    if (!data.frameIsFree) {
        s.turn = btMatrix3x3(0, 0, 0, 0, 0, 0, 0, 0, 0);
        return;
    }
    const int r = data.model().dimension();
    const Matrix3 A = toEigen(s.body->getWorldTransform().getBasis()), torques = A.transpose();
    const btVector3 factor = s.body->getAngularFactor();
    if (s.whitened) {
        const Matrix3 turn = A * data.batch().frameResponse(data.slot) * torques;
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k) s.turn[i][k] = static_cast<btScalar>(turn(i, k)) * factor[i];
        return;
    }
    const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(r, 3);
    Eigen::MatrixXd bends(r, 3);
    Matrix3 turns;
    data.batch().responses(data.slot, 3, torques.data(), none.data(), turns.data(), bends.data());
    for (int k = 0; k < 3; ++k) {
        const btVector3 column = btPliantInternal::toBullet(Vector3(A * turns.col(k))) * factor;
        for (int i = 0; i < 3; ++i) s.turn[i][k] = column[i];
        if (s.turnModal >= 0) store(bends.col(k).data(), r, s.stride, modal.data() + s.turnModal + k * s.stride);
    }
}
