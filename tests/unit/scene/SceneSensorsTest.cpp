// SPDX-License-Identifier: Zlib
// What sensors of a scene tell, and what is recorded and expected of them, against known answers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "TimedScene.h"
#include "btPliant/btPliantJoint.h"

namespace pliant::test {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST(SceneTime, ARegionCountsAFreeFall) {
    TimedScene timed(kBall + "sensors: [{name: low, kind: region, box: {from: [-1, -1, 0], to: [1, 1, 0.5]}}]\n");
    for (int k = 1; k <= 60; ++k) {
        timed.step(kStep);
        const double z = 1.0 - 0.5 * kGravity * kStep * kStep * k * (k + 1);  // as Bullet integrates
        ASSERT_EQ(timed.number("low.count"), z >= 0.0 && z <= 0.5 ? 1.0 : 0.0) << "step " << k;
        ASSERT_EQ(timed.number("low.mass"), 2.0 * timed.number("low.count"));
    }
}

TEST(SceneTime, ABodyAtRestPressesWithItsWeight) {
    TimedScene timed(kBar +
                     "ground: {}\nrigid: [{name: box, shape: box, size: [0.4, 0.4, 0.4], mass: 2, position: [3, 0, "
                     "0.2]}]\nbodies: [{name: bar, model: bar, position: [0, 0, 0.2], sleep: false}]\nsensors:\n"
                     "  - {name: under_box, kind: contact, between: [box, ground]}\n"
                     "  - {name: under_bar, kind: contact, between: [bar]}\n"
                     "  - {name: none, kind: contact, between: [box, bar]}\n");
    timed.step(1.5);
    EXPECT_NEAR(timed.number("under_box.impulse"), 2 * kGravity * kStep, 0.01 * 2 * kGravity * kStep);
    EXPECT_GE(timed.number("under_box.count"), 3);
    timed.step(2.5);
    const double weight = timed.soft(0).getModel().totalMass() * kGravity;
    EXPECT_NEAR(timed.number("under_bar.impulse"), weight * kStep, 0.05 * weight * kStep);
    EXPECT_EQ(timed.number("none.count"), 0.0);
    EXPECT_EQ(timed.number("none.impulse"), 0.0);
}

// A slab falls on a bar that eleven points hold, and comes to lie there: contact and held points are solved together.
TEST(SceneTime, HeldPointsCarryWhatFallsOnThem) {
    std::string points = "{point: [0.3, -0.15, 0.1]}";  // beside the line, about which the bar would turn
    for (int i = 0; i < 10; ++i) points += ", {point: [" + std::to_string(0.3 + i / 9.0 - 0.5) + ", -0.2, 0.1]}";
    TimedScene timed(kBar +
                     "bodies: [{name: bar, model: bar, position: [-0.3, 0.2, 0.9], friction: 0.8}]\n"
                     "rigid: [{name: slab, shape: box, size: [0.6, 0.2, 0.04], mass: 2, position: [0, 0, 1.1], "
                     "friction: 0.8, sleep: false}]\njoints: [{name: hands, kind: points, between: [bar], points: [" +
                     points +
                     "]}]\nsensors:\n  - {name: hands, kind: joint, of: hands}\n"
                     "  - {name: on, kind: contact, between: [slab, bar]}\n");
    double gap = 0, hardest = 0;
    for (int i = 0; i < 360; ++i) {
        timed.step(kStep);
        gap = std::max(gap, timed.number("hands.gap"));
        hardest = std::max(hardest, timed.number("on.force.z"));
        ASSERT_EQ(timed.number("hands.given_up"), 0.0) << i;
    }
    EXPECT_LT(gap, 1e-3);
    EXPECT_GT(hardest, 3 * 2 * kGravity) << "it fell";
    EXPECT_NEAR(timed.number("on.force.z"), 2 * kGravity, 0.02 * 2 * kGravity);
    EXPECT_LT(timed.velocity().norm(), 1e-2);
    const double weight = kGravity * (2 + 1 / static_cast<double>(timed.soft(0).getInvMass()));
    const btPliantJoint& held = *btPliantJoint::upcast(timed.world().getConstraint(0));
    const Vector3 force = fromBullet(held.getLinearImpulse()) / kStep;
    EXPECT_NEAR(force.z(), weight, 0.02 * weight) << "by the hands, upwards";
    EXPECT_LT(force.head<2>().norm(), 0.02 * weight);
}

// Its weight as a force, and friction on a slope.
TEST(SceneTime, ContactsTellTheirForces) {
    const std::string slope = "gravity: [4, 0, -9]\n";
    TimedScene timed(slope + kBar +
                     "rigid: [{name: slab, shape: box, size: [4, 4, 0.2], position: [0, 0, -0.1], friction: "
                     "1}]\nbodies: [{name: bar, model: bar, position: [0, 0, 0.2], rotation: [0, 0, 0], "
                     "friction: 1, sleep: false}]\nsensors:\n"
                     "  - {name: under, kind: contact, between: [bar, slab], filter: 0.2}\n"
                     "  - {name: over, kind: contact, between: [slab, bar]}\n"
                     "  - {name: end, kind: contact, between: [bar], box: {from: [0.3, -9, -9], to: [9, 9, 9]}}\n"
                     "  - {name: skin, kind: contact, between: [bar], material: default}\n");
    timed.step(4);
    const double mass = timed.soft(0).getModel().totalMass();
    EXPECT_NEAR(timed.number("under.filtered.z"), 9 * mass, 1e-2 * 9 * mass);
    EXPECT_NEAR(timed.number("under.filtered.x"), -4 * mass, 1e-2 * 9 * mass);
    EXPECT_NEAR(timed.number("under.friction.x"), -4 * mass, 5e-2 * 9 * mass);
    EXPECT_NEAR(timed.number("under.impulse"), timed.number("under.force.z") * kStep, 1e-5 * mass);
    for (const char* axis : {"x", "y", "z"})
        EXPECT_EQ(timed.number(std::string("under.force.") + axis), -timed.number(std::string("over.force.") + axis));
    EXPECT_EQ(timed.number("under.depth"), timed.number("over.depth"));
    EXPECT_LT(timed.number("under.depth"), 1e-3) << "it lies on the slab; how deep is known of layers (SceneTouch)";
    EXPECT_EQ(timed.number("skin.force.z"), timed.number("under.force.z")) << "it has one material";
    EXPECT_GT(timed.number("end.filtered.z"), 0.1 * mass);
    EXPECT_LT(timed.number("end.filtered.z"), 0.9 * timed.number("under.filtered.z"));
}

TEST(SceneTime, SensorsNameRegionsThatThereAre) {
    const auto told = [](const std::string& rest) -> std::string {
        try {
            TimedScene timed(kBar +
                             "ground: {}\nbodies: [{name: bar, model: bar}]\nsensors: [{name: a, kind: contact, " +
                             rest + "}]\n");
        } catch (const Error& problem) {
            return problem.what();
        }
        return "";
    };
    EXPECT_THAT(told("between: [bar], material: wood"),
                HasSubstr("timed.yaml:5:11: the model \"bar\" has no material \"wood\"; it has \"default\""));
    EXPECT_THAT(told("between: [bar], box: {from: [5, 5, 5], to: [6, 6, 6]}"), HasSubstr("lies in the region"));
    EXPECT_THAT(told("between: [ground, bar], material: wood"), HasSubstr("\"ground\" is no reduced body"));
    EXPECT_EQ(told("between: [bar], material: default"), "");
}

// One name stands for a list of one, as the schema has it.
TEST(SceneTime, OneNameNeedsNoList) {
    TimedScene timed(kBall +
                     "ground: {height: 0.8}\njoints: [{name: hook, kind: point, between: ball, at: [0, 0, 1.1]}]\n"
                     "sensors:\n  - {name: any, kind: contact, between: ball}\n  - {name: rope, kind: joint, of: "
                     "hook}\nevents: [{at: 1, do: [{part: hook}]}]\n");
    timed.step(0.5);
    EXPECT_NEAR(timed.number("rope.force"), 2 * kGravity, 0.02 * 2 * kGravity);
    timed.step(2.5);
    EXPECT_NEAR(timed.number("any.force.z"), 2 * kGravity, 0.02 * 2 * kGravity);
}

TEST(SceneTime, PointsFall) {
    TimedScene timed(kBall + "sensors: [{name: tip, kind: point, of: ball, point: [0.1, 0, 0]}]\n");
    timed.step(0.5);
    EXPECT_NEAR(timed.number("tip.position.x"), 0.1, 1e-6);
    EXPECT_NEAR(timed.number("tip.position.z"), 1.0 - 0.5 * kGravity * 0.5 * (0.5 + kStep), 1e-4);
    EXPECT_NEAR(timed.number("tip.velocity.z"), -kGravity * 0.5, 1e-4);
    EXPECT_NEAR(timed.number("tip.speed"), kGravity * 0.5, 1e-4);
}

// A bar that is stretched by its own basis: E of a known deformation, and the same in a model that is turned in its
// file.
TEST(SceneTime, StrainIsThatOfTheDeformationGradient) {
    // In the middle of an element, where its deformation gradient is that of every shape.
    const auto model = makeBar();
    Vector3 middle = Vector3::Zero();
    const int corners = model->mesh.cornersPerElement();
    for (int c = 0; c < corners; ++c) middle += model->mesh.positions.col(model->mesh.elements(c, 1)) / corners;
    std::ostringstream point;
    point << middle.x() << ", " << middle.y() << ", " << middle.z();
    TimedScene timed(kWeightless + kBar + "bodies: [{name: bar, model: bar, position: [0, 0, 1]}]\n" +
                     "sensors: [{name: s, kind: strain, of: bar, point: [" + point.str() + "]}]\n");
    timed.step(kStep);
    for (const char* name : {"xx", "yy", "zz", "xy", "yz", "zx", "largest", "least", "volume"})
        EXPECT_NEAR(timed.number(std::string("s.") + name), 0.0, 1e-12) << name << " at rest";
    auto& body = const_cast<btPliantBody&>(timed.soft(0));
    VectorX q = VectorX::LinSpaced(body.getReducedCoordinates().size(), 0.02, -0.01);
    body.setReducedCoordinates(q);
    timed.step(kStep);
    // Central differences of where material points are, in the mesh's frame, after the step.
    constexpr double kApart = 1e-3;  // m, far below an element's size
    const Matrix3 turn = fromBullet(body.getMeshTransform()).rotation;
    Matrix3 F;
    for (int i = 0; i < 3; ++i) {
        btVector3 arm(0, 0, 0);
        arm[i] = btScalar(kApart);
        const btVector3 x = toBullet(middle);
        F.col(i) = turn.transpose() *
                   fromBullet(btVector3(body.getPointPosition(x + arm) - body.getPointPosition(x - arm))) /
                   (2 * kApart);
    }
    const Matrix3 E = 0.5 * (F.transpose() * F - Matrix3::Identity());
    ASSERT_GT(E.norm(), 1e-3) << "it bends";
    const double tolerance = 2e-4;  // positions have seven digits, and are 2 mm apart
    EXPECT_NEAR(timed.number("s.xx"), E(0, 0), tolerance);
    EXPECT_NEAR(timed.number("s.yy"), E(1, 1), tolerance);
    EXPECT_NEAR(timed.number("s.zz"), E(2, 2), tolerance);
    EXPECT_NEAR(timed.number("s.xy"), E(0, 1), tolerance);
    EXPECT_NEAR(timed.number("s.yz"), E(1, 2), tolerance);
    EXPECT_NEAR(timed.number("s.zx"), E(2, 0), tolerance);
    EXPECT_NEAR(timed.number("s.volume"), F.determinant() - 1, tolerance);
    EXPECT_NEAR(timed.number("s.largest") + timed.number("s.least") +
                    (E.trace() - timed.number("s.largest") - timed.number("s.least")),
                timed.number("s.xx") + timed.number("s.yy") + timed.number("s.zz"), tolerance);
    EXPECT_GE(timed.number("s.largest"), std::max({timed.number("s.xx"), timed.number("s.yy"), timed.number("s.zz")}));
    EXPECT_LE(timed.number("s.least"), std::min({timed.number("s.xx"), timed.number("s.yy"), timed.number("s.zz")}));
}

TEST(SceneTime, EnergyIsKineticAndPotential) {
    TimedScene timed("ground: {height: 0.5}\n" + kBall + "sensors: [{name: energy, kind: energy}]\n");
    timed.step(0.2);
    const double speed = kGravity * 0.2, fall = 0.5 * kGravity * 0.2 * (0.2 + kStep);
    EXPECT_NEAR(timed.number("energy.kinetic"), speed * speed, 1e-3);
    EXPECT_NEAR(timed.number("energy.potential"), 2 * kGravity * (0.5 - fall), 1e-3) << "zero at the ground";
    EXPECT_NEAR(timed.number("energy.total"), timed.number("energy.kinetic") + timed.number("energy.potential"), 1e-9);
    EXPECT_LT(std::abs(timed.number("energy.growth")), 0.05);
}

TEST(SceneTime, EnergyOfSomeBodies) {
    TimedScene timed(
        "ground: {height: 0.5}\nrigid:\n"
        "  - {name: ball, shape: sphere, radius: 0.1, mass: 2, position: [0, 0, 3], angular_velocity: [0, 0, "
        "1.5707963]}\n"
        "  - {name: stone, shape: box, size: [0.2, 0.2, 0.2], mass: 5, position: [4, 0, 2]}\n"
        "sensors:\n  - {name: all, kind: energy}\n  - {name: ball, kind: energy, of: ball}\n"
        "  - {name: stone, kind: energy, of: stone}\n  - {name: both, kind: energy, of: [stone, ball]}\n");
    timed.step(0.2);
    const double speed = kGravity * 0.2, fall = 0.5 * kGravity * 0.2 * (0.2 + kStep);
    const double turning = 0.5 * 0.4 * 2 * 0.01 * 0.25 * M_PI * M_PI;
    EXPECT_NEAR(timed.number("ball.kinetic"), speed * speed + turning, 1e-3);
    EXPECT_NEAR(timed.number("ball.potential"), 2 * kGravity * (2.5 - fall), 2e-3) << "zero at the ground";
    EXPECT_NEAR(timed.number("stone.kinetic"), 2.5 * speed * speed, 1e-3);
    for (const char* number : {".kinetic", ".potential", ".total"}) {
        const double all = timed.number(std::string("all") + number);
        EXPECT_NEAR(timed.number(std::string("both") + number), all, 1e-5 * std::abs(all)) << number;
        EXPECT_NEAR(timed.number(std::string("ball") + number) + timed.number(std::string("stone") + number), all,
                    1e-5 * std::abs(all))
            << number;
    }
}

TEST(SceneTime, RecordsHaveALineForEachTime) {
    const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "pliant_records";
    std::filesystem::remove_all(folder);
    TimedScene timed(kWeightless + kBall +
                     "sensors:\n  - {name: tip, kind: point, of: ball}\n"
                     "  - {name: all, kind: region, box: {from: [-9, -9, -9], to: [9, 9, 9]}}\n"
                     "record:\n  - {file: tip.csv, every: 0.25, of: [tip.position, all.count]}\n"
                     "  - {file: tip.jsonl, of: [tip.position, all.mass]}\n"
                     "  - {file: z.csv, every: 0.5, of: [tip.position.z, tip.position.x]}\n");
    timed.scene().setRecordFolder(folder.string());
    timed.step(0.5);
    timed.scene().finish();
    std::ifstream table(folder / "tip.csv"), lines(folder / "tip.jsonl");
    std::stringstream tableText, lineText;
    tableText << table.rdbuf();
    lineText << lines.rdbuf();
    const std::string text = tableText.str(), json = lineText.str();
    EXPECT_THAT(text, HasSubstr("t [s],tip.position.x [m],tip.position.y [m],tip.position.z [m],all.count [1]\n"
                                "0,0,0,1,1\n"));
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + 3) << "at 0, 0.25 and 0.5 s";
    EXPECT_THAT(json, HasSubstr("{\"t\":0,\"tip.position\":[0,0,1],\"all.mass\":2}\n"));
    EXPECT_EQ(std::count(json.begin(), json.end(), '\n'), 61);
    std::ifstream components(folder / "z.csv");
    std::stringstream componentText;
    componentText << components.rdbuf();
    EXPECT_THAT(componentText.str(), HasSubstr("t [s],tip.position.z [m],tip.position.x [m]\n0,1,0\n"));
    EXPECT_THAT(timed.scene().getWarnings(), SizeIs(0));
}

TEST(SceneTime, ARecordThatCannotBeWrittenIsAWarning) {
    const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "pliant_no_folder";
    std::filesystem::remove_all(folder);
    std::ofstream(folder) << "a file";
    TimedScene timed(kBall + "sensors: [{name: tip, kind: point, of: ball}]\nrecord: [{file: a.csv, of: tip.speed}]\n");
    timed.scene().setRecordFolder(folder.string());
    timed.step(0.1);
    ASSERT_THAT(timed.scene().getWarnings(), SizeIs(1));
    EXPECT_THAT(timed.scene().getWarnings()[0], HasSubstr("the run went on without this record"));
    std::filesystem::remove(folder);
}

TEST(SceneTime, WhatIsExpectedAndFalseIsTold) {
    TimedScene timed(kBall +
                     "sensors: [{name: tip, kind: point, of: ball}]\n"
                     "expect:\n  - {at: 0.5, that: tip.velocity.z < 0}\n  - {at: 0.5, that: tip.velocity.z > 0}\n"
                     "  - {that: tip.position.z > 100}\n  - {at: end, that: tip.position.z < 1}\n");
    timed.step(1);
    timed.scene().finish();
    const std::vector<std::string>& failures = timed.scene().getFailures();
    ASSERT_THAT(failures, SizeIs(2));
    EXPECT_THAT(failures[0],
                HasSubstr("timed.yaml:7:5: expect at 0.5 s: tip.velocity.z > 0 is false: tip.velocity.z is "
                          "-4.9"));
    EXPECT_THAT(failures[1], HasSubstr("expect at the end: tip.position.z > 100 is false"));
}

}  // namespace
}  // namespace pliant::test
