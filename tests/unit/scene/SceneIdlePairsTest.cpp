// SPDX-License-Identifier: Zlib
// Pairs of which neither moves freely, and which come to meet in a run: told once, with both names, the time and a
// cure.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "SceneInWorld.h"
#include "validation/contact/SolidBodies.h"

namespace pliant::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::shared_ptr<const ReducedModel> idleCube() {
    static const auto model = solidBox({0.2, 0.2, 0.2}, SolidMaterial(), 0.1);
    return model;
}

std::vector<std::string> toldAfter(const std::string& bodies, double seconds) {
    SceneInWorld world(std::string("models: {cube: {file: ") + PLIANT_MEDIA_DIR + "/solids/jelly.obj}}\n" + bodies, 120,
                       1, idleCube());
    world.step(seconds);
    EXPECT_THAT(world.scene().getWarnings(), IsEmpty()) << "they are told once the run is over";
    world.scene().finish();
    return world.scene().getWarnings();
}

std::string moved(const std::string& name, const std::string& x, const std::string& motion = "kinematic") {
    return "  - {name: " + name + ", model: cube, motion: " + motion + ", position: [" + x + ", 0, 1]}\n";
}

// From 0.5 m apart at 0.5 m/s: their faces meet at 0.6 s, and are a hundredth of their size in each other soon after.
TEST(SceneIdlePairs, ThatMeetInARunAreToldOnce) {
    const std::string bodies = "bodies:\n" + moved("still", "0", "anchored") + moved("comer", "'= 0.5 - 0.5 * t'");
    EXPECT_THAT(toldAfter(bodies, 0.5), IsEmpty());
    EXPECT_THAT(toldAfter(bodies, 2.0), ElementsAre(HasSubstr("timed.yaml:")));
    const std::string told = toldAfter(bodies, 2.0).front();
    EXPECT_THAT(told, HasSubstr("\"still\" and \"comer\" meet by 0.6"));
    EXPECT_THAT(told, HasSubstr("neither moves freely; one of them has to"));
}

TEST(SceneIdlePairs, WithRigidBodiesThatTheSceneMovesCount) {
    const std::string gate =
        "rigid: [{name: gate, shape: box, size: [0.1, 1, 1], kinematic: true, position: "
        "['= 0.5 - 0.5 * t', 0, 1]}]\n";
    EXPECT_THAT(toldAfter("bodies:\n" + moved("still", "0", "anchored") + gate, 2.0),
                ElementsAre(HasSubstr("\"still\" and \"gate\" meet by")));
}

TEST(SceneIdlePairs, OthersAreNotTold) {
    const std::string comer = moved("comer", "'= 0.5 - 0.5 * t'");
    EXPECT_THAT(toldAfter("gravity: [0, 0, 0]\nbodies:\n" + moved("free", "0", "free") + comer, 2.0), IsEmpty())
        << "one moves freely";
    EXPECT_THAT(toldAfter("bodies:\n" + moved("still", "0", "anchored") + moved("comer", "'= 0.1 - 0.05 * t'"), 2.0),
                IsEmpty())
        << "they stand in each other from the start, which the start's warnings tell";
    EXPECT_THAT(toldAfter("bodies:\n" + moved("still", "0", "anchored") + moved("comer", "'= 1.5 - 0.5 * t'"), 2.0),
                IsEmpty())
        << "they pass by 0.3 m";
}

}  // namespace
}  // namespace pliant::test
