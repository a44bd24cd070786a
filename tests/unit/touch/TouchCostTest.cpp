// SPDX-License-Identifier: Zlib
// Budgets in stated times: what a step is booked at stays within them, in rigid fields and in bent ones.
#include <gtest/gtest.h>

#include "BentSolid.h"
#include "TouchSurfaces.h"
#include "pliant/touch/TouchCost.h"
#include "validation/contact/SolidBodies.h"

namespace pliant::test {
namespace {

/// Steps of a torus that sinks into a field with a budget. @return points that were near in the last of them
int sinkWithin(double microseconds, const TouchField& field, const TouchCost& of, double height) {
    DistributedQuery query(
        std::make_shared<DistributedShell>(sampleShell(torusSurface(0.1, 0.03, 96), {}, 20000, nullptr), 4, nullptr),
        nullptr);
    TouchCost cost = of;
    cost.cells = static_cast<int>(query.placed().shell().cells().size());
    DistributedQueryOptions options;
    options.step = 1e-3;
    options.budget = cost.pointsWithin(microseconds);
    std::vector<DistributedPoint> found;
    for (int frame = 0; frame < 60; ++frame) {
        query.placed().place({turned(Vector3::UnitX(), 0.02, Vector3(0, 0, height - 1e-5 * frame))});
        found.clear();
        query.find(field, options, found);
        if (microseconds == 0.0 || frame < 25) continue;  // levels blend for 20 ms
        EXPECT_LE(cost.step(query.counts().listed), microseconds) << frame;
        EXPECT_LE(found.size(), static_cast<std::size_t>(query.counts().listed));
    }
    return query.counts().listed;
}

TEST(TouchCost, ABudgetIsKeptInItsOwnUnits) {
    const auto model = solidBox({0.3, 0.1, 0.1}, SolidMaterial(), 0.05);
    BentSolid bar(model);
    VectorX q = VectorX::Zero(model->dimension());
    q[0] = 0.01 / bar.collision->largestGain();
    bar.move(q, RigidTransform());
    const BentField bent(bar.field, bar.body);
    const AnalyticField plane = AnalyticField::plane(Vector3::UnitZ(), 0.0);
    const TouchCost rigid{false, 0, 12}, soft{true, 0, 32};
    for (const double microseconds : {150.0, 400.0, 1500.0}) {
        const int onPlane = sinkWithin(microseconds, plane, rigid, 0.028),
                  onBar = sinkWithin(microseconds, bent, soft, 0.078);
        EXPECT_GT(onPlane, 0);
        EXPECT_GT(onBar, 0);
    }
    EXPECT_GT(sinkWithin(0.0, plane, rigid, 0.028), 3 * sinkWithin(400.0, plane, rigid, 0.028)) << "it does leave out";
}

TEST(TouchCost, IsOfPlacesPointsAndRows) {
    const TouchCost cost{true, 100, 20};
    EXPECT_DOUBLE_EQ(cost.step(50), 1e-3 * (100 * 70.0 + 50 * (204.0 + 90.0 + 20 * 7.0)));
    EXPECT_EQ(cost.pointsWithin(cost.step(50) + 1e-9), 50);
    EXPECT_EQ(cost.pointsWithin(0.0), 0) << "any number";
    EXPECT_EQ(cost.pointsWithin(1e-3), 1) << "places alone take more";
    EXPECT_EQ(cost.pointsWithin(1e300), 1000000000);
    EXPECT_EQ(cost.pointsWithin(cost.least() + 1e-9), 1);
    EXPECT_DOUBLE_EQ(cost.least(), cost.step(1)) << "what the status of a world tells";
    const TouchCost rigid{false, 100, 20};
    EXPECT_GT(rigid.pointsWithin(100.0), cost.pointsWithin(100.0));
}

}  // namespace
}  // namespace pliant::test
