// SPDX-License-Identifier: Zlib
// Rows of one vector: U'^-1 J' stands for a Jacobian and for the response to it.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "pliant/runtime/BodyBatch.h"
#include "unit/runtime/LumpedModel.h"

namespace pliant {
namespace {

struct StretchedBody {
    explicit StretchedBody(const BatchSettings& settings, int dimension = 7)
        : r(dimension),
          batch(test::makeLumpedSystem({30, dimension, 400.0, true, 3}).model, settings),
          body(batch.add()) {
        for (int j = 0; j < r; ++j) batch.q(body)[j] = 0.05 * std::sin(2.0 + j);
        batch.resetAcceleration(body);
        FrameMotion frame;
        frame.angularVelocity = Vector3(0.3, -0.2, 0.5);
        batch.setFrame(body, frame);
    }
    void step() { batch.step(1.0 / 120.0, {body}, workers); }
    /// `count` Jacobians, r x count.
    MatrixX jacobians(int count) const {
        return MatrixX::NullaryExpr(r, count, [](Eigen::Index i, Eigen::Index j) {
            return std::cos(1.3 * static_cast<double>(i) + 2.9 * static_cast<double>(j));
        });
    }
    MatrixX responses(const MatrixX& J) const {
        const auto count = static_cast<int>(J.cols());
        const MatrixX none = MatrixX::Zero(3, count);
        MatrixX turns(3, count), out(r, count);
        batch.responses(body, count, none.data(), J.data(), turns.data(), out.data());
        return out;
    }

    int r;
    BodyBatch batch;
    int body;
    Workers workers{1};
};

BatchSettings withCoupling(Coupling coupling) {
    BatchSettings settings;
    settings.coupling = coupling;
    settings.doublePrecision = true;
    settings.damping.stiffness = 0.01;
    return settings;
}

TEST(WhitenedRows, TheirProductsAreThoseOfTheResponses) {
    for (const int count : {1, 3, 16, 21}) {
        StretchedBody test(withCoupling(Coupling::Inertia));
        test.step();
        ASSERT_TRUE(test.batch.whitens(test.body));
        const MatrixX J = test.jacobians(count);
        MatrixX rows = J;
        test.batch.whiten(test.body, count, rows.data(), rows.data());
        const MatrixX W = J.transpose() * test.responses(J);
        EXPECT_LT((rows.transpose() * rows - W).norm(), 1e-13 * W.norm()) << count;
        EXPECT_GT((rows - J).norm(), 0.01 * J.norm());  // the system is not the identity
    }
}

TEST(WhitenedRows, AddingThemMovesTheBodyAsItsVelocityDoes) {
    StretchedBody plain(withCoupling(Coupling::Inertia)), whitened(withCoupling(Coupling::Inertia));
    for (int step = 0; step < 5; ++step) {
        plain.step();
        whitened.step();
        const MatrixX J = plain.jacobians(2);
        MatrixX rows = J;
        whitened.batch.whiten(whitened.body, 2, J.data(), rows.data());
        const Eigen::Vector2d P(0.3, -0.2);
        const VectorX change = plain.responses(J) * P, sum = rows * P;
        plain.batch.addVelocity(plain.body, change.data());
        whitened.batch.addWhitenedVelocity(whitened.body, sum.data());
    }
    const auto agrees = [](const VectorX& x, const VectorX& y) { EXPECT_LT((x - y).norm(), 1e-11 * x.norm()); };
    agrees(plain.batch.q(plain.body), whitened.batch.q(whitened.body));
    agrees(plain.batch.velocity(plain.body), whitened.batch.velocity(whitened.body));
    agrees(plain.batch.acceleration(plain.body), whitened.batch.acceleration(whitened.body));
    EXPECT_NEAR(plain.batch.strainEnergy(plain.body), whitened.batch.strainEnergy(whitened.body),
                1e-11 * plain.batch.strainEnergy(plain.body));
}

TEST(WhitenedRows, AreForBodiesThatAnswerByThemselves) {
    StretchedBody fresh(withCoupling(Coupling::Inertia));
    EXPECT_FALSE(fresh.batch.whitens(fresh.body)) << "before any step";
    StretchedBody coupled(withCoupling(Coupling::Full));
    coupled.step();
    EXPECT_FALSE(coupled.batch.whitens(coupled.body)) << "the frame answers with the deformation";
    BatchSettings damped = withCoupling(Coupling::Inertia);
    damped.newmark.gamma = 0.7;
    StretchedBody blended(damped);
    blended.step();
    EXPECT_FALSE(blended.batch.whitens(blended.body)) << "the response is not the inverse of the system";
}

TEST(WhitenedRows, FramesAnswerAsTheyDoInResponses) {
    StretchedBody test(withCoupling(Coupling::Inertia));
    test.step();
    const Matrix3 torques = Matrix3::Identity();
    const MatrixX none = MatrixX::Zero(test.r, 3);
    Matrix3 turns;
    MatrixX bends(test.r, 3);
    test.batch.responses(test.body, 3, torques.data(), none.data(), turns.data(), bends.data());
    EXPECT_LT((test.batch.frameResponse(test.body) - turns).norm(), 1e-12 * turns.norm());
    EXPECT_EQ(bends.norm(), 0.0);
}

// In place, as addImpulseAt() has it, the share of the identity must be that of what was asked for.
TEST(Response, InPlaceIsTheSameForAnyGamma) {
    for (const double gamma : {0.5, 0.8}) {
        BatchSettings settings = withCoupling(Coupling::Inertia);
        settings.newmark.gamma = gamma;
        StretchedBody test(settings);
        test.step();
        const MatrixX J = test.jacobians(3), apart = test.responses(J);
        MatrixX same = J, none = MatrixX::Zero(3, 3);
        test.batch.responses(test.body, 3, none.data(), same.data(), none.data(), same.data());
        EXPECT_EQ((same - apart).norm(), 0.0) << gamma;
    }
}

}  // namespace
}  // namespace pliant
