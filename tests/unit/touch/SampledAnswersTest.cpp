// SPDX-License-Identifier: Zlib
// Known answers through all of the data: triangles are cut into pieces (sampleShell), the query finds those that touch,
// and the law is summed over them.
//
// Pieces are right-angled and isosceles, seen from above, with legs g. The square of the distance from their centroid,
// along any direction, is g^2 / 12 in the mean at most, and no corner is farther from it than sqrt(5) / 3 g. So the
// pressure at the centroid stands for that of a piece with an error of
// - nothing where the depth is linear in place,
// - H g^2 / 18 where its second derivatives are H at most (half of H times the traces g^2 / 9),
// - for depths of slope s that begin within the piece, s g / sqrt(48), half of their mean deviation. Pieces of a disc
// of
//   radius a where that may be cover 2 pi a 2 sqrt(5) / 3 g at most.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "TouchSurfaces.h"
#include "pliant/touch/DistributedLaw.h"
#include "pliant/touch/DistributedQuery.h"
#include "unit/mesh/SampleMeshes.h"
#include "unit/shell/ShellShapes.h"

namespace pliant::test {
namespace {

constexpr double kSingle = 1.0 / (1 << 24);  // of an area vector, which a shell keeps in single precision
constexpr double kRadius = 0.05;             // m, of spheres

DistributedLaw pressureLaw(PressureLaw kind, double stiffness) {
    DistributedLaw law;
    law.law = kind;
    law.stiffness = stiffness;
    return law;
}

/// A square across z about the origin, whose body lies above it. @param along where the i-th of `count` + 1 lines of
/// its grid stands, m @param height above a place, m
template <class Along, class Height>
SurfaceMesh sheet(int count, const Along& along, const Height& height) {
    SurfaceMesh mesh;
    mesh.positions.resize(3, (count + 1) * (count + 1));
    mesh.triangles.resize(3, 2 * count * count);
    for (int i = 0; i <= count; ++i)
        for (int j = 0; j <= count; ++j) {
            const double x = along(i), y = along(j);
            mesh.positions.col((count + 1) * i + j) = Vector3(x, y, height(x, y));
        }
    int n = 0;
    for (int i = 0; i < count; ++i)
        for (int j = 0; j < count; ++j) {
            const int p = (count + 1) * i + j, q = p + count + 1;
            mesh.triangles.col(n++) << p, p + 1, q + 1;
            mesh.triangles.col(n++) << p, q + 1, q;
        }
    return mesh;
}

double flat(double, double) {
    return 0.0;
}

/// Pieces of a quarter of the triangles of an even grid: their legs are half of its. 0.4 lies between a quarter and a
/// half, also of what stands as oblique as 1 / 1.25. @param width of a square of the grid, m
ShellSamples quartered(const SurfaceMesh& even, double width) {
    return sampleShell(even, {}, static_cast<int>(areaOf(even) / (0.75 * 0.4 * 0.5 * width * width)), nullptr);
}

/// What presses on a shell at a place, and its torque about there.
DistributedWrenches pressed(const ShellSamples& samples, const TouchField& field, const DistributedLaw& law,
                            const RigidTransform& pose) {
    DistributedQuery query(std::make_shared<DistributedShell>(samples, 1, nullptr), nullptr);
    query.placed().place({pose});
    std::vector<DistributedPoint> found;
    query.find(field, {}, found);
    DistributedWrenches sum;
    for (const DistributedPoint& point : found)
        sum.add(point.place, point.area, elasticPressure(law, -point.distance), pose.translation, Vector3::Zero());
    return sum;
}

RigidTransform lowered(double depth) {
    return turned(Vector3::UnitZ(), 0.0, -depth * Vector3::UnitZ());
}

// A grid whose lines close up to one corner: pieces differ by a factor of 4e5 in area, and most of them stand in
// that corner. Their shares of the area say that the pressure is even all the same.
TEST(SampledAnswers, AnUnevenlySampledPlaneExertsNoTorque) {
    constexpr double width = 0.2, depth = 1e-3, stiffness = 1e8;  // m, m, Pa/m
    constexpr int count = 40;
    const SurfaceMesh uneven = sheet(
        count, [](int i) { return width * (std::pow(double(i) / count, 2.5) - 0.5); }, flat);
    for (const int points : {1, 2000, 20000}) {  // all triangles whole, and the large ones cut into pieces
        const ShellSamples samples = sampleShell(uneven, {}, points, nullptr);
        const AnalyticField plane = AnalyticField::plane(Vector3::UnitZ(), 0.0);
        const DistributedWrenches on = pressed(samples, plane, pressureLaw(PressureLaw::Linear, stiffness),
                                               turned(Vector3::UnitZ(), 0.4, Vector3(0.03, -0.02, -depth)));
        const double force = stiffness * depth * width * width;
        EXPECT_NEAR(on.force.z(), force, kSingle * force) << points;
        EXPECT_LT(on.shellTorque.norm(), kSingle * force * width) << points;
        const Vector3 middle = samples.positions.rowwise().mean();
        if (points == 1) {
            EXPECT_GT(middle.norm(), 0.1 * width) << "with equal shares it would turn about that";
        }
        // Coarser levels have all of the area, too.
        DistributedShell shell(samples, 3, nullptr);
        for (int level = 0; level < 3; ++level) {
            double area = 0.0;
            for (int i = 0; i < shell.pointCount(); ++i)
                if (shell.levelOf(i) <= level) area += shell.area(i, level).z();
            EXPECT_NEAR(area, width * width, kSingle * width * width) << level;
        }
    }
}

TEST(SampledAnswers, FacesGiveStiffnessTimesAreaTimesDepth) {
    constexpr double side = 0.04, depth = 0.002;
    SurfaceMesh cube;
    addBox(cube, Vector3(-side / 2, -side / 2, 0), Vector3(side / 2, side / 2, side));
    const ShellSamples samples = sampleShell(cube, {}, 6000, nullptr);
    const AnalyticField plane = AnalyticField::plane(Vector3::UnitZ(), 0.0);
    for (const PressureLaw kind : {PressureLaw::Linear, PressureLaw::Hertz, PressureLaw::Stiffening}) {
        const DistributedLaw law = pressureLaw(kind, 2e7);
        const double force = elasticPressure(law, depth) * side * side;
        EXPECT_NEAR(pressed(samples, plane, law, lowered(depth)).force.z(), force, kSingle * force);
    }
}

// The torque is k sin(tilt) times the second moment of area, less those of the pieces about their centroids:
// A g^2 / 12 at most, of A^2 / 12.
TEST(SampledAnswers, ATiltedFaceGivesItsSecondMoment) {
    constexpr double side = 0.04, depth = 0.002, angle = 0.02, stiffness = 2e7;
    constexpr int count = 20;
    const ShellSamples samples = quartered(sheet(
                                               count, [](int i) { return side * (double(i) / count - 0.5); }, flat),
                                           side / count);
    EXPECT_EQ(samples.positions.cols(), 8 * count * count);
    const DistributedWrenches on =
        pressed(samples, AnalyticField::plane(Vector3::UnitZ(), 0.0), pressureLaw(PressureLaw::Linear, stiffness),
                turned(Vector3::UnitY(), angle, -depth * Vector3::UnitZ()));
    const double force = stiffness * side * side * depth, moment = stiffness * std::pow(side, 4) / 12 * std::sin(angle);
    const double leg = side / count / 2;
    EXPECT_NEAR(on.force.norm(), force, 2 * kSingle * force);
    EXPECT_LE(std::abs(on.shellTorque.y()), moment * (1 + 1e-6));
    EXPECT_GE(std::abs(on.shellTorque.y()), moment * (1 - leg * leg / (side * side)));
    EXPECT_LT(std::abs(on.shellTorque.x()), kSingle * force * side);
}

// Under water a closed surface is lifted by its volume, whatever its shape is: the pressure is linear in place, and
// the centroids sum it exactly.
TEST(SampledAnswers, AnImmersedSurfaceIsLiftedByItsVolume) {
    const SurfaceMesh mesh = torusSurface(0.1, 0.03, 24);
    double volume = 0.0;
    for (int t = 0; t < mesh.triangleCount(); ++t) {
        const Vector3 a = mesh.positions.col(mesh.triangles(0, t)), b = mesh.positions.col(mesh.triangles(1, t));
        volume += a.dot(b.cross(Vector3(mesh.positions.col(mesh.triangles(2, t))))) / 6.0;
    }
    constexpr double stiffness = 1e6, depth = 0.5;
    for (const int points : {1, 5000}) {
        const ShellSamples samples = sampleShell(mesh, {}, points, nullptr);
        const Vector3 force =
            pressed(samples, AnalyticField::plane(Vector3::UnitZ(), 0.0), pressureLaw(PressureLaw::Linear, stiffness),
                    turned(Vector3(1, 2, 0.5), 0.7, -depth * Vector3::UnitZ()))
                .force;
        // Area vectors are rounded by themselves, each to 2^-24, and pressed by k depth.
        const double rounding = kSingle * stiffness * (depth + 0.13) * areaOf(mesh);
        EXPECT_LT((force - stiffness * volume * Vector3::UnitZ()).norm(), rounding) << points;
        EXPECT_LT(rounding, 1e-3 * stiffness * volume);
    }
}

/// The lower cap of a sphere that touches z = 0, over a square.
ShellSamples cap(double halfWidth, int count) {
    const auto line = [=](int i) { return halfWidth * (2.0 * i / count - 1.0); };
    const auto below = [](double x, double y) { return kRadius - std::sqrt(kRadius * kRadius - x * x - y * y); };
    return quartered(sheet(count, line, below), 2 * halfWidth / count);
}

/// Radius of the circle that a sphere and a plane have in common.
double rimOf(double depth) {
    return std::sqrt(2 * kRadius * depth - depth * depth);
}

// Chords of the grid, 2 g wide, lie above the sphere by (2 g)^2 / 4 times its curvature at most, 1 / (R cos^3), and so
// is the depth too small by no more.
TEST(SampledAnswers, ASphereOnAPlaneHasTheForceOfItsCapsVolume) {
    constexpr double depth = 0.01, stiffness = 3e7;
    constexpr int count = 140;
    const double rim = rimOf(depth), half = 1.1 * rim, leg = half / count, cosine = 1 - depth / kRadius;
    const double force = pressed(cap(half, count), AnalyticField::plane(Vector3::UnitZ(), 0.0),
                                 pressureLaw(PressureLaw::Linear, stiffness), lowered(depth))
                             .force.z();
    const double expected = M_PI * stiffness * depth * depth * (kRadius - depth / 3);
    const double chords = stiffness * M_PI * rim * rim * leg * leg / (kRadius * std::pow(cosine, 3));
    const double begin =
        stiffness * (2 * M_PI * rim * 2 * std::sqrt(5.0) / 3 * leg) * rim / (kRadius * cosine) * leg / std::sqrt(48.0);
    EXPECT_LT(chords + begin, 6e-4 * expected) << "the bound";
    EXPECT_GT(force, expected - chords - begin);
    EXPECT_LT(force, expected + begin);
}

// The other way round it is less by a share of D / 3 R, nearly: the depth of the plane's points has second derivatives
// of 1 / (R - D) at most, and the slope a / R where it begins.
TEST(SampledAnswers, APlaneOnASphereDiffersByTheKnownAsymmetry) {
    constexpr double depth = 0.01, stiffness = 3e7, height = kRadius - depth;
    constexpr int count = 140;
    const double rim = rimOf(depth), half = 1.1 * rim, leg = half / count;
    const ShellSamples samples = quartered(sheet(
                                               count, [=](int i) { return half * (2.0 * i / count - 1.0); }, flat),
                                           2 * leg);
    const double force = pressed(samples, AnalyticField::sphere(kRadius), pressureLaw(PressureLaw::Linear, stiffness),
                                 turned(Vector3::UnitZ(), 0.2, height * Vector3::UnitZ()))
                             .force.z();
    const double expected =
        2 * M_PI * stiffness * (kRadius * rim * rim / 2 - (std::pow(kRadius, 3) - std::pow(height, 3)) / 3);
    const double curved = stiffness * M_PI * rim * rim / height * leg * leg / 18;
    const double begin =
        stiffness * (2 * M_PI * rim * 2 * std::sqrt(5.0) / 3 * leg) * rim / kRadius * leg / std::sqrt(48.0);
    EXPECT_LT(curved + begin, 1.5e-4 * expected) << "the bound";
    EXPECT_NEAR(force, expected, curved + begin);
    const double other = M_PI * stiffness * depth * depth * (kRadius - depth / 3);
    EXPECT_NEAR((other - force) / other, depth / (3 * kRadius), 0.1 * depth / kRadius) << "to first order";
}

// The root of the depth: where it begins the mean of a piece is off by no more than the root of its mean deviation,
// sqrt(s g / sqrt(48)), and beyond by s^2 g^2 / 24 over its depth to the power 3/2, a sum of 0.1 sqrt(s) g^1.5 a metre
// of the rim. Together that is 0.66. Chords take 1.5 of what they are of the depth, as the force goes with D^1.5.
TEST(SampledAnswers, HertzLawGivesHertzForce) {
    constexpr double depth = 5e-4, modulus = 1e7;
    constexpr int count = 100;
    const double rim = rimOf(depth), half = 1.1 * rim, leg = half / count;
    const double stiffness = modulus / (M_PI * std::sqrt(kRadius));
    const double force = pressed(cap(half, count), AnalyticField::plane(Vector3::UnitZ(), 0.0),
                                 pressureLaw(PressureLaw::Hertz, stiffness), lowered(depth))
                             .force.z();
    // Hertz neglects the slope of the cap; with it the integral is exactly this.
    const double expected =
        4.0 / 3.0 * modulus * std::sqrt(kRadius) * std::pow(depth, 1.5) * (1 - 0.4 * depth / kRadius);
    const double steep = rim / (kRadius - depth);
    const double begin = 0.66 * stiffness * 2 * M_PI * rim * std::sqrt(steep) * std::pow(leg, 1.5);
    const double chords = 1.5 * expected * leg * leg / (kRadius * depth);
    EXPECT_LT(begin + chords, 4e-3 * expected) << "the bound";
    EXPECT_NEAR(force, expected, begin + chords);
}

}  // namespace
}  // namespace pliant::test
