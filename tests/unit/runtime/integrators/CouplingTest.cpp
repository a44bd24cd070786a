// SPDX-License-Identifier: Zlib
// Rotation and deformation together, held against point masses whose equations of motion need no inertia integrals.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "DenseAlgebra.h"
#include "pliant/runtime/BodyBatch.h"
#include "unit/runtime/LumpedModel.h"

namespace pliant {
namespace {

/// x_i = X_i + U_i q in the body frame, as masses see it.
struct Masses {
    const test::LumpedSystem& system;
    int r() const { return system.model->dimension(); }
    Eigen::MatrixXd U(int v) const { return system.model->basis.middleRows<3>(3 * v); }
    Eigen::Vector3d x(int v, const Eigen::VectorXd& q) const { return system.model->mesh.positions.col(v) + U(v) * q; }

    double kinetic(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::Vector3d& W,
                   const Eigen::Vector3d& linear) const {
        double energy = 0.0;
        for (int i = 0; i < system.masses.size(); ++i)
            energy += 0.5 * system.masses[i] * (linear + W.cross(x(i, q)) + U(i) * v).squaredNorm();
        return energy;
    }
    Eigen::Vector3d momentum(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::Vector3d& W) const {
        Eigen::Vector3d sum = Eigen::Vector3d::Zero();
        for (int i = 0; i < system.masses.size(); ++i)
            sum += system.masses[i] * x(i, q).cross(W.cross(x(i, q)) + U(i) * v);
        return sum;
    }
    /// (W', q'') of the free body by d'Alembert's principle over all masses.
    Eigen::VectorXd accelerations(const Eigen::VectorXd& q, const Eigen::VectorXd& v, const Eigen::Vector3d& W) const {
        Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(3 + r(), 3 + r());
        Eigen::VectorXd load = Eigen::VectorXd::Zero(3 + r());
        for (int i = 0; i < system.masses.size(); ++i) {
            Eigen::MatrixXd J(3, 3 + r());
            J << -crossMatrix(Vector3(x(i, q))), U(i);
            const Eigen::Vector3d velocity = U(i) * v;
            const Eigen::Vector3d rest = W.cross(W.cross(x(i, q))) + 2.0 * W.cross(velocity);
            mass += system.masses[i] * J.transpose() * J;
            load -= system.masses[i] * J.transpose() * rest;
        }
        load.tail(r()) -= system.model->energy.force(q);
        return test::solved(mass, load);
    }
};

/// A free body on its way, its angular momentum carried by us as the engine bridge does.
struct FreeBody {
    FreeBody(const test::LumpedSystem& lumped, const BatchSettings& settings) : batch(lumped.model, settings) {
        body = batch.add();
    }
    void start(const Vector3& W) {
        batch.resetAcceleration(body);
        frame.angularVelocity = W;
        momentum = frame.rotation * batch.angularMomentum(body, W);
    }
    void step(double h) {
        batch.setFrame(body, frame);
        batch.step(h, {body}, workers);
        const Vector3 turn = h * batch.meanAngularVelocity(body, frame.rotation.transpose() * momentum);
        frame.rotation *= Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix();
        frame.angularVelocity = batch.angularVelocity(body, frame.rotation.transpose() * momentum);
    }
    double energy() const {
        return batch.strainEnergy(body) + batch.kineticEnergy(body, Vector3::Zero(), frame.angularVelocity);
    }
    BodyBatch batch;
    int body = 0;
    FrameMotion frame;
    Vector3 momentum = Vector3::Zero();
    Workers workers{1};
};

BatchSettings coupledSettings() {
    BatchSettings settings;
    settings.doublePrecision = true;
    settings.newmark.iterations = 3;
    settings.newmark.tolerance = 1e-12;
    return settings;
}

void excite(BodyBatch& batch, int body, double size) {
    for (int j = 0; j < batch.q(body).size(); ++j) {
        batch.q(body)[j] = size * std::sin(1.0 + 2.0 * j);
        batch.velocity(body)[j] = 5.0 * size * std::cos(3.0 * j);
    }
}

TEST(Coupling, MomentumEnergyAndInertiaAreThoseOfTheMasses) {
    for (const bool meanAxis : {true, false}) {
        test::LumpedOptions options;
        options.meanAxis = meanAxis;
        const test::LumpedSystem system = test::makeLumpedSystem(options);
        BodyBatch batch(system.model, coupledSettings());
        const int body = batch.add();
        excite(batch, body, 0.1);
        batch.resetAcceleration(body);
        const Masses masses{system};
        const Vector3 W(1.0, -2.0, 3.0), linear(0.5, 0.2, -0.3);
        const Eigen::VectorXd q = batch.q(body), v = batch.velocity(body);
        const Vector3 momentum = batch.angularMomentum(body, W);
        EXPECT_LT((momentum - masses.momentum(q, v, W)).norm(), 1e-12);
        EXPECT_LT((batch.angularVelocity(body, momentum) - W).norm(), 1e-12);
        EXPECT_NEAR(batch.kineticEnergy(body, linear, W), masses.kinetic(q, v, W, linear), 1e-12);
        EXPECT_NEAR(batch.strainEnergy(body), system.model->energy.energy(batch.q(body)), 1e-12);
    }
}

// The whole motion against masses integrated with small steps (Runge-Kutta 4): every coupling term, its sign and size.
TEST(Coupling, FreeMotionConvergesToTheMasses) {
    const test::LumpedSystem system = test::makeLumpedSystem({});
    const Masses masses{system};
    const Vector3 W0(3.0, -2.0, 4.0);
    const double duration = 0.4;
    BodyBatch initial(system.model, coupledSettings());
    const int body = initial.add();
    excite(initial, body, 0.02);
    Eigen::VectorXd state(3 + 2 * masses.r());
    state << W0, initial.q(body), initial.velocity(body);
    const auto rate = [&](const Eigen::VectorXd& s) {
        const int r = masses.r();
        const Eigen::VectorXd a = masses.accelerations(s.segment(3, r), s.tail(r), s.head<3>());
        Eigen::VectorXd result(s.size());
        result << a.head(3), s.tail(r), a.tail(r);
        return result;
    };
    const int referenceSteps = 2000;
    const double small = duration / referenceSteps;
    for (int i = 0; i < referenceSteps; ++i) {
        const Eigen::VectorXd k1 = rate(state), k2 = rate(state + 0.5 * small * k1),
                              k3 = rate(state + 0.5 * small * k2), k4 = rate(state + small * k3);
        state += small / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
    }
    std::vector<double> errors;
    for (const int steps : {400, 800, 1600}) {
        FreeBody free(system, coupledSettings());
        excite(free.batch, free.body, 0.02);
        free.start(W0);
        for (int i = 0; i < steps; ++i) free.step(duration / steps);
        const Eigen::VectorXd q = free.batch.q(free.body);
        errors.push_back((q - state.segment(3, masses.r())).norm() / q.norm());
        EXPECT_LT((free.frame.angularVelocity - state.head<3>()).norm(), errors.back());
    }
    EXPECT_GT(std::log2(errors[0] / errors[1]), 1.9);
    EXPECT_GT(std::log2(errors[1] / errors[2]), 1.9);
    EXPECT_LT(errors[2], 3e-3);  // the phase of the fastest mode: (omega h)^2 / 12 omega t
}

TEST(Coupling, SpinningBodyKeepsMomentumAndEnergy) {
    const test::LumpedSystem system = test::makeLumpedSystem({});
    FreeBody free(system, coupledSettings());
    excite(free.batch, free.body, 0.01);
    free.start(6.0 * Vector3(0.6, 0.48, 0.64));
    const Vector3 momentum = free.momentum;
    const double start = free.energy();
    double worst = 0.0;
    for (int i = 0; i < 2000; ++i) {
        free.step(1.0 / 240.0);
        worst = std::max(worst, std::abs(free.energy() - start));
        const Vector3 now = free.frame.rotation * free.batch.angularMomentum(free.body, free.frame.angularVelocity);
        ASSERT_LT((now - momentum).norm(), 1e-9 * momentum.norm());
    }
    EXPECT_LT(worst, 1e-3 * start);
}

// The gyroscopic half of a step turns q', by exp() of an antisymmetric matrix: however far a body is predicted to
// turn in a step, q' is no longer than before. As one series for 75 rad it grew by 1e10, from the rounding of e^75.
TEST(Coupling, TurnsOfAnyAngleKeepTheLengthOfTheVelocity) {
    test::LumpedOptions options;
    options.dimension = 7;
    const test::LumpedSystem system = test::makeLumpedSystem(options);
    for (const double spin : {100.0, 1000.0, 9000.0, 1e6}) {
        BatchSettings settings;
        settings.coupling = Coupling::Full;
        settings.doublePrecision = true;
        BodyBatch batch(system.model, settings);
        const int body = batch.add();
        for (int j = 0; j < 7; ++j) batch.velocity(body)[j] = std::cos(2.0 * j);
        batch.resetAcceleration(body);
        const double before = batch.velocity(body).norm();
        FrameMotion frame;
        frame.angularVelocity = Vector3(0.6, -0.64, 0.48) * spin;
        batch.setFrame(body, frame);
        batch.step(1.0 / 120.0, {body}, Workers(1));
        EXPECT_NEAR(batch.startVelocity(body).norm(), before, 1e-10 * before) << spin;
    }
}

// As eight turns by an eighth, each by one series.
TEST(Coupling, LargeTurnsAreMadeOfSmallOnes) {
    test::LumpedOptions options;
    options.dimension = 7;
    const test::LumpedSystem system = test::makeLumpedSystem(options);
    const auto turned = [&system](const VectorX& velocity, double spin) {
        BatchSettings settings;
        settings.coupling = Coupling::Full;
        settings.doublePrecision = true;
        BodyBatch batch(system.model, settings);
        const int body = batch.add();
        batch.velocity(body) = velocity;
        batch.resetAcceleration(body);
        FrameMotion frame;
        frame.angularVelocity = Vector3(0.6, -0.64, 0.48) * spin;
        batch.setFrame(body, frame);
        batch.step(1.0 / 120.0, {body}, Workers(1));
        return VectorX(batch.startVelocity(body));
    };
    VectorX start(7), small(7);
    for (int j = 0; j < 7; ++j) start[j] = std::cos(2.0 * j);
    small = start;
    for (int part = 0; part < 8; ++part) small = turned(small, 125.0);
    const VectorX whole = turned(start, 1000.0);
    EXPECT_GT((whole - start).norm(), 0.1 * start.norm()) << "it has not turned";
    EXPECT_LT((whole - small).norm(), 1e-9 * start.norm());
}

}  // namespace
}  // namespace pliant
