// SPDX-License-Identifier: Zlib
// Energy -> force -> stiffness -> Hessian: each is the derivative of the one before, shown by slopes of convergence.
#include <functional>

#include "pliant/fem/FullModel.h"
#include "pliant/fem/HessianProducts.h"
#include "pliant/fem/Restriction.h"
#include "unit/fem/BeamMesh.h"
#include "unit/mesh/UnevenBoxes.h"

namespace pliant {
namespace {

enum class Laws { Isotropic, Anisotropic, Cut, InBoxes };  // cut: shares and bending weights; in boxes: those as well

VolumeMesh twoMaterials(ElementKind kind, Laws laws) {
    VolumeMesh mesh = test::beamMesh({3, 2, 2, 0.6, 0.3, 0.2, kind});
    ElasticMaterial soft;
    soft.youngsModulus = 2e6;
    soft.poissonRatio = 0.4;
    soft.density = 500.0;
    mesh.materials.push_back(soft);
    if (laws == Laws::Anisotropic) mesh.materials = {test::orthotropicMaterial(), test::generalMaterial()};
    for (std::size_t e = 0; e < mesh.elementMaterial.size(); e += 2) mesh.elementMaterial[e] = 1;
    if (laws != Laws::Cut && laws != Laws::InBoxes) return mesh;
    mesh.elementShare = VectorX::LinSpaced(mesh.elementCount(), 0.05, 1.0);
    mesh.elementBending = VectorX::Ones(mesh.elementCount());
    if (kind == ElementKind::Brick) mesh.elementBending = VectorX::LinSpaced(mesh.elementCount(), 1.0, 0.02);
    mesh.bendingFill = Vector3(0.4, 1.0, 0.7);
    if (laws == Laws::InBoxes) mesh.filledBoxes = test::unevenBoxes(mesh.elementCount());
    return mesh;
}

class FullModelKinds : public ::testing::TestWithParam<std::tuple<ElementKind, Laws>> {
protected:
    FullModel model{twoMaterials(std::get<0>(GetParam()), std::get<1>(GetParam()))};
    VectorX u = test::wavyField(model.mesh(), 0.05);
    VectorX d = test::wavyField(model.mesh(), 0.05, 1.0);
    std::vector<double> steps = {0.1, 0.05, 0.025};

    template <typename ErrorOfStep>
    void expectSlopeTwo(const ErrorOfStep& error) {
        std::vector<double> errors;
        for (const double h : steps) errors.push_back(error(h));
        EXPECT_NEAR(test::convergenceSlope(steps, errors), 2.0, 0.1);
    }
};
INSTANTIATE_TEST_SUITE_P(Kinds, FullModelKinds,
                         ::testing::Combine(::testing::Values(ElementKind::Brick, ElementKind::Tetrahedron),
                                            ::testing::Values(Laws::Isotropic, Laws::Anisotropic, Laws::Cut)));

INSTANTIATE_TEST_SUITE_P(Filled, FullModelKinds,
                         ::testing::Combine(::testing::Values(ElementKind::Brick), ::testing::Values(Laws::InBoxes)));

TEST_P(FullModelKinds, ForceIsTheGradientOfTheEnergy) {
    const double exact = model.internalForce(u).dot(d);
    expectSlopeTwo(
        [&](double h) { return std::abs((model.energy(u + h * d) - model.energy(u - h * d)) / (2.0 * h) - exact); });
}

TEST_P(FullModelKinds, StiffnessIsTheGradientOfTheForce) {
    const VectorX exact = model.stiffness(u) * d;
    expectSlopeTwo([&](double h) {
        return ((model.internalForce(u + h * d) - model.internalForce(u - h * d)) / (2.0 * h) - exact).norm();
    });
}

TEST_P(FullModelKinds, HessianIsTheSecondDerivativeOfTheForceAtRest) {
    // Central second difference of a cubic polynomial is exact, so compare at one step, and mixed directions by
    // polarisation.
    const VectorX e = test::wavyField(model.mesh(), 0.05, 3.0);
    const auto second = [&](const VectorX& x) -> VectorX { return model.internalForce(x) + model.internalForce(-x); };
    const VectorX mixed = (second(d + e) - second(d - e)) / 4.0;
    const VectorX exact = model.hessianProduct(d, e);
    EXPECT_LT((mixed - exact).norm(), 1e-11 * exact.norm());
    EXPECT_LT((model.hessianProduct(e, d) - exact).norm(), 1e-13 * exact.norm());
    // and as a derivative of the stiffness: one-sided differences, since central ones would be exact here too
    std::vector<double> errors;
    const VectorX rest = model.restStiffness() * e;
    for (const double h : steps) errors.push_back(((model.stiffness(h * d) * e - rest) / h - exact).norm());
    EXPECT_NEAR(test::convergenceSlope(steps, errors), 1.0, 0.05);
}

TEST_P(FullModelKinds, StiffnessIsSymmetricAndBlindToRigidMotionAtRest) {
    const SparseMatrix K = model.stiffness(u);
    EXPECT_LT((K - SparseMatrix(K.transpose())).norm(), 1e-14 * K.norm());
    const SparseMatrix K0 = model.restStiffness();
    const VectorX turn = linearField(model.mesh(), crossMatrix(Vector3(0.3, -1.0, 2.0)), Vector3(1, 2, 3));
    EXPECT_LT((K0 * turn).norm(), 1e-13 * K0.norm() * turn.norm());
}

TEST_P(FullModelKinds, RefillKeepsThePatternAndTheBits) {
    SparseMatrix K = model.restStiffness();
    const int* inner = K.innerIndexPtr();
    model.stiffness(u, K);
    EXPECT_EQ(K.innerIndexPtr(), inner);
    EXPECT_EQ((K - model.stiffness(u)).norm(), 0.0);
}

TEST_P(FullModelKinds, ManyHessianProductsEqualSingleOnesForAnyNumberOfThreads) {
    MatrixX psi(u.size(), 9);
    for (int i = 0; i < 9; ++i) psi.col(i) = test::wavyField(model.mesh(), 1.0, 0.7 * i);
    std::vector<std::pair<int, int>> pairs;
    for (int i = 0; i < 9; ++i)
        for (int j = i; j < 9; ++j) pairs.emplace_back(i, j);
    const MatrixX one = hessianProducts(model, psi, pairs, 1);
    EXPECT_EQ((hessianProducts(model, psi, pairs, 3) - one).norm(), 0.0);
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        const VectorX a = psi.col(pairs[p].first);
        const VectorX b = psi.col(pairs[p].second);
        const VectorX single = model.hessianProduct(a, b);
        EXPECT_LT((one.col(static_cast<Eigen::Index>(p)) - single).norm(), 1e-13 * single.norm());
    }
}

// What shares and weights of one leave alone, to the bit; and half of everything is half of it.
TEST(CutElements, FullSharesChangeNothingAndHalvesAreHalf) {
    for (const ElementKind kind : {ElementKind::Brick, ElementKind::Tetrahedron}) {
        VolumeMesh mesh = twoMaterials(kind, Laws::Isotropic);
        const FullModel plain(mesh);
        mesh.elementShare = mesh.elementBending = VectorX::Ones(mesh.elementCount());
        const FullModel full(mesh);
        mesh.elementShare *= 0.5;
        const FullModel half(mesh);
        const VectorX u = test::wavyField(mesh, 0.05);
        EXPECT_EQ(full.energy(u), plain.energy(u));
        EXPECT_EQ(full.internalForce(u), plain.internalForce(u));
        EXPECT_EQ((full.stiffness(u) - plain.stiffness(u)).norm(), 0.0);
        EXPECT_EQ((full.massMatrix() - plain.massMatrix()).norm(), 0.0);
        EXPECT_DOUBLE_EQ(half.energy(u), 0.5 * plain.energy(u));
        EXPECT_DOUBLE_EQ(half.totalMass(), 0.5 * plain.totalMass());
        if (kind == ElementKind::Tetrahedron) {  // whose strain does not vary
            mesh.elementBending *= 0.5;
            EXPECT_EQ(FullModel(mesh).energy(u), half.energy(u));
        }
        EXPECT_LT((half.massMatrix() - 0.5 * plain.massMatrix()).norm(), 1e-15 * plain.massMatrix().norm());
    }
}

/// Place of a corner in -1..1 along each axis of its brick, whose mesh is a beam of one brick of 0.3 x 0.2 x 0.1 m.
Vector3 brickPlace(const VolumeMesh& mesh, int vertex) {
    const Vector3 middle = 0.5 * (mesh.positions.rowwise().minCoeff() + mesh.positions.rowwise().maxCoeff());
    return (mesh.positions.col(vertex) - middle).cwiseQuotient(Vector3(0.15, 0.1, 0.05));
}

// Homogeneous strain keeps its whole energy, whatever the weight; what varies about it is weighed.
TEST(CutElements, BendingWeighsTheVariationOfTheStrainAlone) {
    VolumeMesh mesh = test::beamMesh({1, 1, 1, 0.3, 0.2, 0.1, ElementKind::Brick});
    const FullModel whole(mesh);
    mesh.elementBending = VectorX::Constant(1, 0.1);
    const FullModel weighed(mesh);
    Matrix3 B;
    B << 0.1, 0.03, -0.02, 0.05, -0.04, 0.01, 0.0, 0.02, 0.06;
    const VectorX homogeneous = linearField(mesh, B);
    EXPECT_NEAR(weighed.energy(homogeneous), whole.energy(homogeneous), 1e-13 * whole.energy(homogeneous));
    VectorX hourglass = VectorX::Zero(24);  // u_x = x y z, scaled: no mean strain and no slope at first order
    for (int v = 0; v < 8; ++v) hourglass[3 * v] = 1e-6 * brickPlace(mesh, v).prod();
    EXPECT_NEAR(weighed.energy(hourglass), 0.1 * whole.energy(hourglass), 1e-5 * whole.energy(hourglass));
}

/// Energy per volume of a brick of 0.3 x 0.2 x 0.1 m with an assumed strain under small corner displacements of `field`
/// at places in -1..1, over Young's modulus.
double assumedEnergy(const std::function<Vector3(const Vector3&)>& field, const Vector3& fill = Vector3::Ones()) {
    VolumeMesh mesh = test::beamMesh({1, 1, 1, 0.3, 0.2, 0.1, ElementKind::Brick});
    mesh.elementBending = VectorX::Constant(1, 0.01);
    mesh.bendingFill = fill;
    VectorX u(24);
    for (int v = 0; v < 8; ++v) u.segment<3>(3 * v) = 1e-6 * field(brickPlace(mesh, v));
    return FullModel(mesh).energy(u) / (1e-12 * 0.006 * mesh.materials[0].youngsModulus);
}

// A plate in x and y: its linear strains are z times a constant, and of the third no stress is left. Curvature along x
// (with what it takes to curve across), along both, and twist: E / (1 - nu^2), the same with nu, and mu.
TEST(CutElements, BendAndTwistAsPlates) {
    const double nu = test::beamMesh({}).materials[0].poissonRatio, strain = 1.0 / 0.15, across = 1.0 / 0.1;
    const double mean = 1.0 / 3.0;  // of z^2
    const double along = assumedEnergy([](const Vector3& x) { return Vector3(x[0] * x[2], 0.0, 0.0); });
    EXPECT_NEAR(along, 0.5 * mean * strain * strain / (1.0 - nu * nu), 1e-5 * along);
    const double both = assumedEnergy([](const Vector3& x) { return Vector3(x[0] * x[2], x[1] * x[2], 0.0); });
    const double expected = strain * strain + across * across + 2.0 * nu * strain * across;
    EXPECT_NEAR(both, 0.5 * mean * expected / (1.0 - nu * nu), 1e-5 * both);
    // u_x = -y z, u_y = -x z, u_z = x y in metres: 2 E_xy = -2 z, and no other strain.
    const double twist = assumedEnergy([](const Vector3& place) {
        const Vector3 x = place.cwiseProduct(Vector3(0.15, 0.1, 0.05));
        return Vector3(-x[1] * x[2], -x[0] * x[2], x[0] * x[1]);
    });
    EXPECT_NEAR(twist, 0.5 * mean * 4.0 * 0.05 * 0.05 * 0.5 / (1.0 + nu), 1e-5 * twist);
    const double thin = assumedEnergy([](const Vector3& x) { return Vector3(x[0] * x[2], 0.0, 0.0); }, {1.0, 1.0, 0.3});
    EXPECT_NEAR(thin, 0.09 * along, 1e-5 * along);
}

TEST(RestrictionTest, KeepsFreeCoordinatesAndRefusesUnknownVertices) {
    const VolumeMesh mesh = test::beamMesh({});
    const FullModel model(mesh);
    const Restriction free = Restriction::ofVertices(mesh, {3, 0, 3});
    EXPECT_EQ(free.freeSize(), free.fullSize() - 6);
    VectorX x = test::wavyField(mesh, 1.0);
    x.segment<3>(0).setZero();
    x.segment<3>(9).setZero();
    EXPECT_EQ((free.expand(free.reduced(x)) - x).norm(), 0.0);
    const SparseMatrix K = model.restStiffness();
    EXPECT_LT((free.reduced(K) * free.reduced(x) - free.reduced(VectorX(K * x))).norm(), 1e-12 * (K * x).norm());
    EXPECT_THROW(Restriction::ofVertices(mesh, {mesh.vertexCount()}), std::runtime_error);
    EXPECT_THROW(Restriction::ofVertices(mesh, {-1}), std::runtime_error);
}

}  // namespace
}  // namespace pliant
