// SPDX-License-Identifier: Zlib
// Wrong use of characters is told, and changes nothing.
#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "CharacterWorld.h"
#include "pliant/math/Error.h"

namespace {

using namespace pliant::test;

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

std::string refusal(const btPliantCharacterInfo& info, std::shared_ptr<const pliant::CharacterModel> model) {
    CharacterWorld scene;
    try {
        scene.system->createCharacter(std::move(model), info);
    } catch (const pliant::Error& problem) {
        return problem.what();
    }
    return {};
}

TEST(CharacterUse, MakingOneRefusesWhatCannotBe) {
    EXPECT_NE(refusal({}, nullptr).find("no model"), std::string::npos);
    btPliantCharacterInfo info;
    info.m_clip = "moonwalk";
    EXPECT_NE(refusal(info, barCharacter()).find("no clip \"moonwalk\""), std::string::npos);
    EXPECT_NE(refusal(info, barCharacter()).find("nod"), std::string::npos);
    info.m_clip.clear();
    info.m_phase = kNoNumber;
    EXPECT_NE(refusal(info, barCharacter()).find("phase"), std::string::npos);
    EXPECT_NE(refusal(standing(pliant::Pose(3)), barCharacter()).find("one frame for each bone"), std::string::npos);
    btPliantCharacterInfo nowhere;
    nowhere.m_meshTransform.setOrigin(btVector3(static_cast<btScalar>(kNoNumber), 0, 0));
    EXPECT_NE(refusal(nowhere, barCharacter()).find("place"), std::string::npos);
    EXPECT_EQ(refusal({}, barCharacter()), "");
}

TEST(CharacterUse, WrongCallsChangeNothing) {
    CharacterWorld scene;
    btPliantCharacter* bar = scene.add({});
    scene.step(10);
    const double time = bar->getClipTime();
    EXPECT_FALSE(bar->play("moonwalk"));
    EXPECT_FALSE(bar->play("nod", kNoNumber));
    EXPECT_FALSE(bar->setPose({}));
    pliant::Pose broken = noddedPose(0.1);
    broken[1].rotation.coeffs().setZero();
    EXPECT_FALSE(bar->setPose(broken));
    broken = noddedPose(0.1);
    broken[0].translation.x() = kNoNumber;
    EXPECT_FALSE(bar->setPose(broken));
    EXPECT_FALSE(scene.system->getStatus().empty());
    EXPECT_EQ(bar->getClipTime(), time);
    EXPECT_EQ(bar->getDrive(), btPliantDrive::Clip);
    EXPECT_FALSE(bar->setMaterial({{}}).empty());
    EXPECT_THROW(scene.system->setTouch(*bar, nullptr, {}), pliant::Error);
    bar->setSelfContact(true);
    EXPECT_FALSE(bar->getSelfContact());
    scene.step(10);
    EXPECT_TRUE(bar->getReducedCoordinates().allFinite());
}

TEST(CharacterUse, BonesThatAreNotThereAreRefused) {
    CharacterWorld scene;
    btPliantCharacter* bar = scene.add({});
    EXPECT_THROW(bar->getBoneBody(-1), pliant::Error);
    try {
        bar->getBoneBody(2);
        FAIL();
    } catch (const pliant::Error& problem) {
        EXPECT_NE(std::string(problem.what()).find("no bone 2"), std::string::npos) << problem.what();
    }
    EXPECT_EQ(bar->getBoneImpulse(2), btVector3(0, 0, 0));
}

TEST(CharacterUse, BonesHaveNumbersOfTheirOwn) {
    // Of btDiscreteDynamicsWorldMt's solvers, which count driven bodies by them and read before a table's start at -1.
    CharacterWorld scene;
    btPliantCharacter *first = scene.add({}), *second = scene.add(standing({}, btVector3(0, 0, 3)));
    std::set<int> numbers;
    for (btPliantCharacter* each : {first, second})
        for (int bone = 0; bone < 2; ++bone) each->getBoneBody(bone);
    scene.addBall(0.05, 0.1, btVector3(0, 5, 0));
    scene.step();
    for (btPliantCharacter* each : {first, second})
        for (int bone = 0; bone < 2; ++bone) numbers.insert(each->getBoneBody(bone).getWorldArrayIndex());
    EXPECT_EQ(numbers.size(), 4u);
    EXPECT_GE(*numbers.begin(), scene.world.getNumCollisionObjects());
}

TEST(CharacterUse, IsKnownAsOne) {
    CharacterWorld scene;
    btPliantCharacter* bar = scene.add({});
    EXPECT_EQ(btPliantCharacter::upcast(static_cast<btCollisionObject*>(bar)), bar);
    btPliantBody* plain = scene.addBar(barCharacter()->flesh, btVector3(0, 3, 0));
    EXPECT_EQ(btPliantCharacter::upcast(plain), nullptr);
    EXPECT_EQ(btPliantCharacter::upcast(scene.addGround()), nullptr);
    scene.step(3);
}

TEST(CharacterUse, ComesAndGoes) {
    CharacterWorld scene;
    for (int i = 0; i < 3; ++i) {
        btPliantCharacter* first = scene.add({});
        btPliantCharacter* second = scene.add(standing({}, btVector3(0, 0, 2)));
        scene.addBall(0.05, 0.1, btVector3(btScalar(0.3), btScalar(0.2), 0));
        scene.step(10);
        scene.world.removeRigidBody(second);
        second->setMeshTransform(btTransform(btQuaternion::getIdentity(), btVector3(5, 0, 0)));
        EXPECT_NEAR(second->getBoneTransform(0).getOrigin().x(), 5, 1e-5);
        scene.step(3);
        scene.system->destroyBody(first);
        scene.step(3);
        scene.system->destroyBody(second);
        EXPECT_EQ(scene.system->getNumBodies(), 0);
        scene.step(3);
    }
}

TEST(CharacterUse, OtherSolversMoveItsBonesAlone) {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    btPliantSystem system(&world);
    btPliantCharacter* bar = system.createCharacter(barCharacter());
    world.addRigidBody(bar);
    for (int i = 0; i < 12; ++i) world.stepSimulation(btScalar(1.0 / 120), 0);
    EXPECT_NEAR(bar->getClipTime(), 0.1, 1e-6);
    EXPECT_FALSE(system.isConnected());
}

}  // namespace
