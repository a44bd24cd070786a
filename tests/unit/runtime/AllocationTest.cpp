// SPDX-License-Identifier: Zlib
// A settled step allocates nothing: every way to the heap is counted, Eigen's own and the aligned ones included.
#include <gtest/gtest.h>

#include "AllocationCounter.h"
#include "LumpedModel.h"
#include "pliant/math/CacheAligned.h"
#include "pliant/runtime/BodyBatch.h"

namespace pliant {
namespace {

using test::allocations;

TEST(Allocation, SettledStepHasNone) {
    test::LumpedOptions options;
    options.dimension = 13;
    const auto model = test::makeLumpedSystem(options).model;
    using Case = std::pair<Integrator, double>;
    for (const auto& [integrator, gamma] :
         {Case{Integrator::Newmark, 0.5}, Case{Integrator::Newmark, 0.6}, Case{Integrator::Newmark, 0.7},
          Case{Integrator::Analytic, 0.5}, Case{Integrator::Static, 0.5}}) {
        BatchSettings settings;
        settings.integrator = integrator;
        settings.blockSize = gamma == 0.7 ? 1 : 32;
        settings.newmark.gamma = gamma;
        settings.newmark.iterations = 2;
        BodyBatch batch(model, settings);
        std::vector<int> bodies;
        for (int i = 0; i < 37; ++i) bodies.push_back(batch.add());
        const Workers workers(1);
        FrameMotion frame;
        frame.angularVelocity = Vector3(1.0, 2.0, 3.0);
        VectorX modal = VectorX::Ones(13), change(13);
        std::vector<double> many(13 * 20, 0.5), angular(60, 0.1);
        Vector3 turn;
        const MaterialPoint point = test::atVertex(3);
        long before = 0;
        std::uint64_t linesBefore = 0;
        for (int step = 0; step < 5; ++step) {
            if (step == 1) {
                before = allocations;
                linesBefore = cacheAlignedAllocations();
            }
            for (const int body : bodies) {
                batch.setFrame(body, frame);
                batch.addForce(body, modal.data());
                batch.addForceAt(body, point, turn);
            }
            batch.step(0.005, bodies, workers);
            for (const int body : bodies) {
                batch.response(body, Vector3(0.1, 0.2, 0.3), modal.data(), turn, change.data());
                batch.responses(body, 20, angular.data(), many.data(), angular.data(), many.data());
                batch.addVelocity(body, change.data());
                batch.addImpulseAt(body, point, Vector3(0.0, 0.0, 1e-3));
                turn = batch.angularVelocity(body, batch.angularMomentum(body, Vector3(1.0, 0.0, 0.0)));
                turn += batch.meanAngularVelocity(body, turn);
                turn *= batch.strainEnergy(body) * 0.0;
            }
        }
        EXPECT_EQ(allocations - before, 0) << gamma;
        EXPECT_EQ(cacheAlignedAllocations(), linesBefore) << gamma;
        EXPECT_EQ(batch.status(0), BodyStatus::Ok);
    }
    const long before = allocations;
    const auto plain = std::make_unique<double>(1.0);
    const MatrixX matrix = MatrixX::Constant(3, 3, *plain);
    EXPECT_EQ(matrix.sum(), 9.0 * *plain);
    std::vector<double> moved(10, *plain);
    moved.reserve(static_cast<std::size_t>(20.0 * moved[3]));
    EXPECT_GE(allocations - before, 3);  // the counter counts
}

}  // namespace
}  // namespace pliant
