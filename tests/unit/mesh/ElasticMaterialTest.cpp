// SPDX-License-Identifier: Zlib
#include <gmock/gmock.h>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include "SampleMeshes.h"
#include "TemporaryFolder.h"
#include "pliant/mesh/CheckVolumeMesh.h"
#include "pliant/mesh/ElasticMaterial.h"
#include "pliant/mesh/ReadVeg.h"
#include "pliant/mesh/VegMaterial.h"

namespace {

using namespace pliant;
using pliant::test::errorOf;
using pliant::test::TemporaryFolder;
using testing::HasSubstr;

ElasticMaterial wood() {
    ElasticMaterial m;
    m.name = "spruce";
    m.law = MaterialLaw::Orthotropic;
    m.orthotropic = {Vector3(1.1e10, 8e8, 5e8), Vector3(0.4, 0.35, 0.02), Vector3(7e8, 4e7, 6e8)};
    return m;
}

Matrix3 turn() {
    return Eigen::AngleAxisd(0.8, Vector3(1, -2, 0.5).normalized()).toRotationMatrix();
}

Vector6 engineering(const Matrix3& E) {
    Vector6 e;
    e << E(0, 0), E(1, 1), E(2, 2), 2 * E(1, 2), 2 * E(0, 2), 2 * E(0, 1);
    return e;
}

// A pull along axis 1 stretches by 1 / E1 and shrinks by nu12 / E1 along 2; a shear stress in 23 shears by 1 / G23.
TEST(ElasticMaterial, OrthotropicComplianceHasItsConstants) {
    const Eigen::Matrix<double, 6, 6> S = stiffnessMatrix(wood()).inverse();
    EXPECT_NEAR(S(0, 0) * 1.1e10, 1.0, 1e-12);
    EXPECT_NEAR(S(1, 0) * 1.1e10, -0.4, 1e-12);
    EXPECT_NEAR(S(2, 1) * 8e8, -0.35, 1e-12);
    EXPECT_NEAR(S(0, 2) * 5e8, -0.02, 1e-12);
    EXPECT_NEAR(S(3, 3) * 4e7, 1.0, 1e-12);  // yz = 23
    EXPECT_NEAR(S(4, 4) * 6e8, 1.0, 1e-12);  // xz = 31
    EXPECT_NEAR(S(5, 5) * 7e8, 1.0, 1e-12);  // xy = 12
}

TEST(ElasticMaterial, EqualConstantsAreIsotropicInAnyAxes) {
    ElasticMaterial plain, same;
    plain.youngsModulus = 2e6;
    plain.poissonRatio = 0.3;
    same.law = MaterialLaw::Orthotropic;
    same.orthotropic = stableOrthotropic(Vector3::Constant(2e6), 0.3);
    same.orthotropic.axes = turn();
    const Matrix6 C = stiffnessMatrix(plain);
    EXPECT_LT((stiffnessMatrix(same) - C).norm(), 1e-12 * C.norm());
    Matrix3 E;
    E << 0.1, 0.02, -0.03, 0.02, -0.2, 0.05, -0.03, 0.05, 0.3;
    const double energy = 0.5 * plain.lameLambda() * E.trace() * E.trace() + plain.lameMu() * E.squaredNorm();
    EXPECT_NEAR(0.5 * engineering(E).dot(C * engineering(E)) / energy, 1.0, 1e-13);
}

// The energy of a strain that turns with the material does not change.
TEST(ElasticMaterial, TurnedAxesTurnTheLaw) {
    ElasticMaterial straight = wood(), turned = wood();
    const Matrix3 R = turned.orthotropic.axes = turn();
    Matrix3 E;
    E << 0.1, 0.02, -0.03, 0.02, -0.2, 0.05, -0.03, 0.05, 0.3;
    const Vector6 e = engineering(E), t = engineering(R * E * R.transpose());
    const double energy = e.dot(stiffnessMatrix(straight) * e);
    EXPECT_NEAR(t.dot(stiffnessMatrix(turned) * t) / energy, 1.0, 1e-12);
    EXPECT_GT(std::abs(e.dot(stiffnessMatrix(turned) * e) / energy - 1.0), 0.1);
}

TEST(ElasticMaterial, RefusesWhatIsNotPositiveDefinite) {
    const auto problem = [](const ElasticMaterial& m) {
        VolumeMesh mesh = test::cornerTetrahedron();
        mesh.materials = {m};
        return errorOf([&] { checkVolumeMesh(mesh, "m.veg"); });
    };
    EXPECT_EQ(problem(wood()), "");
    ElasticMaterial m = wood();
    m.orthotropic.poissonRatios[0] = 4.0;  // 16 > E1 / E2 = 13.75
    EXPECT_THAT(problem(m),
                HasSubstr("m.veg: material \"spruce\": the stiffness is not positive definite: its smallest "
                          "eigenvalue is -"));
    EXPECT_THAT(problem(m), HasSubstr("lower the Poisson ratios"));
    m = wood();
    m.orthotropic.shearModuli[1] = 0.0;
    EXPECT_THAT(problem(m), HasSubstr("shear modulus G23 = 0 Pa is not positive"));
    m = wood();
    m.orthotropic.youngsModuli[2] = -1.0;
    EXPECT_THAT(problem(m), HasSubstr("Young's modulus E3 = -1 Pa is not positive"));
    m = wood();
    m.orthotropic.axes.col(0) *= -1.0;
    EXPECT_THAT(problem(m), HasSubstr("are no rotation"));

    m.law = MaterialLaw::General;
    m.stiffness = stiffnessMatrix(wood());
    EXPECT_EQ(problem(m), "");
    m.stiffness(3, 3) = -2e6;
    EXPECT_THAT(problem(m), HasSubstr("smallest eigenvalue is -2e+06 Pa"));
    m.stiffness(3, 3) = 2e6;
    m.stiffness(1, 4) = 1e8;
    EXPECT_THAT(problem(m), HasSubstr("not symmetric: entries (2, 5) = 1e+08 and 0 Pa"));
    m.stiffness(1, 4) = std::nan("");
    EXPECT_THAT(problem(m), HasSubstr("not finite"));
    m.stiffness.setZero();
    EXPECT_THAT(problem(m), HasSubstr("smallest eigenvalue is 0 Pa"));
}

TEST(VegMaterial, KindsOfVega) {
    const auto parse = [](const std::string& line) {
        std::vector<std::string_view> words;
        std::size_t from = 0;
        for (std::size_t to; (to = line.find(',', from)) != std::string::npos; from = to + 1)
            words.push_back(std::string_view(line).substr(from, to - from));
        words.push_back(std::string_view(line).substr(from));
        return parseVegMaterial(words, "a.veg:3");
    };
    const ElasticMaterial nine = parse("ORTHOTROPIC_N3G3,700,1e9,2e9,3e9,.1,.2,.3,4e8,5e8,6e8");
    EXPECT_EQ(nine.orthotropic.youngsModuli, Vector3(1e9, 2e9, 3e9));
    EXPECT_EQ(nine.orthotropic.poissonRatios, Vector3(0.1, 0.2, 0.3));
    EXPECT_EQ(nine.orthotropic.shearModuli, Vector3(4e8, 5e8, 6e8));
    EXPECT_EQ(nine.orthotropic.axes, Matrix3::Identity());
    const ElasticMaterial turned = parse("orthotropic,700,1e9,2e9,3e9,.1,.2,.3,4e8,5e8,6e8,0,-1,0,1,0,0,0,0,1");
    EXPECT_EQ(turned.orthotropic.axes.col(0), Vector3(0, 1, 0));  // axis 1 lies along y
    EXPECT_NEAR(stiffnessMatrix(turned)(1, 1), stiffnessMatrix(nine)(0, 0), 1.0);
    const ElasticMaterial one = parse("ORTHOTROPIC_N1G1,700,4e9,1e9,1e9,0.3,2");
    EXPECT_NEAR(one.orthotropic.poissonRatios[0], 0.6, 1e-12);
    EXPECT_NEAR(one.orthotropic.shearModuli[0], 2.0 * 2e9 / 2.6, 1.0);
    EXPECT_NEAR(parse("ORTHOTROPIC_N1,700,4e9,1e9,1e9,0.3").orthotropic.shearModuli[0], 2e9 / 2.6, 1.0);
    EXPECT_EQ(parse("ORTHOTROPIC_N1R9,700,4e9,1e9,1e9,0.3,0,-1,0,1,0,0,0,0,1").orthotropic.axes,
              turned.orthotropic.axes);
    EXPECT_THAT(errorOf([&] { parse("ORTHOTROPIC,700,1e9,2e9,3e9,.1,.2,.3,4e8,5e8,6e8"); }),
                HasSubstr("a.veg:3: ORTHOTROPIC has 10 numbers instead of 19"));
    EXPECT_THAT(errorOf([&] { parse("ORTHOTROPIC_N1,700,4e9,x,1e9,0.3"); }), HasSubstr("\"x\" is not a number"));
    EXPECT_THAT(errorOf([&] { parse("MOONEYRIVLIN,1,2,3,4"); }), HasSubstr("material of kind \"MOONEYRIVLIN\""));
}

TEST(VegMaterial, EveryLawSurvivesARoundTrip) {
    VolumeMesh mesh = test::brickBlock(3, 1, 1, Vector3(0.1, 0.2, 0.3));
    ElasticMaterial turned = wood(), general = wood();
    turned.name = "turned";
    turned.orthotropic.axes = turn();
    general.name = "general";
    general.law = MaterialLaw::General;
    general.stiffness = stiffnessMatrix(turned);
    mesh.materials = {ElasticMaterial(), turned, general};
    mesh.materials.push_back({"nowhere", 1.0, 1e6, 0.1});
    mesh.elementMaterial = {2, 1, 0};
    const TemporaryFolder folder;
    writeVeg(mesh, folder.path("a.veg"));
    const VolumeMesh again = readVeg(folder.path("a.veg"));
    EXPECT_EQ(again.elementMaterial, mesh.elementMaterial);
    ASSERT_EQ(again.materials.size(), 4u);
    for (std::size_t m = 0; m < 4; ++m) {
        EXPECT_EQ(again.materials[m].law, mesh.materials[m].law);
        EXPECT_EQ(stiffnessMatrix(again.materials[m]), stiffnessMatrix(mesh.materials[m])) << m;
    }
    EXPECT_EQ(again.materials[1].orthotropic.axes, turned.orthotropic.axes);
}

}  // namespace
