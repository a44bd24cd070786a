// SPDX-License-Identifier: Zlib
// Impulses on a reduced body: what comes out of response() and addVelocity(), and that contact never gains energy.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "DenseAlgebra.h"
#include "pliant/runtime/BodyBatch.h"
#include "unit/runtime/LumpedModel.h"

namespace pliant {
namespace {

BatchSettings plainSettings(double gamma = 0.5) {
    BatchSettings settings;
    settings.newmark.gamma = gamma;
    settings.coupling = Coupling::None;
    settings.doublePrecision = true;
    return settings;
}

/// One coordinate and a wall below it; the contact row follows the rule at the top of BodyBatch.h.
struct WallTest {
    WallTest(double omegaH, double gammaUsed, double constantForce)
        : omega(omegaH / h),
          gamma(gammaUsed),
          force(constantForce * omega * omega),
          batch(test::makeOscillator(omega), plainSettings(gamma)),
          body(batch.add()) {}

    /// E' of BodyBatch.h, measured from the lowest potential; the energy itself for (1/4, 1/2).
    double energy() const {
        const double q = batch.q(body)[0], v = batch.velocity(body)[0], pull = force - omega * omega * q;
        const double beta = batch.settings().newmark.beta();
        return 0.5 * v * v + 0.5 * std::pow(omega * q - force / omega, 2) +
               0.25 * (2.0 * beta - gamma) * h * h * pull * pull;
    }

    void step() {
        batch.addForce(body, &force);
        batch.step(h, {body}, workers);
        if (batch.q(body)[0] > wall) return;
        const double target = contactTarget(batch.startVelocity(body)[0]), now = batch.velocity(body)[0];
        if (now >= target) return;
        const double unit = 1.0;
        double perImpulse = 0.0;
        Vector3 none;
        batch.response(body, Vector3::Zero(), &unit, none, &perImpulse);
        const double change = perImpulse * ((target - now) / perImpulse);
        batch.addVelocity(body, &change);
        ++contacts;
    }

    const double h = 1.0 / 60.0;
    double omega, gamma, force;
    BodyBatch batch;
    int body;
    Workers workers{1};
    double wall = 0.0;
    int contacts = 0;
};

TEST(Contact, ModeAgainstWallNeverGainsEnergy) {
    std::mt19937 engine(5);
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    int contacts = 0;
    for (const double gamma : {0.5, 0.55, 0.75, 1.0})
        for (const double omegaH : {0.1, 0.3, 0.7, 1.0, 2.0, 3.3, 5.0, 7.0, 10.0})
            for (const double constantForce : {0.0, -0.7, 0.6}) {
                WallTest test(omegaH, gamma, constantForce);
                test.wall = 0.4 * uniform(engine);
                test.batch.q(test.body)[0] = 1.0 + 0.5 * uniform(engine);
                test.batch.velocity(test.body)[0] = uniform(engine) * test.omega;
                test.batch.resetAcceleration(test.body);
                test.batch.acceleration(test.body)[0] += test.force;
                const double start = test.energy();
                double last = start;
                for (int step = 0; step < 600; ++step) {
                    test.step();
                    const double now = test.energy();
                    ASSERT_LE(now, last + 1e-10 * start) << "gamma " << gamma << ", omega h " << omegaH << ", force "
                                                         << constantForce << ", step " << step;
                    last = now;
                }
                contacts += test.contacts;
            }
    EXPECT_GT(contacts, 1000);
}

// Pressed against the wall by its own spring, a mode comes to rest there and stays, for every gamma.
TEST(Contact, RestingContactStays) {
    for (const double gamma : {0.5, 0.75, 1.0}) {
        WallTest test(6.0, gamma, 0.0);
        test.wall = 0.5;
        test.batch.q(test.body)[0] = 0.5;
        test.batch.resetAcceleration(test.body);
        for (int step = 0; step < 100; ++step) test.step();
        EXPECT_NEAR(test.batch.q(test.body)[0], 0.5, 1e-9) << gamma;
        EXPECT_EQ(test.contacts, 100) << gamma;
    }
}

struct Scene {
    explicit Scene(double gamma, Coupling coupling = Coupling::None, bool anchored = true) {
        test::LumpedOptions options;
        options.dimension = 7;
        system = test::makeLumpedSystem(options);
        system.model->anchored = anchored;
        BatchSettings settings = plainSettings(gamma);
        settings.coupling = coupling;
        settings.damping.stiffness = 1e-3;
        settings.damping.mass = 0.2;
        batch = std::make_unique<BodyBatch>(system.model, settings);
        body = batch->add();
        for (int j = 0; j < 7; ++j) {
            batch->q(body)[j] = 0.05 * std::sin(1.0 + j);
            batch->velocity(body)[j] = std::cos(2.0 * j);
        }
        batch->resetAcceleration(body);
    }
    /// S of the coming step at the present q, dense.
    Eigen::MatrixXd system0(double h) const {
        const NewmarkSettings& newmark = batch->settings().newmark;
        const DampingSettings& damping = batch->settings().damping;
        const StrainEnergyPolynomial& energy = system.model->energy;
        return Eigen::MatrixXd::Identity(7, 7) * (1.0 + newmark.gamma * h * damping.mass) +
               newmark.gamma * h * damping.stiffness * energy.linearStiffness +
               newmark.beta() * h * h * energy.stiffness(batch->q(body));
    }
    test::LumpedSystem system;
    std::unique_ptr<BodyBatch> batch;
    int body = 0;
    Workers workers{1};
};

Eigen::VectorXd reducedUnit(const ReducedModel& model, int vertex, const Eigen::Vector3d& direction) {
    return model.basis.middleRows<3>(3 * vertex).transpose() * direction;
}

TEST(Contact, ThreeContactsGiveTheCoupledImpulseOfADenseSolve) {
    Scene scene(0.5);
    const double h = 1.0 / 100.0;
    const Eigen::MatrixXd S = scene.system0(h);
    scene.batch->step(h, {scene.body}, scene.workers);
    Eigen::MatrixXd J(3, 7);
    J.row(0) = reducedUnit(*scene.system.model, 2, Eigen::Vector3d::UnitX());
    J.row(1) = reducedUnit(*scene.system.model, 2, Eigen::Vector3d(0.0, 0.6, 0.8));
    J.row(2) = reducedUnit(*scene.system.model, 9, Eigen::Vector3d::UnitZ());
    const Eigen::VectorXd before = scene.batch->velocity(scene.body), position = scene.batch->q(scene.body);
    const Eigen::Vector3d target(0.1, -0.2, 0.3);
    // Dense: minimise over impulses with all three rows met exactly.
    const Eigen::MatrixXd inverse = test::inverseOf(S);
    const Eigen::Vector3d impulses = test::solved(J * inverse * J.transpose(), target - J * before);
    const Eigen::VectorXd expected = inverse * J.transpose() * impulses;
    // Ours: Gauss-Seidel over rows, each with its column of response().
    Eigen::MatrixXd columns(7, 3);
    MatrixX modal = J.transpose();
    Matrix<double, 3, 3> none = Matrix<double, 3, 3>::Zero(), angular = none;
    scene.batch->responses(scene.body, 3, angular.data(), modal.data(), none.data(), columns.data());
    VectorX change = VectorX::Zero(7);
    for (int iteration = 0; iteration < 2000; ++iteration)
        for (int row = 0; row < 3; ++row)
            change +=
                columns.col(row) * ((target[row] - J.row(row).dot(before + change)) / J.row(row).dot(columns.col(row)));
    EXPECT_LT((change - expected).norm(), 1e-9 * expected.norm());
    scene.batch->addVelocity(scene.body, change.data());
    EXPECT_LT((J * scene.batch->velocity(scene.body) - target).norm(), 1e-9);
    EXPECT_LT((scene.batch->q(scene.body) - position - 0.5 * h * expected).norm(), 1e-12);
}

TEST(Contact, ResponseWithFrameInvertsTheWholeSystem) {
    Scene scene(0.5, Coupling::Full, false);
    const double h = 1.0 / 100.0;
    const VectorX before = scene.batch->q(scene.body);
    scene.batch->step(h, {scene.body}, scene.workers);
    // [[I, H], [H', S]] from the masses; I and H at the end of the step as predicted from its start.
    const Eigen::MatrixXd S = scene.system0(h);
    const VectorX start = scene.batch->q(scene.body), startRate = scene.batch->velocity(scene.body);
    const VectorX q = 2.0 * start - before, rate = 2.0 / h * (q - start) - startRate;
    scene.batch->step(h, {scene.body}, scene.workers);
    const ReducedModel& model = *scene.system.model;
    Eigen::MatrixXd whole = Eigen::MatrixXd::Zero(10, 10);
    whole.bottomRightCorner(7, 7) = S;
    Vector3 momentum = Vector3::Zero();  // that the frame has at the end: what q' carries there less than at the start
    for (int v = 0; v < scene.system.masses.size(); ++v) {
        const double m = scene.system.masses[v];
        const Eigen::MatrixXd U = model.basis.middleRows<3>(3 * v);
        const Eigen::Matrix3d X = crossMatrix(Vector3(model.mesh.positions.col(v) + U * q));
        whole.topLeftCorner(3, 3) += m * X.transpose() * X;
        whole.topRightCorner(3, 7) += m * X * U;
        momentum +=
            m * (crossMatrix(Vector3(model.mesh.positions.col(v) + U * start)) * (U * startRate) - X * (U * rate));
    }
    // The spin that q' gives the frame softens S: h^2 / 4 times the centrifugal stiffness.
    const Vector3 W = Eigen::Matrix3d(whole.topLeftCorner(3, 3)).ldlt().solve(momentum);
    for (int v = 0; v < scene.system.masses.size(); ++v) {
        const Eigen::MatrixXd spun = crossMatrix(W) * Eigen::MatrixXd(model.basis.middleRows<3>(3 * v));
        whole.bottomRightCorner(7, 7) -= 0.25 * h * h * scene.system.masses[v] * spun.transpose() * spun;
    }
    whole.bottomLeftCorner(7, 3) = whole.topRightCorner(3, 7).transpose();
    Eigen::VectorXd load(10);
    for (int i = 0; i < 10; ++i) load[i] = std::sin(3.0 * i + 1.0);
    const Eigen::VectorXd expected = test::solved(whole, load);
    Vector3 turn;
    VectorX change(7);
    const VectorX modal = load.tail(7);
    scene.batch->response(scene.body, load.head<3>(), modal.data(), turn, change.data());
    EXPECT_LT((turn - expected.head<3>()).norm(), 1e-9 * expected.norm());
    EXPECT_LT((change - expected.tail(7)).norm(), 1e-9 * expected.norm());
}

double leastEigenvalue(const Eigen::MatrixXd& M) {
    return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(0.5 * (M + M.transpose())).eigenvalues()[0];
}

/// Symmetric and definite; and what an impulse gives in angular momentum, I dW + H dq', is its own torque, however the
/// flesh answers. @param coupling H, 3 x r
void expectDefiniteResponse(const BodyBatch& batch, int body, int r, const Eigen::MatrixXd& inertia,
                            const Eigen::MatrixXd& coupling) {
    const Eigen::MatrixXd angular = Eigen::MatrixXd::Identity(3, 3 + r),
                          modal = Eigen::MatrixXd::Identity(3 + r, 3 + r).bottomRows(r);
    Eigen::MatrixXd turns(3, 3 + r), bends(r, 3 + r), answers(3 + r, 3 + r);
    batch.responses(body, 3 + r, angular.data(), modal.data(), turns.data(), bends.data());
    answers << turns, bends;
    EXPECT_LT((answers - answers.transpose()).norm(), 1e-9 * answers.norm());
    EXPECT_GT(leastEigenvalue(answers), 0.0);
    EXPECT_LT((inertia * turns + coupling * bends - angular).norm(), 1e-9 * answers.norm());
}

// Four masses whose basis holds most motions, rotations among them, compressed so that S = 0.6: definite, as it was
// asked to be, but turning frame and flesh against each other would cost less than nothing:
//     I - H H' / 0.6 < 0.
// Frames answered contacts by going towards them, and impulses grew without bound. With the first basis I - H H' is
// three tenths of I and more by itself, with the second nearly nothing, and bodies have more (SpinInertia.h).
TEST(Contact, FramesOfCompressedFleshAnswerDefinitely) {
    const double h = 1.0 / 100.0, left = 0.6;
    for (const auto& [r, seed] : {std::pair<int, unsigned>{7, 16u}, {9, 1u}}) {
        test::LumpedOptions options;
        options.masses = 4;
        options.dimension = r;
        options.meanAxis = false;
        options.seed = seed;
        const test::LumpedSystem system = test::makeLumpedSystem(options);
        system.model->energy.linearStiffness = -(1.0 - left) / (0.25 * h * h) * MatrixX::Identity(r, r);
        system.model->energy.cubic.setZero();
        system.model->energy.quartic.setZero();
        Eigen::MatrixXd inertia = Eigen::MatrixXd::Zero(3, 3), coupling = Eigen::MatrixXd::Zero(3, r);
        for (int v = 0; v < 4; ++v) {
            const Eigen::Matrix3d X = crossMatrix(Vector3(system.model->mesh.positions.col(v)));
            inertia += system.masses[v] * X.transpose() * X;
            coupling += system.masses[v] * X * system.model->basis.middleRows<3>(3 * v);
        }
        const bool isRaised = r == 9;
        ASSERT_EQ(leastEigenvalue(0.7 * inertia - coupling * coupling.transpose()) < 0.0, isRaised);
        ASSERT_GT(leastEigenvalue(inertia - coupling * coupling.transpose()), 0.01 * leastEigenvalue(inertia));
        ASSERT_LT(leastEigenvalue(inertia - coupling * coupling.transpose() / left), 0.0);
        for (const int blockSize : {1, 16}) {
            BatchSettings settings = plainSettings();
            settings.coupling = Coupling::Full;
            settings.blockSize = blockSize;
            settings.energyGuard = false;  // this spring has less energy than none
            BodyBatch batch(system.model, settings);
            const int body = batch.add();
            batch.resetAcceleration(body);
            batch.step(h, {body}, Workers(1));
            EXPECT_EQ(batch.status(body), BodyStatus::NegativeStiffness) << blockSize;
            const Eigen::MatrixXd has = batch.inertia(body);
            if (isRaised) {
                EXPECT_GT(leastEigenvalue(has - coupling * coupling.transpose()), 0.1 * leastEigenvalue(inertia));
            } else {
                EXPECT_LT((has - inertia).norm(), 1e-12 * inertia.norm()) << blockSize;
            }
            expectDefiniteResponse(batch, body, r, has, coupling);
        }
    }
}

// An impulse after the step is the same as its constant force during the step: what the row solver finds is what a
// dense Newmark step with that force gives. gamma = 1/2: exactly, for q, q' and the next steps, on a linear body.
TEST(Contact, ImpulseAtMaterialPointEqualsDenseReference) {
    test::LumpedOptions options;
    options.dimension = 7;
    const test::LumpedSystem system = test::makeLumpedSystem(options);
    system.model->anchored = true;
    system.model->energy.cubic.setZero();
    system.model->energy.quartic.setZero();
    const Eigen::MatrixXd K = system.model->energy.linearStiffness, one = Eigen::MatrixXd::Identity(7, 7);
    BatchSettings settings = plainSettings();
    settings.damping.stiffness = 2e-3;
    settings.damping.mass = 0.3;
    const Eigen::MatrixXd D = 0.3 * one + 2e-3 * K;
    BodyBatch batch(system.model, settings);
    const int body = batch.add();
    const Workers workers(1);
    const double h = 1.0 / 120.0;
    const Eigen::Vector3d impulse(0.3, -0.2, 0.5);
    const MaterialPoint point = test::atVertex(4);
    Eigen::VectorXd q = Eigen::VectorXd::Zero(7), v = q, f = reducedUnit(*system.model, 4, impulse) / h;
    const double energyScale = 0.5 * (f * h).squaredNorm();
    for (int step = 0; step < 200; ++step) {
        batch.step(h, {body}, workers);
        if (step == 0) batch.addImpulseAt(body, point, impulse);
        // Trapezoidal rule, dense: a = f - D v - K q at both ends of the step.
        const Eigen::VectorXd load = step == 0 ? f : Eigen::VectorXd(Eigen::VectorXd::Zero(7));
        const Eigen::MatrixXd left = one + 0.5 * h * D + 0.25 * h * h * K;
        const Eigen::VectorXd right = v + h * load - 0.5 * h * (D * v) - h * (K * q) - 0.25 * h * h * (K * v);
        const Eigen::VectorXd next = test::solved(left, right);
        q += 0.5 * h * (v + next);
        v = next;
        ASSERT_LT((batch.q(body) - q).norm(), 1e-11 * std::sqrt(energyScale)) << step;
        ASSERT_LT((batch.velocity(body) - v).norm(), 1e-9 * std::sqrt(energyScale)) << step;
    }
    EXPECT_NEAR(batch.displacement(body, point).z(), (system.model->basis.middleRows<3>(12) * q).z(), 1e-11);
}

}  // namespace
}  // namespace pliant
