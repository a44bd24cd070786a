// SPDX-License-Identifier: Zlib
// Bodies that hardly move go on with an old tangent stiffness: how far it may be off, and what that does to the motion.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "pliant/math/EigenvalueSolver.h"
#include "pliant/runtime/BodyBatch.h"
#include "pliant/runtime/StiffnessChange.h"
#include "unit/runtime/LumpedModel.h"

namespace pliant {
namespace {

constexpr double kStep = 0.005;

BatchSettings keeping(double tolerance) {
    BatchSettings settings;
    settings.doublePrecision = true;
    settings.tangentTolerance = tolerance;
    settings.damping.stiffness = 1e-3;
    settings.damping.mass = 0.1;
    return settings;
}

/// Steps of one swinging body. @param evaluations takes how often K(q) was evaluated
VectorX swing(BodyBatch& batch, int body, double speed, int steps, int* evaluations = nullptr) {
    for (int j = 0; j < batch.model().dimension(); ++j) batch.velocity(body)[j] = speed * std::cos(1.0 + j);
    batch.resetAcceleration(body);
    const Workers workers(1);
    for (int step = 0; step < steps; ++step) {
        batch.step(kStep, {body}, workers);
        if (evaluations) *evaluations += batch.evaluations();
    }
    return batch.q(body);
}

TEST(StiffnessChange, IsAnUpperBoundAndCloseForSmallMotion) {
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    for (const int r : {1, 3, 8}) {
        test::LumpedOptions options;
        options.dimension = r;
        const auto model = test::makeLumpedSystem(options).model;
        const StiffnessChange change(model->energy);
        const MatrixX K0 = model->energy.linearStiffness;
        const MatrixX root = K0.llt().matrixL().solve(MatrixX::Identity(r, r));
        const auto largest = [&](const VectorX& p, const VectorX& q) {
            const MatrixX difference = model->energy.stiffness(q) - model->energy.stiffness(p);
            return EigenvalueSolver(MatrixX(root * difference * root.transpose())).eigenvalues().cwiseAbs().maxCoeff();
        };
        for (int sample = 0; sample < 20; ++sample) {
            const double size = std::pow(10.0, -(sample % 5));
            const VectorX step = VectorX::NullaryExpr(r, [&] { return size * normal(random); });
            const VectorX p = VectorX::NullaryExpr(r, [&] { return 0.1 * normal(random); }), q = p + step;
            EXPECT_GE(change.bound(p.data(), q.data()), largest(p, q) * (1.0 - 1e-9));
            if (size > 1e-3) continue;
            // From rest, by little: the Frobenius norm of one matrix of r rows.
            const VectorX rest = VectorX::Zero(r);
            EXPECT_GE(change.bound(rest.data(), step.data()), largest(rest, step) * (1.0 - 1e-9));
            EXPECT_LE(change.bound(rest.data(), step.data()), (std::sqrt(r) + 0.1) * largest(rest, step));
        }
    }
}

TEST(StiffnessChange, NothingIsKeptWithoutStiffnessAtRest) {
    auto model = test::makeLumpedSystem({}).model;
    model->energy.linearStiffness.setZero();
    const VectorX q = VectorX::Zero(model->dimension());
    EXPECT_TRUE(std::isinf(StiffnessChange(model->energy).bound(q.data(), q.data())));
}

TEST(ReusedTangent, ServesBodiesThatHardlyMove) {
    const auto model = test::makeLumpedSystem({}).model;
    for (const Coupling coupling : {Coupling::None, Coupling::Full}) {
        BatchSettings settings = keeping(0.02);
        settings.coupling = coupling;
        BodyBatch quiet(model, settings), wild(model, settings);
        int few = 0, many = 0;
        swing(quiet, quiet.add(), 1e-3, 100, &few);
        swing(wild, wild.add(), 5.0, 100, &many);
        EXPECT_EQ(few, 1);
        EXPECT_GT(many, 80);
    }
}

// One step from the same state, with K of there and with K of a step before: twice the motion in between, four times
// the error.
TEST(ReusedTangent, ErrorIsOfSecondOrder) {
    const auto model = test::makeLumpedSystem({}).model;
    for (const DampingForm form : {DampingForm::RestStiffness, DampingForm::CurrentStiffness})
        for (const Coupling coupling : {Coupling::None, Coupling::Full}) {
            std::vector<double> errors;
            for (const double speed : {0.2, 0.4}) {
                BatchSettings kept = keeping(1.0), evaluated = keeping(0.0);
                kept.coupling = evaluated.coupling = coupling;
                kept.damping.form = evaluated.damping.form = form;
                BodyBatch batch(model, kept), exact(model, evaluated);
                const int body = batch.add(), other = exact.add();
                swing(batch, body, speed, 1);
                std::vector<std::byte> blob;
                batch.saveState(body, blob);
                ASSERT_EQ(exact.restoreState(other, blob.data(), blob.size()), StateStatus::Ok);
                batch.step(kStep, {body}, Workers(1));
                exact.step(kStep, {other}, Workers(1));
                EXPECT_EQ(batch.evaluations(), 0);
                EXPECT_EQ(exact.evaluations(), 1);
                errors.push_back((batch.velocity(body) - exact.velocity(other)).norm());
            }
            EXPECT_GT(errors[0], 1e-9);
            EXPECT_NEAR(errors[1] / errors[0], 4.0, 0.6);
        }
}

TEST(ReusedTangent, FollowsTheEvaluatedMotion) {
    const auto model = test::makeLumpedSystem({}).model;
    BodyBatch exact(model, keeping(0.0));
    const VectorX expected = swing(exact, exact.add(), 0.3, 50);
    double before = 1.0;
    for (const double tolerance : {0.04, 0.01}) {
        BodyBatch batch(model, keeping(tolerance));
        int evaluations = 0;
        const VectorX q = swing(batch, batch.add(), 0.3, 50, &evaluations);
        EXPECT_LT(evaluations, 40);
        const double error = (q - expected).norm() / expected.norm();
        EXPECT_GT(error, 0.0);
        EXPECT_LT(error, tolerance);
        EXPECT_LT(error, before / 4.0);
        before = error;
    }
}

TEST(ReusedTangent, IsNotForFastSpinsOtherStepsOrOtherDamping) {
    const auto model = test::makeLumpedSystem({}).model;
    BodyBatch batch(model, keeping(0.02));
    const int body = batch.add();
    const auto evaluates = [&](double h) {
        batch.step(h, {body}, Workers(1));
        return batch.evaluations() == 1;
    };
    EXPECT_TRUE(evaluates(kStep));
    EXPECT_FALSE(evaluates(kStep));
    EXPECT_TRUE(evaluates(2.0 * kStep));
    EXPECT_FALSE(evaluates(2.0 * kStep));
    BatchSettings settings = batch.settings();
    settings.damping.mass = 0.5;
    batch.setSettings(settings);
    EXPECT_TRUE(evaluates(2.0 * kStep));
    EXPECT_FALSE(evaluates(2.0 * kStep));
    FrameMotion frame;
    frame.angularVelocity = Vector3(0.0, 0.0, 1e3);
    batch.setFrame(body, frame);
    EXPECT_TRUE(evaluates(2.0 * kStep));
}

TEST(ReusedTangent, SameBitsForAnyNumberOfWorkersAndAnyNeighbours) {
    const auto model = test::makeLumpedSystem({}).model;
    const auto simulate = [&](int workers, int bodies) {
        BodyBatch batch(model, keeping(0.01));
        std::vector<int> all;
        for (int i = 0; i < bodies; ++i) {
            all.push_back(batch.add());
            for (int j = 0; j < model->dimension(); ++j)
                batch.velocity(i)[j] = (i % 3 == 0 ? 1.0 : 0.05) * std::cos(1.0 + i + j);
            batch.resetAcceleration(i);
        }
        const Workers team(workers);
        int evaluations = 0;
        for (int step = 0; step < 50; ++step) {
            batch.step(kStep, all, team);
            evaluations += batch.evaluations();
        }
        EXPECT_LT(evaluations, 45 * bodies);
        EXPECT_GT(evaluations, bodies);
        return VectorX(batch.q(4));
    };
    const VectorX expected = simulate(1, 100);
    EXPECT_EQ(simulate(4, 100), expected);
    EXPECT_EQ(simulate(1, 5), expected);
}

/// Bodies of linear flesh that are held, beside others that turn or not: q and responses of the first.
VectorX besideOthers(int dimension, bool turning, bool changing) {
    test::LumpedOptions options;
    options.dimension = dimension;
    const auto model = test::makeLumpedSystem(options).model;
    model->anchored = true;
    model->energy.cubic.setZero();
    model->energy.quartic.setZero();
    BodyBatch batch(model, keeping(0.0));
    std::vector<int> all;
    for (int i = 0; i < 5; ++i) {
        all.push_back(batch.add());
        for (int j = 0; j < dimension; ++j) batch.velocity(i)[j] = std::cos(1.0 + i + j);
        batch.resetAcceleration(i);
        FrameMotion frame;
        frame.driven = true;
        if (turning && i == 4) frame.angularVelocity = {0.0, 0.3, 2.0};
        batch.setFrame(i, frame);
    }
    const Workers workers(1);
    const VectorX impulse = VectorX::Ones(dimension);
    VectorX seen(2 * dimension);
    for (int step = 0; step < 30; ++step) {  // the last is longer than the first after putBack()
        batch.step(changing && step % 7 > 3 ? 0.5 * kStep : kStep, all, workers);
        if (step == 10) batch.putBack(0, batch.q(1).data());
    }
    const VectorX turn = VectorX::Zero(3);
    VectorX turned(3);
    batch.responses(0, 1, turn.data(), impulse.data(), turned.data(), seen.data() + dimension);
    seen.head(dimension) = batch.q(0);
    return seen;
}

// S of held linear flesh is one matrix, which all bodies share unless one of their group of sixteen turns: that one has
// centrifugal terms, and its group forms and factors S body by body.
TEST(RestTangent, HasTheBitsOfAFactorOfTheBodysOwn) {
    for (const int dimension : {3, 8, 13})
        for (const bool changing : {false, true}) {
            const VectorX shared = besideOthers(dimension, false, changing);
            EXPECT_TRUE(shared.allFinite());
            EXPECT_GT(shared.norm(), 0.0);
            EXPECT_EQ(shared, besideOthers(dimension, true, changing)) << dimension;
        }
}

}  // namespace
}  // namespace pliant
