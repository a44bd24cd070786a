// SPDX-License-Identifier: Zlib
// Analytic oscillators and static equilibrium against closed forms.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <complex>
#include <memory>

#include "DenseAlgebra.h"
#include "pliant/runtime/BodyBatch.h"
#include "unit/runtime/LumpedModel.h"

namespace pliant {
namespace {

BatchSettings settingsOf(Integrator integrator) {
    BatchSettings settings;
    settings.integrator = integrator;
    settings.coupling = Coupling::None;
    settings.doublePrecision = true;
    return settings;
}

/// x'' + d x' + w^2 x = g from its two complex roots.
double closedForm(double w, double d, double g, double x0, double v0, double t) {
    const std::complex<double> root = std::sqrt(std::complex<double>(0.25 * d * d - w * w));
    const std::complex<double> a = -0.5 * d + root, b = -0.5 * d - root;
    const double still = g / (w * w);
    const std::complex<double> ca = (v0 - b * (x0 - still)) / (a - b), cb = x0 - still - ca;
    return (ca * std::exp(a * t) + cb * std::exp(b * t)).real() + still;
}

TEST(Analytic, OneStepOfAnyLengthIsExactUnderAConstantForce) {
    const double w = 20.0, force = 70.0;
    for (const double damping : {0.0, 0.3, 15.0, 39.9, 90.0})
        for (const double h : {1e-5, 1e-3, 0.01, 0.05, 0.5, 5.0}) {
            BatchSettings settings = settingsOf(Integrator::Analytic);
            settings.damping.mass = damping;
            BodyBatch batch(test::makeOscillator(w), settings);
            const int body = batch.add();
            batch.q(body)[0] = 0.3;
            batch.velocity(body)[0] = -2.0;
            const Workers workers(1);
            double t = 0.0;
            for (int i = 0; i < 3; ++i) {
                batch.addForce(body, &force);
                batch.step(h, {body}, workers);
                t += h;
                EXPECT_NEAR(batch.q(body)[0], closedForm(w, damping, force, 0.3, -2.0, t), 2e-11)
                    << damping << " " << h;
                const double e = 1e-6, ahead = closedForm(w, damping, force, 0.3, -2.0, t + e),
                             behind = closedForm(w, damping, force, 0.3, -2.0, t - e);
                EXPECT_NEAR(batch.velocity(body)[0], (ahead - behind) / (2.0 * e), 2e-7);
            }
        }
}

TEST(Analytic, OneLongStepEqualsManyShortOnes) {
    const auto model = test::makeLumpedSystem({}).model;
    BatchSettings settings = settingsOf(Integrator::Analytic);
    settings.damping.mass = 0.7;
    settings.damping.stiffness = 2e-3;
    BodyBatch batch(model, settings);
    const int whole = batch.add(), parts = batch.add();
    VectorX force(8);
    for (int j = 0; j < 8; ++j) {
        batch.q(whole)[j] = batch.q(parts)[j] = std::sin(1.0 + j);
        batch.velocity(whole)[j] = batch.velocity(parts)[j] = 3.0 * std::cos(2.0 * j);
        force[j] = 50.0 * std::sin(3.0 * j);
    }
    const Workers workers(1);
    batch.addForce(whole, force.data());
    batch.step(0.7, {whole}, workers);
    for (int i = 0; i < 350; ++i) {
        batch.addForce(parts, force.data());
        batch.step(0.002, {parts}, workers);
    }
    EXPECT_LT((batch.q(whole) - batch.q(parts)).norm(), 1e-11);
    EXPECT_LT((batch.velocity(whole) - batch.velocity(parts)).norm(), 1e-10);
    EXPECT_EQ(batch.status(whole), BodyStatus::Ok);
}

// As ContactTest's wall, on the true energy: a row never gains, whatever omega h is.
TEST(Analytic, ModeAgainstAWallNeverGainsEnergy) {
    const double h = 1.0 / 60.0;
    int contacts = 0;
    for (const double omegaH : {0.1, 0.3, 0.7, 1.0, 2.0, 3.3, 5.0, 7.0, 10.0})
        for (const double push : {0.0, -0.7, 0.6}) {
            const double w = omegaH / h, force = push * w * w, wall = -0.2 + 0.1 * omegaH * std::sin(omegaH);
            BodyBatch batch(test::makeOscillator(w), settingsOf(Integrator::Analytic));
            const int body = batch.add();
            batch.q(body)[0] = 1.0;
            batch.velocity(body)[0] = -0.4 * w;
            const Workers workers(1);
            const auto energy = [&] {
                return 0.5 * std::pow(batch.velocity(body)[0], 2) + 0.5 * std::pow(w * batch.q(body)[0] - force / w, 2);
            };
            const double start = energy();
            double last = start;
            for (int i = 0; i < 600; ++i) {
                batch.addForce(body, &force);
                batch.step(h, {body}, workers);
                ASSERT_NEAR(energy(), last, 1e-9 * start) << "the free motion keeps it";
                last = energy();
                // The bilinear term of the constant force is part of the energy: the rows' u_0 has to know it.
                if (batch.q(body)[0] < wall) {
                    const double still = force / (w * w), Y = 1.0 / (1.0 + 0.25 * omegaH * omegaH);
                    const double now = batch.velocity(body)[0];
                    EXPECT_NEAR(batch.startVelocity(body)[0],
                                2.0 * Y * (now + 0.5 * h * w * w * batch.q(body)[0]) - now, 1e-9 * w);
                    const double target = contactTarget(batch.startVelocity(body)[0] - Y * h * w * w * still);
                    if (now < target) {
                        const double unit = 1.0;
                        double change = 0.0;
                        Vector3 none;
                        batch.response(body, Vector3::Zero(), &unit, none, &change);
                        EXPECT_NEAR(change, Y, 1e-12);
                        change = target - now;
                        batch.addVelocity(body, &change);
                        ++contacts;
                    }
                }
                ASSERT_LE(energy(), last + 1e-10 * start) << "omega h " << omegaH << ", step " << i;
                last = energy();
            }
        }
    EXPECT_GT(contacts, 300);
}

// Rows reckon with the trapezoid rule, with its damping in their response, and with where the body was.
TEST(Analytic, StepsWithImpulsesAreTheTrapezoidRules) {
    auto model = std::make_shared<ReducedModel>(*test::makeLumpedSystem({}).model);
    for (auto* terms : {&model->energy.cubic, &model->energy.quartic}) std::fill(terms->begin(), terms->end(), 0.0);
    const double h = 1.0 / 60.0;
    BatchSettings settings = settingsOf(Integrator::Newmark);
    settings.damping.mass = 0.7;
    settings.damping.stiffness = 2e-3;
    settings.blockSize = 1;
    BodyBatch newmark(model, settings);
    settings.integrator = Integrator::Analytic;
    BodyBatch analytic(model, settings);
    const int body = newmark.add();
    ASSERT_EQ(analytic.add(), body);
    VectorX force(8), impulse(8), change(8);
    for (int j = 0; j < 8; ++j) {
        newmark.q(body)[j] = analytic.q(body)[j] = 0.01 * std::cos(3.0 * j);
        newmark.velocity(body)[j] = analytic.velocity(body)[j] = std::sin(1.0 + 2.0 * j);
        force[j] = 5.0 * std::cos(1.0 + j);
        impulse[j] = 0.3 * std::sin(2.0 - j);
    }
    newmark.resetAcceleration(body);
    analytic.resetAcceleration(body);
    for (int i = 0; i < 10; ++i) {
        analytic.expectImpulses(body);
        const VectorX q = analytic.q(body), velocity = analytic.velocity(body);
        for (BodyBatch* batch : {&newmark, &analytic}) {
            batch->addContactForce(body, force.data());
            batch->step(h, {body}, Workers(1));
            Vector3 none;
            batch->response(body, Vector3::Zero(), impulse.data(), none, change.data());
            batch->addVelocity(body, change.data());
        }
        EXPECT_EQ(analytic.startPosition(body), q);
        EXPECT_EQ(analytic.startVelocity(body), velocity);
        ASSERT_LT((analytic.q(body) - newmark.q(body)).norm(), 1e-11 * newmark.q(body).norm()) << i;
        ASSERT_LT((analytic.velocity(body) - newmark.velocity(body)).norm(), 1e-11 * newmark.velocity(body).norm());
    }
    // What has been expected was of those steps alone.
    BodyBatch apart(model, settings);
    ASSERT_EQ(apart.add(), body);
    apart.q(body) = analytic.q(body);
    apart.velocity(body) = analytic.velocity(body);
    apart.resetAcceleration(body);
    analytic.step(h, {body}, Workers(1));
    apart.step(h, {body}, Workers(1));
    EXPECT_LT((analytic.q(body) - apart.q(body)).norm(), 1e-12 * apart.q(body).norm());
}

TEST(Static, FindsTheEquilibriumOfAStiffeningBody) {
    for (const int blockSize : {1, 16})
        for (const double size : {1e-3, 1.0, 300.0}) {
            const auto model = test::makeLumpedSystem({}).model;
            BatchSettings settings = settingsOf(Integrator::Static);
            settings.blockSize = blockSize;
            BodyBatch batch(model, settings);
            const int body = batch.add();
            VectorX force(8);
            for (int j = 0; j < 8; ++j) force[j] = size * std::sin(1.0 + 2.0 * j);
            batch.addForce(body, force.data());
            batch.step(1.0 / 60.0, {body}, Workers(1));
            EXPECT_NE(batch.status(body), BodyStatus::NoEquilibrium);
            const VectorX residual = model->energy.force(batch.q(body)) - force;
            EXPECT_LT(residual.norm(), 1e-8 * force.norm()) << size;
            EXPECT_GT(test::eigenvaluesOf(model->energy.stiffness(batch.q(body)))[0], 0.0) << "a minimum";
            // At rest from now on, under the same force.
            const VectorX q = batch.q(body);
            batch.addForce(body, force.data());
            batch.step(1.0 / 60.0, {body}, Workers(1));
            EXPECT_LT((batch.q(body) - q).norm(), 1e-7 * q.norm());
            EXPECT_LT(batch.velocity(body).norm(), 1e-5 * q.norm());
            EXPECT_EQ(batch.kineticEnergy(body, Vector3::Zero(), Vector3::Zero()), 0.0);
        }
}

// Two wells and a hill between them: Newton's method alone would climb to the hill's top.
TEST(Static, GoesDownhillFromNegativeStiffness) {
    auto model = test::makeOscillator(1.0);
    model->energy.linearStiffness(0, 0) = -100.0;
    model->energy.quartic[0] = 1000.0;  // V = -50 q^2 + 1000 q^4: wells at +- sqrt(0.025)
    BodyBatch batch(model, settingsOf(Integrator::Static));
    const int body = batch.add();
    batch.q(body)[0] = 0.01;
    for (int i = 0; i < 3; ++i) batch.step(1.0 / 60.0, {body}, Workers(1));
    EXPECT_NEAR(batch.q(body)[0], std::sqrt(0.025), 1e-6);
}

TEST(Static, WithoutAnEquilibriumItSaysSo) {
    auto model = test::makeOscillator(10.0);
    model->energy.quartic[0] = -1000.0;  // softens: no equilibrium beyond a largest force
    BodyBatch batch(model, settingsOf(Integrator::Static));
    const int body = batch.add();
    const double force = 1e4;
    batch.addForce(body, &force);
    batch.step(1.0 / 60.0, {body}, Workers(1));
    EXPECT_TRUE(batch.status(body) == BodyStatus::NoEquilibrium || batch.status(body) == BodyStatus::RestoredLastState);
    EXPECT_TRUE(batch.q(body).allFinite());
    for (int i = 0; i < 3; ++i) batch.step(1.0 / 60.0, {body}, Workers(1));
    EXPECT_TRUE(batch.q(body).allFinite());
}

TEST(Static, ImpulsesMoveTheEquilibriumAsForcesDo) {
    const auto model = test::makeOscillator(30.0);
    const double h = 1.0 / 100.0, impulse = 0.4;
    BodyBatch batch(model, settingsOf(Integrator::Static));
    const int pushed = batch.add(), struck = batch.add();
    const double force = impulse / h;
    batch.addContactForce(pushed, &force);
    batch.step(h, {pushed, struck}, Workers(1));
    double change = 0.0;
    Vector3 none;
    batch.response(struck, Vector3::Zero(), &impulse, none, &change);
    EXPECT_NEAR(change, impulse / (h * h * 900.0), 1e-9);
    batch.addVelocity(struck, &change);
    EXPECT_NEAR(batch.q(pushed)[0], force / 900.0, 1e-12);
    EXPECT_NEAR(batch.q(struck)[0], batch.q(pushed)[0], 1e-12);
    EXPECT_NEAR(batch.velocity(struck)[0], batch.velocity(pushed)[0], 1e-9);
}

// A spinning body bulges: elastic and centrifugal forces balance, summed over the masses.
TEST(Static, SpinningBodyIsInBalance) {
    const test::LumpedSystem system = test::makeLumpedSystem({});
    const ReducedModel& model = *system.model;
    BatchSettings settings = settingsOf(Integrator::Static);
    settings.coupling = Coupling::Full;
    BodyBatch batch(system.model, settings);
    const int body = batch.add();
    FrameMotion frame;
    frame.angularVelocity = Vector3(3.0, -2.0, 4.0);
    batch.setFrame(body, frame);
    batch.step(1.0 / 60.0, {body}, Workers(1));
    const VectorX q = batch.q(body);
    Eigen::VectorXd centrifugal = Eigen::VectorXd::Zero(8);
    for (int v = 0; v < system.masses.size(); ++v) {
        const Eigen::MatrixXd U = model.basis.middleRows<3>(3 * v);
        const Eigen::Vector3d x = model.mesh.positions.col(v) + U * q, W = frame.angularVelocity;
        centrifugal -= system.masses[v] * U.transpose() * W.cross(W.cross(x));
    }
    ASSERT_GT(q.norm(), 1e-4);
    EXPECT_LT((model.energy.force(q) - VectorX(centrifugal)).norm(), 1e-8 * centrifugal.norm());
}

}  // namespace
}  // namespace pliant
