// SPDX-License-Identifier: Zlib
#include "pliant/rig/PoseMotion.h"

#include <algorithm>
#include <cstring>

#include "pliant/rig/CurveMotion.h"

namespace pliant {

namespace {

/// The nine numbers of a matrix, two by two and the last alone: column by column, as they lie in a frame.
struct Nine {
    TwoDoubles pairs[4];
    double last;

    template <class Each>
    static Nine of(const Each& each) {
        Nine result;
        for (int i = 0; i < 4; ++i) result.pairs[i] = each([i](const Nine& n) { return n.pairs[i]; });
        result.last = each([](const Nine& n) { return n.last; });
        return result;
    }
    void store(double* to) const {
        std::memcpy(to, pairs, sizeof pairs);
        to[8] = last;
    }
};

/// N(a, b), the bilinear form of the rotation of a quaternion q of any length: |q|^2 R(q) = N(q, q), symmetric in a and
/// b: u v' + v u' + [a_w v + b_w u]x + (a_w b_w - u.v) 1. Components x, y, z, w.
PLIANT_INLINE Nine quadraticForm(const CurveNumbers& a, const CurveNumbers& b) {
    const double xx = a[0] * b[0], yy = a[1] * b[1], zz = a[2] * b[2], rest = a[3] * b[3] - (xx + yy + zz);
    const double xy = a[0] * b[1] + a[1] * b[0], xz = a[0] * b[2] + a[2] * b[0], yz = a[1] * b[2] + a[2] * b[1];
    const double x = a[3] * b[0] + b[3] * a[0], y = a[3] * b[1] + b[3] * a[1], z = a[3] * b[2] + b[3] * a[2];
    return {{TwoDoubles{2 * xx + rest, xy + z}, TwoDoubles{xz - y, xy - z}, TwoDoubles{2 * yy + rest, yz + x},
             TwoDoubles{xz + y, yz - x}},
            2 * zz + rest};
}

double dot(const CurveNumbers& a, const CurveNumbers& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/// The rotation of a curve of quaternions that are not normalised: R = N / m with m = |q|^2. @return whether it is one
bool setRotation(const CurveMotion& q, MovingFrame& frame) {
    const double m = dot(q.value, q.value);
    if (!(m > 1e-12)) return false;  // as poseAt(): the stance stays
    const double m1 = 2 * dot(q.value, q.first), m2 = 2 * (dot(q.first, q.first) + dot(q.value, q.second));
    const Nine N = quadraticForm(q.value, q.value), N1 = quadraticForm(q.value, q.first),
               ff = quadraticForm(q.first, q.first), vs = quadraticForm(q.value, q.second);
    const Nine R = Nine::of([&](const auto& at) { return at(N) / m; });
    const Nine R1 = Nine::of([&](const auto& at) { return (2.0 * at(N1) - m1 * at(R)) / m; });
    const Nine R2 =
        Nine::of([&](const auto& at) { return (2.0 * (at(ff) + at(vs)) - 2 * m1 * at(R1) - m2 * at(R)) / m; });
    R.store(frame.map.data());
    R1.store(frame.velocity.data());
    R2.store(frame.acceleration.data());
    return true;
}

/// L = s R for a scale that moves, too.
void setScale(const CurveMotion& s, MovingFrame& frame) {
    const Matrix3 R = frame.map.leftCols<3>(), R1 = frame.velocity.leftCols<3>();
    const Matrix3 R2 = frame.acceleration.leftCols<3>();
    frame.map.leftCols<3>() = s.value[0] * R;
    frame.velocity.leftCols<3>() = s.first[0] * R + s.value[0] * R1;
    frame.acceleration.leftCols<3>() = s.second[0] * R + 2 * s.first[0] * R1 + s.value[0] * R2;
}

Vector3 head(const CurveNumbers& components) {
    return {components[0], components[1], components[2]};
}

/// Bone -> parent, written where it is wanted: frames are large beside what is computed of them.
void setLocalMotion(const Bone& bone, const BoneMotion& motion, double time, KeySearch& search, MovingFrame& frame) {
    if (motion.rotation.times.empty() || !setRotation(motionOfCurve<4>(motion.rotation, time, search), frame)) {
        frame.map.leftCols<3>() = bone.stance.rotation.toRotationMatrix();
        frame.velocity.leftCols<3>().setZero();
        frame.acceleration.leftCols<3>().setZero();
    }
    if (!motion.scale.times.empty() || bone.stance.scale != 1.0) {
        CurveMotion scale;
        scale.value.low[0] = bone.stance.scale;
        setScale(motion.scale.times.empty() ? scale : motionOfCurve<1>(motion.scale, time, search), frame);
    }
    if (motion.translation.times.empty()) {
        frame.map.col(3) = bone.stance.translation;
        frame.velocity.col(3).setZero();
        frame.acceleration.col(3).setZero();
        return;
    }
    const CurveMotion t = motionOfCurve<3>(motion.translation, time, search);
    frame.map.col(3) = head(t.value);
    frame.velocity.col(3) = head(t.first);
    frame.acceleration.col(3) = head(t.second);
}

AffineMap affineMapOf(const Similarity& similarity) {
    AffineMap map;
    map << similarity.scale * similarity.rotation.toRotationMatrix(), similarity.translation;
    return map;
}

void setStill(const Similarity& similarity, MovingFrame& frame) {
    frame.map = affineMapOf(similarity);
    frame.velocity.setZero();
    frame.acceleration.setZero();
}

/// A column of three numbers: two rows side by side, the third alone. Sums have the order, and so the bits, of Eigen's
/// 3 x 3 times 3 x 4, which takes entry by entry and four times as long.
struct FrameColumn {
    TwoDoubles two;
    double third;

    static FrameColumn load(const double* from) {
        FrameColumn column;
        loadLanes(column.two, from);
        column.third = from[2];
        return column;
    }
    void store(double* to) const {
        storeLanes(to, two);
        to[2] = third;
    }
    FrameColumn operator+(const FrameColumn& o) const { return {two + o.two, third + o.third}; }
    FrameColumn twice() const { return {2.0 * two, 2.0 * third}; }
};

/// L of [L | t], to be multiplied by columns.
struct FrameColumns {
    FrameColumn x, y, z;

    explicit FrameColumns(const AffineMap& map)
        : x(FrameColumn::load(map.data())),
          y(FrameColumn::load(map.data() + 3)),
          z(FrameColumn::load(map.data() + 6)) {}
    FrameColumn times(const double* b) const {
        return {(x.two * b[0] + y.two * b[1]) + z.two * b[2], x.third * b[0] + (y.third * b[1] + z.third * b[2])};
    }
};

/// b := a after b, column by column and in place: what is copied behind stores of two and one numbers waits for them.
void placeWithin(const MovingFrame& a, MovingFrame& b) {
    const FrameColumns L(a.map), L1(a.velocity), L2(a.acceleration);
    // An outer frame that does not turn, as that of a character which walks, adds nothing but its way.
    const bool turns = !(a.velocity.leftCols<3>().isZero(0.0) && a.acceleration.leftCols<3>().isZero(0.0));
    double *map = b.map.data(), *velocity = b.velocity.data(), *acceleration = b.acceleration.data();
    for (int k = 0; k < 12; k += 3) {
        FrameColumn now = L.times(map + k), first = L.times(velocity + k), second = L.times(acceleration + k);
        if (turns) {
            second = L2.times(map + k) + L1.times(velocity + k).twice() + second;
            first = L1.times(map + k) + first;
        }
        if (k == 9) {
            now = now + FrameColumn::load(a.map.data() + k);
            first = first + FrameColumn::load(a.velocity.data() + k);
            second = second + FrameColumn::load(a.acceleration.data() + k);
        }
        now.store(map + k);
        first.store(velocity + k);
        second.store(acceleration + k);
    }
}

/// a := a after an inner map that stands still.
void takeFrom(MovingFrame& a, const AffineMap& inner) {
    for (AffineMap* map : {&a.map, &a.velocity, &a.acceleration}) {
        const FrameColumns L(*map);
        const FrameColumn t = FrameColumn::load(map->data() + 9);
        for (int k = 0; k < 9; k += 3) L.times(inner.data() + k).store(map->data() + k);
        (L.times(inner.data() + 9) + t).store(map->data() + 9);
    }
}

}  // namespace

MovingFrame MovingFrame::still(const Similarity& similarity) {
    MovingFrame frame;
    frame.map = affineMapOf(similarity);
    return frame;
}

MovingFrame product(const MovingFrame& a, const MovingFrame& b) {
    MovingFrame result = b;
    placeWithin(a, result);
    return result;
}

void localMotionAt(const Skeleton& skeleton, const Clip& clip, double time, std::vector<MovingFrame>& frames) {
    static thread_local std::vector<bool> moves;
    frames.resize(skeleton.bones.size());
    moves.assign(frames.size(), false);
    KeySearch search;
    for (const BoneMotion& motion : clip.motions) {
        const auto b = static_cast<std::size_t>(motion.bone);
        setLocalMotion(skeleton.bones[b], motion, time, search, frames[b]);
        moves[b] = true;
    }
    for (std::size_t b = 0; b < frames.size(); ++b)
        if (!moves[b]) setStill(skeleton.bones[b].stance, frames[b]);
}

void localMotionOf(const Skeleton& skeleton, const Pose& pose, std::vector<MovingFrame>& frames) {
    frames.resize(skeleton.bones.size());
    for (std::size_t b = 0; b < frames.size(); ++b) setStill(pose[b], frames[b]);
}

void chainMotion(const Skeleton& skeleton, const MovingFrame* world, std::vector<MovingFrame>& frames) {
    for (std::size_t b = 0; b < frames.size(); ++b) {
        const int parent = skeleton.bones[b].parent;
        const MovingFrame* outer = parent < 0 ? world : &frames[static_cast<std::size_t>(parent)];
        if (outer) placeWithin(*outer, frames[b]);
    }
    for (std::size_t b = 0; b < frames.size(); ++b) takeFrom(frames[b], affineMapOf(skeleton.bones[b].bind.inverse()));
}

void motionAt(const Skeleton& skeleton, const Clip& clip, double time, std::vector<MovingFrame>& frames) {
    localMotionAt(skeleton, clip, time, frames);
    chainMotion(skeleton, nullptr, frames);
}

void motionOf(const Skeleton& skeleton, const Pose& pose, std::vector<MovingFrame>& frames) {
    localMotionOf(skeleton, pose, frames);
    chainMotion(skeleton, nullptr, frames);
}

}  // namespace pliant
