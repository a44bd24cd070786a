// SPDX-License-Identifier: Zlib
// Derivatives of clips, against motions that are known and against differences of poses.
#include <cmath>

#include "TwoBones.h"
#include "pliant/rig/PoseMotion.h"

namespace pliant::test {
namespace {

/// Values and tangents of a function at times.
template <typename Value, typename Slope>
Track sampled(const std::vector<double>& times, const Value& value, const Slope& slope) {
    MatrixX values(value(0.0).size(), static_cast<Eigen::Index>(times.size()));
    MatrixX slopes = values;
    for (std::size_t k = 0; k < times.size(); ++k) {
        values.col(static_cast<Eigen::Index>(k)) = value(times[k]);
        slopes.col(static_cast<Eigen::Index>(k)) = slope(times[k]);
    }
    return splineTrack(times, values, slopes, slopes);
}

TEST(PoseMotion, OfACubicItIsExact) {
    Skeleton skeleton = twoBones();
    Clip clip;
    clip.end = 2.0;
    const auto value = [](double t) { return VectorX(Vector3(t * t * t, 2 * t * t, -t)); };
    const auto slope = [](double t) { return VectorX(Vector3(3 * t * t, 4 * t, -1)); };
    clip.motions = {{0, sampled({0.0, 0.5, 2.0}, value, slope), {}, {}}};
    std::vector<MovingFrame> bones;
    motionAt(skeleton, clip, 1.3, bones);
    for (const MovingFrame& bone : bones) {  // the lower one goes along
        EXPECT_LT((bone.velocity.col(3) - Vector3(3 * 1.69, 5.2, -1)).norm(), 1e-12);
        EXPECT_LT((bone.acceleration.col(3) - Vector3(7.8, 4, 0)).norm(), 1e-12);
        EXPECT_EQ(bone.acceleration.leftCols<3>().norm(), 0.0);
    }
    EXPECT_LT((bones[1].point(Vector3(1, 0, 0)) - Vector3(1.3 * 1.69 + 1, 2 * 1.69, -1.3)).norm(), 1e-12);
}

// Both bones turn, the lower one also grows: everything that a chain of bones may do.
TEST(PoseMotion, AgreesWithDifferencesOfPoses) {
    const Skeleton skeleton = twoBones();
    Clip clip;
    clip.end = 1.0;
    const auto quaternion = [](double t) {
        return VectorX(Rotation(turn(1.1 * t, Vector3::UnitY()) * turn(0.7 * t * t, Vector3::UnitZ())).coeffs());
    };
    const auto rate = [&](double t) { return VectorX((quaternion(t + 1e-5) - quaternion(t - 1e-5)) / 2e-5); };
    const auto scale = [](double t) { return VectorX(VectorX::Constant(1, 1 + 0.3 * t * t)); };
    const auto growth = [](double t) { return VectorX(VectorX::Constant(1, 0.6 * t)); };
    const std::vector<double> keys = {0.0, 0.4, 1.0};
    clip.motions = {{0, {}, sampled(keys, quaternion, rate), {}},
                    {1, {}, sampled(keys, quaternion, rate), sampled(keys, scale, growth)}};
    std::vector<MovingFrame> bones;
    const double t = 0.65;
    motionAt(skeleton, clip, t, bones);
    const auto imageAt = [&](double time, std::size_t bone, const Vector3& x) {
        Pose pose;
        std::vector<Similarity> maps;
        poseAt(skeleton, clip, time, pose);
        restToNow(skeleton, pose, maps);
        return maps[bone].point(x);
    };
    const Vector3 x(1.4, 0.3, -0.2);
    for (std::size_t b = 0; b < 2; ++b) {
        EXPECT_LT((bones[b].point(x) - imageAt(t, b, x)).norm(), 1e-14);
        std::vector<double> errors;
        for (const double h : {0.02, 0.01}) {
            const Vector3 second = (imageAt(t + h, b, x) - 2 * imageAt(t, b, x) + imageAt(t - h, b, x)) / (h * h);
            const Vector3 first = (imageAt(t + h, b, x) - imageAt(t - h, b, x)) / (2 * h);
            const AffineMap &v = bones[b].velocity, &a = bones[b].acceleration;
            errors.push_back((a.leftCols<3>() * x + a.col(3) - second).norm());
            errors.push_back((v.leftCols<3>() * x + v.col(3) - first).norm());
        }
        EXPECT_NEAR(errors[0] / errors[2], 4.0, 0.2);  // second order
        EXPECT_NEAR(errors[1] / errors[3], 4.0, 0.2);
        EXPECT_LT(errors[2], 1e-3);
    }
}

// One search serves tracks with the same keys; those with others are searched by themselves, before, between, at and
// behind their keys, in whichever order times come.
TEST(PoseMotion, TracksMayHaveKeysOfTheirOwn) {
    const Skeleton skeleton = twoBones();
    Clip clip;
    clip.end = 2.0;
    const auto track = [](const std::vector<double>& times, int components) {
        MatrixX values(components, static_cast<Eigen::Index>(times.size()));
        for (Eigen::Index k = 0; k < values.size(); ++k) values.data()[k] = 1.0 + 0.5 * std::sin(3.0 * double(k));
        return smoothTrack(times, values, components == 4);
    };
    const std::vector<double> few = {0.3, 1.1}, many = {0.0, 0.2, 0.3, 0.5, 1.1, 1.2, 1.9, 2.0}, one = {0.7};
    clip.motions = {{0, track(few, 3), track(many, 4), track(one, 1)}, {1, track(many, 3), track(few, 4), {}}};
    std::vector<MovingFrame> bones;
    Pose pose;
    std::vector<Similarity> maps;
    const Vector3 x(1.4, 0.3, -0.2);
    for (const double time : {-1.0, 0.0, 0.2, 0.25, 0.3, 0.31, 0.7, 1.15, 1.1, 0.6, 1.95, 2.0, 2.5, 0.1}) {
        motionAt(skeleton, clip, time, bones);
        poseAt(skeleton, clip, time, pose);
        restToNow(skeleton, pose, maps);
        for (std::size_t b = 0; b < 2; ++b)
            EXPECT_LT((bones[b].point(x) - maps[b].point(x)).norm(), 1e-13) << time << ' ' << b;
    }
}

TEST(PoseMotion, StandsStillOutsideOfTheClip) {
    const Skeleton skeleton = twoBones();
    Clip clip;
    clip.end = 1.0;
    MatrixX values(3, 2);
    values << 0, 1, 0, 1, 0, 1;
    clip.motions = {{0, smoothTrack({0.0, 1.0}, values, false), {}, {}}};
    std::vector<MovingFrame> bones;
    motionAt(skeleton, clip, 0.5, bones);
    EXPECT_GT(bones[0].velocity.norm(), 1.0);
    for (const double time : {-0.1, 1.0, 3.0}) {
        motionAt(skeleton, clip, time, bones);
        EXPECT_EQ(bones[0].velocity.norm() + bones[0].acceleration.norm(), 0.0) << time;
    }
}

}  // namespace
}  // namespace pliant::test
