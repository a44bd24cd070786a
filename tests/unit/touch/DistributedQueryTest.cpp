// SPDX-License-Identifier: Zlib
// What the pruned query finds equals a look at every point, frame after frame, for rigid and bent bodies on both sides;
// budgets, blended levels and fast points.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "BentSolid.h"
#include "TouchSurfaces.h"
#include "pliant/field/MakeDistanceField.h"
#include "pliant/touch/DistributedQuery.h"
#include "validation/contact/SolidBodies.h"

namespace pliant::test {
namespace {

constexpr double kStep = 1e-3;  // s

using Found = std::vector<DistributedPoint>;

void sortByPoint(Found& found) {
    std::sort(found.begin(), found.end(),
              [](const DistributedPoint& a, const DistributedPoint& b) { return a.point < b.point; });
}

void expectSame(Found found, Found expected, int frame) {
    sortByPoint(found);
    sortByPoint(expected);
    ASSERT_EQ(found.size(), expected.size()) << "frame " << frame;
    for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_EQ(found[i].point, expected[i].point) << "frame " << frame;
        EXPECT_EQ(found[i].distance, expected[i].distance);
        EXPECT_LT((found[i].area - expected[i].area).norm(), 1e-15);
    }
}

std::shared_ptr<const DistributedShell> torusShell(int points) {
    return std::make_shared<DistributedShell>(sampleShell(torusSurface(0.1, 0.03, 96), {}, points, nullptr), 4,
                                              nullptr);
}

TEST(DistributedQueryTest, OfRigidBodiesEqualsALookAtEveryPoint) {
    DistanceFieldOptions coarse;
    coarse.resolution = 64;
    const DistanceField sampled = makeDistanceField(torusSurface(0.08, 0.025, 64), coarse);
    const RigidField field(sampled);
    DistributedQuery query(torusShell(8000), nullptr);
    DistributedQueryOptions options;
    options.step = kStep;
    options.reach = 1e-3;
    std::size_t touching = 0;
    int lookedAt = 0, cells = 0;
    for (int frame = 0; frame < 300; ++frame) {
        const double t = 0.02 * frame;
        query.placed().place({turned(Vector3(1, 0.3 * std::sin(t), 0.2), 1.2 + 0.4 * std::sin(1.7 * t),
                                     Vector3(0.08 + 0.04 * std::sin(t), 0.01 * std::cos(3 * t), 0.01))});
        Found found, expected;
        query.find(field, options, found);
        query.findAll(field, 3, options.reach, expected);
        expectSame(found, expected, frame);
        touching += found.size();
        lookedAt += query.counts().points;
        cells += query.counts().cells;
    }
    EXPECT_GT(touching, 4000u);
    const int points = query.placed().shell().pointCount();
    EXPECT_LT(lookedAt, 300 * points / 5) << "a fifth of the points lies near at most";
    EXPECT_LT(cells, 300 * static_cast<int>(query.placed().shell().cells().size()) / 2) << "cells rest";
}

TEST(DistributedQueryTest, OfJumpsEqualsALookAtEveryPoint) {
    const AnalyticField plane = AnalyticField::plane(Vector3::UnitZ(), 0.0);
    DistributedQuery query(torusShell(5000), nullptr);
    DistributedQueryOptions options;
    options.followsFastPoints = false;
    std::mt19937 random(3);
    std::uniform_real_distribution<double> number(-0.15, 0.15);
    for (int frame = 0; frame < 200; ++frame) {
        const double height = frame % 3 == 0 ? 5.0 : number(random);
        options.reach = frame % 7 == 0 ? 0.02 : 0.0;
        query.placed().place({turned(Vector3(number(random), number(random), 0.1), 40 * number(random),
                                     Vector3(number(random), number(random), height))});
        Found found, expected;
        query.find(plane, options, found);
        query.findAll(plane, 3, options.reach, expected);
        expectSame(found, expected, frame);
    }
}

/// Where a body is in the frame of another one's field.
ShellPose poseIn(const BentField& field, const BentSolid& body) {
    const RigidTransform world = body.worldFromMesh(), fieldsWorld = field.worldFromField();
    RigidTransform pose;
    pose.rotation = fieldsWorld.rotation.transpose() * world.rotation;
    pose.translation = fieldsWorld.inversePoint(world.translation);
    return {pose, body.field.latticeDisplacements()};
}

TEST(DistributedQueryTest, OfBentBodiesEqualsALookAtEveryPointBothWays) {
    SolidMaterial material;
    const auto model = solidBox({0.3, 0.1, 0.1}, material, 0.05);
    BentSolid a(model), b(model);
    const ReducedModel& m = *model;
    const auto shell = std::make_shared<DistributedShell>(
        sampleShell(m.surface, m.meshFromBody, 3000, &m.contactSurface.field), 3, &m.contactSurface.lattice);
    DistributedQuery query(shell, &m.contactSurface.lattice);
    DistributedQueryOptions options;
    options.step = kStep;
    const double gain = a.collision->largestGain();
    VectorX last = VectorX::Zero(m.dimension());
    std::size_t touching = 0;
    for (int frame = 0; frame < 120; ++frame) {
        const double t = 0.05 * frame;
        VectorX q = VectorX::Zero(m.dimension());
        q[0] = 0.03 / gain * std::sin(t);
        q[1] = 0.02 / gain * std::cos(2 * t);
        b.move(q, turned(Vector3(0, 1, 0.3), 0.3 * t, Vector3(0.02, 0, 0)));
        a.move(-0.7 * q, turned(Vector3(0.2, 0.1, 1), 0.9 + 0.1 * t, Vector3(0.05 * std::sin(t), 0.085, 0.02)));
        const BentField field(b.field, b.body);
        query.placed().place(poseIn(field, a));
        options.fieldMotion = gain * (q - last).norm();
        last = q;
        Found found, expected;
        query.find(field, options, found);
        query.findAll(field, 2, 0.0, expected);
        expectSame(found, expected, frame);
        touching += found.size();
    }
    EXPECT_GT(touching, 2000u);
}

/// Far away, where nothing is found, and back.
void jump(DistributedQuery& query, const BentField& field, const DistributedQueryOptions& options, ShellPose pose) {
    const ShellPose back = pose;
    pose.fieldFromMesh.translation[0] += 1e7;
    query.placed().place(pose);
    Found none;
    query.find(field, options, none);
    EXPECT_TRUE(none.empty());
    query.placed().place(back);
}

// Slowly bent bodies that slide along each other: most points near them rest from frame to frame, and what is found is
// the same all the same.
TEST(DistributedQueryTest, PointsRestWhileNothingComesNear) {
    const auto model = solidBox({0.3, 0.1, 0.1}, SolidMaterial(), 0.05);
    BentSolid a(model), b(model);
    const ReducedModel& m = *model;
    const auto shell = std::make_shared<DistributedShell>(
        sampleShell(m.surface, m.meshFromBody, 30000, &m.contactSurface.field), 3, &m.contactSurface.lattice);
    DistributedQuery query(shell, &m.contactSurface.lattice);
    DistributedQueryOptions options;
    options.step = kStep;
    const double gain = a.collision->largestGain();
    VectorX last = VectorX::Zero(m.dimension());
    std::size_t touching = 0;
    int lookedAt = 0, near = 0;
    for (int frame = 0; frame < 150; ++frame) {
        const double t = 0.01 * frame;
        VectorX q = VectorX::Zero(m.dimension());
        q[0] = 0.01 / gain * std::sin(t);
        q[1] = 0.005 / gain * std::cos(2 * t);
        b.move(q, RigidTransform());
        a.move(-0.7 * q, turned(Vector3(0, 0, 1), 0.2, Vector3(0.02 + 0.01 * t, 0.005 * std::sin(3 * t), 0.099)));
        const BentField field(b.field, b.body);
        const ShellPose pose = poseIn(field, a);
        query.placed().place(pose);
        options.fieldMotion = gain * (q - last).norm();
        // Pairs in a world begin so, and what is moved from outside goes on so.
        if (frame % 100 == 0) options.fieldMotion = DistributedQuery::kAnywhere;
        options.reach = frame % 50 < 25 ? 0.0 : 1e-4;
        last = q;
        if (frame == 60) jump(query, field, options, pose);
        Found found, expected;
        query.find(field, options, found);
        query.findAll(field, 2, options.reach, expected);
        expectSame(found, expected, frame);
        touching += found.size();
        lookedAt += query.counts().points;
        DistributedQuery fresh(shell, &m.contactSurface.lattice);
        fresh.placed().place(pose);
        found.clear();
        fresh.find(field, options, found);
        near += fresh.counts().points;
    }
    EXPECT_GT(touching, 20000u);
    EXPECT_LT(lookedAt - static_cast<int>(touching), (near - static_cast<int>(touching)) / 2)
        << near << " points without what is known of the frames before, " << touching << " touch";
}

/// Of points that are far from a body.
struct FarPoints {
    int all = 0, told = 0;         ///< Points, and those of them that are taken for far.
    double known = 0.0, away = 0;  ///< Sums of how far they are known to be clear, and are, m.
};

/// Expects that what is left out is far, and that nothing as near as a point is told to be clear is inside.
FarPoints lookAround(const std::shared_ptr<const ReducedModel>& model) {
    BentSolid body(model);
    const double gain = body.collision->largestGain();
    std::mt19937 random(7);
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    FarPoints far;
    for (const double bend : {0.0, 0.01, 0.04, 0.12}) {
        VectorX q = VectorX::Zero(model->dimension());
        q[0] = bend / gain;
        q[1] = -0.6 * bend / gain;
        body.move(q, turned(Vector3(0.3, 1, 0.2), 0.8, Vector3(0.1, 0, 0.05)));
        for (int i = 0; i < 4000; ++i) {
            const Vector3 x = body.body.worldFromBody().point(
                Vector3(0.17 * number(random), 0.07 * number(random), 0.07 * number(random)));
            const FieldSample here = body.field.sample(body.body, x);
            const double distance = here.distance;
            const double most = i % 3 == 0 ? 0.0 : i % 3 == 1 ? 1e-4 : 2e-3;
            double found = 0, clear = 0;
            body.field.distancesUpTo(body.body, most, &x, 1, &found, &clear);
            const bool isFar = std::isinf(found);
            if (isFar)
                EXPECT_GT(distance, most) << bend << ", " << x.transpose();
            else
                EXPECT_EQ(found, distance);
            if (clear > 0.0) {
                const Vector3 anywhere = Vector3(number(random), number(random), number(random)).normalized(),
                              way = i % 2 == 0 ? anywhere : Vector3(-here.normal);  // or straight to the surface
                EXPECT_GT(body.field.sample(body.body, x + 0.999 * clear * way).distance, 0.0)
                    << bend << ", " << x.transpose() << ", " << clear;
            }
            if (distance < 2.0 * most + 4e-3) continue;
            ++far.all;
            far.told += isFar ? 1 : 0;
            far.known += std::max(0.0, clear);
            far.away += distance;
        }
    }
    return far;
}

TEST(DistributedQueryTest, WhatIsTakenForFarIsFar) {
    const auto model = solidBox({0.3, 0.1, 0.1}, SolidMaterial(), 0.05);
    const FarPoints far = lookAround(model);
    EXPECT_GT(far.told, 2 * far.all / 3) << far.all;
    EXPECT_GT(far.known, 0.3 * far.away);
}

/// What forces do on a body that is carried round through another and back to where it was, of what they do on the way
/// in: nothing in the limit, as they are the gradient of a potential.
double workOfClosedPath(int points) {
    const AnalyticField field = AnalyticField::sphere(0.05);
    const ShellSamples samples = sampleShell(torusSurface(0.1, 0.03, 16), {}, points, nullptr);
    DistributedQuery query(std::make_shared<DistributedShell>(samples, 1, nullptr), nullptr);
    constexpr int kSteps = 400;
    double sum = 0, size = 0;
    for (int i = 0; i <= kSteps; ++i) {
        const double t = 2 * M_PI * i / kSteps;
        const Vector3 place(0.1 + 0.02 * std::cos(t), 0.03 * std::sin(t), 0.04 * std::cos(2 * t));
        query.placed().place({turned(Vector3(1, 2, 3), 0.7, place)});
        Found found;
        query.find(field, {}, found);
        Vector3 force = Vector3::Zero();
        for (const DistributedPoint& p : found) force -= p.distance * p.area;
        const double velocity[3] = {-0.02 * std::sin(t), 0.03 * std::cos(t), -0.08 * std::sin(2 * t)};
        if (i == 0) continue;  // the same place as the last one: equal steps are exact for smooth periodic functions
        const double work = force.dot(Vector3(velocity[0], velocity[1], velocity[2]));
        sum += work;
        size += std::abs(work);
    }
    return std::abs(sum) / size;
}

TEST(DistributedQueryTest, WorkOfAClosedPathVanishesAsPointsBecomeMore) {
    const double coarse = workOfClosedPath(300), fine = workOfClosedPath(64000);
    EXPECT_LT(coarse, 0.02);
    EXPECT_LT(fine, coarse / std::pow(64000.0 / 300.0, 0.75)) << "an error of at least the spacing to the power 1.5";
}

TEST(DistributedQueryTest, ABudgetIsKeptAndLevelsAreBlended) {
    const AnalyticField plane = AnalyticField::plane(Vector3::UnitZ(), 0.0);
    DistributedQuery query(torusShell(20000), nullptr);
    DistributedQueryOptions options;
    options.step = kStep;
    double depth = 0.001, last = 0, largestJump = 0, largest = 0;
    for (int frame = 0; frame < 100; ++frame, depth += 1e-5) {
        options.budget = frame < 40 ? 0 : 1400;
        query.placed().place({turned(Vector3::UnitX(), 0.02, Vector3(0, 0, 0.03 - depth))});
        Found found;
        query.find(plane, options, found);
        double force = 0, sum = 0;
        for (const DistributedPoint& p : found) force += p.distance < 0 ? -p.distance * p.area.z() : 0.0;
        for (const double w : query.weights()) sum += w;
        EXPECT_NEAR(sum, 1.0, 1e-12);
        if (frame > 70) {
            EXPECT_LE(query.counts().listed, options.budget);
        }
        if (frame > 0) largestJump = std::max(largestJump, std::abs(force - last));
        largest = std::max(largest, force);
        last = force;
    }
    EXPECT_EQ(query.weights()[3], 0.0);
    EXPECT_LT(largestJump, 0.06 * largest) << "a frame of sinking in is 4 % of the last force";
}

TEST(DistributedQueryTest, ThePointsOfABodyThatPassesAThinWallAreHeldToItsSide) {
    const AnalyticField wall = AnalyticField::box(Vector3(0.5, 0.5, 0.001));
    DistributedQuery query(torusShell(2000), nullptr);
    DistributedQueryOptions options;
    options.step = kStep;
    RigidTransform pose;
    Found found;
    for (double height = 0.45; height > -0.3; height -= 0.1) {  // 100 m/s
        pose.translation = Vector3(0, 0, height);
        query.placed().place({pose});
        found.clear();
        query.find(wall, options, found);
    }
    EXPECT_EQ(static_cast<int>(found.size()), query.placed().shell().pointCount()) << "all have come through";
    for (const DistributedPoint& p : found) {
        EXPECT_TRUE(p.passed);
        EXPECT_NEAR(p.distance, p.place.z() - 0.001, 1e-3 * 0.1 + 1e-6) << "from the side where they came in";
    }
    for (; pose.translation.z() < 0.3; pose.translation.z() += 0.1) {
        query.placed().place({pose});
        found.clear();
        query.find(wall, options, found);
    }
    EXPECT_TRUE(found.empty()) << "who has come back is let go";
}

TEST(DistributedQueryTest, HeldPointsAreLetGoBesideTheWall) {
    const AnalyticField wall = AnalyticField::box(Vector3(0.5, 0.5, 0.001));
    DistributedQuery query(torusShell(1000), nullptr);
    RigidTransform pose;
    Found found;
    for (const Vector3& place : {Vector3(0, 0, 0.1), Vector3(0, 0, -0.05), Vector3(2, 0, -0.05)}) {
        pose.translation = place;
        query.placed().place({pose});
        found.clear();
        query.find(wall, {}, found);
        if (place.x() == 0 && place.z() < 0) {
            EXPECT_FALSE(found.empty());
        }
    }
    EXPECT_TRUE(found.empty());
}

}  // namespace
}  // namespace pliant::test
