// SPDX-License-Identifier: Zlib
// Central differences against what is known of them in closed form.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "pliant/runtime/BodyBatch.h"
#include "unit/runtime/LumpedModel.h"

namespace pliant {
namespace {

BatchSettings explicitSettings() {
    BatchSettings settings;
    settings.integrator = Integrator::CentralDifferences;
    settings.coupling = Coupling::None;
    settings.doublePrecision = true;
    return settings;
}

// q_(n+1) - 2 cos(theta) q_n + q_(n-1) = 0 with sin(theta / 2) = omega h / 2, and a first step of the Taylor series.
TEST(CentralDifferences, UndampedModeTurnsByTwiceTheArcsine) {
    const double w = 20.0;
    for (const double omegaH : {0.05, 0.5, 1.0, 1.9, 1.99}) {
        const double h = omegaH / w, theta = 2.0 * std::asin(0.5 * omegaH);
        BodyBatch batch(test::makeOscillator(w), explicitSettings());
        const int body = batch.add();
        batch.q(body)[0] = 0.3;
        batch.resetAcceleration(body);
        for (int n = 1; n <= 2000; ++n) {
            batch.step(h, {body}, Workers(1));
            ASSERT_NEAR(batch.q(body)[0], 0.3 * std::cos(n * theta), 1e-9) << omegaH << ", step " << n;
        }
        EXPECT_EQ(batch.status(body), BodyStatus::Ok);
    }
}

/// The largest |q| of a thousand steps from q = 1e-3, and what the body says at the end.
double largestOf(double omegaH, double damping, BodyStatus& status) {
    const double w = 50.0;
    BatchSettings settings = explicitSettings();
    settings.damping.mass = damping;
    BodyBatch batch(test::makeOscillator(w), settings);
    const int body = batch.add();
    batch.q(body)[0] = 1e-3;
    batch.resetAcceleration(body);
    double largest = 0.0;
    for (int n = 0; n < 1000; ++n) {
        batch.step(omegaH / w, {body}, Workers(1));
        status = batch.status(body);
        largest = std::max(largest, std::abs(batch.q(body)[0]));
    }
    return largest;
}

TEST(CentralDifferences, AreStableBelowOmegaHOfTwoAndNotAbove) {
    BodyStatus status = BodyStatus::Ok;
    for (const double damping : {0.0, 3.0, 200.0}) {
        EXPECT_LE(largestOf(1.998, damping, status), 1.001e-3) << damping;
        EXPECT_EQ(status, BodyStatus::Ok);
        EXPECT_GT(largestOf(2.02, damping, status), damping < 100.0 ? 1.0 : 2e-3) << damping;
        EXPECT_EQ(status, BodyStatus::StepTooLong);
    }
}

// (1 + h d / 2) z^2 - (2 - h^2 w^2) z + (1 - h d / 2) = 0
TEST(CentralDifferences, DampedModeFollowsTheRootsOfItsRecurrence) {
    const double w = 20.0, h = 0.02;
    for (const double d : {0.5, 8.0, 70.0})
        for (const bool byStiffness : {false, true}) {
            BatchSettings settings = explicitSettings();
            (byStiffness ? settings.damping.stiffness : settings.damping.mass) = byStiffness ? d / (w * w) : d;
            BodyBatch batch(test::makeOscillator(w), settings);
            const int body = batch.add();
            batch.q(body)[0] = 0.3;
            batch.velocity(body)[0] = -2.0;
            batch.resetAcceleration(body);
            const std::complex<double> root =
                std::sqrt(std::complex<double>(std::pow(2.0 - h * h * w * w, 2) - 4.0 * (1.0 - 0.25 * h * h * d * d)));
            const std::complex<double> a = (2.0 - h * h * w * w + root) / (2.0 + h * d),
                                       b = (2.0 - h * h * w * w - root) / (2.0 + h * d);
            batch.step(h, {body}, Workers(1));
            const double first = batch.q(body)[0];
            const std::complex<double> ca = (first - 0.3 * b) / (a - b), cb = 0.3 - ca;
            for (int n = 2; n <= 200; ++n) {
                batch.step(h, {body}, Workers(1));
                ASSERT_NEAR(batch.q(body)[0], (ca * std::pow(a, n) + cb * std::pow(b, n)).real(), 1e-12)
                    << d << " " << n;
            }
        }
}

/// q after 0.1 s of a stiffening body with damping, in `steps` steps.
VectorX after(const std::shared_ptr<ReducedModel>& model, int steps) {
    BatchSettings settings = explicitSettings();
    settings.damping.mass = 2.0;
    settings.damping.stiffness = 1e-3;
    settings.damping.form = DampingForm::CurrentStiffness;
    BodyBatch batch(model, settings);
    const int body = batch.add();
    for (int j = 0; j < 8; ++j) {
        batch.q(body)[j] = 0.3 * std::sin(1.0 + j);
        batch.velocity(body)[j] = 3.0 * std::cos(2.0 * j);
    }
    batch.resetAcceleration(body);
    for (int i = 0; i < steps; ++i) batch.step(0.1 / steps, {body}, Workers(1));
    return batch.q(body);
}

TEST(CentralDifferences, PositionsConvergeWithSecondOrder) {
    const auto model = test::makeLumpedSystem({}).model;
    const VectorX coarse = after(model, 200), middle = after(model, 400), fine = after(model, 800);
    const double order = std::log2((coarse - middle).norm() / (middle - fine).norm());
    EXPECT_NEAR(order, 2.0, 0.1);
    // The same motion as the implicit step's.
    BatchSettings settings = explicitSettings();
    settings.integrator = Integrator::Newmark;
    settings.newmark.iterations = 10;
    settings.damping.mass = 2.0;
    settings.damping.stiffness = 1e-3;
    settings.damping.form = DampingForm::CurrentStiffness;
    settings.energyGuard = false;
    BodyBatch implicit(model, settings);
    const int body = implicit.add();
    for (int j = 0; j < 8; ++j) {
        implicit.q(body)[j] = 0.3 * std::sin(1.0 + j);
        implicit.velocity(body)[j] = 3.0 * std::cos(2.0 * j);
    }
    implicit.resetAcceleration(body);
    for (int i = 0; i < 3200; ++i) implicit.step(0.1 / 3200, {body}, Workers(1));
    EXPECT_LT((fine - implicit.q(body)).norm(), 2.0 * (middle - fine).norm());
}

// Steps of changing length keep the order: the velocity takes the mean of the two.
TEST(CentralDifferences, TakeStepsOfOtherLengths) {
    const double w = 20.0;
    const auto error = [&](double scale) {
        BodyBatch batch(test::makeOscillator(w), explicitSettings());
        const int body = batch.add();
        batch.q(body)[0] = 1.0;
        batch.resetAcceleration(body);
        double t = 0.0, worst = 0.0;
        for (int i = 0; t < 0.5; ++i) {
            const double h = scale * (i % 3 == 0 ? 0.002 : 0.003);
            batch.step(h, {body}, Workers(1));
            t += h;
            worst = std::max(worst, std::abs(batch.q(body)[0] - std::cos(w * t)));
        }
        return worst;
    };
    EXPECT_NEAR(std::log2(error(1.0) / error(0.5)), 2.0, 0.3);
}

// E = |v_1|^2 / 2 + q_1 K q_2 / 2 is kept by the free motion and never gained by a contact.
TEST(CentralDifferences, ModeAgainstAWallNeverGainsEnergy) {
    const double h = 1.0 / 60.0;
    int contacts = 0;
    for (const double omegaH : {0.1, 0.3, 0.7, 1.0, 1.5, 1.9}) {
        const double w = omegaH / h, wall = -0.2 + 0.1 * std::sin(9.0 * omegaH);
        BodyBatch batch(test::makeOscillator(w), explicitSettings());
        const int body = batch.add();
        batch.q(body)[0] = 1.0;
        batch.velocity(body)[0] = -0.4 * w;
        batch.resetAcceleration(body);
        double before = batch.q(body)[0], last = 0.0, start = 0.0;
        const auto energy = [&] {
            return 0.5 * std::pow(batch.velocity(body)[0], 2) + 0.5 * w * w * before * batch.q(body)[0];
        };
        for (int i = 0; i < 600; ++i) {
            before = batch.q(body)[0];
            batch.step(h, {body}, Workers(1));
            if (i == 0) start = last = energy();
            ASSERT_NEAR(energy(), last, 1e-9 * start) << "the free motion keeps it";
            const double target = contactTarget(batch.startVelocity(body)[0]), now = batch.velocity(body)[0];
            if (batch.q(body)[0] < wall && now < target && i > 0) {
                const double change = target - now;
                batch.addVelocity(body, &change);
                ++contacts;
            }
            ASSERT_LE(energy(), last + 1e-10 * start) << "omega h " << omegaH << ", step " << i;
            last = energy();
        }
    }
    EXPECT_GT(contacts, 30);
}

TEST(CentralDifferences, ImpulsesActAsTheForcesThatTheyAre) {
    const double h = 0.01, impulse = 0.4, force = impulse / h;
    BatchSettings settings = explicitSettings();
    settings.damping.mass = 5.0;
    BodyBatch batch(test::makeOscillator(30.0), settings);
    const int pushed = batch.add(), struck = batch.add();
    batch.step(h, {pushed, struck}, Workers(1));
    batch.addContactForce(pushed, &force);
    batch.step(h, {pushed, struck}, Workers(1));
    double change = 0.0;
    Vector3 none;
    batch.response(struck, Vector3::Zero(), &impulse, none, &change);
    EXPECT_NEAR(change, impulse / (1.0 + 0.5 * h * 5.0), 1e-14);
    batch.addVelocity(struck, &change);
    EXPECT_NEAR(batch.velocity(pushed)[0], batch.velocity(struck)[0], 1e-14);
    EXPECT_NEAR(batch.q(pushed)[0], batch.q(struck)[0], 1e-16);
    EXPECT_NEAR(batch.q(pushed)[0], h * change, 1e-16);
}

TEST(CentralDifferences, GoOnFromASavedStateWithTheSameBits) {
    const auto model = test::makeLumpedSystem({}).model;
    BodyBatch batch(model, explicitSettings()), other(model, explicitSettings());
    const int body = batch.add(), copy = other.add();
    for (int j = 0; j < 8; ++j) batch.q(body)[j] = 0.2 * std::sin(1.0 + j);
    batch.resetAcceleration(body);
    for (int i = 0; i < 5; ++i) batch.step(0.002, {body}, Workers(1));
    std::vector<std::byte> blob;
    batch.saveState(body, blob);
    ASSERT_EQ(other.restoreState(copy, blob.data(), blob.size()), StateStatus::Ok);
    for (int i = 0; i < 5; ++i) {
        batch.step(0.002, {body}, Workers(1));
        other.step(0.002, {copy}, Workers(1));
    }
    EXPECT_EQ(VectorX(batch.q(body)), VectorX(other.q(copy)));
    EXPECT_GT(batch.q(body).norm(), 0.0);
}

}  // namespace
}  // namespace pliant
