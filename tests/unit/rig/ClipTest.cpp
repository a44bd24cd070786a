// SPDX-License-Identifier: Zlib
// Curves through keys: what they pass through, and that their velocity has no jump.
#include <functional>

#include "TwoBones.h"

namespace pliant::test {
namespace {

using testing::HasSubstr;

/// A track of one number.
Track numbers(const std::vector<double>& times, const std::function<double(double)>& value) {
    MatrixX values(1, static_cast<Eigen::Index>(times.size()));
    for (std::size_t k = 0; k < times.size(); ++k) values(0, static_cast<Eigen::Index>(k)) = value(times[k]);
    return smoothTrack(times, values, false);
}

double at(const Track& track, double time) {
    double value = 0.0;
    evaluate(track, time, &value);
    return value;
}

double slopeAt(const Track& track, double time) {
    return (at(track, time + 1e-6) - at(track, time - 1e-6)) / 2e-6;
}

TEST(Clip, ParabolasAreExactBetweenUnevenKeysInside) {
    const auto parabola = [](double t) { return 3.0 - 2.0 * t + 5.0 * t * t; };
    const Track track = numbers({0, 0.1, 0.4, 0.5, 1.2, 1.3}, parabola);
    for (double t = 0.1; t <= 1.2; t += 0.01) EXPECT_NEAR(at(track, t), parabola(t), 1e-13) << t;
    EXPECT_EQ(at(track, -5), 3.0);
    EXPECT_EQ(at(track, 99), parabola(1.3));
}

TEST(Clip, VelocityHasNoJumpAtKeys) {
    const Track track = numbers({0, 0.1, 0.4, 0.5, 1.2, 1.3}, [](double t) { return std::sin(9 * t); });
    for (const double key : {0.1, 0.4, 0.5, 1.2}) {
        const double before = (at(track, key) - at(track, key - 1e-6)) / 1e-6;
        const double after = (at(track, key + 1e-6) - at(track, key)) / 1e-6;
        EXPECT_NEAR(before, after, 1e-3) << key;
    }
}

TEST(Clip, RepeatsWithoutAKinkWhereItCloses) {
    std::vector<double> times;
    for (int k = 0; k <= 12; ++k) times.push_back(k / 12.0);
    const Track track = numbers(times, [](double t) { return std::sin(2 * pi * t + 0.3); });
    EXPECT_NEAR((at(track, 1e-6) - at(track, 0)) / 1e-6, (at(track, 1) - at(track, 1 - 1e-6)) / 1e-6, 1e-3);
    EXPECT_NEAR((at(track, 1e-6) - at(track, 0)) / 1e-6, 2 * pi * std::cos(0.3), 0.3);
    Clip clip;
    clip.start = 0.25;
    clip.end = 1.0;
    EXPECT_NEAR(repeated(clip, 0.8), 0.3, 1e-15);
    EXPECT_NEAR(repeated(clip, -0.1), 0.9, 1e-15);
    clip.end = clip.start;
    EXPECT_EQ(repeated(clip, 7.0), 0.25);
}

TEST(Clip, StepsJumpAndSplinesKeepTheirTangents) {
    MatrixX values(1, 3), in(1, 3), out(1, 3);
    values << 1, 2, 4;
    const Track steps = stepTrack({0, 1, 2}, values);
    EXPECT_EQ(at(steps, 0.999), 1.0);
    EXPECT_EQ(at(steps, 1.0), 2.0);
    EXPECT_EQ(at(steps, 2.5), 4.0);
    in << 0, 7, -3;
    out << 5, -2, 0;
    const Track spline = splineTrack({0, 1, 2}, values, in, out);
    EXPECT_NEAR(slopeAt(spline, 1e-6), 5, 1e-4);
    EXPECT_NEAR(slopeAt(spline, 1 - 2e-6), 7, 1e-4);
    EXPECT_NEAR(slopeAt(spline, 1 + 2e-6), -2, 1e-4);
    EXPECT_NEAR(at(spline, 0.5), 0.5 * (1 + 2) + (5 - 7) / 8.0, 1e-14);  // Hermite's middle
}

Clip turning(const std::vector<double>& times, const std::vector<Rotation>& turns) {
    MatrixX values(4, static_cast<Eigen::Index>(turns.size()));
    for (std::size_t k = 0; k < turns.size(); ++k) values.col(static_cast<Eigen::Index>(k)) = turns[k].coeffs();
    Clip clip;
    clip.name = "turn";
    clip.end = times.back();
    clip.motions.resize(1);
    clip.motions[0].bone = 1;
    clip.motions[0].rotation = smoothTrack(times, values, true);
    return clip;
}

// A steady turn: half the distance of keys leaves less than a seventh of the error; signs of quaternions do not matter.
TEST(Clip, SteadyTurnsStaySteady) {
    const Skeleton skeleton = twoBones();
    std::vector<double> worst;
    for (const int keys : {12, 24}) {
        std::vector<double> times;
        std::vector<Rotation> turns;
        for (int k = 0; k <= keys; ++k) {
            times.push_back(static_cast<double>(k) / keys);
            turns.push_back(turn(2 * times.back(), Vector3::UnitX()));
            if (k % 3 == 1) turns.back().coeffs() *= -1.0;
        }
        const Clip clip = turning(times, turns);
        EXPECT_EQ(errorOf([&] { checkClip(skeleton, clip, "f"); }), "");
        Pose pose;
        worst.push_back(0.0);
        for (double t = 0.25; t <= 0.75; t += 0.003) {
            poseAt(skeleton, clip, t, pose);
            worst.back() = std::max(worst.back(), pose[1].rotation.angularDistance(turn(2 * t, Vector3::UnitX())));
        }
        EXPECT_EQ(pose[0].translation, Vector3::Zero());
        EXPECT_EQ(pose[1].translation, Vector3(1, 0, 0)) << "without a track the stance stays";
    }
    EXPECT_LT(worst[0], 2e-5);
    EXPECT_LT(worst[1], worst[0] / 7);
}

TEST(Clip, RefusesWhatIsNone) {
    const Skeleton skeleton = twoBones();
    const auto told = [&](const std::function<void(Clip&)>& damage) {
        Clip clip = turning({0, 1}, {Rotation::Identity(), turn(1, Vector3::UnitX())});
        damage(clip);
        return errorOf([&] { checkClip(skeleton, clip, "f.glb"); });
    };
    EXPECT_EQ(told([](Clip&) {}), "");
    EXPECT_THAT(told([](Clip& c) { c.motions[0].rotation.times[1] = 0; }),
                HasSubstr("f.glb: clip \"turn\", bone \"lower\", rotation: times do not grow at key 1"));
    EXPECT_THAT(told([](Clip& c) { c.motions[0].rotation.values(0, 1) = NAN; }), HasSubstr("not finite"));
    EXPECT_THAT(told([](Clip& c) { c.motions[0].rotation.values.col(1) *= 2; }), HasSubstr("length 2.0"));
    EXPECT_THAT(told([](Clip& c) { c.motions[0].rotation.arrivals.resize(4, 0); }), HasSubstr("tangent"));
    EXPECT_THAT(told([](Clip& c) { c.motions[0].bone = 2; }), HasSubstr("bone 2 of 2"));
    EXPECT_THAT(told([](Clip& c) { c.motions.push_back(c.motions[0]); }), HasSubstr("moved twice"));
    EXPECT_THAT(told([](Clip& c) { c.motions[0].scale = stepTrack({0}, MatrixX::Zero(1, 1)); }), HasSubstr("scale"));
}

}  // namespace
}  // namespace pliant::test
