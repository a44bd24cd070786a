// SPDX-License-Identifier: Zlib
// Budgets in stated times: what a step is booked at stays within twice of them, and is above them for no longer than
// levels take to go over into each other, in rigid fields and in bent ones.
#include <gtest/gtest.h>

#include <algorithm>

#include "BentSolid.h"
#include "TouchSurfaces.h"
#include "pliant/touch/TouchCost.h"
#include "validation/contact/SolidBodies.h"

namespace pliant::test {
namespace {

constexpr int kBlendFrames = 20;  // of a millisecond, until levels have gone over into each other
constexpr double kFarOff = 0.05;  // m, from where nothing is near

/// Metres that the torus is above where it begins to sink: it comes from far off, at 0.5 m/s, and waits there.
double heightAbove(int frame) {
    constexpr int comes = 100, waits = 30;
    if (frame < comes) return kFarOff * (1.0 - frame / static_cast<double>(comes));
    return frame < comes + waits ? 0.0 : -1e-5 * (frame - comes - waits);
}

struct SinkingCase {
    const TouchField& field;
    TouchCost cost;
    double height;  ///< where the torus begins to sink, m
};

struct Sunk {
    int listed = 0;         ///< points that were near in the last frame
    double dearest = 0.0;   ///< step, us
    bool startsAll = true;  ///< whether it came with its finest level
};

/// What is booked holds all that touches.
void expectBooked(const DistributedQuery& query, const SinkingCase& of, std::size_t found, int frame) {
    if (frame % 10 != 0) return;
    int level = query.placed().shell().levelCount() - 1;
    while (level > 0 && query.weights()[static_cast<std::size_t>(level)] == 0.0) --level;
    std::vector<DistributedPoint> all;
    query.findAll(of.field, level, 0.0, all);
    EXPECT_EQ(found, all.size()) << frame << ": no point that touches is left out";
    EXPECT_LE(all.size(), static_cast<std::size_t>(query.counts().listed)) << frame;
}

/// Steps of a torus that comes from far off and sinks into a field with a budget.
Sunk sinkWithin(double microseconds, const SinkingCase& of) {
    DistributedQuery query(
        std::make_shared<DistributedShell>(sampleShell(torusSurface(0.1, 0.03, 96), {}, 20000, nullptr), 4, nullptr),
        nullptr);
    TouchCost cost = of.cost;
    cost.cells = static_cast<int>(query.placed().shell().cells().size());
    DistributedQueryOptions options;
    options.step = 1e-3;
    options.budget = cost.pointsWithin(microseconds);
    std::vector<DistributedPoint> found;
    Sunk sunk;
    int over = 0;  // frames in a row that are booked at more than the budget
    for (int frame = 0; frame < 190; ++frame) {
        const double z = of.height + heightAbove(frame);
        query.placed().place({turned(Vector3::UnitX(), 0.02, Vector3(0, 0, z))});
        found.clear();
        query.find(of.field, options, found);
        expectBooked(query, of, found.size(), frame);
        const double booked = cost.step(query.counts().listed);
        sunk.dearest = std::max(sunk.dearest, booked);
        sunk.listed = query.counts().listed;
        if (frame == 0) sunk.startsAll = query.weights()[3] == 1.0;
        if (microseconds == 0.0) continue;
        EXPECT_LE(booked, 2.0 * microseconds) << frame;
        over = booked > microseconds ? over + 1 : 0;
        EXPECT_LE(over, kBlendFrames) << frame;
    }
    return sunk;
}

TEST(TouchCost, ABudgetIsKeptInItsOwnUnits) {
    const auto model = solidBox({0.3, 0.1, 0.1}, SolidMaterial(), 0.05);
    BentSolid bar(model);
    VectorX q = VectorX::Zero(model->dimension());
    q[0] = 0.01 / bar.collision->largestGain();
    bar.move(q, RigidTransform());
    const BentField bent(bar.field, bar.body);
    const AnalyticField plane = AnalyticField::plane(Vector3::UnitZ(), 0.0);
    const SinkingCase onPlane{plane, {false, 0, 12}, 0.028}, onBar{bent, {true, 0, 32}, 0.078};
    for (const double microseconds : {150.0, 400.0, 1500.0})
        for (const SinkingCase* one : {&onPlane, &onBar}) {
            const Sunk sunk = sinkWithin(microseconds, *one);
            EXPECT_GT(sunk.listed, 0);
            EXPECT_TRUE(sunk.startsAll) << "far off any level is within the budget";
            RecordProperty((one == &onPlane ? "rigid_" : "bent_") + std::to_string(static_cast<int>(microseconds)),
                           std::to_string(sunk.dearest / microseconds));
        }
    EXPECT_GT(sinkWithin(0.0, onPlane).listed, 3 * sinkWithin(400.0, onPlane).listed) << "it does leave out";
}

TEST(TouchCost, IsOfPlacesPointsAndRows) {
    const TouchCost cost{true, 100, 20};
    EXPECT_DOUBLE_EQ(cost.step(50), 1e-3 * (100 * 30.0 + 20 * 20 * 14.0 + 50 * (215.0 + 62.0 + 20 * 4.0)));
    EXPECT_EQ(cost.pointsWithin(cost.step(50) + 1e-9), 50);
    EXPECT_EQ(cost.pointsWithin(0.0), 0) << "any number";
    EXPECT_EQ(cost.pointsWithin(1e-3), 1) << "places alone take more";
    EXPECT_EQ(cost.pointsWithin(1e300), 1000000000);
    EXPECT_EQ(cost.pointsWithin(cost.least() + 1e-9), 1);
    EXPECT_DOUBLE_EQ(cost.least(), cost.step(1)) << "what the status of a world tells";
    const TouchCost half{true, 100, 20, 2};
    EXPECT_DOUBLE_EQ(2 * half.places(), 1e3 * cost.step(0) + 100 * 30.0) << "a solve is one for both roles";
    const TouchCost rigid{false, 100, 20};
    EXPECT_GT(rigid.pointsWithin(100.0), cost.pointsWithin(100.0));
}

}  // namespace
}  // namespace pliant::test
