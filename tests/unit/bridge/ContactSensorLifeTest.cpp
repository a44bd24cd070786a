// SPDX-License-Identifier: Zlib
// Contact sensors from their making to their end: what they refuse, bodies that go before them, saved states, the same
// bits for any number of workers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "WatchedWorld.h"
#include "pliant/math/Error.h"

namespace pliant::test {
namespace {

TEST(ContactSensor, BodiesMayGoBeforeIt) {
    TestWorld scene;
    scene.addGround();
    btPliantBody* body = scene.addBar(cube(), btVector3(0, btScalar(0.1), 0));
    btPliantContactSensor *sensor = watch(scene, {body}), *other = watch(scene, {body});
    EXPECT_EQ(scene.system->getNumContactSensors(), 2);
    EXPECT_EQ(scene.system->getContactSensor(1), other);
    scene.step(30);
    EXPECT_GT(sensor->getCount(), 0);
    scene.system->destroyContactSensor(other);
    scene.system->destroyBody(body);
    scene.step(30);
    EXPECT_EQ(sensor->getCount(), 0);
    EXPECT_EQ(sensor->getForce(), btVector3(0, 0, 0));
    EXPECT_EQ(scene.system->getNumContactSensors(), 1);
}

TEST(ContactSensor, RefusesWhatItCannotWatch) {
    TestWorld scene;
    btRigidBody* ground = scene.addGround();
    btPliantBody* body = scene.addBar(cube(), btVector3(0, 1, 0));
    const auto refusal = [&](const btPliantContactSensorInfo& info) -> std::string {
        try {
            scene.system->createContactSensor(info);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_THAT(refusal({}), testing::HasSubstr("watches no object"));
    EXPECT_THAT(refusal(ofRegion(*body, "wood")), testing::HasSubstr("no material \"wood\"; it has \""));
    btPliantContactSensorInfo info;
    info.m_of = {nullptr};
    EXPECT_THAT(refusal(info), testing::HasSubstr("null pointer"));
    info.m_of = {ground};
    info.m_material = "wood";
    EXPECT_THAT(refusal(info), testing::HasSubstr("no reduced body"));
    info = ofRegion(*body, "");
    info.m_lower = btVector3(5, 5, 5);
    info.m_upper = btVector3(6, 6, 6);
    EXPECT_THAT(refusal(info), testing::HasSubstr("lies in the region"));
    info.m_upper = btVector3(6, 4, 6);
    EXPECT_THAT(refusal(info), testing::HasSubstr("box is empty"));
    info = ofRegion(*body, "");
    info.m_timeConstant = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THAT(refusal(info), testing::HasSubstr("time constant"));
    EXPECT_EQ(scene.system->getNumContactSensors(), 0);
}

btScalar shift(std::mt19937& random) {
    return static_cast<btScalar>(0.01 * static_cast<double>(random() % 9));
}

/// A heap of strands, solids and Bullet's boxes, each watched.
struct WatchedHeap {
    explicit WatchedHeap(int threads) : scene(withThreads(threads)) {
        scene.world.getDispatchInfo().m_deterministicOverlappingPairs = true;
        scene.addGround();
        std::mt19937 random(7);
        Objects all;
        for (int i = 0; i < 12; ++i) {
            const btVector3 place(shift(random), btScalar(0.2 + 0.2 * i), shift(random));
            const btQuaternion turn(btVector3(0, 1, 0), btScalar(0.7 * i));
            btPliantBody* body = scene.addBar(i % 2 ? cube() : makeBar(), place, damped(), turn);
            all.push_back(body);
            watch(scene, {body});
        }
        all.push_back(scene.addRigid(new btBoxShape(btVector3(btScalar(0.1), btScalar(0.1), btScalar(0.1))), 2,
                                     btVector3(0, 3, 0)));
        watch(scene, {all.back()});
        watch(scene, all, {}, 0.3);
    }
    static btPliantSystemInfo withThreads(int threads) {
        btPliantSystemInfo info;
        info.m_threads = threads;
        return info;
    }
    std::vector<btScalar> numbers() const {
        std::vector<btScalar> result;
        for (int s = 0; s < scene.system->getNumContactSensors(); ++s) {
            const btPliantContactSensor& sensor = *scene.system->getContactSensor(s);
            for (const btVector3& v :
                 {sensor.getForce(), sensor.getTorque(), sensor.getFilteredForce(), sensor.getFilteredTorque(),
                  sensor.getAccumulatedImpulse(), sensor.getFrictionImpulse()})
                for (int k = 0; k < 3; ++k) result.push_back(v[k]);
            for (const double x : {static_cast<double>(sensor.getCount()), sensor.getNormalImpulse(),
                                   sensor.getSplitImpulse(), sensor.getFilteredNormalForce()})
                result.push_back(static_cast<btScalar>(x));
        }
        return result;
    }
    TestWorld scene;
};

TEST(ContactSensor, HasTheSameBitsForAnyNumberOfWorkers) {
    WatchedHeap one(1), four(4);
    for (int i = 0; i < 12; ++i) {
        one.scene.step(10);
        four.scene.step(10);
        ASSERT_EQ(one.numbers(), four.numbers()) << i;
    }
    EXPECT_GT(one.scene.system->getContactSensor(0)->getCount(), 0);
}

TEST(ContactSensor, IsSavedAndRestored) {
    WatchedHeap heap(1), other(1);
    heap.scene.step(100);
    std::vector<std::byte> blob;
    heap.scene.system->saveState(blob);
    const std::vector<btScalar> saved = heap.numbers();
    heap.scene.step(20);
    const std::vector<btScalar> later = heap.numbers();
    ASSERT_NE(saved, later);
    for (WatchedHeap* each : {&heap, &other}) {
        ASSERT_EQ(each->scene.system->restoreState(blob.data(), blob.size()), StateStatus::Ok);
        EXPECT_EQ(each->numbers(), saved);
        each->scene.step(20);
        EXPECT_EQ(each->numbers(), later);
    }
    // Sensors are no part of the world: others may have come and gone.
    other.scene.system->destroyContactSensor(other.scene.system->getContactSensor(0));
    EXPECT_EQ(other.scene.system->restoreState(blob.data(), blob.size()), StateStatus::Ok);
}

}  // namespace
}  // namespace pliant::test
