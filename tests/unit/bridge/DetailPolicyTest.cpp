// SPDX-License-Identifier: Zlib
// The level of detail that a viewer asks for.
#include <gtest/gtest.h>

#include "RobustWorld.h"
#include "btPliant/btPliantDetail.h"

namespace {

using pliant::test::BarOptions;
using pliant::test::makeBar;
using pliant::test::TestWorld;

TEST(Detail, PolicyFollowsSizeOnTheScreen) {
    BarOptions options;
    options.frequencies = {60, 60, 200, 150};
    TestWorld scene;
    btPliantBody* bar = scene.addBar(makeBar(options), btVector3(0, 0, 0));
    btPliantViewer viewer;
    btPliantDetailPolicy policy;
    policy.m_least = 1;
    policy.m_step = 1;
    int last = 4;
    for (const double distance : {1.0, 10.0, 30.0, 100.0, 1000.0}) {
        viewer.m_eye = btVector3(0, 0, static_cast<btScalar>(distance));
        const int detail = btPliantChooseDetail(*bar, viewer, policy);
        EXPECT_LE(detail, last);
        last = detail;
        if (distance == 1.0) {
            EXPECT_EQ(detail, 4);
        }
    }
    EXPECT_LE(last, 2);
    btPliantSetLevelOfDetail(*scene.system, viewer, policy);
    EXPECT_EQ(bar->getDetail(), last);
    policy.m_quietEnergy = 1.0;
    viewer.m_eye = btVector3(0, 0, 1);
    EXPECT_EQ(btPliantChooseDetail(*bar, viewer, policy), 1) << "it does not move";
}

}  // namespace
