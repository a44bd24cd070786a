// SPDX-License-Identifier: Zlib
#include <cmath>
#include <random>

#include "ReferenceData.h"
#include "SampleMeshes.h"
#include "TemporaryFolder.h"
#include "pliant/mesh/ElementShape.h"
#include "pliant/mesh/Embedding.h"
#include "pliant/mesh/ReadVeg.h"

namespace {

using namespace pliant;

/// Points at random in the mesh's bounding box, widened by `margin` of its size on each side.
Points randomPoints(const VolumeMesh& mesh, int count, double margin, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> uniform(-margin, 1.0 + margin);
    const Vector3 lower = mesh.positions.rowwise().minCoeff(), size = mesh.positions.rowwise().maxCoeff() - lower;
    Points points(3, count);
    for (int i = 0; i < count; ++i)
        points.col(i) = lower + Vector3(uniform(engine), uniform(engine), uniform(engine)).cwiseProduct(size);
    return points;
}

/// Largest error of interpolating x itself and a random linear field, relative to the mesh's size.
double linearFieldError(const VolumeMesh& mesh, const Points& points) {
    Matrix3 A;
    A << 0.3, -1.1, 0.2, 0.9, 0.4, -0.7, -0.5, 0.1, 1.3;
    const Vector3 b(0.2, -0.3, 0.6);
    MatrixX basis(3 * mesh.vertexCount(), 2);
    for (int v = 0; v < mesh.vertexCount(); ++v) {
        basis.col(0).segment<3>(3 * v) = mesh.positions.col(v);
        basis.col(1).segment<3>(3 * v) = A * mesh.positions.col(v) + b;
    }
    const std::vector<MaterialPoint> embedded = embed(mesh, points);
    const MatrixX rows = interpolateBasis(embedded, basis);
    double worst = 0.0;
    for (Eigen::Index i = 0; i < points.cols(); ++i) {
        const Vector3 x = points.col(i);
        worst = std::max(worst, (rows.col(0).segment<3>(3 * i) - x).norm());
        worst = std::max(worst, (rows.col(1).segment<3>(3 * i) - (A * x + b)).norm());
        double sum = 0.0;
        for (const double w : embedded[static_cast<std::size_t>(i)].weight) sum += w;
        worst = std::max(worst, std::abs(sum - 1.0));
    }
    const Vector3 size = mesh.positions.rowwise().maxCoeff() - mesh.positions.rowwise().minCoeff();
    return worst / size.norm();
}

TEST(Embedding, BricksReproduceLinearFieldsInsideAndOutside) {
    const VolumeMesh mesh = test::brickBlock(5, 4, 3, Vector3(0.1, 0.37, 1.0 / 3.0), Vector3(-1, 2, 0.5));
    EXPECT_LT(linearFieldError(mesh, randomPoints(mesh, 500, 0.0, 1)), 1e-14);
    EXPECT_LT(linearFieldError(mesh, randomPoints(mesh, 500, 0.5, 2)), 1e-13);
}

// A brick whose corners were rounded one by one is no exact cuboid: the weights must come from the corners.
TEST(Embedding, RoundedBricksReproduceLinearFields) {
    VolumeMesh mesh = test::brickBlock(1, 1, 1, Vector3(0.25, 0.5, 1.0));
    for (Eigen::Index i = 0; i < mesh.positions.size(); ++i)
        mesh.positions.data()[i] += 1e-6 * std::sin(7.0 * static_cast<double>(i));
    ASSERT_GT(fitCuboid(elementCorners(mesh, 0)).deviation, 1e-7);
    EXPECT_LT(linearFieldError(mesh, randomPoints(mesh, 200, 0.0, 4)), 1e-14);
}

class EmbeddingReference : public testing::TestWithParam<std::string> {};

TEST_P(EmbeddingReference, ReproducesLinearFields) {
    const VolumeMesh mesh = readVeg(GetParam());
    Points inside(3, mesh.elementCount());
    for (int e = 0; e < mesh.elementCount(); ++e) inside.col(e) = elementCorners(mesh, e).rowwise().mean();
    EXPECT_LT(linearFieldError(mesh, inside), 1e-12);
    EXPECT_LT(linearFieldError(mesh, mesh.positions), 1e-12);
    EXPECT_LT(linearFieldError(mesh, randomPoints(mesh, 300, 0.05, 3)), 1e-12);
    const std::vector<MaterialPoint> found = embed(mesh, inside);
    for (int e = 0; e < mesh.elementCount(); ++e) {
        ASSERT_EQ(found[static_cast<std::size_t>(e)].element, e);
        ASSERT_EQ(found[static_cast<std::size_t>(e)].distance, 0.0);
    }
}

INSTANTIATE_TEST_SUITE_P(Meshes, EmbeddingReference,
                         testing::Values(test::ownReferencePath("meshes/bar.veg"),
                                         test::ownReferencePath("meshes/arch.veg"),
                                         test::ownReferencePath("meshes/grain.veg")));
INSTANTIATE_TEST_SUITE_P(OutsideMeshes, EmbeddingReference,
                         testing::ValuesIn(test::outsidePaths({"meshes/beam3.veg", "meshes/beam3_tet.veg",
                                                               "meshes/simpleBridge_voxel.veg",
                                                               "meshes/simpleBridge_tet.veg"})));

// The tree must find what looking at every element finds.
TEST(Embedding, NearestElementEqualsExhaustiveSearch) {
    const VolumeMesh tets = readVeg(test::referencePath("meshes/arch.veg"));
    for (const VolumeMesh& mesh : {tets, test::brickBlock(4, 3, 5)}) {
        const PointLocator locator(mesh);
        const Points points = randomPoints(mesh, 200, 0.7, 9);
        for (Eigen::Index i = 0; i < points.cols(); ++i) {
            const Vector3 x = points.col(i);
            double best = 1e300;
            for (int e = 0; e < mesh.elementCount(); ++e) {
                const Corners corners = elementCorners(mesh, e);
                best = std::min(best, mesh.kind == ElementKind::Brick ? distanceToBrick(corners, x)
                                                                      : distanceToTetrahedron(corners, x));
            }
            EXPECT_NEAR(locator.locate(x).distance, best, 1e-12);
        }
    }
}

TEST(Embedding, DistancesAreEuclidean) {
    const PointLocator tet(test::cornerTetrahedron());
    EXPECT_EQ(tet.locate(Vector3(0.1, 0.2, 0.3)).distance, 0.0);
    EXPECT_NEAR(tet.locate(Vector3(0.2, 0.2, -0.5)).distance, 0.5, 1e-15);                  // face
    EXPECT_NEAR(tet.locate(Vector3(0.5, -0.3, -0.4)).distance, 0.5, 1e-15);                 // edge
    EXPECT_NEAR(tet.locate(Vector3(4.0, 0.0, 0.0)).distance, 3.0, 1e-15);                   // corner
    EXPECT_NEAR(tet.locate(Vector3(1.0, 1.0, 1.0)).distance, 2.0 / std::sqrt(3.0), 1e-15);  // slanted face
    const PointLocator brick(test::brickBlock(1, 1, 1));
    EXPECT_NEAR(brick.locate(Vector3(0.5, 0.5, 3.0)).distance, 2.0, 1e-15);
    EXPECT_NEAR(brick.locate(Vector3(1.3, 1.4, 0.2)).distance, 0.5, 1e-15);
    // Extrapolated weights: at twice the edge, weight 2 at the far end and -1 at the near one.
    const MaterialPoint far = brick.locate(Vector3(2.0, 0.0, 0.0));
    EXPECT_NEAR(far.weight[0], -1.0, 1e-15);
    EXPECT_NEAR(far.weight[1], 2.0, 1e-15);
}

TEST(Embedding, OnSharedFacesTheLowestElementHoldsThePoint) {
    const VolumeMesh block = test::brickBlock(3, 3, 3, Vector3::Constant(0.1));  // 0.1 is no binary number
    const PointLocator locator(block);
    for (int v = 0; v < block.vertexCount(); ++v) {
        int lowest = -1;
        for (int e = block.elementCount() - 1; e >= 0; --e)
            if ((block.elements.col(e).array() == v).any()) lowest = e;
        EXPECT_EQ(locator.locate(block.positions.col(v)).element, lowest) << v;
        EXPECT_EQ(locator.locate(block.positions.col(v)).distance, 0.0);
    }
    const double plane = block.positions(0, block.elements(1, 0));
    EXPECT_EQ(locator.locate(Vector3(plane, 0.05, 0.05)).element, 0);
    EXPECT_EQ(locator.locate(Vector3(plane + 1e-6, 0.05, 0.05)).element, 9);
}

TEST(Embedding, RefusesWhatHasNoPlace) {
    EXPECT_NE(test::errorOf([] { PointLocator locator{VolumeMesh()}; }), "");
    const PointLocator locator(test::cornerTetrahedron());
    EXPECT_NE(test::errorOf([&] { locator.locate(Vector3(0, std::nan(""), 0)); }), "");
}

}  // namespace
