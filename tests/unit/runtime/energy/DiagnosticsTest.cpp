// SPDX-License-Identifier: Zlib
// What is read of a body, against sums over its masses.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "DenseAlgebra.h"
#include "pliant/runtime/BodyBatch.h"
#include "unit/runtime/LumpedModel.h"

namespace pliant {
namespace {

TEST(Diagnostics, LinearMomentumIsThatOfTheMasses) {
    for (const bool meanAxis : {true, false}) {
        test::LumpedOptions options;
        options.meanAxis = meanAxis;
        const test::LumpedSystem system = test::makeLumpedSystem(options);
        BodyBatch batch(system.model, {});
        const int body = batch.add();
        for (int j = 0; j < 8; ++j) {
            batch.q(body)[j] = 0.1 * std::sin(1.0 + j);
            batch.velocity(body)[j] = std::cos(2.0 * j);
        }
        batch.resetAcceleration(body);
        const Vector3 linear(0.4, -1.0, 0.2), W(1.0, 2.0, -3.0);
        Vector3 expected = Vector3::Zero();
        for (int v = 0; v < system.masses.size(); ++v) {
            const Eigen::MatrixXd U = system.model->basis.middleRows<3>(3 * v);
            const Vector3 x = system.model->mesh.positions.col(v) + U * batch.q(body);
            expected += system.masses[v] * (linear + W.cross(x) + U * batch.velocity(body));
        }
        EXPECT_LT((batch.linearMomentum(body, linear, W) - expected).norm(), 1e-12);
    }
}

TEST(Diagnostics, StrainEnergiesOfManyAreThoseOfTheModel) {
    const auto model = test::makeLumpedSystem({}).model;
    for (const bool doublePrecision : {true, false})
        for (const int blockSize : {1, 16, 64}) {
            BatchSettings settings;
            settings.doublePrecision = doublePrecision;
            settings.blockSize = blockSize;
            BodyBatch batch(model, settings);
            std::vector<int> bodies;
            for (int i = 0; i < 100; ++i) {
                const int body = batch.add();
                for (int j = 0; j < model->dimension(); ++j) batch.q(body)[j] = 0.1 * std::sin(1.0 + 3.0 * i + j);
                if (i % 3 != 1) bodies.insert(bodies.begin(), body);  // not all, and descending
            }
            std::vector<double> one(bodies.size()), two(bodies.size());
            batch.strainEnergies(bodies, one.data(), Workers(1));
            batch.strainEnergies(bodies, two.data(), Workers(2));
            EXPECT_EQ(one, two);
            for (std::size_t i = 0; i < bodies.size(); ++i) {
                const double expected = model->energy.energy(batch.q(bodies[i]));
                EXPECT_NEAR(one[i], expected, (doublePrecision ? 1e-12 : 1e-5) * expected) << blockSize;
            }
            batch.strainEnergies({}, one.data(), Workers(2));
        }
}

TEST(Diagnostics, ModalEnergiesAddUpAndStayApart) {
    const auto model = test::makeLumpedSystem({}).model;
    BatchSettings settings;
    settings.coupling = Coupling::None;
    settings.doublePrecision = true;
    BodyBatch batch(model, settings);
    const int body = batch.add();
    const Eigen::VectorXd eigenvalues = test::eigenvaluesOf(model->energy.linearStiffness);
    const Eigen::MatrixXd modes = test::eigenvectorsOf(model->energy.linearStiffness);
    for (int i = 0; i < 8; ++i) EXPECT_NEAR(batch.modalFrequencies()[i], std::sqrt(eigenvalues[i]), 1e-9);
    // So little that only the quadratic energy counts.
    for (int j = 0; j < 8; ++j) {
        batch.q(body)[j] = 1e-7 * std::sin(1.0 + j);
        batch.velocity(body)[j] = 1e-6 * std::cos(2.0 * j);
    }
    batch.resetAcceleration(body);
    VectorX start(8), now(8);
    batch.modalEnergies(body, start.data());
    const double total = batch.strainEnergy(body) + batch.kineticEnergy(body, Vector3::Zero(), Vector3::Zero());
    EXPECT_NEAR(start.sum(), total, 1e-6 * total);
    EXPECT_GT(start.minCoeff(), 0.0);
    for (int i = 0; i < 50; ++i) batch.step(0.01, {body}, Workers(1));
    batch.modalEnergies(body, now.data());
    EXPECT_LT((now - start).cwiseAbs().maxCoeff(), 1e-5 * total) << "linear modes do not exchange energy";
    // One mode alone.
    batch.velocity(body).setZero();
    batch.q(body) = 0.001 * modes.col(3);
    batch.modalEnergies(body, now.data());
    EXPECT_NEAR(now[3], 0.5e-6 * eigenvalues[3], 1e-12);
    EXPECT_NEAR(now.sum(), now[3], 1e-12);
}

}  // namespace
}  // namespace pliant
