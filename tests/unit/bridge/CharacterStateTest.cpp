// SPDX-License-Identifier: Zlib
// Saved worlds with characters in them.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <random>

#include "CharacterWorld.h"

namespace {

using namespace pliant::test;
using pliant::StateStatus;
using pliant::VectorX;

/// A clip, a pose that changes, and balls.
struct Stage : CharacterWorld {
    Stage() {
        world.getDispatchInfo().m_deterministicOverlappingPairs = true;
        btPliantCharacterInfo info;
        info.m_phase = 0.2;
        nodding = add(info);
        posed = add(standing({}, btVector3(0, 0, 2)));
        for (int i = 0; i < 2; ++i)
            balls.push_back(addBall(0.06, 0.3, btVector3(btScalar(0.6), btScalar(0.25), static_cast<btScalar>(2 * i))));
    }
    void go(int count) {
        for (int i = 0; i < count; ++i) {
            ++steps;
            posed->setPose(noddedPose(0.2 * std::sin(0.1 * steps)));
            btTransform place = btTransform::getIdentity();
            place.setOrigin(btVector3(static_cast<btScalar>(0.001 * steps), 0, 2));
            posed->setMeshTransform(place);
            step();
        }
    }
    std::vector<double> numbers() const {
        std::vector<double> all;
        for (const btPliantCharacter* character : {nodding, posed}) {
            const VectorX q = character->getReducedCoordinates(), v = character->getReducedVelocities();
            all.insert(all.end(), q.begin(), q.end());
            all.insert(all.end(), v.begin(), v.end());
            std::vector<pliant::AffineMap> bones;
            character->getBones(bones);
            for (const pliant::AffineMap& bone : bones) all.insert(all.end(), bone.data(), bone.data() + 12);
            all.push_back(character->getClipTime());
        }
        for (const btRigidBody* ball : balls)
            for (int k = 0; k < 3; ++k) {
                all.push_back(static_cast<double>(ball->getCenterOfMassPosition()[k]));
                all.push_back(static_cast<double>(ball->getAngularVelocity()[k]));
            }
        return all;
    }
    btPliantCharacter *nodding, *posed;
    std::vector<btRigidBody*> balls;
    int steps = 0;
};

TEST(CharacterState, GoesOnWithTheSameBits) {
    Stage stage;
    stage.go(25);
    std::vector<std::byte> blob;
    stage.system->saveState(blob);
    const std::vector<double> then = stage.numbers();
    stage.go(30);
    const std::vector<double> known = stage.numbers();
    EXPECT_NE(then, known);
    ASSERT_TRUE(stage.nodding->play("nod", -2.0, 0.9));
    stage.go(20);
    ASSERT_EQ(stage.system->restoreState(blob.data(), blob.size()), StateStatus::Ok);
    stage.steps = 25;
    EXPECT_EQ(stage.numbers(), then);
    stage.go(30);
    EXPECT_EQ(stage.numbers(), known);

    Stage other;  // a world that has not run yet
    ASSERT_EQ(other.system->restoreState(blob.data(), blob.size()), StateStatus::Ok);
    other.steps = 25;
    other.go(30);
    EXPECT_EQ(other.numbers(), known);
}

TEST(CharacterState, OneBodyAlone) {
    Stage stage;
    stage.go(10);
    std::vector<std::byte> blob;
    stage.nodding->saveState(blob);
    const double time = stage.nodding->getClipTime();
    const VectorX q = stage.nodding->getReducedCoordinates();
    stage.go(10);
    ASSERT_EQ(stage.nodding->restoreState(blob.data(), blob.size()), StateStatus::Ok);
    EXPECT_EQ(stage.nodding->getClipTime(), time);
    EXPECT_EQ(VectorX(stage.nodding->getReducedCoordinates()), q);
    EXPECT_NE(stage.posed->restoreState(blob.data(), blob.size() - 1), StateStatus::Ok);
}

TEST(CharacterState, BrokenBlobsChangeNothing) {
    Stage stage;
    stage.go(5);
    std::vector<std::byte> blob;
    stage.nodding->saveState(blob);
    const std::vector<double> before = stage.numbers();
    for (std::size_t size = 0; size < blob.size(); size += 97)
        EXPECT_NE(stage.nodding->restoreState(blob.data(), size), StateStatus::Ok);
    for (std::size_t at = 0; at < blob.size(); at += 61) {
        blob[at] ^= std::byte{0x20};
        EXPECT_NE(stage.nodding->restoreState(blob.data(), blob.size()), StateStatus::Ok) << at;
        blob[at] ^= std::byte{0x20};
    }
    // Of a body without bones that is made of the same flesh.
    btPliantBody* plain = stage.addBar(barCharacter()->flesh, btVector3(0, 5, 0));
    std::vector<std::byte> others;
    plain->saveState(others);
    EXPECT_NE(stage.nodding->restoreState(others.data(), others.size()), StateStatus::Ok);
    EXPECT_NE(plain->restoreState(blob.data(), blob.size()), StateStatus::Ok);
    EXPECT_EQ(stage.numbers(), before);
}

// Sealed again, as whoever writes a blob on purpose does: any number in it may be wrong.
TEST(CharacterState, SealedNonsenseNeitherCrashesNorSpreads) {
    Stage stage;
    stage.go(20);
    std::vector<std::byte> good;
    stage.system->saveState(good);
    constexpr std::size_t envelope = 40;
    std::mt19937 engine(5);
    const std::array<double, 6> specials = {1e300, -1e38, 1e12, -1.0, 0.0, std::nan("")};
    int accepted = 0;
    for (std::size_t i = 0; i < 400; ++i) {
        std::vector<std::byte> blob, payload(good.begin() + envelope, good.end());
        pliant::StateWriter writer(pliant::StateKind::World, blob);
        const std::size_t at = engine() % (payload.size() - 8);
        if (i % 2 == 0)
            std::memcpy(payload.data() + at, &specials[i / 2 % specials.size()], sizeof(double));
        else
            for (std::size_t b = 0; b < 8; ++b) payload[at + b] = static_cast<std::byte>(engine());
        for (const std::byte b : payload) writer.put(static_cast<std::uint8_t>(b));
        writer.seal();
        if (stage.system->restoreState(blob.data(), blob.size()) != StateStatus::Ok) continue;
        ++accepted;
        stage.step(2);
        ASSERT_EQ(stage.system->restoreState(good.data(), good.size()), StateStatus::Ok) << i;
    }
    EXPECT_GT(accepted, 10);
    stage.steps = 20;
    stage.go(10);
    for (const double number : stage.numbers()) EXPECT_TRUE(std::isfinite(number));
}

}  // namespace
