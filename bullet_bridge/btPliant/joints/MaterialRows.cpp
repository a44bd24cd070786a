// SPDX-License-Identifier: Zlib
#include "btPliant/joints/MaterialRows.h"

#include <algorithm>
#include <vector>

#include "btPliant/data/BodyMomentum.h"
#include "btPliant/data/CharacterLimbs.h"
#include "btPliant/data/Convert.h"
#include "btPliant/solver/RagdollRows.h"

namespace btPliantInternal {

using pliant::Matrix3;
using pliant::Vector3;

namespace {

/// What holds a row on one side.
const JointSide& sideOf(const JointConstraint& joint, const JointConstraintRow& entry, int side) {
    const JointData& data = dataOf(*joint.joint);
    return entry.point < 0 ? data.sides[side] : data.points[static_cast<std::size_t>(entry.point)]->sides[side];
}

/// How the material at a row turns with the world, and where the row acts on it.
struct MaterialLever {
    Matrix3 turn, rotation;  ///< of forces and of couples
    Vector3 offset;          ///< from the material's frame to p, in axes of `rotation`, m

    MaterialLever(const JointSide& held, const btRigidBody& body, const btVector3& pivot) {
        if (held.isCarried) {
            const JointSide::Place place = held.place();
            turn = place.turn;
            rotation = place.rotation;
            offset = rotation.transpose() * (toEigen(pivot) - place.pivot);
            return;
        }
        const btTransform& frame = body.getWorldTransform();
        turn = rotation = toEigen(frame.getBasis());
        offset = turn.transpose() * toEigen(btVector3(pivot - frame.getOrigin())) - held.material->position();
    }
};

}  // namespace

btScalar skinVelocity(const JointConstraint& joint, const JointConstraintRow& entry, double h) {
    double sum = 0.0;
    for (int side = 0; side < 2; ++side) {
        const JointSide& held = sideOf(joint, entry, side);
        if (!held.isCarried) continue;
        Vector3 linear, angular;
        held.skinVelocity(toEigen(entry.pivot), h, linear, angular);
        sum += entry.isLinear() ? (side == 0 ? 1.0 : -1.0) * toEigen(entry.row.axis).dot(linear)
                                : toEigen(side == 0 ? entry.row.angularA : entry.row.angularB).dot(angular);
    }
    return static_cast<btScalar>(sum);
}

namespace {

/// Null: the joint does not hold many points.
HeldVectors* heldVectors(const JointConstraint& joint, int side, JointConstraints& all) {
    return dataOf(*joint.joint).points.empty() ? nullptr : &all.heldVectors[side];
}

/// Of a ragdoll, after its flesh: Jacobians and responses of limbs and coordinates, and velocities.
/// @param flesh r a row
void prepareLimbs(const JointConstraint& joint, int side, const ReducedBody& reduced, const double* flesh,
                  JointConstraints& all) {
    BodyData& data = dataOf(*reduced.body);
    const RagdollData& d = *data.ragdoll();
    const Eigen::Index r = data.model().dimension(), size = solvedDimension(data);
    static thread_local std::vector<double> memory;  // grows, and stays
    const Eigen::Index numbers = size * joint.count;
    memory.assign(std::max(memory.size(), static_cast<std::size_t>(2 * numbers)), 0.0);
    Eigen::Map<pliant::MatrixX> J(memory.data(), size, joint.count),
        responses(memory.data() + numbers, size, joint.count);
    J.topRows(r) = Eigen::Map<const pliant::MatrixX>(flesh, r, joint.count);
    for (int k = 0; k < joint.count; ++k) {
        const JointConstraintRow& entry = all.rows[joint.first + k];
        const Vector3 force = (side == 0 ? 1.0 : -1.0) * toEigen(entry.row.axis);
        const Vector3 couple =
            entry.isLinear() ? Vector3(Vector3::Zero()) : toEigen(side == 0 ? entry.row.angularA : entry.row.angularB);
        addOnLimbs(*data.character, sideOf(joint, entry, side).carriers, toEigen(entry.pivot), force, couple,
                   J.col(k).tail(d.size()));
    }
    respondWithLimbs(data, joint.count, J.data(), responses.data());
    btScalar* out = all.modalVectors.data() + joint.modalOffset[side];
    for (int k = 0; k < joint.count; ++k) {
        btScalar *jacobian = out + k * reduced.stride, *response = out + (joint.count + k) * reduced.stride;
        for (Eigen::Index j = 0; j < size; ++j) {
            jacobian[j] = static_cast<btScalar>(J(j, k));
            response[j] = static_cast<btScalar>(responses(j, k));
        }
        const auto limbs = J.col(k).tail(d.size());
        all.rows[joint.first + k].freeModalVelocity += static_cast<btScalar>(limbs.dot(d.V));
        all.rows[joint.first + k].startModalVelocity += static_cast<btScalar>(limbs.dot(d.startV));
    }
    if (HeldVectors* held = heldVectors(joint, side, all)) {
        held->dimension = static_cast<int>(size);
        held->jacobians.assign(J.data(), J.data() + numbers);
        held->responses.assign(responses.data(), responses.data() + numbers);
    }
}

/// What holds points needs of a side that is deformed. @param turns body axes, 3 a row  @param J, responses r a row
void keepVectors(const JointConstraint& joint, int side, const ReducedBody& reduced, const double* turns,
                 const double* J, const double* responses, JointConstraints& all) {
    HeldVectors* held = heldVectors(joint, side, all);
    if (!held) return;
    const BodyData& data = dataOf(*reduced.body);
    const std::ptrdiff_t n = joint.count, numbers = n * data.model().dimension();
    held->dimension = data.model().dimension();
    held->jacobians.assign(J, J + numbers);
    held->responses.assign(responses, responses + numbers);
    // As gaps are measured: at the start of the step, of which the batch has been through the part without the rows.
    const pliant::ConstVectorView q = data.batch().startPosition(data.slot);
    for (std::ptrdiff_t k = 0; k < n; ++k)
        all.rows[joint.first + static_cast<int>(k)].modalDisplacement += static_cast<btScalar>(
            q.dot(pliant::ConstVectorView(J + k * data.model().dimension(), data.model().dimension())));
    held->turns.assign(static_cast<std::size_t>(3 * n), 0.0);
    if (!data.frameIsFree) return;
    const Matrix3 A = toEigen(reduced.body->getWorldTransform().getBasis());
    const Vector3 factor = toEigen(reduced.body->getAngularFactor());
    for (std::ptrdiff_t k = 0; k < n; ++k)
        Eigen::Map<Vector3>(held->turns.data() + 3 * k) =
            factor.cwiseProduct(A * Eigen::Map<const Vector3>(turns + 3 * k));
}

}  // namespace

void prepareSide(const JointConstraint& joint, int side, const ReducedBody& reduced, JointConstraints& all) {
    const BodyData& data = dataOf(*reduced.body);
    const int r = data.model().dimension(), n = joint.count;
    all.scratch.assign(static_cast<std::size_t>(n * (2 * r + 6)), 0.0);
    double *angles = all.scratch.data(), *turns = angles + 3 * n, *J = turns + 3 * n, *responses = J + n * r;
    const Matrix3 A = toEigen(reduced.body->getWorldTransform().getBasis());
    const double sign = side == 0 ? 1.0 : -1.0;
    for (int k = 0; k < n; ++k) {
        const JointConstraintRow& entry = all.rows[joint.first + k];
        const JointSide& held = sideOf(joint, entry, side);
        const MaterialLever lever(held, *reduced.body, entry.pivot);
        const Vector3 angular =
            lever.rotation.transpose() * toEigen(side == 0 ? entry.row.angularA : entry.row.angularB);
        const Vector3 axis = toEigen(entry.row.axis), force = sign * (lever.turn.transpose() * axis);
        const Vector3 turned =  // by the rotation, as the offset is
            held.isCarried ? Vector3(sign * (lever.rotation.transpose() * axis)) : force;
        held.material->addGeneralised(force, entry.isLinear() ? Vector3(lever.offset.cross(turned)) : angular,
                                      J + k * r);
        if (data.frameIsFree) Eigen::Map<Vector3>(angles + 3 * k) = angular;
    }
    respondTo(data, n, angles, J, turns, responses);
    keepVectors(joint, side, reduced, turns, J, responses, all);
    const double* jacobians = J;
    if (reduced.whitened) {  // one vector, twice
        data.batch().whiten(data.slot, n, J, responses);
        jacobians = responses;
    }
    btScalar* out = all.modalVectors.data() + joint.modalOffset[side];
    std::fill_n(out, 2 * n * reduced.stride, btScalar(0));
    for (int k = 0; k < n; ++k) {
        for (int j = 0; j < r; ++j) {
            out[k * reduced.stride + j] = static_cast<btScalar>(jacobians[k * r + j]);
            out[(n + k) * reduced.stride + j] = static_cast<btScalar>(responses[k * r + j]);
        }
        ConstraintRow& row = all.rows[joint.first + k].row;
        (side == 0 ? row.responseA : row.responseB) =
            data.frameIsFree ? toBullet(A * Eigen::Map<Vector3>(turns + 3 * k)) * reduced.body->getAngularFactor()
                             : btVector3(0, 0, 0);
    }
    const pliant::ConstVectorView now = data.batch().velocity(data.slot), start = data.batch().startVelocity(data.slot);
    for (int k = 0; k < n; ++k) {
        const pliant::ConstVectorView row(J + k * r, r);
        all.rows[joint.first + k].freeModalVelocity += static_cast<btScalar>(row.dot(now));
        all.rows[joint.first + k].startModalVelocity += static_cast<btScalar>(row.dot(start));
    }
    if (data.ragdoll()) prepareLimbs(joint, side, reduced, J, all);
}

}  // namespace btPliantInternal
