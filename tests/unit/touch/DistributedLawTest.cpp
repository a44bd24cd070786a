// SPDX-License-Identifier: Zlib
// The law of distributed contact against integrals that are known in closed form.
#include <Eigen/Geometry>
#include <cmath>
#include <random>

#include "pliant/touch/DistributedLaw.h"

namespace pliant::test {
namespace {

DistributedLaw lawOf(PressureLaw kind, double stiffness) {
    DistributedLaw law;
    law.law = kind;
    law.stiffness = stiffness;
    law.maxDepth = 0.01;
    return law;
}

/// A sphere's cap of points below the plane z = 0, `depth` deep: rings of equal height have equal areas.
Vector3 capOnPlane(const DistributedLaw& law, double radius, double depth) {
    constexpr int kRings = 2000, kAround = 8;
    DistributedWrenches sum;
    const Vector3 centre(0, 0, radius - depth);
    for (int ring = 0; ring < kRings; ++ring)
        for (int k = 0; k < kAround; ++k) {
            const double z = -depth * (ring + 0.5) / kRings, cosine = (z - centre.z()) / radius;
            const double sine = std::sqrt(1 - cosine * cosine), angle = 2 * M_PI * k / kAround;
            const Vector3 outward(sine * std::cos(angle), sine * std::sin(angle), cosine);
            const double area = 2 * M_PI * radius * depth / kRings / kAround;
            sum.add(centre + radius * outward, areaVector(Matrix3::Identity(), -outward, area),
                    elasticPressure(law, -z), centre, Vector3::Zero());
        }
    return sum.force;
}

TEST(DistributedLawTest, ASphereOfPointsOnAPlaneHasTheForceOfItsCapsVolume) {
    const double radius = 0.05, depth = 0.01, stiffness = 3e7;
    const Vector3 force = capOnPlane(lawOf(PressureLaw::Linear, stiffness), radius, depth);
    const double expected = M_PI * stiffness * depth * depth * (radius - depth / 3);
    EXPECT_NEAR(force.z(), expected, 1e-6 * expected);
    EXPECT_NEAR(force.head<2>().norm(), 0.0, 1e-12 * expected);
}

TEST(DistributedLawTest, APlaneOfPointsOnASphereDiffersByTheKnownAsymmetry) {
    const double radius = 0.05, depth = 0.01, stiffness = 3e7, height = radius - depth;
    const DistributedLaw law = lawOf(PressureLaw::Linear, stiffness);
    const double square = 2 * radius * depth - depth * depth;
    constexpr int kRings = 2000;
    DistributedWrenches sum;
    for (int ring = 0; ring < kRings; ++ring) {
        const Vector3 place(std::sqrt(square * (ring + 0.5) / kRings), 0, height);
        sum.add(place, areaVector(Matrix3::Identity(), Vector3::UnitZ(), M_PI * square / kRings),
                elasticPressure(law, radius - place.norm()), place, Vector3::Zero());
    }
    const double expected =
        2 * M_PI * stiffness * (radius * square / 2 - (std::pow(radius, 3) - std::pow(height, 3)) / 3);
    EXPECT_NEAR(sum.force.z(), expected, 1e-6 * expected);
}

TEST(DistributedLawTest, HertzLawGivesHertzForce) {
    // The cap's slope, which Hertz neglects, takes 2/5 of depth / radius.
    const double radius = 0.05, depth = 5e-6, modulus = 1e7;
    const Vector3 force = capOnPlane(lawOf(PressureLaw::Hertz, modulus / (M_PI * std::sqrt(radius))), radius, depth);
    const double expected = 4.0 / 3.0 * modulus * std::sqrt(radius) * std::pow(depth, 1.5);
    EXPECT_NEAR(force.z(), expected * (1 - 0.4 * depth / radius), 1e-5 * expected);
}

TEST(DistributedLawTest, FacesGiveStiffnessTimesAreaTimesDepthAndTiltTheirSecondMoment) {
    const double side = 0.04, depth = 0.002, angle = 1e-3, stiffness = 2e7;
    const DistributedLaw law = lawOf(PressureLaw::Linear, stiffness);
    constexpr int kSide = 200;
    DistributedWrenches sum;
    for (int i = 0; i < kSide; ++i)
        for (int j = 0; j < kSide; ++j) {
            const double x = side * ((i + 0.5) / kSide - 0.5), y = side * ((j + 0.5) / kSide - 0.5);
            sum.add(Vector3(x, y, 0), Vector3(0, 0, side * side / kSide / kSide),
                    elasticPressure(law, depth + angle * x), Vector3::Zero(), Vector3::Zero());
        }
    const double force = stiffness * side * side * depth, moment = stiffness * std::pow(side, 4) / 12 * angle;
    EXPECT_NEAR(sum.force.z(), force, 1e-11 * force);
    EXPECT_NEAR(-sum.shellTorque.y(), moment, 1e-4 * moment);
    EXPECT_NEAR(sum.shellTorque.x(), 0.0, 1e-11 * moment);
}

TEST(DistributedLawTest, BothBodiesGetOppositeWrenchesAboutAnyPlace) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> number(-1, 1);
    const auto vector = [&] {
        const double x = number(random), y = number(random);
        return Vector3(x, y, number(random));
    };
    const Vector3 shellCentre = vector(), fieldCentre = vector();
    DistributedWrenches sum;
    double size = 0;
    for (int k = 0; k < 1000; ++k) {
        const Vector3 place = vector(), area = vector();
        sum.add(place, area, 1 + number(random), shellCentre, fieldCentre);
        size += 2 * area.norm();
    }
    const Vector3 total =
        sum.shellTorque + shellCentre.cross(sum.force) + sum.fieldTorque - fieldCentre.cross(sum.force);
    EXPECT_LT(total.norm(), 1e-13 * size);
}

TEST(DistributedLawTest, PressureIsTheSlopeOfThePotential) {
    for (const PressureLaw kind : {PressureLaw::Linear, PressureLaw::Hertz, PressureLaw::Stiffening}) {
        const DistributedLaw law = lawOf(kind, 1e6);
        for (const double depth : {1e-7, 9.9e-6, 1.01e-5, 1e-3, 8.99e-3, 9.01e-3, 0.02}) {
            const double step = 1e-4 * depth;
            const double slope =
                (pressurePotential(law, depth + step) - pressurePotential(law, depth - step)) / (2 * step);
            EXPECT_NEAR(slope / elasticPressure(law, depth), 1.0, 1e-4) << static_cast<int>(kind) << ", " << depth;
            const double rise = (elasticPressure(law, depth + step) - elasticPressure(law, depth - step)) / (2 * step);
            EXPECT_NEAR(rise / pressureSlope(law, depth), 1.0, 1e-3) << static_cast<int>(kind) << ", " << depth;
        }
        EXPECT_EQ(elasticPressure(law, -1e-3), 0.0);
        EXPECT_EQ(pressurePotential(law, -1e-3), 0.0);
    }
}

TEST(DistributedLawTest, StiffeningPressureHasALipschitzNumberAtAnyDepth) {
    const DistributedLaw law = lawOf(PressureLaw::Stiffening, 1e6);
    for (double depth = 0; depth < 0.03; depth += 1e-5) {
        const double rise = elasticPressure(law, depth + 1e-5) - elasticPressure(law, depth);
        EXPECT_GE(rise, 0.999 * law.stiffness * 1e-5) << depth;
        EXPECT_LE(rise, 100.001 * law.stiffness * 1e-5) << depth;
    }
}

TEST(DistributedLawTest, DampingNeverPulls) {
    DistributedLaw law = lawOf(PressureLaw::Linear, 1e6);
    law.damping = 0.1;
    EXPECT_DOUBLE_EQ(dampedPressure(law, 1e-3, 2.0), 1200.0);
    EXPECT_DOUBLE_EQ(dampedPressure(law, 1e-3, -5.0), 500.0);
    EXPECT_EQ(dampedPressure(law, 1e-3, -20.0), 0.0);
    EXPECT_EQ(dampedPressure(law, -1e-3, 2.0), 0.0);
}

TEST(DistributedLawTest, AreaVectorsAreThoseOfDeformedParallelograms) {
    Matrix3 shear, flat = Matrix3::Identity();
    shear << 1.2, 0.4, -0.3, 0.1, 0.8, 0.5, -0.2, 0.3, 1.5;
    flat(2, 2) = 0;
    for (const Matrix3& gradient : {shear, flat}) {
        const Vector3 a(0.3, -0.2, 0.5), b(0.1, 0.7, -0.4), rest = a.cross(b);
        const Vector3 expected = (gradient * a).cross(gradient * b);
        EXPECT_LT((areaVector(gradient, rest.normalized(), rest.norm()) - expected).norm(), 1e-15);
    }
}

}  // namespace
}  // namespace pliant::test
