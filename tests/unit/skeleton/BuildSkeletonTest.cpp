// SPDX-License-Identifier: Zlib
#include <Eigen/Geometry>
#include <cmath>

#include "pliant/math/Error.h"
#include "pliant/skeleton/BuildSkeleton.h"
#include "unit/collision/SyntheticBasket.h"
#include "unit/skeleton/SkeletonCover.h"

namespace pliant {
namespace {

using test::distanceToUnion;
using test::elementEdge;
using test::linearBasis;
using test::uncovered;
using test::voxels;

constexpr double kPi = 3.14159265358979323846;

Points circle(double radius, int n) {
    Points centres(3, n);
    for (int i = 0; i < n; ++i)
        centres.col(i) << radius * std::cos(2.0 * kPi * i / n), radius * std::sin(2.0 * kPi * i / n), 0.0;
    return centres;
}

Points line(double length, int n) {
    Points centres = Points::Zero(3, n);
    for (int i = 0; i < n; ++i) centres(0, i) = length * i / (n - 1);
    return centres;
}

SurfaceMesh box(const Vector3& size) {
    VolumeMesh brick;
    brick.kind = ElementKind::Brick;
    SurfaceMesh mesh;
    mesh.positions.resize(3, 8);
    for (int i = 0; i < 8; ++i)
        mesh.positions.col(i) << (i & 1) * size.x(), (i >> 1 & 1) * size.y(), (i >> 2) * size.z();
    mesh.normals = Points::Zero(3, 8);
    mesh.triangles.resize(3, 12);
    mesh.triangles << 0, 0, 4, 4, 0, 0, 2, 2, 0, 0, 1, 1,  //
        2, 3, 5, 7, 1, 5, 6, 7, 4, 6, 3, 7,                //
        3, 1, 7, 6, 5, 4, 7, 3, 6, 2, 7, 5;
    mesh.triangleMaterial.assign(12, 0);
    mesh.materials.resize(1);
    return mesh;
}

SurfaceMesh sphere(double radius, int rings) {
    SurfaceMesh mesh = test::tube(line(1.0, rings + 1), 1.0, 2 * rings, false);
    const int sides = 2 * rings;
    for (int i = 0; i <= rings; ++i)
        for (int k = 0; k < sides; ++k) {
            const double polar = kPi * (i + 0.5) / (rings + 1.0), around = 2.0 * kPi * k / sides;
            mesh.positions.col(i * sides + k) << std::cos(polar), std::sin(polar) * std::cos(around),
                std::sin(polar) * std::sin(around);
        }
    mesh.positions.col((rings + 1) * sides) = Vector3::UnitX();
    mesh.positions.col((rings + 1) * sides + 1) = -Vector3::UnitX();
    mesh.positions *= radius;
    return mesh;
}

TEST(BuildSkeleton, FindsTheAxisOfATorus) {
    for (int sides : {6, 7, 8, 12}) {
        const SurfaceMesh surface = test::tube(circle(1.0, 48), 0.1, sides, true);
        const VolumeMesh mesh = voxels(surface, 16, false);
        const ContactSkeleton s = buildSkeleton(surface, mesh, linearBasis(mesh));
        EXPECT_EQ(s.segmentCount(), s.sphereCount()) << sides;  // one closed segment
        EXPECT_GE(s.sphereCount(), 44) << sides;
        EXPECT_LE(s.sphereCount(), 52) << sides;
        for (int b = 0; b < s.sphereCount(); ++b) {
            EXPECT_NEAR(static_cast<double>(s.radii[b]), 0.1, 0.002) << sides;
            const Vector3 c = s.restCentres.col(b).cast<double>();
            EXPECT_NEAR(std::hypot(std::hypot(c.x(), c.y()) - 1.0, c.z()), 0.0, 0.002) << sides;
        }
        EXPECT_EQ(uncovered(s, surface, elementEdge(mesh)), 0.0);
    }
}

TEST(BuildSkeleton, FollowsAnOpenTubeWhateverItsOrientation) {
    for (bool insideOut : {false, true}) {
        SurfaceMesh surface = test::tube(line(1.0, 12), 0.03, 8, false);
        if (insideOut) surface.triangles.row(1).swap(surface.triangles.row(2));
        const VolumeMesh mesh = voxels(surface, 16, false);
        const ContactSkeleton s = buildSkeleton(surface, mesh, linearBasis(mesh));
        EXPECT_LE(s.sphereCount(), 28);  // 12 rings, and small spheres along the edges of the flat ends
        int onAxis = 0;
        for (int b = 0; b < s.sphereCount(); ++b) {
            const Vector3 c = s.restCentres.col(b).cast<double>();
            EXPECT_LT(std::hypot(c.y(), c.z()), 0.03);
            onAxis += std::hypot(c.y(), c.z()) < 6e-4 && std::abs(static_cast<double>(s.radii[b]) - 0.03) < 6e-4;
        }
        EXPECT_GE(onAxis, 10);
        EXPECT_EQ(uncovered(s, surface, elementEdge(mesh)), 0.0);
    }
}

/// Length of the segments in radii of their larger end, the largest.
double longestInRadii(const ContactSkeleton& s) {
    double longest = 0.0;
    for (int i = 0; i < s.segmentCount(); ++i) {
        const int a = s.segments(0, i), b = s.segments(1, i);
        const auto length = static_cast<double>((s.restCentres.col(a) - s.restCentres.col(b)).norm());
        longest = std::max(longest, length / static_cast<double>(std::max(s.radii[a], s.radii[b])));
    }
    return longest;
}

constexpr double kStickRadius = 0.01, kStickLength = 0.5;  // m

/// Twelve sides of two triangles each from end to end.
SurfaceMesh stick() {
    return test::tube(line(kStickLength, 2), kStickRadius, 12, false);
}

// One segment had its ends move on straight lines while the stick bent between them.
TEST(BuildSkeleton, CutsWhatIsLongForItsRadius) {
    const SurfaceMesh surface = stick();
    const VolumeMesh mesh = voxels(surface, 50, true);
    MatrixX arc = MatrixX::Zero(3 * mesh.vertexCount(), 1);  // its middle is a tenth of the length beside its chord
    for (int v = 0; v < mesh.vertexCount(); ++v) {
        const double along = mesh.positions(0, v) / kStickLength;
        arc(3 * v + 1, 0) = 0.4 * kStickLength * along * (1.0 - along);
    }
    const ContactSkeleton s = buildSkeleton(surface, mesh, arc);
    EXPECT_EQ(uncovered(s, surface, elementEdge(mesh)), 0.0);
    EXPECT_LE(longestInRadii(s), 8.0);
    double farthest = 0.0;
    for (int i = 0; i < s.segmentCount(); ++i) {
        const int a = s.segments(0, i), b = s.segments(1, i);
        const double middle = 0.5 * static_cast<double>(s.restCentres(0, a) + s.restCentres(0, b)) / kStickLength,
                     chord = 0.5 * static_cast<double>(s.basis(3 * a + 1, 0) + s.basis(3 * b + 1, 0));
        farthest = std::max(farthest, std::abs(0.4 * kStickLength * middle * (1.0 - middle) - chord));
    }
    // Parts of 6 radii: a tenth of the length by the square of a part's share of it.
    EXPECT_LT(farthest, 0.1 * kStickLength * std::pow(6.0 * kStickRadius / kStickLength, 2));
}

TEST(BuildSkeleton, CutsAPointedStickByTheRadiusThatItHasThere) {
    SurfaceMesh surface = stick();
    for (int v = 0; v < surface.vertexCount(); ++v) {
        const double share = 1.0 - 0.9 * surface.positions(0, v) / kStickLength;
        surface.positions.block<2, 1>(1, v) *= share;
    }
    const VolumeMesh mesh = voxels(surface, 50, true);
    const ContactSkeleton s = buildSkeleton(surface, mesh, linearBasis(mesh));
    EXPECT_EQ(uncovered(s, surface, elementEdge(mesh)), 0.0);
    EXPECT_LE(longestInRadii(s), 8.0);
}

TEST(BuildSkeleton, CutsLessWhereThereWouldBeTooManySpheres) {
    const SurfaceMesh surface = test::tube(line(20.0, 2), kStickRadius, 12, false);
    const VolumeMesh mesh = voxels(surface, 256, true);
    SkeletonOptions options;
    options.maximumSpheres = 100;
    const ContactSkeleton s = buildSkeleton(surface, mesh, linearBasis(mesh), options);
    EXPECT_LE(s.sphereCount(), 100);
    EXPECT_EQ(uncovered(s, surface, elementEdge(mesh)), 0.0);
    EXPECT_LT(longestInRadii(s), 200.0);
}

// Spheres at samples beside the middle of a flat side touched the next side before they were as large as the stick is
// thick there: a ring of ten sides had 512 of them, and a rope of eight 916
// with 2,125 segments.
TEST(BuildSkeleton, FindsTheAxisOfFewSidesBetweenItsRings) {
    for (int sides : {8, 10, 12}) {
        const SurfaceMesh surface = test::tube(line(1.2, 61), 0.008, sides, false);
        const VolumeMesh mesh = voxels(surface, 256, true);
        const ContactSkeleton s = buildSkeleton(surface, mesh, linearBasis(mesh));
        EXPECT_LE(s.sphereCount(), 250) << sides;
        EXPECT_EQ(uncovered(s, surface, elementEdge(mesh)), 0.0) << sides;
    }
}

TEST(BuildSkeleton, FillsASphereWithOneSphere) {
    const SurfaceMesh surface = sphere(0.5, 24);
    const VolumeMesh mesh = voxels(surface, 10, true);
    const ContactSkeleton s = buildSkeleton(surface, mesh, linearBasis(mesh));
    EXPECT_EQ(s.segmentCount(), s.sphereCount());
    EXPECT_LE(s.sphereCount(), 3);
    EXPECT_NEAR(static_cast<double>(s.radii.maxCoeff()), 0.5, 0.01);
    EXPECT_EQ(uncovered(s, surface, elementEdge(mesh)), 0.0);
}

TEST(BuildSkeleton, CoversABoxWithItsEdges) {
    const SurfaceMesh surface = box(Vector3(1.0, 0.6, 0.4));
    const VolumeMesh mesh = voxels(surface, 10, true);
    const ContactSkeleton s = buildSkeleton(surface, mesh, linearBasis(mesh));
    EXPECT_NEAR(static_cast<double>(s.radii.maxCoeff()), 0.2, 0.01);
    const double element = elementEdge(mesh);
    for (double x = 0.0; x <= 1.0; x += 0.05)
        for (double y = 0.0; y <= 0.6; y += 0.05)
            for (double z : {0.0, 0.4}) EXPECT_LT(distanceToUnion(s, Vector3(x, y, z)), 0.2 * element);
    // And it does not stand out: points one fifth of an element outside are outside of the union.
    for (double x = 0.1; x <= 0.9; x += 0.1)
        for (double y = -0.04; y <= 0.65; y += 0.02)
            EXPECT_GT(distanceToUnion(s, Vector3(x, y, 0.4 + 0.2 * element)), 0.0);
}

TEST(BuildSkeleton, InterpolatesTheBasisAndTurnsItIntoTheBodyFrame) {
    const SurfaceMesh surface = test::tube(circle(1.0, 24), 0.1, 6, true);
    const VolumeMesh mesh = voxels(surface, 12, false);
    SkeletonOptions options;
    options.bodyFromMesh.rotation << 0, -1, 0, 1, 0, 0, 0, 0, 1;
    options.bodyFromMesh.translation = Vector3(3.0, 0.0, 1.0);
    const ContactSkeleton s = buildSkeleton(surface, mesh, linearBasis(mesh), options);
    for (int b = 0; b < s.sphereCount(); ++b) {
        const Vector3 inMesh = options.bodyFromMesh.inversePoint(s.restCentres.col(b).cast<double>());
        EXPECT_LT((s.basis.block<3, 1>(3 * b, 0).cast<double>() - Vector3::UnitY()).norm(), 1e-6);
        EXPECT_LT((s.basis.block<3, 1>(3 * b, 1).cast<double>() - Vector3(-inMesh.y(), 0.0, 0.0)).norm(), 1e-6);
    }
}

TEST(BuildSkeleton, RefusesWhatCannotBeCovered) {
    const SurfaceMesh surface = box(Vector3(1.0, 1.0, 1.0));
    const VolumeMesh mesh = voxels(surface, 8, false);
    SurfaceMesh bad = surface;
    bad.triangles.resize(3, 0);
    EXPECT_THROW(buildSkeleton(bad, mesh, linearBasis(mesh)), Error);
    bad = surface;
    bad.positions(1, 2) = std::nan("");
    EXPECT_THROW(buildSkeleton(bad, mesh, linearBasis(mesh)), Error);
    bad = surface;
    bad.triangles(1, 2) = 8;
    EXPECT_THROW(buildSkeleton(bad, mesh, linearBasis(mesh)), Error);
    EXPECT_THROW(buildSkeleton(surface, mesh, MatrixX::Zero(3, 2)), Error);
    EXPECT_THROW(buildSkeleton(surface, VolumeMesh{}, MatrixX::Zero(0, 2)), Error);
    bad = surface;
    bad.positions.setZero();
    EXPECT_THROW(buildSkeleton(bad, mesh, linearBasis(mesh)), Error);
    EXPECT_THROW(buildSkeleton(surface, mesh, linearBasis(mesh), {}, [](const std::string&, double) { return false; }),
                 Cancelled);
}

}  // namespace
}  // namespace pliant
