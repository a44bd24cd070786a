// SPDX-License-Identifier: Zlib
// Distance fields against known distances: boxes, plates, balls, hollow bodies.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "pliant/field/MakeDistanceField.h"
#include "pliant/math/Error.h"
#include "pliant/touch/FieldLookup.h"
#include "unit/shell/ShellShapes.h"

namespace pliant::test {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

/// Signed distance of a box about the origin.
double boxDistance(const Vector3& x, const Vector3& size) {
    const Vector3 beyond = x.cwiseAbs() - 0.5 * size;
    return beyond.cwiseMax(0.0).norm() + std::min(0.0, beyond.maxCoeff());
}

SurfaceMesh boxOf(const Vector3& size) {
    SurfaceMesh mesh;
    addBox(mesh, -0.5 * size, 0.5 * size);
    return mesh;
}

/// Visits points in and around a box about the origin.
template <typename Visit>
void visitPoints(const Vector3& size, double around, const Visit& visit) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(-0.5, 0.5);
    for (int i = 0; i < 2000; ++i)
        visit(Vector3((size.x() + 2 * around) * uniform(random), (size.y() + 2 * around) * uniform(random),
                      (size.z() + 2 * around) * uniform(random)));
}

TEST(DistanceField, OfABoxIsItsDistanceNearTheSurface) {
    const Vector3 size(1.0, 0.7, 0.5);
    const DistanceField field = makeDistanceField(boxOf(size));
    EXPECT_EQ(field.offset, 0.0);
    EXPECT_GE(field.lipschitz, 1.0);
    visitPoints(size, 0.1, [&](const Vector3& x) {
        const double truth = boxDistance(x, size), found = fieldDistance(field, x);
        if (std::abs(truth) < field.spacing) {
            EXPECT_NEAR(found, truth, 0.3 * field.spacing) << x.transpose();
        } else {
            EXPECT_EQ(found > 0.0, truth > 0.0) << x.transpose();
        }
    });
}

TEST(DistanceField, OfAThinPlateHasAnInside) {
    const Vector3 size(0.4, 0.002, 0.3);
    const DistanceField field = makeDistanceField(boxOf(size));
    EXPECT_LE(field.spacing, 0.001);
    for (const double x : {-0.15, 0.0, 0.1}) {
        EXPECT_LT(fieldDistance(field, Vector3(x, 0.0, 0.05)), -0.0004);
        EXPECT_NEAR(fieldDistance(field, Vector3(x, 0.001, 0.05)), 0.0, 2e-5);
        EXPECT_NEAR(fieldDistance(field, Vector3(x, 0.002, 0.05)), 0.001, 2e-4);
    }
}

TEST(DistanceField, OfABallHasItsGradient) {
    const DistanceField field = makeDistanceField(spheroid(0.1, 0.1, 32));
    visitPoints(Vector3::Constant(0.2), 0.02, [&](const Vector3& x) {
        const double truth = x.norm() - 0.1;
        if (std::abs(truth) > 2.0 * field.spacing) return;
        Vector3 gradient;
        EXPECT_NEAR(fieldDistance(field, x, gradient), truth, 6e-4);  // sagitta of 32 rings: 0.1 (pi / 32)^2 / 2
        EXPECT_GT(gradient.normalized().dot(x.normalized()), 0.99);
        EXPECT_LE(gradient.norm(), field.lipschitz * (1 + 1e-5));
    });
}

TEST(DistanceField, DoesNotDependOnTheOrientationOfTriangles) {
    SurfaceMesh mesh = spheroid(0.1, 0.15, 12);
    const DistanceField before = makeDistanceField(mesh);
    for (Eigen::Index t = 0; t < mesh.triangles.cols(); t += 3) std::swap(mesh.triangles(0, t), mesh.triangles(1, t));
    const DistanceField after = makeDistanceField(mesh);
    EXPECT_LT(fieldDistance(after, Vector3::Zero()), -0.08);
    visitPoints(Vector3(0.2, 0.2, 0.3), 0.02, [&](const Vector3& x) {
        EXPECT_NEAR(fieldDistance(after, x), fieldDistance(before, x), 2.0 * before.unit);
    });
}

TEST(DistanceField, PartsInsideOfOthersDoNotCount) {
    SurfaceMesh mesh = boxOf(Vector3(1.0, 1.0, 1.0));
    const DistanceField alone = makeDistanceField(mesh);
    addBox(mesh, Vector3::Constant(-0.2), Vector3::Constant(0.2));
    const DistanceField both = makeDistanceField(mesh);
    EXPECT_LT(fieldDistance(both, Vector3::Zero()), -0.3);
    EXPECT_NEAR(fieldDistance(both, Vector3(0.48, 0.0, 0.0)), fieldDistance(alone, Vector3(0.48, 0.0, 0.0)), 1e-3);
}

// Each part closes with a copy of its own of the wall between them, one of which counts.
TEST(DistanceField, PartsMayLieAgainstEachOther) {
    SurfaceMesh mesh;
    addBox(mesh, Vector3(0.0, -0.2, -0.2), Vector3(0.4, 0.2, 0.2));
    const int vertices = mesh.vertexCount(), triangles = mesh.triangleCount();
    mesh.positions.conservativeResize(3, 2 * vertices);
    mesh.positions.rightCols(vertices) = Vector3(-1.0, 1.0, 1.0).asDiagonal() * mesh.positions.leftCols(vertices);
    mesh.triangles.conservativeResize(3, 2 * triangles);
    mesh.triangles.rightCols(triangles) = mesh.triangles.leftCols(triangles).array() + vertices;
    const DistanceField field = makeDistanceField(mesh);
    const Vector3 size(0.8, 0.4, 0.4);
    visitPoints(size, 0.05, [&](const Vector3& x) {
        const double truth = boxDistance(x, size), found = fieldDistance(field, x);
        if (std::abs(truth) > field.spacing) EXPECT_EQ(found > 0.0, truth > 0.0) << x.transpose();
    });
}

TEST(DistanceField, OfAnOpenSurfaceIsRefused) {
    SurfaceMesh mesh = boxOf(Vector3(1.0, 1.0, 1.0));
    mesh.triangles = mesh.triangles.leftCols(mesh.triangles.cols() - 1).eval();
    EXPECT_THROW(makeDistanceField(mesh), Error);
}

/// With memory for spacings of some 4 mm, where walls of 2 mm need 1 mm.
DistanceFieldOptions coarseField() {
    DistanceFieldOptions options;
    options.memory = std::size_t(4) << 20;
    return options;
}

// A plate of 2 mm has no inside there: it is refused, with where it is thin and what helps.
TEST(DistanceField, OfWhatIsTooThinForItsMemoryIsRefused) {
    try {
        makeDistanceField(boxOf(Vector3(1.0, 0.002, 1.0)), coarseField());
        FAIL() << "was made";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("% of the surface is of walls thinner than"));
        EXPECT_THAT(error.what(), HasSubstr("which the field is too coarse for"));
        EXPECT_THAT(error.what(), HasSubstr("thicken them, or make several bodies of it: the field of each has 4 MB"));
    }
}

// A block with a fin of 2 mm, a seventh of its surface, has a field and a note.
TEST(DistanceField, NotesWallsThatAreTooThinForItsMemory) {
    SurfaceMesh mesh = boxOf(Vector3(1.0, 0.5, 1.0));
    addBox(mesh, Vector3(-0.5, 0.2, -0.001), Vector3(0.5, 0.6, 0.001));
    std::vector<std::string> notes;
    EXPECT_LT(fieldDistance(makeDistanceField(mesh, coarseField(), &notes), Vector3::Zero()), 0.0);
    EXPECT_THAT(notes,
                Contains(HasSubstr(
                    "contact may miss them; thicken them, or make several bodies of it: the field of each has 4 MB")));
    notes.clear();
    makeDistanceField(boxOf(Vector3(1.0, 0.5, 1.0)), coarseField(), &notes);
    EXPECT_THAT(notes, Not(Contains(HasSubstr("contact may miss them")))) << "without the fin";
}

}  // namespace
}  // namespace pliant::test
