// SPDX-License-Identifier: Zlib
#include <algorithm>
#include <cmath>
#include <ctime>

#include "ReferenceData.h"
#include "pliant/mesh/CheckVolumeMesh.h"
#include "pliant/mesh/ElementShape.h"
#include "pliant/mesh/Embedding.h"
#include "pliant/mesh/MeshTopology.h"
#include "pliant/mesh/ReadObj.h"
#include "pliant/mesh/voxels/Voxelise.h"
#include "unit/mesh/SampleMeshes.h"
#include "unit/mesh/TemporaryFolder.h"

namespace {

using namespace pliant;
using testing::HasSubstr;

VoxeliseOptions at(int resolution, bool solid = false) {
    VoxeliseOptions options;
    options.resolution = resolution;
    options.solid = solid;
    return options;
}

double volume(const VolumeMesh& mesh) {
    double sum = 0.0;
    for (int e = 0; e < mesh.elementCount(); ++e) {
        const Cuboid box = fitCuboid(elementCorners(mesh, e));
        sum += (box.upper - box.lower).prod();
    }
    return sum;
}

/// Largest distance of a surface vertex from the bricks.
double farthest(const VolumeMesh& mesh, const SurfaceMesh& surface) {
    double worst = 0.0;
    for (const MaterialPoint& p : embed(mesh, surface.positions)) worst = std::max(worst, p.distance);
    return worst;
}

/// Vertices around which the elements do not hang together by faces: what a hinge turns about.
int hingeVertices(const VolumeMesh& mesh) {
    std::vector<std::vector<int>> around(static_cast<std::size_t>(mesh.vertexCount()));
    for (int e = 0; e < mesh.elementCount(); ++e)
        for (int c = 0; c < 8; ++c) around[static_cast<std::size_t>(mesh.elements(c, e))].push_back(e);
    int hinges = 0;
    for (const std::vector<int>& fan : around) {
        VolumeMesh star;
        star.kind = mesh.kind;
        star.elements.resize(8, static_cast<Eigen::Index>(fan.size()));
        for (std::size_t i = 0; i < fan.size(); ++i)
            star.elements.col(static_cast<Eigen::Index>(i)) = mesh.elements.col(fan[i]);
        hinges += connectedComponents(star).count() > 1 ? 1 : 0;
    }
    return hinges;
}

/// What every result must be, whatever the surface.
void expectSound(const VolumeMesh& mesh, const SurfaceMesh& surface) {
    EXPECT_EQ(test::errorOf([&] { checkVolumeMesh(mesh, ""); }), "");
    EXPECT_EQ(connectedComponents(mesh).count(), 1);
    EXPECT_LT(farthest(mesh, surface), 1e-12 * surface.positions.cwiseAbs().maxCoeff());
}

/// Thin strands that pass in front of and behind upright ones, as in a basket.
SurfaceMesh wicker() {
    const double pi = std::acos(-1.0);
    constexpr int stakes = 16, weavers = 10;
    SurfaceMesh mesh;
    for (int s = 0; s < stakes; ++s) {
        const double angle = 2.0 * pi * s / stakes;
        test::addTube(
            mesh,
            [angle, pi](double t) {
                const double h = 0.1 + 0.1 * std::cos(2.0 * pi * t), side = 0.004 * std::sin(2.0 * pi * t);
                return Vector3(0.15 * std::cos(angle) - side * std::sin(angle),
                               0.15 * std::sin(angle) + side * std::cos(angle), h);
            },
            0.003, 24, 6);
    }
    for (int w = 0; w < weavers; ++w) {
        const double height = 0.01 + 0.02 * w, sign = w % 2 == 0 ? 1.0 : -1.0;
        test::addTube(
            mesh,
            [height, sign, pi](double t) {
                const double angle = 2.0 * pi * t, r = 0.15 + sign * 0.006 * std::cos(stakes / 2 * angle);
                return Vector3(r * std::cos(angle), r * std::sin(angle), height);
            },
            0.003, 128, 6);
    }
    return mesh;
}

TEST(Voxelise, SolidBoxKeepsItsVolume) {
    const SurfaceMesh box = test::box(Vector3(1, 2, 3), Vector3(2, 2.5, 3.25));
    const VolumeMesh mesh = voxelise(box, at(8, true));
    EXPECT_EQ(mesh.elementCount(), 8 * 4 * 2);
    EXPECT_EQ(mesh.vertexCount(), 9 * 5 * 3);
    EXPECT_NEAR(volume(mesh), 0.125, 1e-8);
    expectSound(mesh, box);
}

TEST(Voxelise, ShellOfABoxIsHollow) {
    const SurfaceMesh box = test::box(Vector3::Zero(), Vector3::Ones());
    EXPECT_EQ(voxelise(box, at(8)).elementCount(), 8 * 8 * 8 - 6 * 6 * 6);
    EXPECT_EQ(voxelise(box, at(8, true)).elementCount(), 8 * 8 * 8);
    EXPECT_EQ(voxelise(box, at(1)).elementCount(), 1);
}

// Bricks of a solid ball of radius 1 hold its volume and at most the skin of half a brick more.
TEST(Voxelise, SolidBallConvergesToItsVolume) {
    const double pi = std::acos(-1.0);
    Points x(3, 2 + 31 * 64);
    x.col(0) = Vector3(0, 0, -1);
    x.col(1) = Vector3(0, 0, 1);
    const auto number = [](int i, int j) { return i == 0 ? 0 : i == 32 ? 1 : 2 + (i - 1) * 64 + j % 64; };
    for (int i = 1; i < 32; ++i)
        for (int j = 0; j < 64; ++j) {
            const double a = pi * i / 32 - pi / 2, b = 2 * pi * j / 64;
            x.col(number(i, j)) = Vector3(std::cos(a) * std::cos(b), std::cos(a) * std::sin(b), std::sin(a));
        }
    Triangles t(3, 2 * 32 * 64);
    for (int i = 0; i < 32; ++i)
        for (int j = 0; j < 64; ++j) {
            t.col(2 * (i * 64 + j)) << number(i, j), number(i, j + 1), number(i + 1, j);
            t.col(2 * (i * 64 + j) + 1) << number(i, j + 1), number(i + 1, j + 1), number(i + 1, j);
        }
    SurfaceMesh ball;
    test::addTriangles(ball, x, t);
    const double exact = 4.0 / 3.0 * pi;
    double lastExcess = 1e300;
    for (const int n : {10, 20, 40}) {
        const VolumeMesh mesh = voxelise(ball, at(n, true));
        const double excess = volume(mesh) - exact;
        EXPECT_GT(excess, 0.0);
        EXPECT_LT(excess, 4.0 * pi * 2.0 / n);  // area times one brick
        EXPECT_LT(excess, 0.6 * lastExcess);
        lastExcess = excess;
        expectSound(mesh, ball);
    }
    EXPECT_LT(voxelise(ball, at(40)).elementCount(), voxelise(ball, at(40, true)).elementCount());
}

// A segment along the diagonal of a plane touches bricks at corners; two triangles that meet at a brick's corner only
// are a hinge, which the face neighbours close.
TEST(Voxelise, HingesAreClosed) {
    SurfaceMesh surface;
    test::addBox(surface, Vector3(0.1, 0.1, 0.1), Vector3(0.9, 0.9, 0.9));
    test::addBox(surface, Vector3(1.1, 1.1, 0.1), Vector3(1.9, 1.9, 0.9));
    test::addBox(surface, Vector3(2.1, 2.1, 1.1), Vector3(2.9, 2.9, 1.9));
    // Two edges and corners to the bounding box 0..3 in x and y, so that the bricks are unit cubes.
    test::addBox(surface, Vector3(0.0, 0.4, 0.4), Vector3(0.2, 0.6, 0.6));
    test::addBox(surface, Vector3(2.8, 2.4, 1.4), Vector3(3.0, 2.6, 1.6));
    test::addBox(surface, Vector3(0.4, 0.4, 0.0), Vector3(0.6, 0.6, 0.2));
    test::addBox(surface, Vector3(2.4, 2.4, 1.8), Vector3(2.6, 2.6, 2.0));
    test::addBox(surface, Vector3(0.4, 0.0, 0.4), Vector3(0.6, 0.2, 0.6));
    test::addBox(surface, Vector3(2.4, 2.8, 1.4), Vector3(2.6, 3.0, 1.6));
    const VolumeMesh mesh = voxelise(surface, at(3));
    // Touched: (0,0,0), (1,1,0), (2,2,1): one more closes the edge, two more the corner.
    EXPECT_EQ(mesh.elementCount(), 3 + 1 + 2);
    EXPECT_EQ(hingeVertices(mesh), 0);
    expectSound(mesh, surface);
}

TEST(Voxelise, WickerStaysInOnePartWithoutHinges) {
    const SurfaceMesh basket = wicker();
    ASSERT_GT(basket.triangleCount(), 10000);
    const std::clock_t begin = std::clock();  // processor time: other programs do not count
    const VolumeMesh mesh = voxelise(basket, at(64));
    EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 1.0);
    expectSound(mesh, basket);
    EXPECT_EQ(hingeVertices(mesh), 0);
    const int bricks = voxelise(basket, at(0)).elementCount();
    EXPECT_GE(bricks, 2000);
    EXPECT_LE(bricks, 6000);
}

TEST(Voxelise, SeparatePartsAreNamedWithTheirSizesAndACure) {
    SurfaceMesh two = test::box(Vector3::Zero(), Vector3(1, 1, 1));
    test::addBox(two, Vector3(1.3, 0, 0), Vector3(2.3, 1, 1));
    // Bricks of 5 cm. Each box is 20 x 20 x 20 of them and touches one more layer across x: 21 20^2 - 19 18^2 = 2244.
    const std::string problem = test::errorOf([&] { voxelise(two, at(46)); });
    EXPECT_THAT(problem,
                HasSubstr("at resolution 46 the surface falls into 2 parts that share no face (of 2244, 2244 bricks)"));
    EXPECT_THAT(problem, HasSubstr("joins them"));
    const std::size_t place = problem.find("; resolution ");
    ASSERT_NE(place, std::string::npos);
    const int joining = std::stoi(problem.substr(place + 13));
    EXPECT_LT(joining, 46);
    EXPECT_EQ(test::errorOf([&] { voxelise(two, at(joining)); }), "");
    // The default finds a joining resolution by itself.
    expectSound(voxelise(two), two);
    SurfaceMesh far = test::box(Vector3::Zero(), Vector3(1, 1, 1));
    test::addBox(far, Vector3(100, 0, 0), Vector3(101, 1, 1));
    EXPECT_THAT(test::errorOf([&] { voxelise(far); }), HasSubstr("put each into a file of its own"));
}

TEST(Voxelise, IsDeterministicAndOrdered) {
    const SurfaceMesh basket = wicker();
    const VolumeMesh a = voxelise(basket, at(40)), b = voxelise(basket, at(40));
    EXPECT_EQ(a.positions, b.positions);
    EXPECT_EQ(a.elements, b.elements);
    for (int v = 1; v < a.vertexCount(); ++v) {
        const Vector3 p = a.positions.col(v - 1), q = a.positions.col(v);
        EXPECT_TRUE(std::lexicographical_compare(p.data(), p.data() + 3, q.data(), q.data() + 3)) << v;
    }
}

// The grid is centred: a surface that is its own mirror image gives bricks that are.
TEST(Voxelise, KeepsSymmetryOfTheShell) {
    const SurfaceMesh box = test::box(Vector3(-1, -0.63, -0.41), Vector3(1, 0.63, 0.41));
    const VolumeMesh mesh = voxelise(box, at(20));
    EXPECT_LT(Vector3(mesh.positions.rowwise().mean()).norm(), 1e-12);
}

TEST(Voxelise, FlatSurfacesAreOneBrickThick) {
    SurfaceMesh sheet;
    Points x(3, 4);
    x << 0, 2, 2, 0, 0, 0, 1, 1, 5, 5, 5, 5;
    Triangles t(3, 2);
    t << 0, 0, 1, 2, 2, 3;
    test::addTriangles(sheet, x, t);
    const VolumeMesh mesh = voxelise(sheet, at(10));
    EXPECT_EQ(mesh.elementCount(), 10 * 5);
    expectSound(mesh, sheet);
}

TEST(Voxelise, MistakesAreNamed) {
    const SurfaceMesh box = test::box(Vector3::Zero(), Vector3::Ones());
    EXPECT_THAT(test::errorOf([&] { voxelise(box, at(-1)); }), HasSubstr("resolution -1 is outside 1..256"));
    EXPECT_THAT(test::errorOf([&] { voxelise(box, at(257)); }), HasSubstr("resolution 257 is outside"));
    EXPECT_THAT(test::errorOf([&] { voxelise(SurfaceMesh(), at(8)); }), HasSubstr("the surface is empty"));
    EXPECT_THAT(test::errorOf([&] { chooseVoxelResolution(SurfaceMesh()); }), HasSubstr("the surface is empty"));
    EXPECT_THAT(test::errorOf([&] { voxelise(test::box(Vector3::Ones(), Vector3::Ones()), at(8)); }),
                HasSubstr("all points of the surface coincide"));
    SurfaceMesh broken = box;
    broken.positions(0, 0) = std::nan("");
    EXPECT_THAT(test::errorOf([&] { voxelise(broken, at(8)); }), HasSubstr("NaN"));
    VoxeliseOptions incompressible = at(8);
    incompressible.material.poissonRatio = 0.5;
    EXPECT_THAT(test::errorOf([&] { voxelise(box, incompressible); }), HasSubstr("incompressible"));
}

class VoxeliseReference : public testing::TestWithParam<std::string> {};

TEST_P(VoxeliseReference, DefaultResolutionWorks) {
    const SurfaceMesh surface = readObj(GetParam());
    for (const bool solid : {false, true}) {
        const int resolution = chooseVoxelResolution(surface, solid);
        EXPECT_GE(resolution, 8);
        const VolumeMesh mesh = voxelise(surface, at(0, solid));
        EXPECT_GE(mesh.elementCount(), 2000);
        EXPECT_LE(mesh.elementCount(), 6000);
        expectSound(mesh, surface);
        EXPECT_EQ(hingeVertices(mesh), 0);
    }
}

// A closed surface; open pieces that stick into each other, wound either way; hundreds of closed strands.
INSTANTIATE_TEST_SUITE_P(Meshes, VoxeliseReference,
                         testing::Values(PLIANT_MEDIA_DIR "/solids/cow.obj",
                                         test::ownReferencePath("meshes/kettle.obj"),
                                         PLIANT_MEDIA_DIR "/basket/basket.obj"));
INSTANTIATE_TEST_SUITE_P(OutsideMeshes, VoxeliseReference,
                         testing::ValuesIn(test::outsidePaths({"meshes/spot.obj", "meshes/teapot.obj",
                                                               "meshes/simpleBridge.obj"})));

}  // namespace
