// SPDX-License-Identifier: Zlib
#include <cmath>
#include <limits>

#include "SampleMeshes.h"
#include "TemporaryFolder.h"
#include "pliant/mesh/CheckVolumeMesh.h"
#include "pliant/mesh/Quadrature.h"

namespace {

using namespace pliant;
using pliant::test::brickBlock;
using pliant::test::cornerTetrahedron;
using pliant::test::errorOf;
using testing::HasSubstr;
using testing::StartsWith;

std::string problem(const VolumeMesh& mesh) {
    return errorOf([&] { checkVolumeMesh(mesh, "m.veg"); });
}

template <typename Change>
std::string problemOf(VolumeMesh mesh, const Change& change) {
    change(mesh);
    return problem(mesh);
}

TEST(CheckVolumeMesh, SoundMeshesPass) {
    EXPECT_EQ(problem(cornerTetrahedron()), "");
    EXPECT_EQ(problem(brickBlock(3, 2, 4, Vector3(0.1, 3.0, 1e-3), Vector3(5, -7, 1e3))), "");
}

TEST(CheckVolumeMesh, EmptyAndIllSized) {
    EXPECT_THAT(problem(VolumeMesh()), HasSubstr("m.veg: the mesh is empty"));
    EXPECT_THAT(problemOf(brickBlock(1, 1, 1), [](VolumeMesh& m) { m.kind = ElementKind::Tetrahedron; }),
                HasSubstr("elements have 8 corners, expected 4"));
    EXPECT_THAT(problemOf(cornerTetrahedron(), [](VolumeMesh& m) { m.elementMaterial.clear(); }),
                HasSubstr("0 element materials for 1 elements"));
}

TEST(CheckVolumeMesh, VerticesAndIndices) {
    EXPECT_THAT(problemOf(brickBlock(1, 1, 1), [](VolumeMesh& m) { m.positions(1, 6) = std::nan(""); }),
                StartsWith("m.veg: vertex 6: a coordinate is NaN"));
    EXPECT_THAT(problemOf(brickBlock(1, 1, 1),
                          [](VolumeMesh& m) { m.positions(1, 2) = std::numeric_limits<double>::infinity(); }),
                StartsWith("m.veg: vertex 2: a coordinate is NaN"));
    EXPECT_THAT(problemOf(brickBlock(2, 1, 1), [](VolumeMesh& m) { m.elements(3, 1) = 12; }),
                StartsWith("m.veg: brick 1: vertex number 12 is outside 0..11"));
    EXPECT_THAT(problemOf(brickBlock(2, 1, 1), [](VolumeMesh& m) { m.elements(3, 1) = -1; }),
                StartsWith("m.veg: brick 1: vertex number -1"));
    EXPECT_THAT(problemOf(cornerTetrahedron(), [](VolumeMesh& m) { m.elements(3, 0) = 0; }),
                StartsWith("m.veg: tetrahedron 0: one vertex stands at two corners"));
    EXPECT_THAT(problemOf(cornerTetrahedron(),
                          [](VolumeMesh& m) {
                              m.positions.conservativeResize(3, 6);
                              m.positions.rightCols(2).setZero();
                          }),
                StartsWith("m.veg: vertex 4: isolated vertex: no element uses it (2 of these"));
}

TEST(CheckVolumeMesh, Tetrahedra) {
    EXPECT_THAT(problemOf(cornerTetrahedron(), [](VolumeMesh& m) { std::swap(m.elements(0, 0), m.elements(1, 0)); }),
                StartsWith("m.veg: tetrahedron 0: inverted tetrahedron, volume -0.1666"));
    EXPECT_THAT(problemOf(cornerTetrahedron(), [](VolumeMesh& m) { m.positions(2, 3) = 0.0; }),
                StartsWith("m.veg: tetrahedron 0: degenerate tetrahedron, volume 0 m^3"));
    // The same shape in micrometres is as sound as in metres.
    EXPECT_EQ(problemOf(cornerTetrahedron(), [](VolumeMesh& m) { m.positions *= 1e-6; }), "");
}

TEST(CheckVolumeMesh, Bricks) {
    EXPECT_THAT(problemOf(brickBlock(1, 1, 1), [](VolumeMesh& m) { m.positions.row(1) *= -1.0; }),
                StartsWith("m.veg: brick 0: inverted brick, edges 1 x -1 x 1 m, volume -1 m^3"));
    EXPECT_THAT(problemOf(brickBlock(1, 1, 1), [](VolumeMesh& m) { m.positions.row(2).setZero(); }),
                StartsWith("m.veg: brick 0: degenerate brick"));
    EXPECT_THAT(problemOf(brickBlock(1, 1, 1), [](VolumeMesh& m) { m.positions(0, 7) += 1e-3; }),
                StartsWith("m.veg: brick 0: brick is no cuboid"));
    // Corners in another order than Vega's.
    EXPECT_THAT(problemOf(brickBlock(1, 1, 1), [](VolumeMesh& m) { std::swap(m.elements(2, 0), m.elements(3, 0)); }),
                HasSubstr("no cuboid"));
    // A shear of a tenth: the mean edges shrink, which must not hide the deviation.
    EXPECT_THAT(problemOf(brickBlock(1, 1, 1), [](VolumeMesh& m) { m.positions.row(0) += 0.1 * m.positions.row(1); }),
                HasSubstr("no cuboid: a corner is off by 0.05"));
    // Coordinates rounded to six digits, as in files.
    EXPECT_EQ(problemOf(brickBlock(3, 3, 3, Vector3::Constant(1.0 / 3.0)),
                        [](VolumeMesh& m) { m.positions = (m.positions * 1e6).array().round() / 1e6; }),
              "");
}

TEST(CheckVolumeMesh, TurnedBricksAreBricksOfIsotropicMaterials) {
    const auto turn = [](VolumeMesh& m) {
        Matrix3 Q;
        Q << 0.6, -0.8, 0, 0.8, 0.6, 0, 0, 0, 1;
        m.positions = (Q * m.positions).eval();
    };
    EXPECT_EQ(problemOf(brickBlock(2, 1, 1), turn), "");
    EXPECT_THAT(problemOf(brickBlock(2, 1, 1),
                          [&](VolumeMesh& m) {
                              turn(m);
                              m.materials[0].stiffness = stiffnessMatrix(m.materials[0]);
                              m.materials[0].law = MaterialLaw::General;
                          }),
                StartsWith("m.veg: brick 0: brick is turned against the axes, and its material is not isotropic"));
    EXPECT_THAT(problemOf(brickBlock(1, 1, 1),
                          [&](VolumeMesh& m) {
                              turn(m);
                              m.positions.row(2) *= -1.0;
                          }),
                StartsWith("m.veg: brick 0: inverted brick"));
}

// Each corner of a turned brick is rounded by itself; those of aligned ones are rounded alike.
TEST(CheckVolumeMesh, TurnedBricksOfFilesAreBricksToEverybody) {
    for (const Vector3& sides : {Vector3(0.05, 0.05, 0.004), Vector3(0.01, 0.01, 0.002), Vector3(0.3, 0.2, 0.001)}) {
        VolumeMesh mesh = brickBlock(3, 2, 1, sides);
        Matrix3 Q;
        Q << 0.36, 0.48, -0.8, -0.8, 0.6, 0.0, 0.48, 0.64, 0.6;
        mesh.positions = ((Q * mesh.positions).eval() * 1e6).array().round() / 1e6;
        EXPECT_EQ(problemOf(mesh, [](VolumeMesh&) {}), "") << sides.transpose();
        for (int e = 0; e < mesh.elementCount(); ++e)
            EXPECT_NEAR(elementVolume(mesh, e) / sides.prod(), 1.0, 2e-3) << sides.transpose();
    }
}

TEST(CheckVolumeMesh, Materials) {
    const auto withNu = [](double nu) {
        return problemOf(cornerTetrahedron(), [nu](VolumeMesh& m) { m.materials[0].poissonRatio = nu; });
    };
    EXPECT_THAT(withNu(0.5), StartsWith("m.veg: material \"default\": Poisson ratio 0.5 means incompressible"));
    EXPECT_THAT(withNu(0.6), HasSubstr("Poisson ratio 0.6 is outside (-1, 0.5)"));
    EXPECT_THAT(withNu(-1.0), HasSubstr("Poisson ratio -1 is outside"));
    EXPECT_THAT(withNu(std::nan("")), HasSubstr("is outside"));
    EXPECT_EQ(withNu(-0.5), "");
    EXPECT_EQ(withNu(0.4999), "");
    EXPECT_THAT(problemOf(cornerTetrahedron(), [](VolumeMesh& m) { m.materials[0].density = 0.0; }),
                HasSubstr("density 0 kg/m^3 is not positive"));
    EXPECT_THAT(problemOf(cornerTetrahedron(), [](VolumeMesh& m) { m.materials[0].youngsModulus = -1.0; }),
                HasSubstr("Young's modulus -1 Pa is not positive"));
    EXPECT_THAT(problemOf(cornerTetrahedron(), [](VolumeMesh& m) { m.elementMaterial[0] = 1; }),
                HasSubstr("tetrahedron 0: material 1 is outside 0..0"));
}

}  // namespace
