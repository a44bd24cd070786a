// SPDX-License-Identifier: Zlib
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "pliant/runtime/BodyBatch.h"
#include "pliant/runtime/kernels/Kernels.h"
#include "unit/runtime/LumpedModel.h"

namespace pliant {
namespace {

BatchSettings anchoredSettings() {
    BatchSettings settings;
    settings.coupling = Coupling::None;
    settings.doublePrecision = true;
    return settings;
}

/// q after one second of a nonlinear body, in steps of h.
VectorX swing(const std::shared_ptr<const ReducedModel>& model, const BatchSettings& settings, int steps) {
    BodyBatch batch(model, settings);
    const int body = batch.add();
    for (int j = 0; j < model->dimension(); ++j) batch.velocity(body)[j] = 2.0 * std::cos(1.0 + j);
    batch.resetAcceleration(body);
    const Workers workers(1);
    for (int step = 0; step < steps; ++step) batch.step(0.25 / steps, {body}, workers);
    return batch.q(body);
}

// The next state of a linear body is predicted, however stiff it is for the step.
TEST(Newmark, PredictsTheNextStepOfALinearBody) {
    for (const double omega : {3.0, 90.0, 2000.0}) {
        const auto model = test::makeOscillator(omega);
        BatchSettings settings = anchoredSettings();
        settings.damping.mass = 0.7;
        settings.damping.stiffness = 2e-4;
        BodyBatch batch(model, settings);
        const int body = batch.add();
        batch.velocity(body)[0] = 4.0;
        batch.resetAcceleration(body);
        VectorX predicted(1);
        batch.predict(body, 0.01, predicted.data());
        EXPECT_DOUBLE_EQ(predicted[0], 0.04) << "before the first step";
        for (int step = 0; step < 20; ++step) {
            if (step > 0) batch.predict(body, 0.01, predicted.data());
            if (step == 10) batch.addImpulseAt(body, test::atVertex(0), Vector3(0, 0, 5));
            if (step == 10) batch.predict(body, 0.01, predicted.data());
            EXPECT_LE(std::abs(predicted[0] - batch.q(body)[0]), batch.predictedChangeBound(body, 0.01) * (1 + 1e-12))
                << step;
            batch.step(0.01, {body}, Workers(1));
            if (step > 0) {
                EXPECT_NEAR(predicted[0], batch.q(body)[0], 1e-12) << omega << ", step " << step;
            }
        }
    }
}

TEST(Newmark, BoundsThePredictedChange) {
    for (const double gamma : {0.5, 0.7})
        for (const double mass : {0.5, 300.0}) {
            test::LumpedOptions options;
            options.dimension = 7;
            BatchSettings settings;
            settings.newmark.gamma = gamma;
            settings.damping.mass = mass;
            settings.damping.stiffness = 1e-3;
            BodyBatch batch(test::makeLumpedSystem(options).model, settings);
            const int body = batch.add();
            double largest = 0.0;
            for (int step = 0; step < 60; ++step) {
                if (step % 10 == 0) batch.velocity(body).setConstant(step % 20 == 0 ? 1.5 : -0.2);
                for (const double h : {0.002, 0.01, 0.04}) {
                    VectorX predicted(7);
                    batch.predict(body, h, predicted.data());
                    const double change = (predicted - batch.q(body)).norm(),
                                 most = batch.predictedChangeBound(body, h);
                    ASSERT_LE(change, most * (1 + 1e-12)) << gamma << " " << mass << ", step " << step << ", h " << h;
                    largest = std::max(largest, change / most);
                }
                batch.step(0.01, {body}, Workers(1));
            }
            EXPECT_GT(largest, 0.3) << "it is of some use";
        }
}

// One by one: other kernels, the same equations, in every instruction set.
TEST(Newmark, BodiesOneByOneAgreeWithGroups) {
    for (const kernels::InstructionSet set :
         {kernels::InstructionSet::Sse2, kernels::InstructionSet::Avx2, kernels::InstructionSet::Avx512}) {
        if (!kernels::isSupported(set)) continue;
        kernels::force(set);
        for (const int r : {1, 2, 5, 8, 11})
            for (const DampingForm form : {DampingForm::RestStiffness, DampingForm::CurrentStiffness}) {
                test::LumpedOptions options;
                options.dimension = r;
                const auto model = test::makeLumpedSystem(options).model;
                std::vector<VectorX> results, responses;
                for (const int blockSize : {1, 32}) {
                    BatchSettings settings;
                    settings.blockSize = blockSize;
                    settings.doublePrecision = true;
                    settings.newmark.gamma = form == DampingForm::RestStiffness ? 0.5 : 0.6;
                    settings.newmark.iterations = 3;
                    settings.damping.stiffness = 1e-3;
                    settings.damping.form = form;
                    BodyBatch batch(model, settings);
                    const int body = batch.add();
                    batch.velocity(body).setConstant(1.5);
                    batch.resetAcceleration(body);
                    FrameMotion frame;
                    frame.angularVelocity = Vector3(2.0, 3.0, -4.0);
                    VectorX change = VectorX::Ones(r);
                    for (int step = 0; step < 30; ++step) {
                        batch.setFrame(body, frame);
                        batch.step(0.01, {body}, Workers(1));
                        Vector3 turn;
                        change.setOnes();
                        batch.response(body, Vector3(0.1, 0.2, 0.3), change.data(), turn, change.data());
                        change *= 0.01;
                        batch.addVelocity(body, change.data());
                        EXPECT_EQ(batch.status(body), BodyStatus::Ok);
                    }
                    results.emplace_back(batch.q(body));
                    responses.push_back(change);
                }
                EXPECT_LT((results[0] - results[1]).norm(), 1e-10 * results[1].norm()) << r;
                EXPECT_LT((responses[0] - responses[1]).norm(), 1e-10 * responses[1].norm()) << r;
            }
    }
    kernels::forceNone();
}

/// q of the first of so many bodies after some steps.
VectorX steppedBeside(const BatchSettings& settings, int bodies) {
    BodyBatch batch(test::makeLumpedSystem({}).model, settings);
    std::vector<int> all;
    for (int b = 0; b < bodies; ++b) {
        all.push_back(batch.add());
        for (int j = 0; j < batch.q(b).size(); ++j) batch.q(b)[j] = 0.05 * std::sin(j + 1.0);
        batch.resetAcceleration(b);
    }
    for (int step = 0; step < 20; ++step) batch.step(0.01, all, Workers(1));
    return batch.q(0);
}

TEST(Newmark, FewBodiesStepAloneWhereTheSettingsSayHowMany) {
    BatchSettings blocks, alone, few;
    alone.blockSize = 1;
    few.aloneUpTo = 2;
    for (const int bodies : {1, 2, 3}) {
        const VectorX q = steppedBeside(few, bodies);
        EXPECT_EQ(q, steppedBeside(bodies <= 2 ? alone : blocks, bodies)) << bodies;
        EXPECT_NE(q, steppedBeside(bodies <= 2 ? blocks : alone, bodies)) << "single precision can be told from double";
    }
    few.tangentTolerance = 0.1;
    blocks.tangentTolerance = 0.1;
    EXPECT_EQ(steppedBeside(few, 1), steppedBeside(blocks, 1)) << "kept tangents are of blocks";
}

TEST(Newmark, ConvergesWithOrderTwo) {
    test::LumpedOptions options;
    options.dimension = 5;
    options.stiffness = 60.0;
    const auto model = test::makeLumpedSystem(options).model;
    model->anchored = true;
    for (const int iterations : {1, 4}) {
        BatchSettings settings = anchoredSettings();
        settings.newmark.iterations = iterations;
        settings.damping.stiffness = 1e-3;
        settings.damping.mass = 0.5;
        const VectorX fine = swing(model, settings, 6400);
        const double coarse = (swing(model, settings, 100) - fine).norm();
        const double middle = (swing(model, settings, 200) - fine).norm();
        const double close = (swing(model, settings, 400) - fine).norm();
        EXPECT_NEAR(std::log2(coarse / middle), 2.0, 0.15) << iterations;
        EXPECT_NEAR(std::log2(middle / close), 2.0, 0.1) << iterations;
    }
}

TEST(Newmark, DampingFollowsTheRayleighRate) {
    const double omega = 20.0, alpha = 0.4, beta = 2e-3;
    for (const DampingForm form : {DampingForm::RestStiffness, DampingForm::CurrentStiffness}) {
        BatchSettings settings = anchoredSettings();
        settings.damping.mass = alpha;
        settings.damping.stiffness = beta;
        settings.damping.form = form;
        BodyBatch batch(test::makeOscillator(omega), settings);
        const int body = batch.add();
        batch.q(body)[0] = 1.0;
        batch.resetAcceleration(body);
        const double start = batch.strainEnergy(body);
        const Workers workers(1);
        const double period = 2.0 * 3.14159265358979 / omega;
        for (int step = 0; step < 4000; ++step) batch.step(4.0 * period / 4000, {body}, workers);
        const double now = batch.strainEnergy(body) + batch.kineticEnergy(body, Vector3::Zero(), Vector3::Zero());
        EXPECT_NEAR(std::log(start / now) / (4.0 * period), alpha + beta * omega * omega, 0.02);
    }
}

TEST(Newmark, LargerGammaDampsWhatTheStepCannotResolve) {
    BatchSettings settings = anchoredSettings();
    settings.newmark.gamma = 0.7;
    BodyBatch batch(test::makeOscillator(600.0), settings);  // omega h = 10
    const int body = batch.add();
    batch.q(body)[0] = 1.0;
    batch.resetAcceleration(body);
    const Workers workers(1);
    for (int step = 0; step < 60; ++step) batch.step(1.0 / 60.0, {body}, workers);
    EXPECT_LT(std::abs(batch.q(body)[0]), 1e-6);
}

// Compressed past buckling: K = -100 at q = 0, yet the quartic term holds the body. beta h^2 K + 1 < 0.
TEST(Newmark, NegativeStiffnessBoundsTheStepByItsSize) {
    for (const int blockSize : {1, 16}) {
        BatchSettings settings = anchoredSettings();
        settings.blockSize = blockSize;
        settings.energyGuard = false;  // this spring has less energy than none
        auto model = test::makeOscillator(1.0);
        model->energy.linearStiffness(0, 0) = -1e6;
        model->energy.quartic[0] = 1e6;
        BodyBatch batch(model, settings);
        const int body = batch.add();
        batch.q(body)[0] = 0.01;
        batch.resetAcceleration(body);
        const double h = 1.0 / 60.0, a = batch.acceleration(body)[0];
        const Workers workers(1);
        batch.step(h, {body}, workers);
        EXPECT_EQ(batch.status(body), BodyStatus::NegativeStiffness);
        // One Newton step by hand: S dq = h v + h^2/4 a - h^2/4 R, v = 0, at q = 0.01, where 1 + h^2/4 K is negative
        // and S is taken by its size.
        const double K = -1e6 + 12e6 * 1e-4, R = -1e6 * 0.01 + 4e6 * 1e-6;
        const double S = 1.0 + 0.25 * h * h * K;
        ASSERT_LT(S, -1.0);
        const double dq = (0.25 * h * h * a - 0.25 * h * h * R) / -S;
        EXPECT_NEAR(batch.q(body)[0], 0.01 + dq, 1e-12);
        const double unit = 1.0;
        double response = 0.0;
        Vector3 none;
        batch.response(body, Vector3::Zero(), &unit, none, &response);
        EXPECT_NEAR(response, -1.0 / S, 1e-12);
    }
}

TEST(Newmark, NonFiniteResultRestoresTheLastStateAtRest) {
    test::LumpedOptions options;
    options.dimension = 5;
    const auto model = test::makeLumpedSystem(options).model;
    for (const int blockSize : {1, 16}) {
        BatchSettings settings;
        settings.blockSize = blockSize;
        BodyBatch batch(model, settings);
        const int bad = batch.add(), good = batch.add();
        for (const int body : {bad, good}) {
            batch.q(body)[2] = 0.01;
            batch.velocity(body)[1] = 0.5;
            batch.resetAcceleration(body);
        }
        const Workers workers(1);
        VectorX force = VectorX::Zero(5);
        force[0] = std::numeric_limits<double>::infinity();
        batch.addForce(bad, force.data());
        batch.step(0.01, {bad, good}, workers);
        EXPECT_EQ(batch.status(bad), BodyStatus::RestoredLastState);
        EXPECT_EQ(batch.q(bad)[2], 0.01);
        EXPECT_EQ(batch.velocity(bad).norm(), 0.0);
        EXPECT_EQ(batch.status(good), BodyStatus::Ok);
        batch.step(0.01, {bad, good}, workers);
        EXPECT_EQ(batch.status(bad), BodyStatus::Ok);
        EXPECT_TRUE(batch.q(bad).allFinite());
        // A state that somebody else spoilt comes back at q = 0.
        batch.q(bad)[0] = std::nan("");
        batch.step(0.01, {bad, good}, workers);
        EXPECT_EQ(batch.status(bad), BodyStatus::RestoredLastState);
        EXPECT_EQ(batch.status(good), BodyStatus::Ok);
        EXPECT_TRUE(batch.q(bad).allFinite());
        batch.step(0.01, {bad, good}, workers);
        EXPECT_EQ(batch.status(bad), BodyStatus::Ok);
    }
}

// Uniform acceleration of an anchored body's frame pushes q by -D'a; a mean-axis body does not feel it.
TEST(Newmark, FrameAccelerationActsThroughTheTranslationIntegrals) {
    for (const bool meanAxis : {true, false}) {
        test::LumpedOptions options;
        options.dimension = 6;
        options.meanAxis = meanAxis;
        const auto model = test::makeLumpedSystem(options).model;
        BodyBatch batch(model, anchoredSettings());
        const int body = batch.add();
        FrameMotion frame;
        frame.acceleration = Vector3(0.0, 0.0, 9.81);
        batch.setFrame(body, frame);
        const Workers workers(1);
        batch.step(1e-4, {body}, workers);
        const VectorX expected = -0.5e-4 * model->inertia.translation.transpose() * frame.acceleration;
        EXPECT_LT((batch.velocity(body) - expected).norm(), 1e-3 * expected.norm() + 1e-15);
        EXPECT_EQ(meanAxis, expected.norm() < 1e-12);
    }
}

TEST(BodyBatch, SlotsAreReusedFromTheLowest) {
    BodyBatch batch(test::makeOscillator(3.0, false), {});
    EXPECT_EQ(batch.add(), 0);
    EXPECT_EQ(batch.add(), 1);
    EXPECT_EQ(batch.add(), 2);
    batch.q(1)[0] = 5.0;
    batch.remove(1);
    EXPECT_FALSE(batch.isUsed(1));
    EXPECT_EQ(batch.add(), 1);
    EXPECT_EQ(batch.q(1)[0], 0.0);
    EXPECT_EQ(batch.capacity(), 3);
    // Before its first step a body answers as if it had no stiffness.
    const double unit = 1.0;
    double change = 0.0;
    Vector3 turn;
    batch.response(1, Vector3::Zero(), &unit, turn, &change);
    EXPECT_EQ(change, 1.0);
    EXPECT_TRUE(turn.allFinite());
}

TEST(BodyBatch, PrecisionsAgreeToSinglePrecision) {
    test::LumpedOptions options;
    options.dimension = 10;
    const auto model = test::makeLumpedSystem(options).model;
    std::vector<VectorX> results;
    for (const bool doublePrecision : {false, true}) {
        BatchSettings settings = anchoredSettings();
        settings.doublePrecision = doublePrecision;
        results.push_back(swing(model, settings, 50));
    }
    EXPECT_NE(results[0], results[1]);
    EXPECT_LT((results[0] - results[1]).norm(), 1e-5 * results[1].norm());
}

TEST(Workers, CoverEveryItemOnce) {
    for (const int count : {1, 2}) {
        const Workers workers(count);
        EXPECT_EQ(workers.count(), count);
        std::vector<int> visits(103, 0);
        workers.forBlocks(103, 10, [&](int begin, int end) {
            EXPECT_EQ(begin % 10, 0);
            for (int i = begin; i < end; ++i) ++visits[static_cast<std::size_t>(i)];
        });
        EXPECT_EQ(visits, std::vector<int>(103, 1));
        EXPECT_GE(workers.observed(), 1);
        EXPECT_LE(workers.observed(), count);
    }
}

// oneTBB tells the terminal of workers that it has no processors for.
TEST(Workers, MoreThanProcessorsAreTakenInSilence) {
    const int count = 2 * Workers(0).count() + 1;  // of whatever machine this is
    ::testing::internal::CaptureStderr();
    const Workers workers(count);
    std::vector<int> visits(1000, 0);
    workers.forBlocks(1000, 1, [&](int begin, int) { ++visits[static_cast<std::size_t>(begin)]; });
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
    EXPECT_EQ(workers.count(), count);
    EXPECT_EQ(visits, std::vector<int>(1000, 1));
}

}  // namespace
}  // namespace pliant
