// SPDX-License-Identifier: Zlib
// The papers' implicit Newmark, against numbers that other programs computed: with a published reduced model (r = 20),
// and of a bar in its first six modes (tests/reference/README.md).
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>

#include "ReferenceData.h"
#include "pliant/runtime/BodyBatch.h"

namespace pliant {
namespace {

/// A .cub holds the force polynomials: force component o of monomial m. The energy's coefficient of a monomial is that
/// of the derivative by its first index divided by that index's power.
StrainEnergyPolynomial readCub(const std::string& path, double scale) {
    std::ifstream file(path, std::ios::binary);
    std::int32_t header[4];
    file.read(reinterpret_cast<char*>(header), sizeof(header));
    const auto r = static_cast<std::size_t>(header[0]), Q = static_cast<std::size_t>(header[2]),
               C = static_cast<std::size_t>(header[3]);
    std::vector<double> linear(r * r), quadratic(r * Q), cubic(r * C);
    for (std::vector<double>* values : {&linear, &quadratic, &cubic})
        file.read(reinterpret_cast<char*>(values->data()),
                  static_cast<std::streamsize>(values->size() * sizeof(double)));
    EXPECT_TRUE(file.good());
    StrainEnergyPolynomial energy;
    energy.linearStiffness = scale * Eigen::Map<MatrixX>(linear.data(), header[0], header[0]);
    energy.cubic.resize(static_cast<Eigen::Index>(StrainEnergyPolynomial::cubicCount(r)));
    energy.quartic.resize(static_cast<Eigen::Index>(StrainEnergyPolynomial::quarticCount(r)));
    Eigen::Index next = 0;
    for (std::size_t i = 0; i < r; ++i)
        for (std::size_t j = i; j < r; ++j)
            for (std::size_t k = j; k < r; ++k) {
                const double power = 1.0 + (j == i) + (k == i);
                energy.cubic[next++] = scale * quadratic[i * Q + pairIndex(r, j, k)] / power;
            }
    next = 0;
    for (std::size_t i = 0; i < r; ++i)
        for (std::size_t j = i, first = C - StrainEnergyPolynomial::cubicCount(r - i); j < r; ++j)
            for (std::size_t k = j; k < r; ++k)
                for (std::size_t l = k; l < r; ++l) {
                    const double power = 1.0 + (j == i) + (k == i) + (l == i);
                    energy.quartic[next++] = scale * cubic[i * C + first++] / power;
                }
    return energy;
}

std::shared_ptr<ReducedModel> modelOf(const StrainEnergyPolynomial& energy) {
    auto model = std::make_shared<ReducedModel>();
    const Eigen::Index r = energy.dimension();
    model->anchored = true;
    model->energy = energy;
    model->basis = MatrixX::Zero(3, r);
    model->inertia.mass = 1.0;
    model->inertia.principalInertia = Vector3::Ones();
    model->inertia.translation = model->inertia.rotation = MatrixX::Zero(3, r);
    model->inertia.first.assign(static_cast<std::size_t>(r), Matrix3::Zero());
    model->inertia.second.assign(static_cast<std::size_t>(r * r), Matrix3::Zero());
    model->inertia.coriolis.assign(static_cast<std::size_t>(r * r), Vector3::Zero());
    return model;
}

VectorX vectorOf(const nlohmann::json& values) {
    VectorX v(static_cast<Eigen::Index>(values.size()));
    for (std::size_t i = 0; i < values.size(); ++i) v[static_cast<Eigen::Index>(i)] = values[i].get<double>();
    return v;
}

/// Numbers, Newton iterations, bodies in a block.
class ReferenceNewmark : public ::testing::TestWithParam<std::tuple<const char*, int, int>> {};

TEST_P(ReferenceNewmark, StateAfter120StepsAgrees) {
    const auto [name, iterations, blockSize] = GetParam();
    const std::string oracleFile = std::string("oracles/") + name + ".json";
    const nlohmann::json oracle = test::readReferenceJson(oracleFile);
    const std::string modelFile = "vega/" + oracle["cub"].get<std::string>();
    BatchSettings settings;
    settings.newmark.iterations = iterations;
    settings.blockSize = blockSize;
    settings.newmark.tolerance = 1e-12;
    settings.damping.stiffness = 0.002;
    settings.damping.form = DampingForm::CurrentStiffness;
    settings.coupling = Coupling::None;
    settings.doublePrecision = true;
    const StrainEnergyPolynomial energy =
        readCub(test::referencePath(modelFile), oracle["coefficient_scale"].get<double>());
    BodyBatch batch(modelOf(energy), settings);
    const int body = batch.add();
    const Workers workers(1);
    VectorX force(energy.dimension());
    for (int j = 0; j < force.size(); ++j) force[j] = oracle.value("push", 300.0) / (1 + j % 5);
    for (int step = 0; step < 120; ++step) {
        if (step < 10) batch.addForce(body, force.data());
        batch.step(1.0 / 300.0, {body}, workers);
        EXPECT_EQ(batch.status(body), BodyStatus::Ok);
    }
    const std::string suffix = iterations == 1 ? "1" : "20";
    const VectorX q = vectorOf(oracle["newmark_q_after_120_steps_newton_" + suffix]);
    const VectorX v = vectorOf(oracle["newmark_v_after_120_steps_newton_" + suffix]);
    EXPECT_LT((batch.q(body) - q).norm(), 1e-9 * q.norm());
    EXPECT_LT((batch.velocity(body) - v).norm(), 1e-9 * v.norm());
}

INSTANTIATE_TEST_SUITE_P(IterationsAndBlocks, ReferenceNewmark,
                         ::testing::Combine(::testing::Values("bar_modes"), ::testing::Values(1, 20),
                                            ::testing::Values(1, 32)));
INSTANTIATE_TEST_SUITE_P(OutsideIterationsAndBlocks, ReferenceNewmark,
                         ::testing::Combine(::testing::ValuesIn(test::outsideNames({"simpleBridge_cub"})),
                                            ::testing::Values(1, 20), ::testing::Values(1, 32)));

}  // namespace
}  // namespace pliant
