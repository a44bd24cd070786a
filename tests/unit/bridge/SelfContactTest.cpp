// SPDX-License-Identifier: Zlib
// Segments of one body against each other: tongs that close.
#include <gtest/gtest.h>

#include <algorithm>

#include "TestWorld.h"
#include "btPliant/data/BodyCollision.h"
#include "btPliant/data/BodyData.h"
#include "btPliant/data/ContactPair.h"

namespace {

using pliant::test::BarOptions;
using pliant::test::doublePrecision;
using pliant::test::makeBar;
using pliant::test::TestWorld;

constexpr double kApart = 0.2;                 ///< m, between the axes of the segments
constexpr double kSegmentRadius = kApart / 8;  ///< m, of the segments

BarOptions tongs(bool anchored) {
    BarOptions options;
    options.tongs = kApart;
    options.halfThickness = kApart / 2;
    options.frequencies = {8, 60, 200};
    options.anchored = anchored;
    return options;
}

struct Tongs {
    Tongs(bool anchored, bool selfContact, int threads = 1) : scene(settings(threads)) {
        scene.world.setGravity(btVector3(0, 0, 0));
        btPliantBodyInfo info;
        info.m_selfContact = selfContact;
        if (!anchored) info.m_angularVelocity = btVector3(btScalar(0.4), btScalar(-0.3), btScalar(0.2));
        if (!anchored) info.m_linearVelocity = btVector3(btScalar(0.5), 0, 0);
        body = scene.addBar(makeBar(tongs(anchored)), btVector3(0, 0, 0), info);
    }
    static btPliantSystemInfo settings(int threads) {
        btPliantSystemInfo info;
        info.m_threads = threads;
        return info;
    }
    /// Metres between the segments' surfaces at the tip; negative: overlapping, below -2 radii: crossed.
    double gap() const {
        auto& data = btPliantInternal::dataOf(*body);
        btPliantInternal::updateCollision(data);
        const int segments = body->getModel().skeleton.segmentCount();
        const pliant::Vector3 lower = data.deformed->segment(segments / 2 - 1).end[1];
        const pliant::Vector3 upper = data.deformed->segment(segments - 1).end[1];
        const pliant::Vector3 y = data.deformed->worldFromBody().rotation.col(1);
        return (upper - lower).dot(y) - 2 * kSegmentRadius;
    }
    /// Sets the tips in motion towards each other, m/s.
    void close(double speed) {
        pliant::VectorX q = body->getReducedCoordinates(), v = pliant::VectorX::Zero(q.size());
        const double open = gap();
        q[0] += 1e-3;
        body->setReducedCoordinates(q);
        const double slope = (gap() - open) / 1e-3;
        q[0] -= 1e-3;
        body->setReducedCoordinates(q);
        v[0] = -speed / slope;
        body->setReducedVelocities(v);
    }
    double least(int steps, double h) {
        double result = gap();
        for (int i = 0; i < steps; ++i) {
            scene.step(1, h);
            result = std::min(result, gap());
        }
        return result;
    }
    TestWorld scene;
    btPliantBody* body = nullptr;
};

TEST(SelfContact, KeepsStrandsApart) {
    for (const bool anchored : {false, true})
        for (const double h : {1.0 / 60, 1.0 / 240})
            for (const double speed : {2.0, 6.0}) {
                Tongs with(anchored, true), without(anchored, false);
                with.close(speed);
                without.close(speed);
                EXPECT_LT(without.least(static_cast<int>(0.3 / h), h), -2 * kSegmentRadius) << "they would cross";
                EXPECT_GT(with.least(static_cast<int>(0.3 / h), h), -0.25 * kSegmentRadius)
                    << anchored << ", " << speed << " m/s, " << h << " s";
            }
}

TEST(SelfContact, TouchesNothingAtRest) {
    for (const bool anchored : {false, true}) {
        Tongs tongs(anchored, true);
        tongs.scene.step(10);
        EXPECT_EQ(tongs.scene.system->getStats().m_contacts, 0);
    }
}

TEST(SelfContact, KeepsMomentum) {
    Tongs tongs(false, true);
    tongs.close(4.0);
    const btVector3 linear = tongs.body->getLinearMomentum(), angular = tongs.body->getAngularMomentum();
    int contacts = 0;
    for (int i = 0; i < 60; ++i) {
        tongs.scene.step();
        contacts += tongs.scene.system->getStats().m_contacts;
    }
    EXPECT_GT(contacts, 0);
    const double tolerance = doublePrecision ? 1e-11 : 1e-5;
    EXPECT_LT((tongs.body->getLinearMomentum() - linear).length(), tolerance * linear.length());
    EXPECT_LT((tongs.body->getAngularMomentum() - angular).length(), tolerance * angular.length());
}

TEST(SelfContact, NeverGainsEnergy) {
    Tongs tongs(false, true);
    tongs.close(4.0);
    const double before = tongs.body->getKineticEnergy() + tongs.body->getStrainEnergy();
    for (int i = 0; i < 240; ++i) {
        tongs.scene.step();
        ASSERT_LT(tongs.body->getKineticEnergy() + tongs.body->getStrainEnergy(), 1.01 * before) << i;
    }
}

TEST(SelfContact, SameBitsForAnyNumberOfWorkersAndAfterRestoring) {
    Tongs one(false, true, 1), two(false, true, 2);
    std::vector<std::byte> blob;
    for (Tongs* tongs : {&one, &two}) {
        tongs->close(4.0);
        tongs->scene.step(25);
        if (tongs == &one) tongs->scene.system->saveState(blob);
        tongs->scene.step(40);
    }
    const pliant::VectorX q = one.body->getReducedCoordinates();
    EXPECT_TRUE(q == pliant::VectorX(two.body->getReducedCoordinates()));
    ASSERT_EQ(one.scene.system->restoreState(blob.data(), blob.size()), pliant::StateStatus::Ok);
    one.scene.step(40);
    EXPECT_TRUE(q == pliant::VectorX(one.body->getReducedCoordinates()));
}

/// Sides turn with the body's own bending, and segments that share a sphere are always in each other: what is wholly
/// through itself is let go.
TEST(SelfContact, IsNotLookedForFarBehind) {
    Tongs tongs(true, true);
    pliant::VectorX q = tongs.body->getReducedCoordinates();
    const double open = tongs.gap();
    q[0] = 1e-3;
    tongs.body->setReducedCoordinates(q);
    q[0] *= (-10 * kSegmentRadius - open) / (tongs.gap() - open);
    tongs.body->setReducedCoordinates(q);
    auto& data = btPliantInternal::dataOf(*tongs.body);
    btPliantInternal::updateCollision(data);
    const int segments = tongs.body->getModel().skeleton.segmentCount();
    pliant::ContactHistory::Entry tips;
    tips.segmentA = segments / 2 - 1;
    tips.segmentB = segments - 1;
    tips.feature = pliant::contactFeature(tips.segmentA, tips.segmentB, 0);
    tips.normal = -pliant::Vector3::UnitY();
    tips.point =
        0.5 * (pliant::centreOf(data.deformed->sphere(tongs.body->getModel().skeleton.segments(1, tips.segmentA))) +
               pliant::centreOf(data.deformed->sphere(tongs.body->getModel().skeleton.segments(1, tips.segmentB))));
    tips.crossed = true;
    data.selfPair->history.assign({tips});
    tongs.scene.step(1, 1e-5);
    for (const pliant::SkeletonContact& contact : data.selfPair->contacts)
        EXPECT_GT(contact.distance, -6 * kSegmentRadius) << contact.segmentA << ", " << contact.segmentB;
}

TEST(SelfContact, ComesAndGoes) {
    Tongs tongs(false, true);
    tongs.close(4.0);
    tongs.scene.step(30);
    tongs.body->setSelfContact(false);
    EXPECT_FALSE(tongs.body->getSelfContact());
    tongs.scene.step(5);
    tongs.body->setSelfContact(true);
    tongs.scene.step(5);
    tongs.scene.world.removeRigidBody(tongs.body);
    tongs.scene.step(5);
    tongs.scene.world.addRigidBody(tongs.body);
    tongs.scene.step(5);
    tongs.scene.system->destroyBody(tongs.body);
    tongs.scene.step(2);
}

}  // namespace
