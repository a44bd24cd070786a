// SPDX-License-Identifier: Zlib
// Modal Jacobians of contact rows and what unit impulses along them do to reduced bodies, body by body: the triangular
// solves of a body's rows share its factor and fill whole vector registers, which they would not contact by contact.
#include <algorithm>

#include "btPliant/ContactRows.h"
#include "btPliant/Convert.h"
#include "btPliant/RowKernels.h"
#include "pliant/collision/CollisionModel.h"

using btPliantInternal::ContactRow;
using btPliantInternal::ContactSide;
using btPliantInternal::Row;
using btPliantInternal::SoftBody;
using btPliantInternal::toEigen;
using pliant::Matrix3;
using pliant::Vector3;

namespace {

constexpr int kContacts = 16;  ///< taken together: 48 right-hand sides

/// Working memory of `kContacts` contacts on one body.
struct ChunkScratch {
    explicit ChunkScratch(int r)
        : basis(3, r), modal(r, 3 * kContacts), velocity(r, 3 * kContacts), angular(3, 3 * kContacts), turn(angular) {}

    Eigen::Matrix<double, 3, Eigen::Dynamic> basis;          ///< U_s of one point
    Eigen::MatrixXd modal, velocity;                         ///< J' and W J', r x rows
    Eigen::Matrix<double, 3, Eigen::Dynamic> angular, turn;  ///< the same of the frame, in the body's axes, 3 x rows
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
        for (int c = 0; c < contacts.size(); ++c) {
            if (contacts[c].softA >= 0) use(soft[static_cast<std::size_t>(contacts[c].softA)], ContactSide{c, true});
            if (contacts[c].softB >= 0) use(soft[static_cast<std::size_t>(contacts[c].softB)], ContactSide{c, false});
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

void btPliantConstraintSolver::Rows::prepareResponses(int index) {
    const SoftBody& s = soft[static_cast<std::size_t>(index)];
    const btPliantBody::Data& data = s.body->data();
    const int r = data.model().dimension();
    const Matrix3 A = toEigen(s.body->getWorldTransform().getBasis());
    const btVector3 origin = s.body->getWorldTransform().getOrigin(), factor = s.body->getAngularFactor();
    ChunkScratch scratch(r);
    for (int first = 0; first < s.sideCount; first += kContacts) {
        const int count = std::min(kContacts, s.sideCount - first);
        const ContactSide* chunk = sides.data() + s.firstSide + first;
        for (int i = 0; i < count; ++i) {
            const ContactRow& contact = contacts[chunk[i].contact];
            const bool isA = chunk[i].first;
            pliant::skeletonPointBasis(*data.group->collision, isA ? contact.segmentA : contact.segmentB,
                                       isA ? contact.parameterA : contact.parameterB, scratch.basis.data());
            const btVector3 arm = contact.contactPoint - origin;
            for (int k = 0; k < 3; ++k) {
                const btVector3 axis = isA ? contact.rows[k].axis : -contact.rows[k].axis;
                const Vector3 direction = A.transpose() * toEigen(axis);
                scratch.modal.col(3 * i + k).noalias() = scratch.basis.transpose() * direction;
                scratch.angular.col(3 * i + k) =
                    data.frameIsFree ? Vector3(A.transpose() * toEigen(arm.cross(axis))) : Vector3::Zero();
            }
        }
        data.batch().responses(data.slot, 3 * count, scratch.angular.data(), scratch.modal.data(), scratch.turn.data(),
                               scratch.velocity.data());
        for (int row = 0; row < 3 * count; ++row) {
            const bool isA = chunk[row / 3].first;
            ContactRow& contact = contacts[chunk[row / 3].contact];
            btScalar* J = modal.data() + (isA ? contact.modalA : contact.modalB) + row % 3 * s.stride;
            store(scratch.modal.col(row).data(), r, s.stride, J);
            store(scratch.velocity.col(row).data(), r, s.stride, J + 3 * s.stride);
            btVector3& response = isA ? contact.rows[row % 3].responseA : contact.rows[row % 3].responseB;
            response.setZero();
            if (data.frameIsFree) response = btPliantInternal::toBullet(Vector3(A * scratch.turn.col(row))) * factor;
        }
    }
    if (s.hasTorsion) prepareTurn(index);
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
    const Eigen::MatrixXd none = Eigen::MatrixXd::Zero(r, 3);
    Eigen::MatrixXd bends(r, 3);
    Matrix3 turns;
    data.batch().responses(data.slot, 3, torques.data(), none.data(), turns.data(), bends.data());
    const btVector3 factor = s.body->getAngularFactor();
    for (int k = 0; k < 3; ++k) {
        const btVector3 column = btPliantInternal::toBullet(Vector3(A * turns.col(k))) * factor;
        for (int i = 0; i < 3; ++i) s.turn[i][k] = column[i];
        if (s.turnModal >= 0) store(bends.col(k).data(), r, s.stride, modal.data() + s.turnModal + k * s.stride);
    }
}
