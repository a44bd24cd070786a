// SPDX-License-Identifier: Zlib
// Elements against closed-form answers; finite differences (FullModelTest) prove consistency, not correctness.
#include "pliant/fem/Element.h"
#include "pliant/fem/FullModel.h"
#include "pliant/math/Error.h"
#include "unit/fem/BeamMesh.h"

namespace pliant {
namespace {

VolumeMesh oneCell(ElementKind kind, int cells = 1) {
    test::BeamShape shape{cells, 1, 1, 0.3, 0.5, 0.7, kind};
    return test::beamMesh(shape);
}

class Elements : public ::testing::TestWithParam<ElementKind> {};
INSTANTIATE_TEST_SUITE_P(Kinds, Elements, ::testing::Values(ElementKind::Brick, ElementKind::Tetrahedron));

TEST_P(Elements, WeightsAddUpToTheVolumeAndGradientsReproduceLinearFields) {
    const VolumeMesh mesh = oneCell(GetParam());
    Matrix3 B;
    B << 0.1, 0.2, -0.3, 0.05, -0.4, 0.6, 0.7, 0.01, 0.02;
    const VectorX u = linearField(mesh, B, Vector3(1, 2, 3));
    for (const GaussRule rule : {GaussRule::Cubic, GaussRule::Quartic}) {
        double volume = 0.0;
        std::vector<ElementPoint> points;
        for (int e = 0; e < mesh.elementCount(); ++e) {
            elementPoints(mesh, e, points, rule);
            ASSERT_EQ(static_cast<int>(points.size()), pointsPerElement(mesh, rule));
            double elementSum = 0.0;
            for (const ElementPoint& p : points) {
                elementSum += p.weight;
                EXPECT_LT((cornerVectors(mesh, e, u.data()) * p.gradients - B).norm(), 1e-13);
            }
            EXPECT_NEAR(elementSum, elementVolume(mesh, e), 1e-15);
            volume += elementSum;
        }
        EXPECT_NEAR(volume, 0.3 * 0.5 * 0.7, 1e-15);
    }
}

TEST_P(Elements, HomogeneousStrainHasTheEnergyDensityOfStVK) {
    const VolumeMesh mesh = oneCell(GetParam(), 3);
    const FullModel model(mesh);
    Matrix3 B;
    B << 0.1, 0.2, -0.3, 0.05, -0.4, 0.6, 0.7, 0.01, 0.02;
    const Matrix3 F = Matrix3::Identity() + B;
    const Matrix3 E = 0.5 * (F.transpose() * F - Matrix3::Identity());
    const ElasticMaterial& m = mesh.materials[0];
    const double density = 0.5 * m.lameLambda() * E.trace() * E.trace() + m.lameMu() * E.squaredNorm();
    EXPECT_NEAR(model.energy(linearField(mesh, B)) / (density * 0.3 * 0.5 * 0.7), 1.0, 1e-13);
}

TEST_P(Elements, AnyLawHasItsEnergyDensityAndFeelsNoRigidMotion) {
    Matrix3 B;
    B << 0.1, 0.2, -0.3, 0.05, -0.4, 0.6, 0.7, 0.01, 0.02;
    const Matrix3 F = Matrix3::Identity() + B;
    const Matrix3 E = 0.5 * (F.transpose() * F - Matrix3::Identity());
    Vector6 e;
    e << E(0, 0), E(1, 1), E(2, 2), 2 * E(1, 2), 2 * E(0, 2), 2 * E(0, 1);
    for (const ElasticMaterial& material : {test::orthotropicMaterial(), test::generalMaterial()}) {
        VolumeMesh mesh = oneCell(GetParam(), 3);
        mesh.materials = {material};
        const FullModel model(mesh);
        const double energy = 0.5 * e.dot(stiffnessMatrix(material) * e) * 0.3 * 0.5 * 0.7;
        EXPECT_NEAR(model.energy(linearField(mesh, B)) / energy, 1.0, 1e-13) << material.name;
        const Matrix3 Q = Eigen::AngleAxisd(2.1, Vector3(1, -2, 0.5).normalized()).toRotationMatrix();
        const VectorX turned = linearField(mesh, Q - Matrix3::Identity(), Vector3(3, -1, 2));
        EXPECT_LT(model.internalForce(turned).norm(), 1e-11 * 1e6) << material.name;
    }
}

// The 6 x 6 path and the fast isotropic one are two implementations of one law.
TEST_P(Elements, IsotropicStiffnessMatrixEqualsTheFastPath) {
    VolumeMesh mesh = oneCell(GetParam(), 2);
    const FullModel fast(mesh);
    mesh.materials[0].stiffness = stiffnessMatrix(mesh.materials[0]);
    mesh.materials[0].law = MaterialLaw::General;
    const FullModel general(mesh);
    const VectorX u = test::wavyField(mesh, 0.1), v = test::wavyField(mesh, 0.1, 1.0);
    EXPECT_NEAR(general.energy(u) / fast.energy(u), 1.0, 1e-13);
    const VectorX f = fast.internalForce(u), h = fast.hessianProduct(u, v);
    EXPECT_LT((general.internalForce(u) - f).norm(), 1e-13 * f.norm());
    EXPECT_LT((general.hessianProduct(u, v) - h).norm(), 1e-13 * h.norm());
    const SparseMatrix K = fast.stiffness(u);
    EXPECT_LT((general.stiffness(u) - K).norm(), 1e-13 * K.norm());
}

TEST_P(Elements, RigidMotionMakesNoForceAndTurnsTheOthers) {
    const VolumeMesh mesh = oneCell(GetParam(), 2);
    const FullModel model(mesh);
    const Matrix3 Q = Eigen::AngleAxisd(2.1, Vector3(1, -2, 0.5).normalized()).toRotationMatrix();
    const VectorX turned = linearField(mesh, Q - Matrix3::Identity(), Vector3(3, -1, 2));
    const double scale = mesh.materials[0].youngsModulus * 0.1;
    EXPECT_LT(model.internalForce(turned).norm(), 1e-11 * scale);
    // u -> Q (X + u) - X turns forces with it and keeps the energy.
    const VectorX u = test::wavyField(mesh, 0.1);
    VectorX rotated(u.size()), expected(u.size());
    const VectorX f = model.internalForce(u);
    for (Eigen::Index v = 0; v < mesh.positions.cols(); ++v) {
        rotated.segment<3>(3 * v) = Q * (mesh.positions.col(v) + u.segment<3>(3 * v)) - mesh.positions.col(v);
        expected.segment<3>(3 * v) = Q * f.segment<3>(3 * v);
    }
    EXPECT_LT((model.internalForce(rotated) - expected).norm(), 1e-12 * f.norm());
    EXPECT_NEAR(model.energy(rotated) / model.energy(u), 1.0, 1e-12);
}

// Bricks of thin bodies go along the body, whichever way its file has it.
TEST(ElementTest, TurnedBricksAreTheSameBody) {
    VolumeMesh mesh = oneCell(ElementKind::Brick, 3), turned = mesh;
    const Matrix3 Q = Eigen::AngleAxisd(2.1, Vector3(1, -2, 0.5).normalized()).toRotationMatrix();
    turned.positions = Q * mesh.positions;
    const auto turn = [&](const VectorX& u) {
        VectorX result(u.size());
        for (Eigen::Index v = 0; v < u.size(); v += 3) result.segment<3>(v) = Q * u.segment<3>(v);
        return result;
    };
    const VectorX u = test::wavyField(mesh, 0.1), w = test::wavyField(mesh, 0.1, 1.0);
    for (const double rest : {1.0, 0.02}) {
        for (VolumeMesh* each : {&mesh, &turned}) {
            each->elementBending = VectorX::Constant(each->elementCount(), rest);
            each->bendingFill = Vector3(0.4, 1.0, 0.7);
        }
        const FullModel model(mesh), other(turned);
        EXPECT_NEAR(other.totalMass() / model.totalMass(), 1.0, 1e-13);
        EXPECT_NEAR(other.energy(turn(u)) / model.energy(u), 1.0, 1e-12) << rest;
        const VectorX force = turn(model.internalForce(u)), product = turn(model.hessianProduct(u, w)),
                      column = turn(model.stiffness(u) * w);
        EXPECT_LT((other.internalForce(turn(u)) - force).norm(), 1e-12 * force.norm()) << rest;
        EXPECT_LT((other.hessianProduct(turn(u), turn(w)) - product).norm(), 1e-12 * product.norm()) << rest;
        EXPECT_LT((other.stiffness(turn(u)) * turn(w) - column).norm(), 1e-12 * column.norm()) << rest;
    }
}

TEST(ElementTest, BrickIntegrationIsExact) {
    // Three Gauss points against five: the energy of a wavy displacement must not change.
    const VolumeMesh mesh = oneCell(ElementKind::Brick);
    const VectorX u = test::wavyField(mesh, 0.2);
    const ElasticLaw law(mesh.materials[0]);
    const CornerVectors corners = cornerVectors(mesh, 0, u.data());
    std::vector<ElementPoint> points, eight;
    elementPoints(mesh, 0, points);
    elementPoints(mesh, 0, eight, GaussRule::Cubic);
    // Splitting the brick in eight, with the same displacement field, integrates with 6 x 6 x 6 points.
    std::vector<ElementPoint> finer;
    for (int octant = 0; octant < 8; ++octant) {
        const Vector3 half(0.15, 0.25, 0.35);
        const Vector3 origin = Vector3(octant & 1, (octant >> 1) & 1, octant >> 2).cwiseProduct(half);
        const double a = std::sqrt(0.6);
        const double at[3] = {0.5 - 0.5 * a, 0.5, 0.5 + 0.5 * a}, w[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
        for (int i = 0; i < 27; ++i) {
            const int ix[3] = {i % 3, i / 3 % 3, i / 9};
            ElementPoint p;
            p.weight = half.prod() * w[ix[0]] * w[ix[1]] * w[ix[2]];
            p.gradients.resize(8, 3);
            for (int c = 0; c < 8; ++c) {
                double value[3], slope[3];
                for (int axis = 0; axis < 3; ++axis) {
                    const double side = 2.0 * half[axis];
                    const double x = (origin[axis] + half[axis] * at[ix[axis]]) / side;
                    const bool upper = mesh.positions(axis, mesh.elements(c, 0)) > 0.5 * side;
                    value[axis] = upper ? x : 1.0 - x;
                    slope[axis] = (upper ? 1.0 : -1.0) / side;
                }
                p.gradients.row(c) << slope[0] * value[1] * value[2], value[0] * slope[1] * value[2],
                    value[0] * value[1] * slope[2];
            }
            finer.push_back(p);
        }
    }
    const double exact = elementEnergy(finer, law, corners);
    EXPECT_NEAR(elementEnergy(points, law, corners) / exact, 1.0, 1e-13);
    EXPECT_GT(std::abs(elementEnergy(eight, law, corners) / exact - 1.0), 1e-6);
    const CornerVectors other = cornerVectors(mesh, 0, test::wavyField(mesh, 1.0, 2.0).eval().data());
    const CornerVectors product = elementHessianProduct(finer, law, corners, other);
    EXPECT_LT((elementHessianProduct(eight, law, corners, other) - product).norm(), 1e-13 * product.norm());
}

TEST_P(Elements, ConsistentMassIntegratesLinearFields) {
    VolumeMesh mesh = oneCell(GetParam(), 2);
    mesh.materials[0].density = 700.0;
    const FullModel model(mesh), lumped(mesh, MassKind::Lumped);
    const double mass = 700.0 * 0.3 * 0.5 * 0.7;
    EXPECT_NEAR(model.totalMass() / mass, 1.0, 1e-14);
    Matrix3 xx = Matrix3::Zero();
    xx(0, 0) = 1.0;
    const VectorX x = linearField(mesh, xx);  // int rho x^2 over [0, 0.3] = m 0.3^2 / 3
    EXPECT_NEAR(x.dot(model.massMatrix() * x) / (mass * 0.09 / 3.0), 1.0, 1e-13);
    const VectorX one = linearField(mesh, Matrix3::Zero(), Vector3(0, 1, 0));
    EXPECT_NEAR(one.dot(lumped.massMatrix() * one) / mass, 1.0, 1e-13);
    EXPECT_EQ(lumped.massMatrix().nonZeros(), 3 * mesh.vertexCount());
}

TEST(ElementTest, RefusesWhatIsNoElement) {
    VolumeMesh inverted = oneCell(ElementKind::Tetrahedron);
    std::swap(inverted.elements(0, 2), inverted.elements(1, 2));
    EXPECT_THROW(FullModel{inverted}, Error);
    VolumeMesh skewed = oneCell(ElementKind::Brick);
    skewed.positions(0, 7) += 0.01;
    EXPECT_THROW(FullModel{skewed}, Error);
    std::vector<ElementPoint> points;
    EXPECT_THROW(elementPoints(skewed, 0, points), Error);
    EXPECT_THROW(elementPoints(inverted, 2, points), Error);
    VolumeMesh incompressible = oneCell(ElementKind::Brick);
    incompressible.materials[0].poissonRatio = 0.5;
    EXPECT_THROW(FullModel{incompressible}, Error);
    VolumeMesh indefinite = oneCell(ElementKind::Brick);
    indefinite.materials = {test::generalMaterial()};
    indefinite.materials[0].stiffness.diagonal().array() -= 4e6;
    EXPECT_THROW(FullModel{indefinite}, Error);
}

}  // namespace
}  // namespace pliant
