// SPDX-License-Identifier: Zlib
#include "btPliant/solver/RagdollRows.h"

#include <BulletDynamics/ConstraintSolver/btContactSolverInfo.h>

#include <algorithm>

#include "btPliant/data/Convert.h"
#include "btPliant/solver/ModalVectorKernels.h"
#include "pliant/runtime/ragdoll/RagdollContact.h"

namespace btPliantInternal {

using pliant::AffineMap;
using pliant::Vector3;
using pliant::VectorX;

namespace {

/// Calls visit(bone, weight, place) for the bones that carry a point of the skeleton, with where each would take it.
template <class Visit>
void forCarriers(const BodyData& data, int segment, float parameter, const Visit& visit) {
    const pliant::DeformedBody& deformed = *data.deformed;
    const auto& segments = deformed.model().skeleton().segments;
    const double shares[2] = {1.0 - static_cast<double>(parameter), static_cast<double>(parameter)};
    for (int end = 0; end < 2; ++end) {
        if (shares[end] == 0.0) continue;
        const Vector3 bent = deformed.unskinned(segments(end, segment));
        deformed.skin()->spheres().forBones(segments(end, segment), [&](int bone, double weight) {
            const AffineMap& map = data.character->bones[static_cast<std::size_t>(bone)];
            visit(bone, shares[end] * weight, Vector3(map.leftCols<3>() * bent + map.col(3)));
        });
    }
}

}  // namespace

void projectOnLimbs(const BodyData& data, int segment, float parameter, const Vector3& at, const Vector3& axis,
                    double* row) {
    const RagdollData& d = *data.ragdoll();
    Eigen::Map<VectorX> J(row, d.size());
    J.setZero();
    Vector3 middle = Vector3::Zero();
    double whole = 0.0;
    forCarriers(data, segment, parameter, [&](int, double weight, const Vector3& place) {
        whole += weight;
        middle += weight * place;
    });
    if (!(whole > 0.0)) return;
    const Vector3 beside = at - middle / whole;
    forCarriers(data, segment, parameter, [&](int bone, double weight, const Vector3& place) {
        const int limb = d.model().limbOf[static_cast<std::size_t>(bone)];
        const Vector3 share = weight / whole * axis;
        J.segment<3>(6 * limb) += share;
        J.segment<3>(6 * limb + 3) += Vector3(place + beside - d.system.centre(limb)).cross(share);
    });
}

void respondWithLimbs(BodyData& data, int count, const double* jacobians, double* responses) {
    const Eigen::Index r = data.model().dimension(), size = solvedDimension(data);
    static thread_local std::vector<double> memory, still;  // grow, and stay
    memory.resize(std::max(memory.size(), static_cast<std::size_t>(r * count)));
    still.assign(std::max(still.size(), static_cast<std::size_t>(3 * count)), 0.0);
    Eigen::Map<const pliant::MatrixX> in(jacobians, size, count);
    Eigen::Map<pliant::MatrixX> flesh(memory.data(), r, count), out(responses, size, count);
    flesh = in.topRows(r);
    data.batch().responses(data.slot, count, still.data(), flesh.data(), still.data(), flesh.data());
    out.topRows(r) = flesh;
    out.bottomRows(size - r) = in.bottomRows(size - r);
    for (int k = 0; k < count; ++k) data.ragdoll()->system.respond(out.col(k).tail(size - r), out.col(k).head(r));
}

double velocityAlong(const btScalar* J, const pliant::ConstVectorView& q1, const VectorX& V) {
    double sum = 0.0;
    for (Eigen::Index j = 0; j < q1.size(); ++j) sum += static_cast<double>(J[j]) * q1[j];
    J += q1.size();
    for (Eigen::Index j = 0; j < V.size(); ++j) sum += static_cast<double>(J[j]) * V[j];
    return sum;
}

namespace {

void addLimit(int index, const pliant::JointLimit& limit, double h, ContactConstraints& all) {
    const ReducedBody& s = all.reducedBodies[static_cast<std::size_t>(index)];
    BodyData& data = dataOf(*s.body);
    const RagdollData& d = *data.ragdoll();
    const Eigen::Index r = data.model().dimension();
    const Eigen::Index size = solvedDimension(data);
    static thread_local std::vector<double> memory;
    memory.assign(std::max(memory.size(), static_cast<std::size_t>(2 * size)), 0.0);
    Eigen::Map<VectorX> J(memory.data(), size), response(memory.data() + size, size);
    J.segment<3>(r + 6 * limit.limb + 3) = limit.turn;
    J.segment<3>(r + 6 * d.model().limbs[static_cast<std::size_t>(limit.limb)].parent + 3) = -limit.turn;
    respondWithLimbs(data, 1, J.data(), response.data());
    const double mobility = J.dot(response);
    if (!(mobility > 0.0)) return;
    RagdollLimit row;
    row.reduced = index;
    row.offset = all.limitVectors.size();
    row.start = gapRate(d.model(), limit, d.startV);
    row.free = gapRate(d.model(), limit, d.V);
    row.effectiveMass = static_cast<btScalar>(1.0 / mobility);
    row.rhs = static_cast<btScalar>(pliant::rowTarget(row.start, limit.gap, h) - row.free);
    all.limitVectors.resize(row.offset + 2 * static_cast<std::size_t>(s.stride), btScalar(0));
    for (Eigen::Index j = 0; j < J.size(); ++j) {
        all.limitVectors[row.offset + static_cast<std::size_t>(j)] = static_cast<btScalar>(J[j]);
        all.limitVectors[row.offset + static_cast<std::size_t>(s.stride + j)] = static_cast<btScalar>(response[j]);
    }
    all.limits.push_back(row);
}

}  // namespace

void setUpLimits(const btContactSolverInfo& info, ContactConstraints& all) {
    for (std::size_t i = 0; i < all.reducedBodies.size(); ++i)
        if (const RagdollData* d = dataOf(*all.reducedBodies[i].body).ragdoll())
            for (const pliant::JointLimit& limit : d->limits)
                addLimit(static_cast<int>(i), limit, static_cast<double>(info.m_timeStep), all);
}

btScalar iterateLimits(ContactConstraints& all) {
    btScalar largest = 0;
    for (RagdollLimit& row : all.limits) {
        ReducedBody& s = all.reducedBodies[static_cast<std::size_t>(row.reduced)];
        const btScalar* J = all.limitVectors.data() + row.offset;
        btScalar* v = all.modalVelocities.data() + s.velocityOffset;
        const btScalar next =
            btMax(btScalar(0), row.impulse + (row.rhs - modalDot(J, v, s.stride)) * row.effectiveMass);
        const btScalar change = next - row.impulse;
        if (change == btScalar(0)) continue;
        row.impulse = next;
        s.hasJointImpulse = true;
        modalAdd(v, change, J + s.stride, s.stride);
        largest = btMax(largest, change * change);
    }
    return largest;
}

}  // namespace btPliantInternal
