// SPDX-License-Identifier: Zlib
#include "ReferenceData.h"
#include "SampleMeshes.h"
#include "TemporaryFolder.h"
#include "pliant/mesh/MeshTopology.h"
#include "pliant/mesh/ReadVeg.h"

namespace {

using namespace pliant;
using pliant::test::brickBlock;
using testing::ElementsAre;
using testing::HasSubstr;

/// Elements `keep` of a mesh, with all its vertices.
VolumeMesh only(const VolumeMesh& mesh, const std::vector<int>& keep) {
    VolumeMesh part = mesh;
    part.elements.resize(mesh.elements.rows(), static_cast<Eigen::Index>(keep.size()));
    for (std::size_t i = 0; i < keep.size(); ++i)
        part.elements.col(static_cast<Eigen::Index>(i)) = mesh.elements.col(keep[i]);
    part.elementMaterial.assign(keep.size(), 0);
    return part;
}

/// Volume enclosed by a closed surface, by the divergence theorem: positive when triangles face outwards.
double enclosedVolume(const SurfaceMesh& s) {
    double sum = 0.0;
    for (int t = 0; t < s.triangleCount(); ++t) {
        const Vector3 a = s.positions.col(s.triangles(0, t)), b = s.positions.col(s.triangles(1, t)),
                      c = s.positions.col(s.triangles(2, t));
        sum += a.dot(b.cross(c)) / 6.0;
    }
    return sum;
}

// In a 2 x 2 x 2 block, bricks 0 and 1 share a face, 0 and 3 an edge, 0 and 7 a corner.
TEST(ConnectedComponents, EdgesAndCornersAreHinges) {
    const VolumeMesh block = brickBlock(2, 2, 2);
    EXPECT_EQ(connectedComponents(block).count(), 1);
    EXPECT_THAT(connectedComponents(only(block, {0, 1})).component, ElementsAre(0, 0));
    EXPECT_THAT(connectedComponents(only(block, {0, 3})).component, ElementsAre(0, 1));
    EXPECT_THAT(connectedComponents(only(block, {0, 7})).component, ElementsAre(0, 1));
    EXPECT_THAT(connectedComponents(only(block, {7, 0, 1, 6})).component, ElementsAre(0, 1, 1, 0));
    EXPECT_THAT(connectedComponents(only(block, {0, 3, 1})).sizes, ElementsAre(3));
}

TEST(ConnectedComponents, TetrahedraJoinThroughTriangles) {
    VolumeMesh mesh = test::cornerTetrahedron();
    mesh.positions.conservativeResize(3, 6);
    mesh.positions.col(4) = Vector3(1, 1, 1);
    mesh.positions.col(5) = Vector3(-1, -1, -1);
    mesh.elements.resize(4, 2);
    mesh.elementMaterial = {0, 0};
    mesh.elements << 0, 1, 1, 2, 2, 3, 3, 4;
    EXPECT_EQ(connectedComponents(mesh).count(), 1);
    mesh.elements.col(1) << 0, 1, 4, 5;  // an edge only
    EXPECT_EQ(connectedComponents(mesh).count(), 2);
    EXPECT_THAT(test::errorOf([&] { checkOneComponent(mesh, "m.veg"); }),
                HasSubstr("m.veg: the elements form 2 parts that share no face (of 1, 1 elements; 1 from element 1 "
                          "on, with vertex 0 at (0, 0, 0))"));
}

TEST(ConnectedComponents, OnePartPassesTheCheck) {
    EXPECT_EQ(test::errorOf([] { checkOneComponent(brickBlock(3, 2, 1), ""); }), "");
}

TEST(BoundarySurface, OfABlockIsItsSkin) {
    const VolumeMesh block = brickBlock(4, 3, 3, Vector3(1.0, 0.5, 2.0), Vector3(-2, 1, 3));
    std::vector<int> vertex;
    const SurfaceMesh skin = boundarySurface(block, &vertex);
    EXPECT_EQ(skin.vertexCount(), 5 * 4 * 4 - 3 * 2 * 2);
    EXPECT_EQ(skin.triangleCount(), 2 * 2 * (4 * 3 + 4 * 3 + 3 * 3));
    EXPECT_NEAR(enclosedVolume(skin), 4.0 * 1.5 * 6.0, 1e-12);
    ASSERT_EQ(vertex.size(), static_cast<std::size_t>(skin.vertexCount()));
    for (int i = 0; i < skin.vertexCount(); ++i)
        EXPECT_EQ(Vector3(skin.positions.col(i)), Vector3(block.positions.col(vertex[static_cast<std::size_t>(i)])));
    EXPECT_TRUE(std::is_sorted(vertex.begin(), vertex.end()));
}

TEST(BoundarySurface, OfOneTetrahedronLooksOutwards) {
    const SurfaceMesh skin = boundarySurface(test::cornerTetrahedron());
    EXPECT_EQ(skin.triangleCount(), 4);
    EXPECT_NEAR(enclosedVolume(skin), 1.0 / 6.0, 1e-15);
    const Vector3 centre = skin.positions.rowwise().mean();
    for (int v = 0; v < 4; ++v) EXPECT_GT(skin.normals.col(v).dot(Vector3(skin.positions.col(v)) - centre), 0.0);
}

class BoundaryReference : public testing::TestWithParam<const char*> {};

// Bricks by their sides, tetrahedra by their determinants; the boundary by the divergence theorem.
TEST_P(BoundaryReference, EnclosesTheElements) {
    const VolumeMesh mesh = readVeg(test::referencePath(std::string("meshes/") + GetParam() + ".veg"));
    double volume = 0.0;
    for (int e = 0; e < mesh.elementCount(); ++e) {
        const Corners corners = elementCorners(mesh, e);
        const Cuboid cuboid = mesh.kind == ElementKind::Brick ? fitCuboid(corners) : Cuboid();
        volume += mesh.kind == ElementKind::Brick ? (cuboid.upper - cuboid.lower).prod() : tetrahedronVolume(corners);
    }
    EXPECT_NEAR(enclosedVolume(boundarySurface(mesh)), volume, 1e-9 * volume);
}

INSTANTIATE_TEST_SUITE_P(Meshes, BoundaryReference, testing::Values("bar", "arch", "grain"));
INSTANTIATE_TEST_SUITE_P(OutsideMeshes, BoundaryReference,
                         testing::ValuesIn(test::outsideNames({"beam3", "beam3_tet"}, ".veg", "meshes/")));

}  // namespace
