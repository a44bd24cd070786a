// SPDX-License-Identifier: Zlib
#include "btPliant/solver/WriteBack.h"

#include <algorithm>

#include "btPliant/data/Convert.h"
#include "btPliant/data/ManifoldPoint.h"
#include "btPliant/solver/RagdollRows.h"

namespace btPliantInternal {

using pliant::Matrix3;
using pliant::Vector3;

namespace {

void writeBackPoint(const ContactConstraint& contact) {
    btManifoldPoint& point = *contact.point;
    point.m_contactMotion1 = point.m_appliedImpulse;  // see warmStartShare
    point.m_appliedImpulse = contact.rows[0].impulse;
    point.m_appliedImpulseLateral1 = contact.rows[1].impulse;
    point.m_appliedImpulseLateral2 = contact.rows[2].impulse;
    splitImpulseOf(point) = contact.splitImpulse;
    point.m_lateralFrictionDir1 = contact.rows[1].axis;
    point.m_lateralFrictionDir2 = contact.rows[2].axis;
}

/// Adds the angular momentum of all rows of a body.
void addMomentum(const ReducedBody& s, const ContactConstraints& all) {
    BodyData& data = dataOf(*s.body);
    for (int i = s.firstSide; i < s.firstSide + s.sideCount; ++i) {
        const ConstraintSide side = all.sides[static_cast<std::size_t>(i)];
        const ContactConstraint& contact = all.contacts[side.contact];
        Vector3 turned = Vector3::Zero();
        for (const ConstraintRow& row : contact.rows) {
            const auto impulse = static_cast<double>(row.impulse);
            data.angularMomentum += impulse * toEigen(side.first ? row.angularA : row.angularB);
            turned += impulse * toEigen(side.first ? row.responseA : row.responseB);
        }
        for (int t = contact.firstTorsion; t < contact.firstTorsion + contact.torsionCount; ++t) {
            const btScalar impulse = side.first ? all.torsions[t].impulse : -all.torsions[t].impulse;
            const btVector3 torque = contact.rows[all.torsions[t].axis].axis * impulse;
            data.angularMomentum += toEigen(torque);
            turned += toEigen(btVector3(s.torqueResponse * torque));
        }
        data.solvedAngularVelocity += turned;
        data.coupledAngularVelocity += turned;
    }
}

/// Shares out the impulse of each contact of a character among the bones that carry what was touched: both momenta are
/// kept.
void addBoneImpulses(const ReducedBody& s, const ContactConstraints& all) {
    CharacterData& character = *dataOf(*s.body).character;
    const pliant::DeformedBody& deformed = *dataOf(*s.body).deformed;
    const auto& segments = deformed.model().skeleton().segments;
    for (int i = s.firstSide; i < s.firstSide + s.sideCount; ++i) {
        const ConstraintSide side = all.sides[static_cast<std::size_t>(i)];
        const ContactConstraint& contact = all.contacts[side.contact];
        btVector3 sum(0, 0, 0);
        for (const ConstraintRow& row : contact.rows) sum += row.axis * row.impulse;
        const Vector3 impulse = (side.first ? 1.0 : -1.0) * toEigen(sum);
        if (impulse.isZero(0.0)) continue;
        character.isPushed = true;
        const btManifoldPoint& point = *contact.point;
        const Vector3 at = 0.5 * (toEigen(point.getPositionWorldOnA()) + toEigen(point.getPositionWorldOnB()));
        const int segment = side.first ? contact.segmentA : contact.segmentB;
        const auto share = static_cast<double>(side.first ? contact.parameterA : contact.parameterB);
        for (int end = 0; end < 2; ++end) {
            const double part = end == 0 ? 1.0 - share : share;
            if (part == 0.0) continue;
            deformed.skin()->spheres().forBones(segments(end, segment), [&](int bone, double weight) {
                const auto b = static_cast<std::size_t>(bone);
                const pliant::AffineMap& map = character.bones[b];
                const Vector3 head = map.leftCols<3>() * character.model->skeleton.bones[b].head() + map.col(3);
                character.impulses[b] += part * weight * impulse;
                character.angularImpulses[b] += part * weight * (at - head).cross(impulse);
            });
        }
    }
}

bool hasActiveContact(const ReducedBody& s, const ContactConstraints& all) {
    const auto first = all.sides.begin() + s.firstSide;
    return std::any_of(first, first + s.sideCount,
                       [&all](const ConstraintSide& side) { return all.contacts[side.contact].isActive; });
}

/// @param change working memory
void writeBackModes(const ReducedBody& s, const ContactConstraints& all, std::vector<double>& change) {
    if (s.hasDiverged || !(s.hasJointImpulse || hasActiveContact(s, all))) return;
    BodyData& data = dataOf(*s.body);
    const btScalar* found = all.modalVelocities.data() + s.velocityOffset;
    change.assign(found, found + solvedDimension(data));
    if (RagdollData* d = data.ragdoll()) {
        data.batch().addVelocity(data.slot, change.data());
        d->V += Eigen::Map<const pliant::VectorX>(change.data() + data.model().dimension(), d->size());
        return;
    }
    if (s.whitened) {
        data.batch().addWhitenedVelocity(data.slot, change.data());
        return;
    }
    const Matrix3 A = toEigen(s.body->getWorldTransform().getBasis());
    data.batch().addVelocity(data.slot, change.data(), A.transpose() * data.coupledAngularVelocity);
}

}  // namespace

void writeBackContacts(const ContactConstraints& all, const pliant::Workers& workers) {
    workers.forBlocks(all.contacts.size(), 64, [&all](int begin, int end) {
        for (int c = begin; c < end; ++c) {
            writeBackPoint(all.contacts[c]);
        }
    });
    workers.forBlocks(static_cast<int>(all.reducedBodies.size()), 4, [&all](int begin, int end) {
        static thread_local std::vector<double> change;  // grows, and stays
        for (int i = begin; i < end; ++i) {
            const ReducedBody& s = all.reducedBodies[static_cast<std::size_t>(i)];
            addMomentum(s, all);
            if (dataOf(*s.body).character) addBoneImpulses(s, all);
            writeBackModes(s, all, change);
        }
    });
}

}  // namespace btPliantInternal
