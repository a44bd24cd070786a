// SPDX-License-Identifier: Zlib
// Contact skeletons of the basket and of meshes that people bring.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>

#include "ReferenceData.h"
#include "pliant/mesh/ReadObj.h"
#include "pliant/mesh/ReadVeg.h"
#include "unit/skeleton/SkeletonCover.h"

namespace pliant {
namespace {

using test::elementEdge;
using test::linearBasis;
using test::uncovered;
using test::voxels;

/// Numbers of one of the meshes that people bring; printed, since they are worth reading.
ContactSkeleton report(const char* name, const SurfaceMesh& surface, const VolumeMesh& mesh) {
    const auto start = std::chrono::steady_clock::now();
    const ContactSkeleton s = buildSkeleton(surface, mesh, linearBasis(mesh));
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::printf("%s: %d vertices, %d elements -> %d spheres, %d segments, %.2f s, %.1f %% of the vertices uncovered\n",
                name, surface.vertexCount(), mesh.elementCount(), s.sphereCount(), s.segmentCount(), seconds,
                100.0 * uncovered(s, surface, elementEdge(mesh)));
    return s;
}

TEST(SkeletonOfMesh, TurnsTheBasketIntoSegments) {
    const SurfaceMesh surface = readObj(std::string(PLIANT_MEDIA_DIR) + "/basket/basket.obj");
    const VolumeMesh mesh = voxelise(surface);
    const ContactSkeleton s = report("basket", surface, mesh);
    EXPECT_GE(s.segmentCount(), 800);
    EXPECT_LE(s.segmentCount(), 1800);
    EXPECT_LT(uncovered(s, surface, elementEdge(mesh)), 0.001);
}

class SkeletonOfACow : public testing::TestWithParam<std::string> {};

TEST_P(SkeletonOfACow, CoversIt) {
    const SurfaceMesh surface = readObj(GetParam());
    for (bool solid : {false, true}) {
        const VolumeMesh mesh = voxels(surface, 24, solid);
        const ContactSkeleton s = report("cow", surface, mesh);
        EXPECT_LE(s.sphereCount(), 3000);
        EXPECT_LT(uncovered(s, surface, elementEdge(mesh)), 0.01);
    }
}

INSTANTIATE_TEST_SUITE_P(Meshes, SkeletonOfACow, testing::Values(PLIANT_MEDIA_DIR "/solids/cow.obj"));
INSTANTIATE_TEST_SUITE_P(OutsideMeshes, SkeletonOfACow, testing::ValuesIn(test::outsidePaths({"meshes/spot.obj"})));

/// Open pieces that stick into each other.
class SkeletonOfSoup : public testing::TestWithParam<std::string> {};

TEST_P(SkeletonOfSoup, OfMixedOrientationCoversIt) {
    SurfaceMesh surface = readObj(GetParam());
    for (int t = 0; t < surface.triangleCount(); t += 3) std::swap(surface.triangles(1, t), surface.triangles(2, t));
    const VolumeMesh mesh = voxels(surface, 20, false);
    const ContactSkeleton s = report("kettle", surface, mesh);
    EXPECT_LE(s.sphereCount(), 3000);
    EXPECT_LT(uncovered(s, surface, elementEdge(mesh)), 0.02);
}

INSTANTIATE_TEST_SUITE_P(Meshes, SkeletonOfSoup, testing::Values(test::ownReferencePath("meshes/kettle.obj")));
INSTANTIATE_TEST_SUITE_P(OutsideMeshes, SkeletonOfSoup, testing::ValuesIn(test::outsidePaths({"meshes/teapot.obj"})));

/// Bricks that another program has made.
class SkeletonOnBricks : public testing::TestWithParam<std::string> {};

TEST_P(SkeletonOnBricks, CoversTheBridge) {
    const SurfaceMesh surface = readObj(test::referencePath("meshes/simpleBridge.obj"));
    const VolumeMesh mesh = readVeg(GetParam());
    const ContactSkeleton s = report("bridge", surface, mesh);
    EXPECT_LE(s.sphereCount(), 3000);
    EXPECT_LT(uncovered(s, surface, elementEdge(mesh)), 0.02);
}

INSTANTIATE_TEST_SUITE_P(OutsideMeshes, SkeletonOnBricks,
                         testing::ValuesIn(test::outsidePaths({"meshes/simpleBridge_voxel.veg"})));
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SkeletonOnBricks);

}  // namespace
}  // namespace pliant
