// SPDX-License-Identifier: Zlib
// Strain-rate damping of the steps: the polynomial of the model, nothing else, and never a source of energy.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "pliant/runtime/BodyBatch.h"
#include "pliant/runtime/StrainRateTerms.h"
#include "unit/runtime/LumpedModel.h"

namespace pliant {
namespace {

/// A damping of any strains: G = W'W of pseudo-random rows.
StrainRateDamping someDamping(int r, double size) {
    StrainRateDamping damping;
    damping.r = r;
    const Eigen::Index N = r + r * (r + 1) / 2;
    MatrixX W(5, N);
    for (Eigen::Index i = 0; i < W.size(); ++i) W.data()[i] = size * std::sin(1.0 + 7.3 * static_cast<double>(i));
    damping.gram = W.transpose() * W;
    return damping;
}

std::shared_ptr<ReducedModel> dampedModel() {
    auto model = test::makeLumpedSystem({}).model;
    model->damping = someDamping(8, 1.5);
    return model;
}

BatchSettings rateSettings(Integrator integrator, int blockSize) {
    BatchSettings settings;
    settings.integrator = integrator;
    settings.coupling = Coupling::None;
    settings.doublePrecision = true;
    settings.blockSize = blockSize;
    settings.energyGuard = false;
    settings.damping.strainRate = 1.0;
    return settings;
}

void placeBent(BodyBatch& batch, int body, double size) {
    for (int j = 0; j < batch.model().dimension(); ++j) {
        batch.q(body)[j] = size * std::sin(1.0 + j);
        batch.velocity(body)[j] = 10.0 * size * std::cos(2.0 * j);
    }
    batch.resetAcceleration(body);
}

TEST(StrainRate, MatrixIsThatOfThePolynomialAndTakesPower) {
    const StrainRateDamping damping = someDamping(8, 1.5);
    StrainRateScratch scratch(damping);
    for (int sample = 0; sample < 20; ++sample) {
        VectorX q(8), v(8);
        for (int j = 0; j < 8; ++j) {
            q[j] = std::sin(sample + 2.0 * j);
            v[j] = std::cos(3.0 * sample + j * j);
        }
        strainRateMatrix(damping, 0.7, q.data(), scratch);
        const MatrixX D = damping.matrix(q);
        const double* entry = scratch.matrix.data();
        for (int a = 0; a < 8; ++a)
            for (int b = a; b < 8; ++b) EXPECT_NEAR(*entry++, 0.7 * D(a, b), 1e-12 * D.norm());
        EXPECT_GE(v.dot(damping.force(q, v)), -1e-12 * D.norm());
    }
}

// x'' + d x' + w^2 x = 0 under Newmark's (1/4, 1/2): z solves its quadratic; for h -> 0 it decays as exp(-d t / 2).
TEST(StrainRate, OneModeDecaysAsItsDampingSays) {
    const double w = 30.0, d = 4.0, h = 1e-3;
    auto model = test::makeOscillator(w);
    model->damping.r = 1;
    model->damping.gram = MatrixX::Zero(2, 2);
    model->damping.gram(0, 0) = d;
    for (const int blockSize : {1, 16}) {
        BodyBatch batch(model, rateSettings(Integrator::Newmark, blockSize));
        const int body = batch.add();
        batch.q(body)[0] = 1e-6;
        batch.velocity(body)[0] = -0.5 * d * 1e-6;
        batch.resetAcceleration(body);
        const double square = w * w - 0.25 * d * d;
        for (int n = 1; n <= 1000; ++n) {
            batch.step(h, {body}, Workers(1));
            const double t = n * h, exact = 1e-6 * std::exp(-0.5 * d * t) * std::cos(std::sqrt(square) * t);
            ASSERT_NEAR(batch.q(body)[0], exact, 1e-6 * w * t * (w * h) * (w * h) / 10.0) << n;
        }
        EXPECT_LT(std::abs(batch.q(body)[0]), 1e-6 * std::exp(-0.5 * d) * 1.01);
    }
}

// Finite strains: at the end of a step that Newton's method has solved, q'' + D(q) q' + R(q) = f with the model's D.
TEST(StrainRate, StepsSolveTheEquationWithTheModelsPolynomial) {
    const auto model = dampedModel();
    for (const int blockSize : {1, 16}) {
        BatchSettings settings = rateSettings(Integrator::Newmark, blockSize);
        settings.newmark.iterations = 30;
        settings.newmark.tolerance = 1e-13;
        BodyBatch batch(model, settings);
        const int body = batch.add();
        placeBent(batch, body, 0.5);
        const VectorX q0 = batch.q(body), v0 = batch.velocity(body);
        const VectorX start = -model->energy.force(q0) - model->damping.force(q0, v0);
        EXPECT_LT((batch.acceleration(body) - start).norm(), 1e-11 * start.norm());
        EXPECT_GT(model->damping.force(q0, v0).norm(), 1e-3 * start.norm()) << "far above the bound below";
        for (int i = 0; i < 5; ++i) batch.step(0.003, {body}, Workers(1));
        const VectorX q = batch.q(body), v = batch.velocity(body);
        const VectorX residual = batch.acceleration(body) + model->damping.force(q, v) + model->energy.force(q);
        EXPECT_LT(residual.norm(), 1e-8 * start.norm()) << blockSize;
    }
}

TEST(StrainRate, TakesEnergyInEveryStepAndAsMuchAsItsPower) {
    const auto model = dampedModel();
    for (const Integrator integrator : {Integrator::Newmark, Integrator::CentralDifferences}) {
        BatchSettings settings = rateSettings(integrator, 16);
        settings.newmark.iterations = 5;
        BodyBatch batch(model, settings);
        const int body = batch.add();
        placeBent(batch, body, 0.3);
        const auto energy = [&] { return 0.5 * batch.velocity(body).squaredNorm() + batch.strainEnergy(body); };
        const double h = 2e-5, start = energy();
        double work = 0.0;
        for (int i = 0; i < 2000; ++i) {
            const VectorX q = batch.q(body), v = batch.velocity(body);
            const double power = v.dot(model->damping.force(q, v));
            ASSERT_GE(power, 0.0);
            work += h * power;
            batch.step(h, {body}, Workers(1));
        }
        EXPECT_NEAR(start - energy(), work, 0.01 * work) << static_cast<int>(integrator);
        EXPECT_GT(work, 0.2 * start);
    }
}

TEST(StrainRate, IsNotReadUnlessAskedFor) {
    const auto damped = dampedModel(), plain = test::makeLumpedSystem({}).model;
    BatchSettings off = rateSettings(Integrator::Newmark, 16);
    off.damping.strainRate = 0.0;
    const BatchSettings on = rateSettings(Integrator::Newmark, 16);
    BodyBatch first(damped, off), second(plain, on), third(damped, on);
    for (BodyBatch* batch : {&first, &second, &third}) {
        placeBent(*batch, batch->add(), 0.3);
        for (int i = 0; i < 20; ++i) batch->step(1.0 / 120.0, {0}, Workers(1));
    }
    EXPECT_EQ(VectorX(first.q(0)), VectorX(second.q(0))) << "a model without viscosities has none";
    EXPECT_GT((VectorX(first.q(0)) - VectorX(third.q(0))).norm(), 1e-3);
}

}  // namespace
}  // namespace pliant
