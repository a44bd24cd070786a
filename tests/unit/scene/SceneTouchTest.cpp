// SPDX-License-Identifier: Zlib
// Distributed contact in scenes: the depth that its law asks for, and what a scene file may not say of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "SceneInWorld.h"
#include "pliant/reduce/DenseLayers.h"
#include "pliant/scene/SceneKeys.h"
#include "validation/contact/SolidBodies.h"

namespace pliant::test {
namespace {

using ::testing::HasSubstr;

constexpr double kEdge = 0.2;  // m

std::shared_ptr<const ReducedModel> cube() {
    SolidMaterial material;
    material.young = 1e9;
    material.voxels = 6;
    static const auto model = solidBox({kEdge, kEdge, kEdge}, material, 0.1);
    return model;
}

double weight() {
    return cube()->totalMass() * 9.81;
}

std::string cubes(const std::string& touch) {
    return std::string("models: {cube: {file: ") + PLIANT_MEDIA_DIR +
           "/solids/jelly.obj}}\n"
           "bodies:\n"
           "  - {name: left, model: cube, position: [0, 0, 0.1], friction: 1}\n"
           "  - {name: right, model: cube, position: [1, 0, 0.1], friction: 1}\n"
           "ground: {height: 0, friction: 1}\n"
           "touch:\n" +
           touch;
}

/// Depth of a resting cube below the ground, m.
double depth(const SceneInWorld& world, int body) {
    return kEdge / 2 - fromBullet(world.soft(body).getCenterOfMassPosition()).z();
}

std::string touchComplaint(const std::string& text, const std::shared_ptr<const ReducedModel>& model = cube()) {
    try {
        SceneInWorld world(text, 120, 1, model);
    } catch (const Error& problem) {
        return problem.what();
    }
    return "no error";
}

TEST(SceneTouch, PairsSinkByTheirOwnLaws) {
    SceneInWorld world(cubes("  - {between: [left], stiffness: 2e6, damping: 0.02, points: 1000, levels: 2}\n"
                             "  - {between: [right, ground], layer: {young: 2.0e3, thickness: 5.0e-4}, damping: 0.02, "
                             "points: 1000}\n"),
                       240, 1, cube());
    world.step(2);
    const double pressure = weight() / (kEdge * kEdge);
    EXPECT_NEAR(depth(world, 0), pressure / 2e6, 0.02 * pressure / 2e6);
    EXPECT_NEAR(depth(world, 1), pressure / 4e6, 0.02 * pressure / 4e6);
}

TEST(SceneTouch, SensorsOfBothSidesTellTheDepth) {
    SceneInWorld world(cubes("  - {between: [left], stiffness: 2e6, damping: 0.02, points: 1000}\n"
                             "sensors:\n  - {name: under, kind: contact, between: [left, ground]}\n"
                             "  - {name: over, kind: contact, between: [ground, left]}\n"
                             "  - {name: none, kind: contact, between: [left, right]}\n"),
                       240, 1, cube());
    world.step(2);
    const double wanted = weight() / (kEdge * kEdge) / 2e6;
    EXPECT_NEAR(world.number("under.depth"), wanted, 0.02 * wanted);
    EXPECT_NEAR(world.number("over.depth"), wanted, 0.02 * wanted);
    EXPECT_EQ(world.number("none.depth"), 0.0);
}

TEST(SceneTouch, OtherLawsAndSensors) {
    const double pressure = weight() / (kEdge * kEdge), wanted = 1e-3;
    SceneInWorld world(
        cubes("  - {between: [left], law: hertz, damping: 0.02, points: 1000, stiffness: " +
              std::to_string(pressure / std::sqrt(wanted)) + "}\n" +
              "  - {between: [right], law: stiffening, max_depth: 2.0e-3, damping: 0.02, points: 1000, stiffness: " +
              std::to_string(pressure / wanted / 2) + "}\n" +
              "sensors: [{name: left, kind: contact, between: [left, ground]}]\n"),
        240, 1, cube());
    world.step(2);
    EXPECT_NEAR(depth(world, 0), wanted, 0.02 * wanted);
    EXPECT_NEAR(depth(world, 1), wanted, 0.02 * wanted);
    EXPECT_NEAR(world.number("left.force.z"), weight(), 1e-2 * weight());
}

// A cube on a cube: both give way by half, and the pair sinks in by what one side alone would.
TEST(SceneTouch, BothSidesTakeHalfOfThePressure) {
    std::string text = cubes(
        "  - {between: [left, right], two_way: true, stiffness: 2e6, damping: 0.02, points: 1000, budget_us: 5000}\n");
    text.replace(text.find("[1, 0, 0.1]"), 11, "[0, 0, 0.3]");
    SceneInWorld world(text, 240, 1, cube());
    world.step(2);
    btPliantContactPatch patch;
    const btPliantSystem& system = world.soft(0).getSystem();
    ASSERT_TRUE(system.getContactPatch(world.soft(1), world.soft(0), patch));
    EXPECT_NEAR(patch.m_force.z(), weight(), 1e-2 * weight());
    EXPECT_NEAR(patch.m_depth, weight() / (2e6 * kEdge * kEdge), 0.05 * patch.m_depth);
}

// A budget that leaves nothing after the cells is a warning of the run; one that leaves something is none.
TEST(SceneTouch, ABudgetBelowWhatCellsCostIsAWarning) {
    const auto warningsWith = [](const std::string& budget) {
        SceneInWorld world(cubes("  - {between: [left], stiffness: 2e6, points: 1000, budget_us: " + budget + "}\n"),
                           240, 1, cube());
        world.step(0.1);
        world.scene().finish();
        return world.scene().getWarnings();
    };
    EXPECT_THAT(warningsWith("1000"), ::testing::IsEmpty());
    ASSERT_THAT(warningsWith("1"), ::testing::SizeIs(1));
    EXPECT_THAT(warningsWith("1")[0], HasSubstr("A budget of 1 us is less than the "));
}

// A cube of the drawn surface has some 1,000 points a side here; one with layers of its own has those.
TEST(SceneTouch, AModelBringsItsPoints) {
    DenseLayerOptions options;
    options.points = 20000;
    options.levels = 2;
    options.field = 64;
    SceneInWorld world(cubes("  - {between: [left], stiffness: 2e6, damping: 0.02, points: 500}\n"), 240, 1,
                       withDenseLayers(*cube(), options));
    world.step(1.5);
    const double wanted = weight() / (kEdge * kEdge) / 2e6;
    EXPECT_NEAR(depth(world, 0), wanted, 0.02 * wanted);
    btPliantContactPatch patch;
    const btPliantSystem& system = world.soft(0).getSystem();
    int found = 0;
    for (int i = 0; i < world.world().getNumCollisionObjects(); ++i)
        found += system.getContactPatch(world.soft(0), *world.world().getCollisionObjectArray()[i], patch);
    EXPECT_EQ(found, 1);
    EXPECT_GT(patch.m_points.size(), 20000u / 8);
    EXPECT_LT(patch.m_points.size(), 20000u / 3);
}

// As deep as weight over stiffness says where the pair has springs, whichever is named first, and nearly not beside
// them; an earlier entry of distributed contact ends.
TEST(SceneTouch, PenaltyIsOfThePairAlone) {
    const double wanted = 5e-3;
    std::ostringstream penalty;
    penalty << "penalty: {stiffness: " << weight() / wanted << ", damping: 200}";
    SceneInWorld world(cubes("  - {between: [left, ground], stiffness: 2e6, points: 1000}\n"
                             "  - {between: [ground, left], " +
                             penalty.str() + "}\n"),
                       240, 1, cube());
    world.step(2);
    EXPECT_NEAR(depth(world, 0), wanted, 0.02 * wanted);
    EXPECT_LT(depth(world, 1), 0.1 * wanted);
}

TEST(SceneTouch, LimitsAreThoseOfDenseLayers) {
    const scene::KeyTable& keys = scene::sceneKeys("touch");
    EXPECT_EQ(keys.find("points")->most, DenseLayerOptions::kMostPoints);
    EXPECT_EQ(keys.find("levels")->most, DenseLayerOptions::kMostLevels);
}

TEST(SceneTouch, MistakesAreTold) {
    EXPECT_THAT(touchComplaint(cubes("  - {between: [lift], stiffness: 1e6}\n")), HasSubstr("did you mean \"left\"?"));
    EXPECT_THAT(touchComplaint(cubes("  - {stiffness: 1e6}\n")), HasSubstr("between"));
    EXPECT_THAT(touchComplaint(cubes("  - {between: [ground]}\n")), HasSubstr("no body is called \"ground\""));
    EXPECT_THAT(touchComplaint(cubes("  - {between: [left, ground], two_way: true}\n")),
                HasSubstr("is no reduced body"));
    EXPECT_THAT(touchComplaint(cubes("  - {between: [left], two_way: true}\n")),
                HasSubstr("the other side is not named"));
    EXPECT_THAT(touchComplaint(cubes("  - {between: [left], stiffness: 0}\n")), HasSubstr("it must be at least 0.001"));
    EXPECT_THAT(touchComplaint(cubes("  - {between: [left], stiffness: 1, layer: {young: 1, thickness: 1}}\n")),
                HasSubstr("a stiffness or a layer"));
    EXPECT_THAT(touchComplaint(cubes("  - {between: [left], layer: {young: 1}}\n")), HasSubstr("thickness"));
    EXPECT_THAT(touchComplaint(cubes("  - {between: [left], law: hertz, layer: {young: 1, thickness: 1}}\n")),
                HasSubstr("no stiffness in Pa/m^(1/2)"));
    for (const char* layer : {"{young: 1e15, thickness: 1e-9}", "{young: 1e-3, thickness: 1e3}"})
        EXPECT_THAT(touchComplaint(cubes("  - {between: [left], layer: " + std::string(layer) + "}\n")),
                    HasSubstr("Pa/m; it must be 0.001 to 1e+18"));
    EXPECT_THAT(touchComplaint(cubes("  - {between: [left], max_depth: 0.1}\n")),
                HasSubstr("means nothing for this law"));
    EXPECT_THAT(touchComplaint(cubes("  - {between: [left], law: hard}\n")), HasSubstr("law cannot be \"hard\""));
    EXPECT_THAT(touchComplaint(cubes("  - {between: [left], levels: 9}\n")), HasSubstr("it must be at most 8"));
    EXPECT_THAT(touchComplaint(cubes("  - {between: [left], penalty: {stiffness: 1}}\n")),
                HasSubstr("the other side is not named"));
    EXPECT_THAT(touchComplaint(cubes("  - {between: [left, ground], friction: 1, penalty: {stiffness: 1}}\n")),
                HasSubstr("\"friction\" means nothing beside a penalty"));
    EXPECT_THAT(touchComplaint(cubes("  - {between: [left, ground], penalty: {damping: 1}}\n")),
                HasSubstr("stiffness"));
    const std::string strand = touchComplaint(cubes("  - {between: [left]}\n"), makeBar());
    EXPECT_THAT(strand, HasSubstr("timed.yaml:8:"));
    EXPECT_THAT(strand, HasSubstr("is no solid"));
}

}  // namespace
}  // namespace pliant::test
