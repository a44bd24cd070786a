// SPDX-License-Identifier: Zlib
#include "btPliant/body/BoneReturn.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>

namespace btPliantInternal {

using pliant::AffineMap;
using pliant::Matrix3;
using pliant::Rotation;
using pliant::Vector3;

namespace {

double shareAt(double x) {
    return x * x * x * (10.0 + x * (6.0 * x - 15.0));
}

/// The integral of 1 - s from 0 to x.
double lastingAt(double x) {
    return x - x * x * x * x * (2.5 + x * (x - 3.0));
}

Matrix3 turnBy(const Vector3& vector) {
    const double angle = vector.norm();
    return angle > 0.0 ? Eigen::AngleAxisd(angle, vector / angle).toRotationMatrix() : Matrix3(Matrix3::Identity());
}

/// The quaternion of a turn that is nearer to the last one, which it replaces.
const Rotation& followed(const Matrix3& turn, Rotation& last) {
    const Rotation now = Rotation(turn).normalized();
    const double sign = now.dot(last) < 0.0 ? -1.0 : 1.0;
    last.coeffs() = sign * now.coeffs();
    return last;
}

/// A share of a turn, the way that its quaternion goes: by up to a whole one.
Matrix3 shareOf(double share, const Rotation& turn) {
    const double size = turn.vec().norm();
    return size > 0.0 ? turnBy(share * 2.0 * std::atan2(size, turn.w()) / size * turn.vec())
                      : Matrix3(Matrix3::Identity());
}

Vector3 headOf(const pliant::Skeleton& skeleton, std::size_t bone) {
    return skeleton.bones[bone].head();
}

/// A bone in its parent: turn, scale and head.
BonePlace placeIn(const AffineMap& parent, const AffineMap& bone, const Vector3& head) {
    const Matrix3 inverse = parent.leftCols<3>().inverse();
    const Matrix3 linear = inverse * bone.leftCols<3>();
    BonePlace place;
    place.scale = linear.col(0).norm();
    place.turn = linear / (place.scale > 0.0 ? place.scale : 1.0);
    place.head = inverse * Vector3(bone.leftCols<3>() * head + bone.col(3) - parent.col(3));
    return place;
}

AffineMap world() {
    AffineMap map = AffineMap::Zero();
    map.leftCols<3>().setIdentity();
    return map;
}

}  // namespace

BoneReturn beginReturn(const CharacterData& c, double seconds) {
    const RagdollData& d = *c.ragdoll;
    BoneReturn from;
    from.seconds = seconds;
    const auto spinOf = [&](std::size_t bone) { return Vector3(d.V.segment<3>(6 * d.model().limbOf[bone] + 3)); };
    for (std::size_t b = 0; b < c.bones.size(); ++b) {
        const int parent = c.model->skeleton.bones[b].parent;
        const Vector3 head = headOf(c.model->skeleton, b);
        const AffineMap above = parent < 0 ? world() : c.bones[static_cast<std::size_t>(parent)];
        BonePlace place = placeIn(above, c.bones[b], head);
        const Matrix3 axes = above.leftCols<3>().transpose();
        if (parent < 0) {
            const int limb = d.model().limbOf[b];
            const Vector3 arm = c.bones[b].leftCols<3>() * head + c.bones[b].col(3) - d.system.centre(limb);
            place.spin = spinOf(b);
            place.velocity = Vector3(d.V.segment<3>(6 * limb)) + place.spin.cross(arm);
        } else {
            place.spin = axes * (spinOf(b) - spinOf(static_cast<std::size_t>(parent)));
        }
        from.bones.push_back(place);
    }
    return from;
}

void returnBones(const pliant::Skeleton& skeleton, double elapsed, BoneReturn& from, std::vector<AffineMap>& bones) {
    const double x = std::min(1.0, elapsed / from.seconds);
    if (!(x < 1.0)) return;
    const double share = shareAt(x), lasting = from.seconds * lastingAt(x);
    static thread_local std::vector<AffineMap> drive;
    drive = bones;
    for (std::size_t b = 0; b < bones.size(); ++b) {
        const int parent = skeleton.bones[b].parent;
        const Vector3 head = headOf(skeleton, b);
        const auto above = static_cast<std::size_t>(parent < 0 ? 0 : parent);
        const BonePlace to = placeIn(parent < 0 ? world() : drive[above], drive[b], head);
        BonePlace& left = from.bones[b];
        const Matrix3 start = turnBy(lasting * left.spin) * left.turn;
        const Matrix3 turn = start * shareOf(share, followed(start.transpose() * to.turn, left.way));
        const Vector3 place = (1.0 - share) * (left.head + lasting * left.velocity) + share * to.head;
        const double scale = (1.0 - share) * left.scale + share * to.scale;
        const AffineMap carrier = parent < 0 ? world() : bones[above];
        bones[b].leftCols<3>() = scale * (carrier.leftCols<3>() * turn);
        bones[b].col(3) = carrier.leftCols<3>() * place + carrier.col(3) - bones[b].leftCols<3>() * head;
    }
}

}  // namespace btPliantInternal
