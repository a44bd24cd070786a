// SPDX-License-Identifier: Zlib
// A world that may make so many contacts and no more.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "RobustWorld.h"

namespace {

using pliant::test::lightlyDamped;
using pliant::test::makeBar;
using pliant::test::TestWorld;

// All in one place: contacts by the square of their number, of which a world makes no more than it may.
TEST(Robust, ContactsOfAWorldAreBounded) {
    btPliantSystemInfo info = TestWorld::oneThread();
    const auto fill = [](TestWorld& scene) {
        scene.world.setGravity(btVector3(0, 0, 0));
        const auto model = makeBar();
        for (int i = 0; i < 30; ++i)
            scene.addBar(model, btVector3(0, 0, 0), lightlyDamped(), btQuaternion(btVector3(0, 1, 0), btScalar(i)));
    };
    int unbounded = 0;
    {
        TestWorld scene(info);
        fill(scene);
        scene.step();
        unbounded = scene.system->getStats().m_contacts;
        EXPECT_EQ(scene.system->getStats().m_contactsLeftOut, 0);
        EXPECT_EQ(scene.system->getStatus(), "");
    }
    ASSERT_GT(unbounded, 1000);
    for (const int most : {1000, 100}) {  // some of each of the 435 pairs, and not all of the pairs
        info.m_maxContacts = most;
        TestWorld scene(info);
        fill(scene);
        scene.step();
        EXPECT_LE(scene.system->getStats().m_contacts, most);
        EXPECT_GT(scene.system->getStats().m_contacts, most / 3);
        EXPECT_EQ(scene.system->getStats().m_contacts + scene.system->getStats().m_contactsLeftOut, unbounded);
        EXPECT_NE(scene.system->getStatus().find("m_maxContacts"), std::string::npos);
        for (int i = 0; i < 600; ++i) {
            scene.step();
            ASSERT_LE(scene.system->getStats().m_contacts, most);
            ASSERT_EQ(scene.system->getStats().m_restoredBodies, 0);
        }
        double farthest = 0;
        for (int i = 0; i < 30; ++i)
            farthest =
                std::max(farthest, static_cast<double>(scene.system->getBody(i)->getCenterOfMassPosition().length()));
        EXPECT_GT(farthest, 0.3) << "they come out of each other by turns";
    }
}

// A floor that is a box is found after the pairs of bodies, which would use up all contacts, and everything would fall
// through it.
TEST(Robust, AFloorHasItsShareOfBoundedContacts) {
    btPliantSystemInfo info = TestWorld::oneThread();
    info.m_maxContacts = 200;
    TestWorld scene(info);
    scene.addRigid(new btBoxShape(btVector3(5, btScalar(0.5), 5)), 0, btVector3(0, btScalar(-0.5), 0));
    const auto model = makeBar();
    for (int i = 0; i < 20; ++i)
        scene.addBar(model, btVector3(0, btScalar(0.2), 0), lightlyDamped(5.0),
                     btQuaternion(btVector3(0, 1, 0), btScalar(i)));
    for (int i = 0; i < 240; ++i) {
        scene.step();
        ASSERT_LE(scene.system->getStats().m_contacts, info.m_maxContacts);
    }
    EXPECT_NE(scene.system->getStatus().find("m_maxContacts"), std::string::npos);
    for (int i = 0; i < 20; ++i) EXPECT_GT(scene.system->getBody(i)->getCenterOfMassPosition().y(), 0) << i;
}

}  // namespace
