// SPDX-License-Identifier: Zlib
// Steps that are too long for the elasticity they meet: without the account of energy bodies blow up, with it they do
// not.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "pliant/runtime/BodyBatch.h"
#include "unit/runtime/LumpedModel.h"

namespace pliant {
namespace {

/// A free body far from rest, stepped at omega h of about 10, its angular momentum carried by us.
struct Tumbling {
    Tumbling(const test::LumpedSystem& system, const BatchSettings& settings, double size)
        : batch(system.model, settings), body(batch.add()) {
        for (int j = 0; j < batch.q(body).size(); ++j) batch.velocity(body)[j] = size * std::sin(1.0 + 2.0 * j);
        batch.resetAcceleration(body);
        frame.angularVelocity = Vector3(2.0, -1.0, 0.5);
        momentum = frame.rotation * batch.angularMomentum(body, frame.angularVelocity);
    }
    void step(double h) {
        batch.setFrame(body, frame);
        batch.step(h, {body}, workers);
        const Vector3 turn = h * batch.meanAngularVelocity(body, frame.rotation.transpose() * momentum);
        frame.rotation *= Eigen::AngleAxisd(turn.norm(), turn.normalized()).toRotationMatrix();
        frame.angularVelocity = batch.angularVelocity(body, frame.rotation.transpose() * momentum);
        limited += batch.status(body) == BodyStatus::EnergyLimited;
    }
    double energy() const {
        return batch.strainEnergy(body) + batch.kineticEnergy(body, Vector3::Zero(), frame.angularVelocity);
    }
    BodyBatch batch;
    int body;
    FrameMotion frame;
    Vector3 momentum;
    int limited = 0;
    Workers workers{1};
};

/// Largest energy within four seconds of steps, in shares of the start's. The first of them are left out: what a step
/// has gained is seen at the start of the next.
double worstGain(Coupling coupling, int blockSize, bool guard, int& limited) {
    test::LumpedOptions options;
    options.stiffness = 40.0;
    BatchSettings settings;
    settings.coupling = coupling;
    settings.blockSize = blockSize;
    settings.doublePrecision = true;
    settings.energyGuard = guard;
    Tumbling free(test::makeLumpedSystem(options), settings, 40.0);
    const double start = free.energy();
    double worst = 0.0;
    for (int i = 0; i < 120; ++i) {
        free.step(1.0 / 30.0);
        const double now = free.energy();
        if (i > 4) worst = std::max(worst, std::isfinite(now) ? now / start : 1e300);
        const Vector3 L = free.frame.rotation * free.batch.angularMomentum(free.body, free.frame.angularVelocity);
        if (guard) {
            EXPECT_LT((L - free.momentum).norm(), 1e-9 * free.momentum.norm());
        }
    }
    limited = free.limited;
    return worst;
}

TEST(EnergyGuard, LongStepsOfABodyFarFromRestDoNotBlowUp) {
    for (const Coupling coupling : {Coupling::None, Coupling::Inertia, Coupling::Full})
        for (const int blockSize : {1, 16}) {
            int limited = 0;
            EXPECT_GT(worstGain(coupling, blockSize, false, limited), 10.0) << "too gentle to show anything";
            EXPECT_EQ(limited, 0);
            EXPECT_LT(worstGain(coupling, blockSize, true, limited), 1.25);
            EXPECT_GT(limited, 0);
        }
}

// What forces put in is not taken away: (1/4, 1/2) gives a linear oscillator exactly the work of the force, whatever
// the step, and the account must see it so - for forces, for contact forces and for impulses.
TEST(EnergyGuard, WorkOfForcesIsNotMistakenForAGain) {
    for (const int blockSize : {1, 16})
        for (const double omegaH : {0.1, 1.0, 10.0}) {
            const double h = 1.0 / 60.0;
            BatchSettings settings;
            settings.coupling = Coupling::None;
            settings.blockSize = blockSize;
            BodyBatch batch(test::makeOscillator(omegaH / h), settings);
            const int body = batch.add();
            const Workers workers(1);
            for (int i = 0; i < 200; ++i) {
                const double force = i % 7 < 3 ? 50.0 : -20.0, contact = i % 5 == 0 ? 300.0 : 0.0;
                batch.addForce(body, &force);
                batch.addContactForce(body, &contact);
                batch.step(h, {body}, workers);
                EXPECT_EQ(batch.status(body), BodyStatus::Ok) << i;
                if (i % 11 == 0) batch.addImpulseAt(body, test::atVertex(0), Vector3(0, 0, i % 2 ? 4.0 : -3.0));
            }
            EXPECT_GT(batch.q(body).norm(), 0.0);
        }
}

/// Bodies far from rest that are struck in every step, and how often the guard took something.
struct StruckBodies {
    StruckBodies(const test::LumpedSystem& system, bool isDouble, int first, int count)
        : batch(system.model, settingsOf(isDouble)) {
        for (int i = 0; i < count; ++i) {
            bodies.push_back(batch.add());
            for (int j = 0; j < batch.q(bodies.back()).size(); ++j)
                batch.velocity(bodies.back())[j] = (10.0 + 3.0 * (first + i)) * std::sin(1.0 + 2.0 * j + first + i);
            batch.resetAcceleration(bodies.back());
        }
    }
    static BatchSettings settingsOf(bool isDouble) {
        BatchSettings settings;
        settings.blockSize = 16;
        settings.aloneUpTo = 0;
        settings.doublePrecision = isDouble;
        return settings;
    }
    void step(double h, int number, bool isPrepared) {
        for (const int body : bodies) batch.setFrame(body, FrameMotion());
        batch.step(h, bodies, workers);
        for (const int body : bodies) limited += batch.status(body) == BodyStatus::EnergyLimited;
        VectorX blow = VectorX::Zero(batch.q(bodies.front()).size());
        blow[number % blow.size()] = 20.0;
        for (const int body : bodies) batch.addVelocity(body, blow.data());
        if (isPrepared) batch.prepareToSettle(bodies, workers);
        for (const int body : bodies) {
            batch.settleEnergy(body, Vector3::Zero());
            limited += batch.status(body) == BodyStatus::EnergyLimited;
        }
    }
    BodyBatch batch;
    std::vector<int> bodies;
    int limited = 0;
    Workers workers{2};
};

// Seventeen bodies are a group and one that is left over.
TEST(EnergyGuard, ManyBodiesAreJudgedWithTheBitsOfEachAlone) {
    constexpr int count = 17;
    test::LumpedOptions options;
    options.stiffness = 40.0;
    const test::LumpedSystem system = test::makeLumpedSystem(options);
    for (const bool isDouble : {false, true}) {
        StruckBodies together(system, isDouble, 0, count);
        for (int n = 0; n < 20; ++n) together.step(1.0 / 30.0, n, true);
        int limited = 0;
        for (int i = 0; i < count; ++i) {
            StruckBodies alone(system, isDouble, i, 1);
            for (int n = 0; n < 20; ++n) alone.step(1.0 / 30.0, n, false);
            const int body = together.bodies[static_cast<std::size_t>(i)];
            EXPECT_EQ(VectorX(together.batch.q(body)), VectorX(alone.batch.q(alone.bodies[0]))) << i;
            EXPECT_EQ(VectorX(together.batch.velocity(body)), VectorX(alone.batch.velocity(alone.bodies[0]))) << i;
            limited += alone.limited;
        }
        EXPECT_EQ(together.limited, limited);
        EXPECT_GT(limited, count) << "too gentle to show anything";
    }
}

// A blow that a linear response lets go deep into a stiffening spring: the strain energy of where it ends is not paid
// for by anything, and is gone before anybody can see it.
TEST(EnergyGuard, HardContactIsSettledAtOnce) {
    for (const bool guard : {false, true}) {
        auto model = test::makeOscillator(10.0);
        model->energy.quartic[0] = 1e5;  // V = 50 q^2 + 1e5 q^4
        BatchSettings settings;
        settings.energyGuard = guard;
        BodyBatch batch(model, settings);
        const int body = batch.add();
        batch.velocity(body)[0] = -1.0;
        batch.resetAcceleration(body);
        const Workers workers(1);
        const double h = 1.0 / 30.0;
        batch.step(h, {body}, workers);
        batch.setFrame(body, FrameMotion());
        batch.step(h, {body}, workers);
        const double before = batch.strainEnergy(body) + 0.5 * batch.velocity(body).squaredNorm();
        const double q0 = batch.q(body)[0], v0 = batch.velocity(body)[0], dv = 30.0;
        batch.addVelocity(body, &dv);
        batch.settleEnergy(body, Vector3::Zero());
        const double after = batch.strainEnergy(body) + 0.5 * batch.velocity(body).squaredNorm();
        // At most what an impulse of 30 (1 + (omega h)^2 / 4 + ...) does over the way that is left.
        const double impulse = dv * (1.0 + 0.25 * h * h * (100.0 + 12e5 * q0 * q0));
        const double work = impulse * (batch.q(body)[0] - q0) / h + std::abs(impulse * v0);
        if (guard)
            EXPECT_LT(after, before + 1.1 * work + 1.0);
        else
            EXPECT_GT(after, 2.0 * (before + work));
    }
}

// V = 5e5 q^2 + a q^3 + b q^4 has no stiffness at q = -0.01 m, but pulls with 3.3 kN there: one linearised step goes as
// far as the mass alone lets it, a metre up the quartic. What stands for it is the end that the implicit equation of
// the trapezoidal rule has, 4 dq / h^2 = -V'(q_0) - V'(q_1), found here by bisection.
TEST(EnergyGuard, StepThatWouldBeThrownUpTheQuarticIsSearched) {
    const double h = 1.0 / 30.0, q0 = -0.01, square = 5e5, b = 1e6 / (12.0 * q0 * q0), a = -4.0 * q0 * b;
    const auto slope = [&](double q) { return q * (2.0 * square + q * (3.0 * a + q * 4.0 * b)); };
    double low = q0, high = -q0;
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        (4.0 * (middle - q0) / (h * h) + slope(q0) + slope(middle) > 0.0 ? high : low) = middle;
    }
    for (const int blockSize : {1, 16}) {
        auto model = test::makeOscillator(std::sqrt(2.0 * square));
        model->energy.cubic[0] = a;
        model->energy.quartic[0] = b;
        BatchSettings settings;
        settings.blockSize = blockSize;
        settings.doublePrecision = true;
        BodyBatch batch(model, settings);
        const int body = batch.add();
        batch.q(body)[0] = q0;
        batch.resetAcceleration(body);
        batch.step(h, {body}, Workers(1));
        EXPECT_NEAR(batch.q(body)[0], low, 1e-3 * (low - q0));
        EXPECT_NEAR(batch.velocity(body)[0], 2.0 * (low - q0) / h, 1e-3 * 2.0 * (low - q0) / h);
        EXPECT_NE(batch.status(body), BodyStatus::EnergyLimited);
    }
}

/// A body that moves slowly in V = 50 q^2 + 1e8 q^4, 5e-5 J, and that contact forces of the last step, 400 N, throw in
/// one free step to 40 times the energy that they put in.
struct Thrown {
    Thrown(int blockSize, double force) : batch(model(), settingsOf(blockSize)), body(batch.add()) {
        batch.velocity(body)[0] = 0.01;
        batch.resetAcceleration(body);
        batch.addContactForce(body, &force);
        step();
    }
    static std::shared_ptr<ReducedModel> model() {
        const auto made = test::makeOscillator(10.0);
        made->energy.quartic[0] = 1e8;
        return made;
    }
    static BatchSettings settingsOf(int blockSize) {
        BatchSettings settings;
        settings.blockSize = blockSize;
        settings.doublePrecision = true;
        return settings;
    }
    void step() { batch.step(1.0 / 60.0, {body}, Workers(1)); }
    double q() const { return batch.q(body)[0]; }
    double velocity() const { return batch.velocity(body)[0]; }

    BodyBatch batch;
    int body;
};

// Contacts that take all of that back leave the body where it would be without either, and it goes on as if nothing had
// been: their impulse is the opposite of the one that it was thrown by.
TEST(EnergyGuard, WhatContactForcesThrowIsTakenBackByContacts) {
    for (const int blockSize : {1, 16}) {
        Thrown thrown(blockSize, 400.0), free(blockSize, 0.0);
        ASSERT_GT(thrown.velocity(), 100.0 * free.velocity());
        const double dv = free.velocity() - thrown.velocity();
        thrown.batch.addVelocity(thrown.body, &dv);
        thrown.batch.settleEnergy(thrown.body, Vector3::Zero());
        for (int i = 0; i < 4; ++i) {
            EXPECT_EQ(thrown.batch.status(thrown.body), free.batch.status(free.body));
            EXPECT_NEAR(thrown.q(), free.q(), 1e-9 * free.q());
            EXPECT_NEAR(thrown.velocity(), free.velocity(), 1e-9 * 0.01);
            thrown.step();
            free.step();
        }
    }
}

// Where nobody answers, the body holds no more at the end of the step than it had and the forces have worked on the way
// that is left to it, and the 2 % of what it held with the speed of the throw.
TEST(EnergyGuard, WhatContactForcesThrowHoldsNoMoreThanTheyWorked) {
    for (const int blockSize : {1, 16}) {
        Thrown thrown(blockSize, 400.0);
        const double speed = thrown.velocity(), start = 5e-5;
        thrown.batch.settleEnergy(thrown.body, Vector3::Zero());
        const double strain = thrown.batch.strainEnergy(thrown.body), work = 400.0 * thrown.q();
        EXPECT_GT(strain, start);
        EXPECT_LT(strain + 0.5 * std::pow(thrown.velocity(), 2),
                  1.0001 * (start + work + 0.02 * (0.5 * speed * speed + strain)));
    }
}

}  // namespace
}  // namespace pliant
