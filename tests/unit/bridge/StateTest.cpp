// SPDX-License-Identifier: Zlib
// A world that is saved in the middle of a pile goes on with the same bits, in its own place and in a new one.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "OpenedState.h"
#include "TestWorld.h"
#include "btPliant/btPliantJoints.h"
#include "btPliant/data/BodyData.h"

namespace {

using pliant::StateStatus;
using pliant::test::BarOptions;
using pliant::test::makeBar;
using pliant::test::TestWorld;

/// Bars and Bullet's boxes in a heap, with friction.
struct Heap {
    /// @param segments of each bar
    explicit Heap(int bars = 10, int boxes = 3, int segments = 8) {
        scene.world.getDispatchInfo().m_deterministicOverlappingPairs = true;
        scene.addGround()->setFriction(1);
        scene.addRigid(new btBoxShape(btVector3(btScalar(0.3), btScalar(0.05), btScalar(0.3))), 0,
                       btVector3(btScalar(0.2), btScalar(0.05), 0));
        BarOptions options;
        options.segments = segments;
        const auto model = makeBar(options);
        btPliantBodyInfo info;
        info.m_damping.mass = 1.0;
        info.m_damping.stiffness = 1e-3;
        info.m_friction = btScalar(0.6);
        info.m_rollingFriction = btScalar(0.01);
        for (int i = 0; i < bars; ++i) {
            info.m_coupling = i % 2 ? pliant::Coupling::Full : pliant::Coupling::Inertia;
            info.m_integrator = i == 4 ? pliant::Integrator::Analytic : pliant::Integrator::Newmark;
            scene.addBar(model, btVector3(btScalar(0.1 * (i % 3)), btScalar(0.2 + 0.12 * i), btScalar(0.03 * i)), info,
                         btQuaternion(btVector3(0, 1, 0), btScalar(0.7 * i)));
        }
        for (int i = 0; i < boxes; ++i)
            scene.addRigid(new btBoxShape(btVector3(btScalar(0.1), btScalar(0.08), btScalar(0.06))), 0.7,
                           btVector3(btScalar(0.05 * i), btScalar(1.5 + 0.3 * i), 0));
        if (boxes > 0)
            scene.addRigid(new btSphereShape(btScalar(0.1)), 0.5, btVector3(btScalar(0.1), btScalar(2.6), 0));
        held = scene.system->createBody(model, info);  // not in the world
    }
    /// One step, with a push now and then.
    void step(int i) {
        if (i % 7 == 0) {
            btPliantBody* bar = scene.system->getBody(i % (scene.system->getNumBodies() - 1));
            bar->applyForceAt(btVector3(btScalar(0.5), btScalar(-0.2), btScalar(0.1)), btVector3(3, 5, 0));
            bar->applyImpulseAt(btVector3(btScalar(0.1), btScalar(-0.2), btScalar(0.1)),
                                btVector3(0, btScalar(0.1), 0));
        }
        scene.step();
    }
    std::vector<double> bits() {
        std::vector<double> result;
        for (int i = 0; i < scene.system->getNumBodies(); ++i) {
            const btPliantBody& body = *scene.system->getBody(i);
            for (const double q : body.getReducedCoordinates()) result.push_back(q);
            for (const double v : body.getReducedVelocities()) result.push_back(v);
            for (int k = 0; k < 3; ++k) result.push_back(static_cast<double>(body.getAngularMomentum()[k]));
        }
        const btCollisionObjectArray& objects = scene.world.getCollisionObjectArray();
        for (int i = 0; i < objects.size(); ++i) {
            for (int r = 0; r < 3; ++r)
                for (int c = 0; c < 3; ++c)
                    result.push_back(static_cast<double>(objects[i]->getWorldTransform().getBasis()[r][c]));
            for (int k = 0; k < 3; ++k) {
                result.push_back(static_cast<double>(objects[i]->getWorldTransform().getOrigin()[k]));
                result.push_back(static_cast<double>(btRigidBody::upcast(objects[i])->getLinearVelocity()[k]));
            }
            result.push_back(objects[i]->getActivationState());
            result.push_back(static_cast<double>(objects[i]->getDeactivationTime()));
        }
        return result;
    }
    TestWorld scene;
    btPliantBody* held = nullptr;
};

TEST(State, WorldGoesOnWithTheSameBits) {
    for (const int savedAt : {0, 100, 230}) {
        Heap heap;
        std::vector<std::byte> blob;
        const int end = savedAt + 100;
        for (int i = 0; i < end; ++i) {
            if (i == savedAt) heap.scene.system->saveState(blob);
            heap.step(i);
        }
        if (savedAt == 100) {
            ASSERT_GT(heap.scene.system->getStats().m_contacts, 20) << "not much of a pile";
        }
        const std::vector<double> expected = heap.bits();
        ASSERT_EQ(heap.scene.system->restoreState(blob.data(), blob.size()), StateStatus::Ok);
        std::vector<std::byte> again;
        heap.scene.system->saveState(again);
        EXPECT_EQ(again.size(), blob.size());
        // Before the first step a body's way from its rest place counts: sums of ways round differently.
        if (savedAt > 0) {
            EXPECT_TRUE(again == blob) << "what was restored is not what was saved, saved at " << savedAt;
        }
        for (int i = savedAt; i < end; ++i) heap.step(i);
        EXPECT_TRUE(heap.bits() == expected) << "in its own world, saved at " << savedAt;

        Heap fresh;
        for (int i = 0; i < (savedAt ? 17 : 0); ++i) fresh.step(i);  // somewhere else by now
        ASSERT_EQ(fresh.scene.system->restoreState(blob.data(), blob.size()), StateStatus::Ok);
        for (int i = savedAt; i < end; ++i) fresh.step(i);
        EXPECT_TRUE(fresh.bits() == expected) << "in a new world, saved at " << savedAt;
    }
}

// Their outermost boxes are larger than their balls need (DeformedBody::outerReach), by what they have come.
TEST(State, FineBodiesThatHardlyMoveGoOnWithTheSameBits) {
    const auto loosest = [](const Heap& heap) {
        double most = 0.0;
        for (int i = 0; i < heap.scene.system->getNumBodies(); ++i)
            most =
                std::max(most, btPliantInternal::dataOf(*heap.scene.system->getBody(i)).deformed->outerReach().slack);
        return most;
    };
    Heap heap(5, 0, 160);
    for (int i = 0; i < 180; ++i) heap.step(i);
    ASSERT_GT(heap.scene.system->getStats().m_contacts, 5);
    ASSERT_GT(loosest(heap), 1e-4);
    std::vector<std::byte> blob;
    heap.scene.system->saveState(blob);
    for (int i = 180; i < 300; ++i) heap.step(i);
    Heap fresh(5, 0, 160);
    ASSERT_EQ(fresh.scene.system->restoreState(blob.data(), blob.size()), StateStatus::Ok);
    EXPECT_GT(loosest(fresh), 1e-4);
    for (int i = 180; i < 300; ++i) fresh.step(i);
    EXPECT_TRUE(fresh.bits() == heap.bits());
}

/// A chain of bars on joints of several kinds, with a ball on a spring and a joint that breaks on the way.
struct Chain {
    Chain() {
        scene.world.getDispatchInfo().m_deterministicOverlappingPairs = true;
        scene.addGround();
        static const auto model = makeBar();
        btPliantBodyInfo info;
        info.m_damping.stiffness = 1e-3;
        const btVector3 left(btScalar(-0.2), btScalar(-0.2), btScalar(0.1)),
            right(btScalar(0.8), btScalar(-0.2), btScalar(0.1));
        btPliantBody* before = nullptr;
        for (int i = 0; i < 4; ++i) {
            btPliantBody* bar = scene.addBar(model, btVector3(btScalar(0.5 + 1.02 * i), 2, 0), info);
            const btTransform frame(btQuaternion::getIdentity(), left), end(btQuaternion::getIdentity(), right);
            if (!before)
                add(new btPliantPoint2PointConstraint(*bar, left));
            else if (i == 1)
                add(new btPliantHingeConstraint(*before, *bar, end, frame));
            else if (i == 2)
                add(new btPliantPoint2PointConstraint(*before, *bar, right, left));
            else
                add(new btPliantFixedConstraint(*before, *bar, end, frame));
            before = bar;
        }
        joints.back()->setBreakingImpulseThreshold(btScalar(0.9));
        btRigidBody* ball =
            scene.addRigid(new btSphereShape(btScalar(0.1)), 1, btVector3(btScalar(4.3), btScalar(1.8), 0));
        add(new btPoint2PointConstraint(*before, *ball, btVector3(btScalar(0.4), 0, 0),
                                        btVector3(btScalar(-0.2), btScalar(0.2), 0)));
    }
    ~Chain() {
        for (auto& joint : joints) scene.world.removeConstraint(joint.get());
    }
    void add(btTypedConstraint* joint) {
        joints.emplace_back(joint);
        scene.world.addConstraint(joint, true);
    }
    std::vector<double> bits() const {
        std::vector<double> result;
        for (int i = 0; i < scene.system->getNumBodies(); ++i) {
            const btPliantBody& body = *scene.system->getBody(i);
            for (const double q : body.getReducedCoordinates()) result.push_back(q);
            for (const double v : body.getReducedVelocities()) result.push_back(v);
            for (int k = 0; k < 3; ++k) {
                result.push_back(static_cast<double>(body.getCenterOfMassPosition()[k]));
                result.push_back(static_cast<double>(body.getAngularMomentum()[k]));
            }
        }
        for (const auto& joint : joints) {
            result.push_back(static_cast<double>(joint->internalGetAppliedImpulse()));
            result.push_back(joint->isEnabled());
        }
        return result;
    }
    TestWorld scene;
    std::vector<std::unique_ptr<btTypedConstraint>> joints;
};

TEST(State, JointsGoOnWithTheSameBits) {
    for (const int savedAt : {1, 30, 150}) {
        Chain chain;
        std::vector<std::byte> blob;
        chain.scene.step(savedAt);
        chain.scene.system->saveState(blob);
        const bool wasWhole = chain.joints[3]->isEnabled();
        chain.scene.step(100);
        const std::vector<double> expected = chain.bits();
        ASSERT_EQ(chain.scene.system->restoreState(blob.data(), blob.size()), StateStatus::Ok);
        EXPECT_EQ(chain.joints[3]->isEnabled(), wasWhole);
        std::vector<std::byte> again;
        chain.scene.system->saveState(again);
        EXPECT_TRUE(again == blob) << savedAt;
        chain.scene.step(100);
        EXPECT_TRUE(chain.bits() == expected) << "in its own world, saved at " << savedAt;

        Chain fresh;
        fresh.scene.step(17);
        ASSERT_EQ(fresh.scene.system->restoreState(blob.data(), blob.size()), StateStatus::Ok);
        fresh.scene.step(100);
        EXPECT_TRUE(fresh.bits() == expected) << "in a new world, saved at " << savedAt;
        if (savedAt == 1) {
            EXPECT_TRUE(wasWhole);
        }
        fresh.scene.world.removeConstraint(fresh.joints[0].get());
        EXPECT_EQ(fresh.scene.system->restoreState(blob.data(), blob.size()), StateStatus::OtherWorld);
        fresh.scene.world.addConstraint(fresh.joints[0].get());
    }
}

TEST(State, SleepersSleepOn) {
    Heap heap(2, 0);
    int steps = 0;
    while (heap.scene.system->getStats().m_awakeBodies > 0 || steps < 10) {
        heap.scene.step();
        ASSERT_LT(++steps, 2000);
    }
    std::vector<std::byte> blob;
    heap.scene.system->saveState(blob);
    Heap fresh(2, 0);
    ASSERT_EQ(fresh.scene.system->restoreState(blob.data(), blob.size()), StateStatus::Ok);
    const std::vector<double> still = heap.bits();
    EXPECT_TRUE(fresh.bits() == still);
    fresh.scene.step(30);
    heap.scene.step(30);
    EXPECT_EQ(fresh.scene.system->getStats().m_awakeBodies, 0);
    EXPECT_TRUE(fresh.bits() == heap.bits());
}

TEST(State, BodyAloneIsPutBack) {
    TestWorld scene;
    btPliantBodyInfo info;
    info.m_angularVelocity = btVector3(1, 2, 3);
    btPliantBody* bar = scene.addBar(makeBar(), btVector3(0, 1, 0), info);
    scene.step(20);
    std::vector<std::byte> blob;
    bar->saveState(blob);
    scene.step(30);
    const btVector3 place = bar->getCenterOfMassPosition();
    const pliant::VectorX q = bar->getReducedCoordinates();
    ASSERT_EQ(bar->restoreState(blob.data(), blob.size()), StateStatus::Ok);
    scene.step(30);
    EXPECT_TRUE(bar->getCenterOfMassPosition() == place);
    EXPECT_TRUE(bar->getReducedCoordinates() == q);
    BarOptions other;
    other.frequencies = {50};
    btPliantBody* stranger = scene.addBar(makeBar(other), btVector3(0, 3, 0));
    EXPECT_NE(stranger->restoreState(blob.data(), blob.size()), StateStatus::Ok);
    EXPECT_NE(scene.system->restoreState(blob.data(), blob.size()), StateStatus::Ok);
}

TEST(State, WhatIsNoStateOfThisWorldIsRefusedAndChangesNothing) {
    Heap heap(3);
    for (int i = 0; i < 60; ++i) heap.step(i);
    std::vector<std::byte> good, now;
    heap.scene.system->saveState(good);
    for (int i = 0; i < 5; ++i) heap.step(i);
    heap.scene.system->saveState(now);
    const auto refused = [&](const std::vector<std::byte>& blob) {
        const StateStatus status = heap.scene.system->restoreState(blob.data(), blob.size());
        std::vector<std::byte> after;
        heap.scene.system->saveState(after);
        EXPECT_TRUE(after == now) << "the world was touched";
        return status;
    };
    EXPECT_EQ(refused({}), StateStatus::NotAState);
    for (std::size_t size = 8; size < good.size(); size += 1009)
        EXPECT_EQ(refused(std::vector<std::byte>(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size))),
                  StateStatus::Damaged);
    std::mt19937 engine(9);
    for (int i = 0; i < 300; ++i) {
        std::vector<std::byte> flipped = good;
        flipped[engine() % good.size()] ^= std::byte{1} << static_cast<int>(engine() % 8);
        EXPECT_NE(refused(flipped), StateStatus::Ok);
    }
    std::vector<std::byte> blob;
    Heap larger(4);
    larger.scene.system->saveState(blob);
    EXPECT_EQ(refused(blob), StateStatus::OtherWorld);
    pliant::StateWriter(pliant::StateKind::World, blob).seal();
    EXPECT_EQ(refused(blob), StateStatus::Damaged);
    EXPECT_EQ(heap.scene.system->restoreState(good.data(), good.size()), StateStatus::Ok);
}

/// A saved world whose part of the broadphase can be changed.
struct OpenedBroadphase : pliant::test::OpenedState {
    explicit OpenedBroadphase(TestWorld& scene) : OpenedState(scene) {
        std::vector<std::byte> part;
        pliant::StateWriter writer(pliant::StateKind::World, part);
        btPliantInternal::putBroadphase(scene.world, writer);
        broadphase = find(part);
        pairs = broadphase + 22 + 101 * static_cast<std::size_t>(scene.world.getNumCollisionObjects());
    }
    std::size_t broadphase = 0;  ///< where its numbers begin: a flag, five counters of four bytes, a flag, the boxes
    std::size_t pairs = 0;       ///< where their count is, eight bytes; each has nine
};

TEST(State, CountersThatWouldOverflowInBulletAreRefused) {
    Heap heap(3);
    for (int i = 0; i < 60; ++i) heap.step(i);
    const OpenedBroadphase good(heap.scene);
    ASSERT_LT(good.pairs, good.payload.size());
    EXPECT_EQ(good.restore(heap.scene), StateStatus::Ok);
    for (const std::size_t counter : {1u, 5u, 9u, 13u, 17u})
        for (const std::int32_t value : {std::numeric_limits<std::int32_t>::max(), -1}) {
            OpenedBroadphase bad(good);
            bad.put(good.broadphase + counter, value);
            EXPECT_EQ(bad.restore(heap.scene), StateStatus::BadNumber) << counter << ' ' << value;
        }
    OpenedBroadphase upsideDown(good);
    upsideDown.put(good.broadphase + 23, 1.0e31);  // the lower corner of the first box, above the largest of Bullet's
    EXPECT_EQ(upsideDown.restore(heap.scene), StateStatus::BadNumber);
}

// A second algorithm of a pair would take the place of the first, which would never be deleted.
TEST(State, APairThatIsThereTwiceIsRefused) {
    Heap heap(3);
    for (int i = 0; i < 60; ++i) heap.step(i);
    OpenedBroadphase twice(heap.scene);
    std::uint64_t count = 0;
    std::memcpy(&count, twice.payload.data() + twice.pairs, sizeof count);
    ASSERT_GT(count, 1u);
    const auto first = twice.payload.begin() + static_cast<std::ptrdiff_t>(twice.pairs) + 8;
    std::copy(first, first + 9, first + 9);
    EXPECT_EQ(twice.restore(heap.scene), StateStatus::BadNumber);
}

// The blob has doubles in both precisions. The first object's transform begins behind the world's own numbers, a flag
// for each kind of body and the shape's.
TEST(State, NumbersBeyondBulletsOwnAreRefused) {
    Heap heap(1);
    heap.scene.step(10);
    pliant::test::OpenedState huge(heap.scene);
    constexpr std::size_t world = 5 * 8 + 4, object = 8 + 2 + 4, origin = 9 * 8;
    double y = 0;
    std::memcpy(&y, huge.payload.data() + world + object + origin + 8, sizeof y);
    ASSERT_EQ(y, 0.0) << "the ground's";
    huge.put(world + object + origin + 8, 1.0e300);
    EXPECT_EQ(huge.restore(heap.scene), pliant::test::doublePrecision ? StateStatus::Ok : StateStatus::BadNumber);
}

// Whoever writes a blob on purpose knows how to seal it: any number in it may be wrong.
TEST(State, SealedNonsenseNeitherCrashesNorSpreads) {
    Heap heap(3);
    for (int i = 0; i < 60; ++i) heap.step(i);
    std::vector<std::byte> good;
    heap.scene.system->saveState(good);
    constexpr std::size_t envelope = 40;
    std::mt19937 engine(11);
    int accepted = 0;
    const std::array<double, 6> specials = {1e300, -1e38, 1e12, -1.0, 0.0, std::nan("")};
    for (int i = 0; i < 600; ++i) {
        std::vector<std::byte> blob;
        pliant::StateWriter writer(pliant::StateKind::World, blob);
        std::vector<std::byte> payload(good.begin() + envelope, good.end());
        const std::size_t at = engine() % (payload.size() - 8);
        if (i % 3 == 0) {
            const double special = specials[static_cast<std::size_t>(i / 3) % specials.size()];
            std::memcpy(payload.data() + at, &special, sizeof special);
        } else {
            for (std::size_t b = 0; b < (i % 2 ? 8u : 4u); ++b) payload[at + b] = static_cast<std::byte>(engine());
        }
        for (const std::byte b : payload) writer.put(static_cast<std::uint8_t>(b));
        writer.seal();
        if (heap.scene.system->restoreState(blob.data(), blob.size()) != StateStatus::Ok) continue;
        ++accepted;
        heap.scene.step(2);
        ASSERT_EQ(heap.scene.system->restoreState(good.data(), good.size()), StateStatus::Ok) << i;
    }
    EXPECT_GT(accepted, 10) << "numbers that can be are taken as they are";
    heap.scene.step(20);
    EXPECT_TRUE(std::isfinite(heap.scene.system->getStats().totalEnergy()));
}

}  // namespace
