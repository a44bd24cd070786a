// SPDX-License-Identifier: Zlib
// Saved states go on with the same bits; what is no such state is refused and changes nothing.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>

#include "pliant/runtime/BodyBatch.h"
#include "unit/runtime/LumpedModel.h"

namespace pliant {
namespace {

BatchSettings settingsOf(Integrator integrator, int blockSize) {
    BatchSettings settings;
    settings.integrator = integrator;
    settings.blockSize = blockSize;
    settings.damping.stiffness = 1e-3;
    return settings;
}

/// Some of everything that can happen to a body in step number i.
void advance(BodyBatch& batch, int body, int i) {
    const int r = batch.model().dimension();
    FrameMotion frame;
    frame.angularVelocity = Vector3(2.0 * std::sin(0.3 * i), 1.0, -0.5);
    frame.acceleration = Vector3(0.0, 9.81, 0.0);
    batch.setFrame(body, frame);
    VectorX force(r);
    for (int j = 0; j < r; ++j) force[j] = 5.0 * std::sin(0.7 * i + j);
    batch.addForce(body, force.data());
    force *= i % 3 == 0 ? 1.0 : 0.0;
    batch.addContactForce(body, force.data());
    batch.step(1.0 / 100.0, {body}, Workers(1));
    VectorX impulse = VectorX::Constant(r, i % 5 == 0 ? 2.0 : 0.01);
    Vector3 turn;
    batch.response(body, Vector3(0.1, 0.0, -0.1), impulse.data(), turn, impulse.data());
    batch.addVelocity(body, impulse.data(), turn);
    batch.settleEnergy(body, frame.angularVelocity + turn);
    if (i % 4 == 0) batch.addImpulseAt(body, test::atVertex(3), Vector3(0.05, 0.0, 0.02));
}

std::vector<double> bits(const BodyBatch& batch, int body) {
    std::vector<double> result;
    for (const ConstVectorView& x : {batch.q(body), batch.velocity(body), batch.acceleration(body)})
        result.insert(result.end(), x.data(), x.data() + x.size());
    result.push_back(batch.strainEnergy(body));
    const Vector3 momentum = batch.angularMomentum(body, Vector3(1.0, 2.0, 3.0));
    result.insert(result.end(), momentum.data(), momentum.data() + 3);
    result.push_back(static_cast<double>(batch.status(body)));
    return result;
}

TEST(BodyState, TheRunGoesOnWithTheSameBits) {
    const auto model = test::makeLumpedSystem({}).model;
    for (const Integrator integrator : {Integrator::Newmark, Integrator::Analytic, Integrator::Static})
        for (const int blockSize : {1, 32})
            for (const double gamma : {0.5, 0.7}) {
                BatchSettings settings = settingsOf(integrator, blockSize);
                settings.newmark.gamma = gamma;
                settings.tangentTolerance = 0.5;
                BodyBatch batch(model, settings), other(model, settings);
                const int body = batch.add();
                std::vector<std::byte> blob;
                for (int i = 0; i < 40; ++i) {
                    if (i == 21) batch.saveState(body, blob);
                    advance(batch, body, i);
                }
                const std::vector<double> expected = bits(batch, body);
                // The same body again, and another one in another batch.
                ASSERT_EQ(batch.restoreState(body, blob.data(), blob.size()), StateStatus::Ok);
                for (int i = 21; i < 40; ++i) advance(batch, body, i);
                EXPECT_EQ(bits(batch, body), expected);
                other.add();
                const int second = other.add();
                advance(other, second, 3);
                ASSERT_EQ(other.restoreState(second, blob.data(), blob.size()), StateStatus::Ok);
                for (int i = 21; i < 40; ++i) advance(other, second, i);
                EXPECT_EQ(bits(other, second), expected);
            }
}

TEST(BodyState, BeforeTheFirstStepToo) {
    const auto model = test::makeLumpedSystem({}).model;
    BodyBatch batch(model, {});
    const int a = batch.add(), b = batch.add();
    batch.q(a).setConstant(0.01);
    batch.resetAcceleration(a);
    std::vector<std::byte> blob;
    batch.saveState(a, blob);
    ASSERT_EQ(batch.restoreState(b, blob.data(), blob.size()), StateStatus::Ok);
    for (int i = 0; i < 5; ++i)
        for (const int body : {a, b}) advance(batch, body, i);
    EXPECT_EQ(bits(batch, a), bits(batch, b));
}

TEST(BodyState, WhatIsNoStateIsRefusedAndChangesNothing) {
    const auto model = test::makeLumpedSystem({}).model;
    BodyBatch batch(model, {});
    const int body = batch.add();
    for (int i = 0; i < 6; ++i) advance(batch, body, i);
    std::vector<std::byte> good, now;
    batch.saveState(body, good);
    for (int i = 0; i < 3; ++i) advance(batch, body, i);
    batch.saveState(body, now);
    const auto refused = [&](const std::vector<std::byte>& blob) {
        const StateStatus status = batch.restoreState(body, blob.data(), blob.size());
        std::vector<std::byte> after;
        batch.saveState(body, after);
        EXPECT_EQ(after, now) << "the body was touched";
        EXPECT_STRNE(describe(status), "");
        return status;
    };
    EXPECT_EQ(batch.restoreState(body, nullptr, 0), StateStatus::NotAState);
    EXPECT_EQ(refused({}), StateStatus::NotAState);
    EXPECT_EQ(refused(std::vector<std::byte>(1000, std::byte{7})), StateStatus::NotAState);
    for (std::size_t size = 8; size < good.size(); size += 97)
        EXPECT_EQ(refused(std::vector<std::byte>(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size))),
                  StateStatus::Damaged);
    std::vector<std::byte> longer = good;
    longer.push_back(std::byte{0});
    EXPECT_EQ(refused(longer), StateStatus::Damaged);
    std::mt19937 engine(3);
    for (int i = 0; i < 1000; ++i) {
        std::vector<std::byte> flipped = good;
        flipped[engine() % good.size()] ^= std::byte{1} << static_cast<int>(engine() % 8);
        EXPECT_NE(refused(flipped), StateStatus::Ok);
    }
    test::LumpedOptions options;
    options.seed = 2;
    BodyBatch stranger(test::makeLumpedSystem(options).model, {});
    const int alien = stranger.add();
    std::vector<std::byte> blob;
    stranger.saveState(alien, blob);
    EXPECT_EQ(refused(blob), StateStatus::OtherModel);
    StateWriter(StateKind::World, blob).seal();
    EXPECT_EQ(refused(blob), StateStatus::NotAState);
    StateWriter(StateKind::Body, blob).seal();
    EXPECT_EQ(refused(blob), StateStatus::Damaged) << "a good envelope around nothing";
    const int broken = batch.add();
    batch.q(broken)[2] = std::nan("");
    batch.saveState(broken, blob);
    EXPECT_EQ(refused(blob), StateStatus::BadNumber);
    EXPECT_EQ(batch.restoreState(body, good.data(), good.size()), StateStatus::Ok);
}

TEST(BodyState, IsNotThatOfASlotWithoutABody) {
    BodyBatch batch(test::makeLumpedSystem({}).model, {});
    const int body = batch.add(), gone = batch.add();
    std::vector<std::byte> good, blob;
    batch.saveState(body, good);
    batch.remove(gone);
    for (const int slot : {gone, -1, batch.capacity(), 1000000}) {
        EXPECT_FALSE(batch.isUsed(slot)) << slot;
        EXPECT_EQ(batch.restoreState(slot, good.data(), good.size()), StateStatus::OtherWorld) << slot;
        EXPECT_EQ(batch.checkState(slot, good.data(), good.size()), StateStatus::OtherWorld) << slot;
        blob = good;
        batch.saveState(slot, blob);
        EXPECT_TRUE(blob.empty()) << slot;
        batch.remove(slot);
    }
    EXPECT_EQ(batch.restoreState(body, good.data(), good.size()), StateStatus::Ok);
    EXPECT_EQ(batch.add(), gone);
}

}  // namespace
}  // namespace pliant
