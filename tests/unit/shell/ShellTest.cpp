// SPDX-License-Identifier: Zlib
// The points of a closed surface: where they lie, and how the surface rounds off between them.
#include <Eigen/Geometry>

#include "ReferenceData.h"
#include "ShellShapes.h"
#include "pliant/mesh/ReadObj.h"
#include "pliant/shell/MakeShell.h"

namespace pliant {
namespace {

using test::areaOf;
using test::box;
using test::largestGap;

Vector3 onTriangle(const SurfaceMesh& mesh, const ShellPoints& shell, int i) {
    Vector3 x = Vector3::Zero();
    for (int k = 0; k < 3; ++k) x += shell.weights(k, i) * mesh.positions.col(shell.corners(k, i));
    return x;
}

/// What must be true of every shell.
void expectCovers(const SurfaceMesh& mesh, const ShellPoints& shell, int most) {
    EXPECT_LE(shell.count(), most);
    // Samples of the surface, by which points are chosen, stand up to a quarter of a spacing apart.
    EXPECT_LT(largestGap(mesh, shell.positions, mesh.triangleCount() < 100 ? 40 : 3), 1.25 * shell.spacing);
    EXPECT_NEAR(shell.areas.sum(), areaOf(mesh), 1e-9 * areaOf(mesh));
    for (int i = 0; i < shell.count(); ++i) {
        EXPECT_LT((onTriangle(mesh, shell, i) - shell.positions.col(i)).norm(), 1e-12);
        EXPECT_NEAR(shell.weights.col(i).sum(), 1.0, 1e-12);
        EXPECT_GE(shell.weights.col(i).minCoeff(), 0.0);
        EXPECT_NEAR(shell.normals.col(i).norm(), 1.0, 1e-12);
        EXPECT_GT(shell.areas[i], 0.0);
        EXPECT_EQ(shell.capRadii[i] > 0.0, shell.capAngles[i] > 0.0);
        EXPECT_LE(shell.capAngles[i], 0.5 * std::acos(-1.0));
    }
}

TEST(Shell, OfACubeHasItsCornersAndEdges) {
    const SurfaceMesh mesh = box(Vector3::Zero(), Vector3::Constant(0.2));
    const ShellPoints shell = makeShell(mesh);
    expectCovers(mesh, shell, 1000);
    EXPECT_GT(shell.count(), 200);
    EXPECT_NEAR(shell.thickness, 0.1, 0.002);
    EXPECT_EQ(shell.capRadii.maxCoeff(), 0.0) << "flat faces and sharp corners do not round off";
    int onEdges = 0;
    for (int i = 0; i < shell.count(); ++i) {
        const Vector3 x = shell.positions.col(i);
        Vector3 expected = Vector3::Zero();  // the mean of the normals of the faces that it lies on
        for (int k = 0; k < 3; ++k) expected[k] = x[k] < 1e-9 ? -1.0 : x[k] > 0.2 - 1e-9 ? 1.0 : 0.0;
        if (i < 8) {
            EXPECT_NEAR(expected.norm(), std::sqrt(3.0), 1e-12) << "corners come first";
        }
        if (expected.norm() > 1.1) {
            ++onEdges;
            EXPECT_LT((expected.normalized() - shell.normals.col(i)).norm(), 1e-6);
        } else {
            EXPECT_LT((expected - shell.normals.col(i)).norm(), 1e-6);
        }
    }
    EXPECT_GE(onEdges, 12 * 0.2 / shell.spacing);
    // Along an edge, neighbours are no farther apart than the spacing.
    for (double at = 0.0; at <= 0.2; at += 0.002) {
        const Vector3 x(at, 0.0, 0.2);
        double nearest = 1.0;
        for (int i = 0; i < shell.count(); ++i) {
            const Vector3 p = shell.positions.col(i);
            if (p.y() < 1e-9 && p.z() > 0.2 - 1e-9) nearest = std::min(nearest, (p - x).norm());
        }
        EXPECT_LE(nearest, 0.55 * shell.spacing);
    }
}

TEST(Shell, OfASphereIsRound) {
    for (const int rings : {12, 24, 64}) {
        const SurfaceMesh mesh = test::spheroid(0.7, 0.7, rings);
        const ShellPoints shell = makeShell(mesh);
        expectCovers(mesh, shell, 1000);
        EXPECT_NEAR(shell.thickness, 0.7, 0.014);
        for (int i = 0; i < shell.count(); ++i) {
            EXPECT_NEAR(shell.capRadii[i], 0.7, 0.014) << rings;
            EXPECT_GT(shell.capAngles[i] * shell.capRadii[i], 0.9 * shell.spacing) << "caps meet, " << rings;
            EXPECT_GT(shell.normals.col(i).dot(shell.positions.col(i).normalized()), std::cos(0.02));
        }
    }
}

// Where a plane touches a coarse round body.
TEST(Shell, HasTheVerticesOfACoarseSphere) {
    const SurfaceMesh mesh = test::spheroid(1.0, 1.0, 10);
    const ShellPoints shell = makeShell(mesh);
    int taken = 0;
    for (int v = 0; v < mesh.vertexCount(); ++v) {
        const Vector3 x = mesh.positions.col(v);
        taken += (shell.positions.colwise() - x).colwise().squaredNorm().minCoeff() < 1e-18;
    }
    EXPECT_EQ(taken, mesh.vertexCount());
}

/// How far a shell reaches along a unit direction, its caps included, m.
double reachAlong(const ShellPoints& shell, const Vector3& direction) {
    double farthest = -1e30;
    for (int i = 0; i < shell.count(); ++i) {
        const double facing = direction.dot(shell.normals.col(i));
        const double beyond = std::max(0.0, std::acos(std::clamp(facing, -1.0, 1.0)) - shell.capAngles[i]);
        const double cap = facing > 0.0 ? shell.capRadii[i] * (std::cos(beyond) - facing) : 0.0;
        farthest = std::max(farthest, direction.dot(shell.positions.col(i)) + cap);
    }
    return farthest;
}

// Its facets are as large as half the spacing, but flat: their corners stand out by less than is seen.
TEST(Shell, OfAFinelyDrawnSpheroidNeedsFewPoints) {
    const double across = 0.14, along = 0.19;
    const ShellPoints shell = makeShell(test::spheroid(across, along, 28));
    EXPECT_LT(shell.count(), 400) << "not its 1,514 vertices";
    const double diagonal = 2.0 * Vector3(across, across, along).norm();
    for (int k = 0; k < 1000; ++k) {  // directions all over, by the golden angle
        const double z = 1.0 - (2.0 * k + 1.0) / 1000.0, angle = 2.399963229728653 * k, side = std::sqrt(1.0 - z * z);
        const Vector3 n(side * std::cos(angle), side * std::sin(angle), z);
        EXPECT_NEAR(reachAlong(shell, n), Vector3(across * n.x(), across * n.y(), along * n.z()).norm(),
                    1e-3 * diagonal)
            << n.transpose();
    }
}

TEST(Shell, OfACylinderRollsAboutItsRadius) {
    const SurfaceMesh mesh = test::cylinder(0.1, 0.5, 32, 12);
    const ShellPoints shell = makeShell(mesh);
    expectCovers(mesh, shell, 1000);
    EXPECT_NEAR(shell.thickness, 0.1, 0.002);
    int onSide = 0;
    for (int i = 0; i < shell.count(); ++i) {
        const Vector3 x = shell.positions.col(i);
        const bool onEnd = std::abs(x.z()) > 0.25 - 1e-9;
        if (onEnd) {
            EXPECT_EQ(shell.capRadii[i], 0.0);
            continue;
        }
        ++onSide;
        EXPECT_NEAR(shell.capRadii[i], 0.1, 0.002);
        // No cap reaches beyond the flat ends by more than the facets stand back.
        EXPECT_LT(std::abs(x.z()) + shell.capRadii[i] * std::sin(shell.capAngles[i]), 0.25 + 0.5 * shell.spacing);
        const Vector3 outward = Vector3(x.x(), x.y(), 0.0).normalized();
        EXPECT_GT(shell.normals.col(i).dot(outward), std::cos(0.02));
    }
    EXPECT_GT(onSide, 100);
}

TEST(Shell, OfATorusRollsAboutItsTube) {
    const SurfaceMesh mesh = test::torus(1.0, 0.1, 96, 24);
    const ShellPoints shell = makeShell(mesh);
    expectCovers(mesh, shell, 2000);
    EXPECT_NEAR(shell.thickness, 0.1, 0.002);
    for (int i = 0; i < shell.count(); ++i) {
        EXPECT_NEAR(shell.capRadii[i], 0.1, 0.003);
        const Vector3 x = shell.positions.col(i);
        const Vector3 centre = Vector3(x.x(), x.y(), 0.0).normalized();
        EXPECT_GT(shell.normals.col(i).dot((x - centre).normalized()), std::cos(0.05));
    }
}

// A point at polar angle t of a spheroid with half axes a, a, c has the principal radii w^3 / (a c) along the meridian
// and a w / c across, w^2 = a^2 cos^2 t + c^2 sin^2 t.
TEST(Shell, OfASpheroidHasItsSmallerPrincipalRadius) {
    const double a = 0.5, c = 1.0;
    const SurfaceMesh mesh = test::spheroid(a, c, 64);
    const ShellPoints shell = makeShell(mesh);
    expectCovers(mesh, shell, 1000);
    for (int i = 0; i < shell.count(); ++i) {
        const Vector3 x = shell.positions.col(i);
        const double cosine = x.z() / c, sine2 = 1.0 - cosine * cosine;
        const double w = std::sqrt(a * a * cosine * cosine + c * c * sine2);
        const double smaller = std::min(w * w * w / (a * c), a * w / c);
        EXPECT_NEAR(shell.capRadii[i] / smaller, 1.0, 0.1) << x.transpose();
    }
}

TEST(Shell, OfAPlateHasBothSidesAndHalfItsThickness) {
    const SurfaceMesh mesh = box(Vector3::Zero(), Vector3(0.3, 0.2, 0.002));
    const ShellPoints shell = makeShell(mesh);
    expectCovers(mesh, shell, 2000);
    EXPECT_NEAR(shell.thickness, 0.001, 0.00002);
    for (const double z : {0.0, 0.002}) {  // each side is covered by points of its own
        double gap = 0.0;
        for (double x = 0.0; x <= 0.3; x += 0.005)
            for (double y = 0.0; y <= 0.2; y += 0.005) {
                double nearest = 1.0;
                for (int i = 0; i < shell.count(); ++i)
                    if (std::abs(shell.positions(2, i) - z) < 1e-9)
                        nearest = std::min(nearest, (shell.positions.col(i) - Vector3(x, y, z)).norm());
                gap = std::max(gap, nearest);
            }
        EXPECT_LT(gap, 1.25 * shell.spacing);
    }
}

TEST(Shell, DoesNotTrustTheWinding) {
    SurfaceMesh mesh = test::spheroid(1.0, 1.0, 16);
    for (Eigen::Index t = 0; t < mesh.triangles.cols(); t += 3) mesh.triangles.col(t).tail<2>().reverseInPlace();
    const ShellPoints shell = makeShell(mesh);
    for (int i = 0; i < shell.count(); ++i) {
        EXPECT_GT(shell.normals.col(i).dot(shell.positions.col(i)), 0.9);
        EXPECT_NEAR(shell.capRadii[i], 1.0, 0.02);
    }
}

TEST(Shell, JoinsVerticesAtTheSamePlace) {
    const SurfaceMesh whole = test::cylinder(0.1, 0.5, 24, 4);
    SurfaceMesh loose;  // every triangle has vertices of its own
    Points x(3, 3 * whole.triangleCount());
    Triangles t(3, whole.triangleCount());
    for (int i = 0; i < whole.triangleCount(); ++i)
        for (int k = 0; k < 3; ++k) {
            x.col(3 * i + k) = whole.positions.col(whole.triangles(k, i));
            t(k, i) = 3 * i + k;
        }
    test::addTriangles(loose, x, t);
    const ShellPoints a = makeShell(whole), b = makeShell(loose);
    EXPECT_EQ(a.count(), b.count());
    EXPECT_NEAR(a.capRadii.maxCoeff(), b.capRadii.maxCoeff(), 1e-9);
}

TEST(Shell, KeepsToItsNumberOfPoints) {
    ShellOptions options;
    options.maximumPoints = 60;
    for (const SurfaceMesh& mesh : {box(Vector3::Zero(), Vector3(1.0, 0.05, 0.05)), test::spheroid(1.0, 1.0, 20)}) {
        const ShellPoints shell = makeShell(mesh, options);
        EXPECT_LE(shell.count(), 60);
        EXPECT_GE(shell.count(), 30);
        EXPECT_LT(largestGap(mesh, shell.positions, mesh.triangleCount() < 100 ? 40 : 2), 1.25 * shell.spacing);
    }
}

class ShellOfACow : public testing::TestWithParam<std::string> {};

// A crown of leaves has more corners than points, and kilometres of edges.
TEST(Shell, OfThousandsOfLeavesIsSpreadOverAllOfThem) {
    constexpr int side = 16;  // 4,096 leaves of 4 x 0.1 x 3 cm, 10 cm from each other
    const SurfaceMesh leaf = box(Vector3::Zero(), Vector3(0.04, 0.001, 0.03));
    const int v = leaf.vertexCount(), t = leaf.triangleCount(), leaves = side * side * side;
    Points x(3, leaves * v);
    Triangles triangles(3, leaves * t);
    for (int i = 0; i < leaves; ++i) {
        const Vector3 at = 0.1 * Vector3(i % side, i / side % side, i / (side * side));
        x.middleCols(i * v, v) = leaf.positions.colwise() + at;
        triangles.middleCols(i * t, t) = leaf.triangles.array() + i * v;
    }
    SurfaceMesh crown;
    test::addTriangles(crown, x, triangles);
    ShellOptions options;
    options.edgeSpacing = 1e-4;
    const ShellPoints shell = makeShell(crown, options);
    EXPECT_EQ(shell.count(), options.maximumPoints);
    int onFaces = 0;
    VectorX ofOctants = VectorX::Zero(8);
    for (int i = 0; i < shell.count(); ++i) {
        onFaces += shell.normals.col(i).cwiseAbs().maxCoeff() > 0.99 ? 1 : 0;
        int octant = 0;
        for (int k = 0; k < 3; ++k) octant += shell.positions(k, i) > 0.05 * side ? 1 << k : 0;
        ofOctants[octant] += 1.0;
    }
    EXPECT_GT(onFaces, shell.count() / 10);
    EXPECT_GT(ofOctants.minCoeff(), 0.6 * shell.count() / 8);
    EXPECT_LT(ofOctants.maxCoeff(), 1.4 * shell.count() / 8);
}

TEST_P(ShellOfACow, CoversIt) {
    const SurfaceMesh mesh = readObj(GetParam());
    const ShellPoints shell = makeShell(mesh);
    expectCovers(mesh, shell, 2000);
    EXPECT_GT((shell.capRadii.array() > 0.0).count(), shell.count() / 2);
}

INSTANTIATE_TEST_SUITE_P(Meshes, ShellOfACow, testing::Values(PLIANT_MEDIA_DIR "/solids/cow.obj"));
INSTANTIATE_TEST_SUITE_P(OutsideMeshes, ShellOfACow, testing::ValuesIn(test::outsidePaths({"meshes/spot.obj"})));

}  // namespace
}  // namespace pliant
