// SPDX-License-Identifier: Zlib
// Pairs of which neither moves freely: who they are, and how deep they are in each other.
#include <gtest/gtest.h>

#include <algorithm>

#include "TestWorld.h"
#include "validation/contact/SolidBodies.h"

namespace pliant::test {
namespace {

constexpr double kIdleSide = 0.2;  // m

btPliantBody* addCube(TestWorld& scene, const btVector3& centre, bool kinematic) {
    static const auto model = solidBox({kIdleSide, kIdleSide, kIdleSide}, SolidMaterial(), 0.1);
    btPliantBodyInfo info;
    info.m_kinematic = kinematic;
    info.m_meshTransform.setOrigin(centre);
    btPliantBody* body = scene.system->createBody(model, info);
    scene.world.addRigidBody(body);
    return body;
}

std::vector<btPliantIdlePair> idlePairs(const TestWorld& scene) {
    std::vector<btPliantIdlePair> pairs(3);
    scene.system->getIdlePairs(pairs);
    return pairs;
}

// A cube is put to where it is 3 cm inside of a cube that is held.
TEST(IdlePairs, AreToldAsSoonAsTheyStandInEachOther) {
    TestWorld scene;
    btPliantBody* still = addCube(scene, btVector3(0, 0, 0), true);
    btPliantBody* comer = addCube(scene, btVector3(btScalar(0.5), 0, 0), true);
    scene.step();
    EXPECT_TRUE(idlePairs(scene).empty()) << "they are 0.3 m apart";
    comer->setMeshTransform(btTransform(btQuaternion::getIdentity(), btVector3(btScalar(kIdleSide - 0.03), 0, 0)));
    scene.step();
    const std::vector<btPliantIdlePair> pairs = idlePairs(scene);
    ASSERT_EQ(pairs.size(), 1u);
    EXPECT_EQ(pairs[0].m_body, still);
    EXPECT_EQ(pairs[0].m_other, comer);
    EXPECT_NEAR(static_cast<double>(pairs[0].m_depth), 0.03, 0.003);
    EXPECT_EQ(scene.system->getIdleDepth(*comer, *still), pairs[0].m_depth);
    EXPECT_TRUE(scene.system->getStatus().empty());
}

TEST(IdlePairs, AreThoseWithBulletsOwnObjectsToo) {
    TestWorld scene;
    const btPliantBody* cube = addCube(scene, btVector3(0, btScalar(0.5 * kIdleSide - 0.05), 0), true);
    const btRigidBody* ground = scene.addGround();
    const auto half = btScalar(0.5 * kIdleSide);
    const btRigidBody* box = scene.addRigid(new btBoxShape(btVector3(half, half, half)), 0.0, btVector3(0, 1, 0));
    const std::vector<btPliantIdlePair> pairs = idlePairs(scene);
    ASSERT_EQ(pairs.size(), 1u) << "not the two that do not bend, nor what is far";
    EXPECT_EQ(pairs[0].m_body, cube);
    EXPECT_EQ(pairs[0].m_other, ground);
    EXPECT_NEAR(static_cast<double>(pairs[0].m_depth), 0.05, 0.001);
    EXPECT_EQ(scene.system->getIdleDepth(*cube, *box), 0);
}

// One that moves freely is pushed out; others are parted on purpose, or are in no world.
TEST(IdlePairs, OthersAreNone) {
    TestWorld scene;
    btPliantBody* still = addCube(scene, btVector3(0, 0, 0), true);
    const btVector3 near(btScalar(0.5 * kIdleSide), 0, 0);
    const btPliantBody* free = addCube(scene, near, false);
    EXPECT_TRUE(idlePairs(scene).empty());
    EXPECT_EQ(scene.system->getIdleDepth(*still, *free), 0);
    btPliantBody* other = addCube(scene, near, true);
    EXPECT_EQ(idlePairs(scene).size(), 1u);
    still->setIgnoreCollisionCheck(other, true);
    EXPECT_TRUE(idlePairs(scene).empty());
    still->setIgnoreCollisionCheck(other, false);
    other->getBroadphaseProxy()->m_collisionFilterGroup = 64;
    other->getBroadphaseProxy()->m_collisionFilterMask = 64;
    EXPECT_TRUE(idlePairs(scene).empty()) << "filters of the user's";
    EXPECT_GT(scene.system->getIdleDepth(*still, *other), 0);
    scene.world.removeRigidBody(other);
    EXPECT_TRUE(idlePairs(scene).empty());
    EXPECT_EQ(scene.system->getIdleDepth(*still, *other), 0);
}

// Rounding of what stands face to face is nobody's concern, unless somebody asks for it.
TEST(IdlePairs, AreToldFromALeastDepthOn) {
    TestWorld scene;
    addCube(scene, btVector3(0, btScalar(0.5 * kIdleSide - 1e-3), 0), true);
    scene.addGround();
    EXPECT_TRUE(idlePairs(scene).empty()) << "1 mm of a diagonal of 0.35 m";
    std::vector<btPliantIdlePair> pairs;
    scene.system->getIdlePairs(pairs, btScalar(1e-3));
    EXPECT_EQ(pairs.size(), 1u);
}

}  // namespace
}  // namespace pliant::test
