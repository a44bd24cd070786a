// SPDX-License-Identifier: Zlib
// One and two workers: the same bits of every body after 600 steps.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <thread>

#include "../unit/runtime/LumpedModel.h"
#include "pliant/runtime/BodyBatch.h"

namespace pliant {
namespace {

/// FNV-1a over the bits of q, q' and q'' of all bodies.
std::uint64_t hashOf(const BodyBatch& batch) {
    std::uint64_t hash = 14695981039346656037ull;
    const auto mix = [&hash](const ConstVectorView& values) {
        for (const double value : values) {
            std::uint64_t bits = 0;
            std::memcpy(&bits, &value, sizeof(bits));
            hash = (hash ^ bits) * 1099511628211ull;
        }
    };
    for (int body = 0; body < batch.capacity(); ++body) {
        mix(batch.q(body));
        mix(batch.velocity(body));
        mix(batch.acceleration(body));
    }
    return hash;
}

std::uint64_t run(const std::shared_ptr<const ReducedModel>& model, int workerCount, int blockSize, int& observed) {
    BatchSettings settings;
    settings.blockSize = blockSize;
    settings.damping.stiffness = 1e-4;
    BodyBatch batch(model, settings);
    std::vector<int> bodies;
    for (int i = 0; i < 64; ++i) bodies.push_back(batch.add());
    for (const int body : bodies)
        for (int j = 0; j < model->dimension(); ++j) batch.velocity(body)[j] = std::sin(1.0 + body * 3.0 + j);
    const Workers workers(workerCount);
    for (int step = 0; step < 600; ++step) {
        for (const int body : bodies) {
            FrameMotion frame;
            frame.angularVelocity = Vector3(std::sin(0.01 * step), 0.1 * body, 2.0);
            batch.setFrame(body, frame);
        }
        batch.step(1.0 / 240.0, bodies, workers);
    }
    observed = workers.observed();
    for (const int body : bodies) EXPECT_TRUE(batch.q(body).allFinite());
    return hashOf(batch);
}

TEST(RuntimeDeterminism, SameBitsForAnyNumberOfWorkers) {
    test::LumpedOptions options;
    options.dimension = 14;
    const auto model = test::makeLumpedSystem(options).model;
    int one = 0, two = 0, wide = 0;
    const std::uint64_t alone = run(model, 1, 16, one);
    EXPECT_EQ(alone, run(model, 2, 16, two));
    EXPECT_EQ(alone, run(model, 2, 48, wide));
    EXPECT_EQ(one, 1);
    if (std::thread::hardware_concurrency() > 1) {
        EXPECT_EQ(two, 2);
    }
    RecordProperty("hash", std::to_string(alone));
}

}  // namespace
}  // namespace pliant
