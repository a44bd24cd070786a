// SPDX-License-Identifier: Zlib
// Look-ups in fields whose samples are known: linear functions are met exactly, in both resolutions and across them.
#include <cmath>
#include <limits>
#include <random>

#include "pliant/touch/FieldLookup.h"

namespace pliant::test {
namespace {

/// Samples `f` on 3 x 2 x 4 bricks; every second brick has fine samples.
template <typename Function>
DistanceField sampled(const Function& f) {
    DistanceField field;
    field.origin = Vector3(-0.3, 0.2, 1.1);
    field.spacing = 0.01;
    field.bricks = Eigen::Vector3i(3, 2, 4);
    field.unit = 1e-5;
    field.corners.resize(4 * 3 * 5);
    const auto at = [&](int x, int y, int z) { return f(field.origin + field.spacing * Vector3(x, y, z)); };
    Eigen::Index corner = 0;
    for (int z = 0; z <= 4; ++z)
        for (int y = 0; y <= 2; ++y)
            for (int x = 0; x <= 3; ++x) field.corners[corner++] = static_cast<float>(at(8 * x, 8 * y, 8 * z));
    int fine = 0;
    for (int brick = 0; brick < 24; ++brick) {
        const int bx = brick % 3, by = brick / 3 % 2, bz = brick / 6;
        field.brickSamples.push_back((bx + by + bz) % 2 == 0 ? fine++ : -1);
        if (field.brickSamples.back() < 0) continue;
        for (int z = 0; z <= 8; ++z)
            for (int y = 0; y <= 8; ++y)
                for (int x = 0; x <= 8; ++x)
                    field.samples.push_back(
                        static_cast<std::int16_t>(std::lround(at(8 * bx + x, 8 * by + y, 8 * bz + z) / field.unit)));
    }
    return field;
}

const Vector3 slope(0.3, -0.5, 0.7);
double plane(const Vector3& x) {
    return slope.dot(x) - 0.8;
}

/// Points of the box of sampled().
class Places {
public:
    Vector3 next() {
        std::uniform_real_distribution<double> along(0.0, 1.0);
        const double x = along(m_random), y = along(m_random), z = along(m_random);
        return Vector3(-0.3 + 0.24 * x, 0.2 + 0.16 * y, 1.1 + 0.32 * z);
    }

private:
    std::mt19937 m_random{7};
};

TEST(FieldLookup, MeetsALinearFunctionInBothResolutions) {
    const DistanceField field = sampled(plane);
    Places places;
    for (int i = 0; i < 2000; ++i) {
        const Vector3 x = places.next();
        Vector3 gradient;
        const double d = fieldDistance(field, x, gradient);
        EXPECT_EQ(d, fieldDistance(field, x));
        EXPECT_NEAR(d, plane(x), 0.5 * field.unit + 1e-6) << x.transpose();
        // Each of two samples is off by half a unit at most.
        EXPECT_LT((gradient - slope).lpNorm<Eigen::Infinity>(), field.unit / field.spacing + 1e-4) << x.transpose();
    }
}

TEST(FieldLookup, GradientIsTheSlopeOfTheInterpolant) {
    const DistanceField field = sampled([](const Vector3& x) { return (x - Vector3(-0.2, 0.3, 1.2)).norm() - 0.05; });
    Places places;
    const double step = 1e-5;
    int compared = 0;
    for (int i = 0; i < 2000; ++i) {
        const Vector3 x = places.next();
        const Vector3 inCells = (x - field.origin) / field.spacing;
        if (((inCells - inCells.array().round().matrix()).cwiseAbs().array() < 2e-3).any()) continue;
        Vector3 gradient, slopes;
        fieldDistance(field, x, gradient);
        for (int k = 0; k < 3; ++k) {
            const Vector3 e = step * Vector3::Unit(k);
            slopes[k] = (fieldDistance(field, x + e) - fieldDistance(field, x - e)) / (2.0 * step);
        }
        EXPECT_LT((gradient - slopes).norm(), 3e-3) << x.transpose();  // of the slopes: float's 1e-8 m in 2e-5 m
        ++compared;
    }
    EXPECT_GT(compared, 1500);
}

TEST(FieldLookup, GoesOnOutsideOfTheBox) {
    const Vector3 centre(-0.18, 0.28, 1.26);  // the middle of the box
    const DistanceField field = sampled([&](const Vector3& x) { return (x - centre).norm() - 0.02; });
    Places places;
    for (int i = 0; i < 500; ++i) {
        const Vector3 x = centre + 20.0 * (places.next() - centre);
        const Vector3 nearest = x.cwiseMax(field.origin).cwiseMin(field.origin + Vector3(0.24, 0.16, 0.32));
        if (nearest == x) continue;
        const double truth = (x - centre).norm() - 0.02, ofBox = (x - nearest).norm();
        Vector3 gradient, slopes;
        const double d = fieldDistance(field, x, gradient);
        EXPECT_LT(d, truth + 1e-3);
        EXPECT_GE(d, ofBox);
        EXPECT_NEAR(d, std::hypot(ofBox, fieldDistance(field, nearest)), 1e-9);
        EXPECT_GT(gradient.dot((x - centre).normalized()), 0.0);
        for (int k = 0; k < 3; ++k) {
            const Vector3 e = 1e-5 * Vector3::Unit(k);
            slopes[k] = (fieldDistance(field, x + e) - fieldDistance(field, x - e)) / 2e-5;
        }
        EXPECT_LT((gradient - slopes).norm(), 5e-3) << x.transpose();
    }
}

TEST(FieldLookup, IsSteadyWhereTheBoxEnds) {
    const DistanceField field = sampled(plane);  // negative at some of the box' sides
    for (const double y : {0.2, 0.36}) {
        const Vector3 onSide(-0.21, y, 1.3), out = Vector3::UnitY() * (y > 0.3 ? 1e-9 : -1e-9);
        EXPECT_NEAR(fieldDistance(field, onSide), fieldDistance(field, onSide + out), 1e-8);
    }
}

TEST(FieldLookup, SurvivesWhatIsNoNumber) {
    const DistanceField field = sampled(plane);
    const double nan = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
    Vector3 gradient;
    EXPECT_FALSE(std::isfinite(fieldDistance(field, Vector3(nan, 0.3, 1.2), gradient)));
    EXPECT_FALSE(std::isfinite(fieldDistance(field, Vector3(infinite, 0.3, 1.2), gradient)));
    EXPECT_FALSE(std::isfinite(fieldDistance(field, Vector3(-0.2, 0.3, -infinite))));
    EXPECT_TRUE(std::isfinite(fieldDistance(field, Vector3(1e100, -1e100, 1e100), gradient)));
    EXPECT_TRUE(gradient.allFinite());
}

}  // namespace
}  // namespace pliant::test
