// SPDX-License-Identifier: Zlib
// The comparison of full and reduced motion: measures on signals with known answers, both ways of reduced forces.
#include <gtest/gtest.h>

#include "InputMeshes.h"
#include "pliant/basis/Basis.h"
#include "pliant/polynomial/ReducePolynomial.h"
#include "pliant/reduce/CompareTrajectories.h"

namespace {

using namespace pliant;

TEST(OscillationTest, AmplitudeAndFrequencyOfKnownSignals) {
    VectorX signal(400);
    for (Eigen::Index i = 0; i < 400; ++i) {
        const double t = 0.01 * static_cast<double>(i);
        signal[i] = 0.7 * std::sin(2.0 * M_PI * 1.3 * t + 0.4) + 0.1 * std::sin(2.0 * M_PI * 21.0 * t);
    }
    const Oscillation o = measureOscillation(signal, 0.01);
    EXPECT_NEAR(o.frequency, 1.3, 0.02) << "ripples do not count";
    EXPECT_NEAR(o.amplitude, 0.8, 0.01);
    EXPECT_EQ(measureOscillation(signal.head(30), 0.01).frequency, 0.0) << "too short to tell";
    EXPECT_EQ(measureOscillation(VectorX::Zero(50), 0.01).frequency, 0.0);
}

class Compare : public ::testing::Test {
protected:
    VolumeMesh mesh = test::lopsidedBricks();
    FullModel model{mesh};
    std::vector<int> fixed{0, 1, 2, 3};
    MatrixX basis(int modes, int dimension) {
        BasisOptions o;
        o.modes = modes;
        o.dimension = dimension;
        o.fixedVertices = fixed;
        return makeBasis(model, o).U;
    }
    ImpulseExperiment experiment(const Vector3& push) {
        ImpulseExperiment e;
        e.fixedVertices = fixed;
        e.observedVertex = mesh.vertexCount() - 1;
        e.force = VectorX::Zero(3 * mesh.vertexCount());
        e.force.segment<3>(3 * e.observedVertex) = push;
        e.timeStep = 2e-3;
        e.forceSteps = 5;
        e.steps = 40;
        return e;
    }
};

TEST_F(Compare, PolynomialAndProjectionAreTheSameForces) {
    const MatrixX U = basis(4, 8);
    const auto polynomial = polynomialForces(reducePolynomial(mesh, U)), projection = projectedForces(model, U);
    VectorX q = VectorX::LinSpaced(8, -1.0, 1.3), R1, R2;
    q *= 0.1 / (U * q).cwiseAbs().maxCoeff();
    MatrixX K1, K2;
    polynomial->evaluate(q, R1, K1);
    projection->evaluate(q, R2, K2);
    EXPECT_LT((R1 - R2).norm(), 1e-9 * R2.norm());
    EXPECT_LT((K1 - K2).norm(), 1e-9 * K2.norm());
    EXPECT_NEAR(polynomial->energy(q) / projection->energy(q), 1.0, 1e-9);
}

TEST_F(Compare, AFullBasisMovesAsTheFullModel) {
    // Every shape there is: 3 x free vertices.
    const Eigen::Index m = 3 * (mesh.vertexCount() - 4);
    BasisOptions o;
    o.modes = static_cast<int>(m);
    o.dimension = static_cast<int>(m);
    o.derivatives = DerivativeForm::None;
    o.fixedVertices = fixed;
    o.orthogonalisation = Orthogonalisation::GramSchmidt;
    const MatrixX U = makeBasis(model, o).U;
    ImpulseExperiment e = experiment(Vector3(0.0, 30.0, 60.0));
    e.steps = 12;
    e.stiffnessDamping = 1e-4;
    const Trajectory full = simulateFull(model, e), reduced = simulateReduced(*projectedForces(model, U), U, e);
    const TrajectoryComparison c = compareTrajectories(full, reduced, e, Vector3(0.0, 1.0, 2.0));
    EXPECT_GT(c.full.amplitude, 1e-3);
    EXPECT_LT(c.distance, 1e-6);
    EXPECT_NEAR(c.amplitudeError, 0.0, 1e-6);
    EXPECT_NEAR(full.work, reduced.work, 1e-6 * full.work);
    EXPECT_LT((full.strainEnergy - reduced.strainEnergy).norm(), 1e-5 * full.strainEnergy.norm());
    EXPECT_LT((full.kineticEnergy - reduced.kineticEnergy).norm(), 1e-5 * full.kineticEnergy.norm());
}

TEST_F(Compare, SmallMotionHasTheFrequencyOfItsMode) {
    const MatrixX U = basis(1, 1);
    const auto forces = polynomialForces(reducePolynomial(mesh, U));
    VectorX R;
    MatrixX K;
    forces->evaluate(VectorX::Zero(1), R, K);
    ImpulseExperiment e = experiment(Vector3(0.0, 0.0, 1e-3));
    e.timeStep = 2.0 * M_PI / std::sqrt(K(0, 0)) / 80.0;
    e.steps = 400;
    const Trajectory t = simulateReduced(*forces, U, e);
    const TrajectoryComparison c = compareTrajectories(t, t, e, U.bottomRows<3>());
    EXPECT_NEAR(c.reduced.frequency * 80.0 * e.timeStep, 1.0, 2e-3);
    EXPECT_EQ(c.distance, 0.0);
    EXPECT_LT(c.reducedEnergyDrift, 1e-6) << "the rule of half a step keeps the energy of a linear system";
}

}  // namespace
