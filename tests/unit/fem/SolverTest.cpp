// SPDX-License-Identifier: Zlib
#include "Sanitizers.h"
#include "pliant/fem/FullNewmark.h"
#include "pliant/fem/StaticSolve.h"
#include "pliant/fem/SymmetricSolver.h"
#include "pliant/math/Error.h"
#include "unit/fem/BeamMesh.h"

namespace pliant {
namespace {

using Kind = SymmetricSolver::Kind;

SparseMatrix pathMatrix(int size, double diagonal) {
    SparseMatrix A(size, size);
    for (int i = 0; i < size; ++i) {
        if (i > 0) A.insert(i - 1, i) = -1.0;
        A.insert(i, i) = diagonal;
        if (i + 1 < size) A.insert(i + 1, i) = -1.0;
    }
    A.makeCompressed();
    return A;
}

TEST(SymmetricSolverTest, SolvesManyRightHandSidesAndReusesThePattern) {
    SymmetricSolver solver(Kind::PositiveDefinite);
    for (const double diagonal : {2.5, 3.0, 2.1}) {
        const SparseMatrix A = pathMatrix(200, diagonal);
        solver.factor(A);
        const MatrixX B = MatrixX::Random(200, 5);
        EXPECT_LT((A * solver.solve(B) - B).norm(), 1e-12 * B.norm());
        EXPECT_LT((A * solver.solve(VectorX(B.col(2))) - B.col(2)).norm(), 1e-12 * B.norm());
    }
    const SparseMatrix other = pathMatrix(70, 2.2);
    solver.factor(other);
    EXPECT_LT((other * solver.solve(VectorX(VectorX::Ones(70))) - VectorX::Ones(70)).norm(), 1e-12);
}

TEST(SymmetricSolverTest, CountsNegativeEigenvalues) {
    // eigenvalues of the path matrix: d - 2 cos(j pi / (m + 1))
    for (const double diagonal : {2.1, 1.01, 0.1, -0.7, -3.0}) {
        int negative = 0;
        for (int j = 1; j <= 50; ++j) negative += diagonal - 2.0 * std::cos(j * M_PI / 51.0) < 0.0;
        SymmetricSolver solver(Kind::Indefinite);
        solver.factor(pathMatrix(50, diagonal));
        EXPECT_EQ(solver.negativePivots(), negative) << diagonal;
    }
}

TEST(SymmetricSolverTest, SaysWhatIsWrong) {
    SymmetricSolver definite(Kind::PositiveDefinite);
    EXPECT_THROW(definite.factor(pathMatrix(50, 1.0)), Error);
    EXPECT_THROW(definite.solve(VectorX(VectorX::Ones(50))), Error);
    definite.factor(pathMatrix(50, 2.5));  // and works again afterwards
    EXPECT_NO_THROW(definite.solve(VectorX(VectorX::Ones(50))));
    SparseMatrix zero(4, 4);
    for (int i = 0; i < 4; ++i) zero.insert(i, i) = 0.0;
    zero.makeCompressed();
    SymmetricSolver indefinite(Kind::Indefinite);
    EXPECT_THROW(indefinite.factor(zero), Error);
    EXPECT_THROW(indefinite.factor(SparseMatrix(3, 4)), Error);
}

class Cantilever : public ::testing::Test {
protected:
    const int along = test::sanitized ? 4 : 8;
    test::BeamShape shape{along, 2, 2, 1.0, 0.1, 0.1, ElementKind::Brick};
    FullModel model{test::beamMesh(shape)};
    Restriction free = Restriction::ofVertices(model.mesh(), test::clampedEnd(shape));
    int tip = test::beamVertex(shape, along, 1, 1);
    VectorX load(double newton) const {
        VectorX F = VectorX::Zero(model.degreesOfFreedom());
        F[3 * tip + 2] = newton;
        return F;
    }
};

TEST_F(Cantilever, NonlinearStaticsIsInEquilibriumAndTendsToTheLinearAnswer) {
    for (const double force : {300.0, -2500.0}) {
        const VectorX F = load(force);
        const VectorX u = solveStatic(model, free, F);
        EXPECT_LT(free.reduced(VectorX(model.internalForce(u) - F)).norm(), 1e-9 * std::abs(force));
        for (const int v : test::clampedEnd(shape)) EXPECT_EQ(u.segment<3>(3 * v).norm(), 0.0);
    }
    std::vector<double> forces = {8.0, 4.0, 2.0}, errors;
    for (const double force : forces) {
        const VectorX linear = solveLinearStatic(model, free, load(force));
        errors.push_back((solveStatic(model, free, load(force)) - linear).norm());
    }
    EXPECT_NEAR(test::convergenceSlope(forces, errors), 2.0, 0.05);
}

// A clamped strip of one layer of bricks under a dead load P at its tip, P L^2 / E I = 1 and 2: the elastica, solved by
// shooting, with deflections of 0.302 and 0.493 L.
TEST(AssumedStrain, ThinStripsBendFarAsTheElastica) {
    constexpr int along = 40;
    const test::BeamShape shape{along, 2, 1, 1.0, 0.04, 0.01, ElementKind::Brick};
    VolumeMesh mesh = test::beamMesh(shape);
    mesh.materials[0].poissonRatio = 0.3;
    mesh.elementBending = VectorX::Constant(mesh.elementCount(), 0.2);
    const FullModel model(mesh);
    const Restriction free = Restriction::ofVertices(mesh, test::clampedEnd(shape));
    const double unit = mesh.materials[0].youngsModulus * 0.04 * 1e-6 / 12.0;  // E I / L^2, N
    StaticOptions options;
    options.loadSteps = 10;
    const std::vector<double> deflections = {0.301721, 0.493457}, shortenings = {0.056433, 0.160642};
    for (std::size_t i = 0; i < 2; ++i) {
        VectorX load = VectorX::Zero(model.degreesOfFreedom());
        for (int y = 0; y <= 2; ++y)
            for (int z = 0; z <= 1; ++z)
                load[3 * test::beamVertex(shape, along, y, z) + 2] = static_cast<double>(i + 1) * unit / 6.0;
        const VectorX u = solveStatic(model, free, load, options);
        const Vector3 tip = u.segment<3>(3 * test::beamVertex(shape, along, 1, 0));
        EXPECT_NEAR(tip[2], deflections[i], 0.01 * deflections[i]);
        EXPECT_NEAR(-tip[0], shortenings[i], 0.02 * shortenings[i] + 0.006) << "of one face, half a thickness aside";
    }
}

TEST_F(Cantilever, NewmarkConvergesWithOrderTwoAndKeepsTheEnergy) {
    const double end = 0.04;
    const auto run = [&](int steps, double& gain) {
        FullNewmarkOptions options;
        options.timeStep = end / steps;
        FullNewmark motion(model, free, options);
        double before = 0.0;
        gain = 0.0;
        for (int i = 1; i <= steps; ++i) {
            const double t = end * i / steps;
            // smooth push that has ended by half the time
            const double share = t < 0.5 * end ? std::pow(std::sin(2.0 * M_PI * t / end), 4) : 0.0;
            motion.step(load(400.0 * share));
            const double energy = motion.strainEnergy() + motion.kineticEnergy();
            if (t > 0.55 * end) gain = std::max(gain, std::abs(energy / before - 1.0));
            before = energy;
        }
        return motion.displacement();
    };
    double coarse = 0.0, gain = 0.0;
    const VectorX a = run(20, coarse), b = run(40, gain), c = run(80, gain);
    EXPECT_NEAR(std::log2((a - b).norm() / (b - c).norm()), 2.0, 0.25);
    EXPECT_LT(gain, 2e-3);
}

/// A push that throws the tip of the beam about, in steps that may be much too long for plain Newton iterations.
struct HardPush {
    double newtons = 0.0;
    int parts = 1;  ///< of a step of 20 ms
    double stiffnessDamping = 0.0;
};

struct AfterPush {
    double reach = 0.0;       ///< largest displacement, m
    double energyGain = 0.0;  ///< of the energy over the work of the push, relative, at its worst
};

AfterPush thrown(const FullModel& model, const Restriction& free, const VectorX& direction, const HardPush& push) {
    FullNewmarkOptions options;
    options.timeStep = 0.02 / push.parts;
    options.stiffnessDamping = push.stiffnessDamping;
    FullNewmark motion(model, free, options);
    AfterPush seen;
    double work = 0.0;
    VectorX before = VectorX::Zero(model.degreesOfFreedom());
    for (int i = 0; i < 5 * push.parts; ++i) {
        const VectorX F = (i < 2 * push.parts ? push.newtons : 0.0) * direction;
        motion.step(F);
        const VectorX u = motion.displacement();
        EXPECT_TRUE(u.allFinite());
        work += F.dot(u - before);
        before = u;
        seen.reach = std::max(seen.reach, u.cwiseAbs().maxCoeff());
        seen.energyGain = std::max(seen.energyGain, (motion.strainEnergy() + motion.kineticEnergy()) / work - 1.0);
    }
    return seen;
}

TEST_F(Cantilever, NewmarkGetsThroughAPushWherePlainNewtonIterationsDoNotConverge) {
    EXPECT_GT(thrown(model, free, load(1.0), {5e3, 1, 2e-3}).reach, 0.5);
}

// Minutes under the sanitizers, which have seen all of this code in the test before.
#ifndef __SANITIZE_ADDRESS__
TEST_F(Cantilever, NewmarkGetsThroughHarderPushes) {
    for (const HardPush& push : {HardPush{1e6, 1, 0.0}, HardPush{2e4, 1, 2e-3}, HardPush{1e5, 16, 2e-3}})
        EXPECT_GT(thrown(model, free, load(1.0), push).reach, 0.5) << push.newtons;
    for (const double damping : {0.0, 2e-3})  // resolved in time, nothing is gained
        EXPECT_LT(thrown(model, free, load(1.0), {2e4, 16, damping}).energyGain, 0.01) << damping;
}
#endif

TEST_F(Cantilever, DampingTakesEnergyAwayAtTheRateOfTheFirstMode) {
    // Over one period of small motion in a mode the energy falls by exp(-(alpha + betaK omega^2) T). The static shape
    // gives omega by Rayleigh's quotient to a percent.
    const VectorX shape0 = solveLinearStatic(model, free, load(1.0));
    const double omega = std::sqrt(load(1.0).dot(shape0) / shape0.dot(model.massMatrix() * shape0));
    for (const bool byMass : {false, true}) {
        FullNewmarkOptions options;
        const double period = 2.0 * M_PI / omega;
        options.timeStep = period / 40.0;
        (byMass ? options.massDamping : options.stiffnessDamping) = byMass ? 1.0 : 1.0 / (omega * omega);
        FullNewmark motion(model, free, options);
        const auto energyAfter = [&](int steps, double push) {
            for (int i = 0; i < steps; ++i)
                motion.step(load(push * 0.5 * (1.0 - std::cos(2.0 * M_PI * (i + 1) / steps))));
            return motion.strainEnergy() + motion.kineticEnergy();
        };
        energyAfter(20, 0.5);
        const double start = energyAfter(20, 0.0);  // higher modes have died away
        EXPECT_NEAR(std::log(start / energyAfter(40, 0.0)) / period, 1.0, 0.05);
    }
}

}  // namespace
}  // namespace pliant
