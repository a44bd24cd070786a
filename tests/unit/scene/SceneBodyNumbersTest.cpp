// SPDX-License-Identifier: Zlib
// What records, expectations and events know of bodies, joints and contacts without a sensor for each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "TimedScene.h"
#include "pliant/scene/Timeline.h"

namespace pliant::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class SceneBodyNumbers : public ::testing::Test {
protected:
    void SetUp() override {
        m_folder = std::filesystem::path(::testing::TempDir()) /
                   (std::string("pliant_") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
        std::filesystem::remove_all(m_folder);
    }
    void TearDown() override { std::filesystem::remove_all(m_folder); }
    std::string text(const std::string& file) const {
        std::ifstream stream(m_folder / file);
        std::stringstream text;
        text << stream.rdbuf();
        return text.str();
    }
    std::filesystem::path m_folder;
};

/// What is wrong with a scene; "nothing".
std::string told(const std::string& text) {
    try {
        scene::parseScene(text, "numbers.yaml", anyModel());
    } catch (const Error& problem) {
        return problem.what();
    }
    return "nothing";
}

// Two balls of 2 kg and 1 kg, 3 m apart: their centre of mass, momentum and energy in free fall.
const std::string kBalls =
    "rigid:\n  - {name: heavy, shape: sphere, radius: 0.1, mass: 2, position: [0, 0, 1], layer: goods}\n"
    "  - {name: light, shape: sphere, radius: 0.1, mass: 1, position: [3, 0, 1], velocity: [6, 0, 0], layer: goods}\n"
    "layers: {goods: []}\n";

TEST_F(SceneBodyNumbers, OfBodiesInFreeFall) {
    TimedScene timed(kBalls + "sensors: [{name: all, kind: bodies}, {name: one, kind: bodies, of: light}]\n");
    timed.step(0.5);
    const double speed = kGravity * 0.5, fallen = 0.5 * kGravity * 0.5 * (0.5 + kStep);
    EXPECT_EQ(timed.number("all.count"), 2.0);
    EXPECT_EQ(timed.number("all.mass"), 3.0);
    EXPECT_NEAR(timed.number("all.position.x"), (3.0 + 6.0 * 0.5) / 3.0, 1e-5);
    EXPECT_NEAR(timed.number("all.position.z"), 1.0 - fallen, 1e-4);
    EXPECT_NEAR(timed.number("all.velocity.x"), 2.0, 1e-6);
    EXPECT_NEAR(timed.number("all.speed"), std::hypot(2.0, speed), 1e-4);
    EXPECT_NEAR(timed.number("all.kinetic_energy"), 0.5 * 3.0 * speed * speed + 0.5 * 36.0, 1e-3);
    EXPECT_EQ(timed.number("all.strain_energy"), 0.0);
    EXPECT_NEAR(timed.number("one.position.x"), 6.0, 1e-5);
}

// The same numbers by the names of bodies, layers and copies, and those of a body that bends.
TEST_F(SceneBodyNumbers, AreThereWithoutASensor) {
    TimedScene timed(kBalls + kBar +
                     "bodies: [{name: bar, model: bar, position: [0, 5, 1], grid: {count: [2, 1, 1], spacing: 9}}]\n"
                     "joints: [{name: rope, kind: point, between: [\"bar[1]\"], at: [4.5, 5, 1]}]\n"
                     "expect:\n  - {that: \"goods.speed > 0 && light.velocity.x > 5 && bar[0].strain_energy >= 0\"}\n"
                     "  - {at: 0.1, that: energy.total > 0}\n"
                     "events: [{when: rope.broken > 0, do: [stop]}]\n");
    timed.step(0.25);
    EXPECT_EQ(timed.number("goods.count"), 2.0);
    EXPECT_NEAR(timed.number("goods.velocity.x"), 2.0, 1e-6);
    EXPECT_NEAR(timed.number("bar[0].strain_energy"), timed.soft(0).getStrainEnergy(), 1e-12);
    EXPECT_NEAR(timed.number("bar[0].speed"), kGravity * 0.25, 1e-3);
    EXPECT_EQ(timed.number("rope.broken"), 0.0);
    timed.scene().finish();
    EXPECT_THAT(timed.scene().getFailures(), SizeIs(0));
}

// Energies that nothing in the file reads are not measured in every step, but as soon as somebody asks for them.
TEST_F(SceneBodyNumbers, EnergiesAreMeasuredOnceAskedFor) {
    TimedScene timed(kBar +
                     "bodies: [{name: bar, model: bar, position: [0, 5, 1], grid: {count: [2, 1, 1], spacing: 9}}]\n"
                     "joints: [{name: rope, kind: point, between: [\"bar[1]\"], at: [4.5, 5, 1]}]\n"
                     "expect: [{that: bar.speed >= 0}]\n");
    timed.step(0.25);
    const auto strain = [&timed] { return timed.soft(0).getStrainEnergy() + timed.soft(1).getStrainEnergy(); };
    ASSERT_GT(strain(), 0.0);
    EXPECT_NEAR(timed.number("bar.strain_energy"), strain(), 1e-12 * strain());
    timed.step(0.05);
    EXPECT_NEAR(timed.number("bar.strain_energy"), strain(), 1e-12 * strain());
    EXPECT_GT(timed.number("bar.kinetic_energy"), 0.0);
    timed.scene().finish();
    EXPECT_NEAR(timed.number("bar.strain_energy"), strain(), 1e-12 * strain());
}

// What formulas, records and expectations read, and nothing else.
TEST_F(SceneBodyNumbers, AreReadByWhatNamesThem) {
    const scene::SceneDescription described =
        scene::parseScene(kBalls +
                              "sensors: [{name: all, kind: bodies}]\n"
                              "record: [{file: a.csv, of: [all.mass, all.velocity]}]\nexpect: [{that: all.lost == 0}]\n"
                              "events: [{when: all.position.z < 0, do: [{say: \"{all.kinetic_energy} J\"}]}]\n",
                          "numbers.yaml", anyModel());
    const scene::Timeline timeline(described.timeline, kStep);
    for (const char* name : {"all.mass", "all.lost", "all.position.z", "all.kinetic_energy"}) {
        const auto [sensor, number] = timeline.placeOf(name);
        EXPECT_TRUE(timeline.isRead(sensor, number)) << name;
    }
    for (const char* name : {"all.count", "all.position.x", "all.strain_energy"}) {
        const auto [sensor, number] = timeline.placeOf(name);
        EXPECT_FALSE(timeline.isRead(sensor, number)) << name;
    }
    EXPECT_EQ(timeline.placeOf("all.velocity.y").second, 7);
    EXPECT_EQ(timeline.placeOf("all.volume").first, -1);
}

// A ball that meets nobody falls through the ground.
TEST_F(SceneBodyNumbers, WhatIsBelowTheGroundIsLost) {
    TimedScene timed("ground: {}\n" + kBalls + "expect: [{that: goods.lost == 0}, {that: light.lost == 1}]\n");
    timed.step(0.3);
    EXPECT_EQ(timed.number("goods.lost"), 0.0);
    timed.step(0.3);
    EXPECT_EQ(timed.number("goods.lost"), 2.0);
    timed.scene().finish();
    ASSERT_THAT(timed.scene().getFailures(), SizeIs(1));
    EXPECT_THAT(timed.scene().getFailures()[0], HasSubstr("goods.lost == 0 is false: goods.lost is 2"));
}

TEST_F(SceneBodyNumbers, RecordsOfEachBody) {
    TimedScene timed(kWeightless + kBalls +
                     "record:\n  - {file: each.csv, every: 0.25, each: true, of: [goods.position.x, heavy.mass]}\n"
                     "  - {file: whole.jsonl, every: 0.25, of: [goods.position, energy.kinetic]}\n");
    timed.scene().setRecordFolder(m_folder.string());
    timed.step(0.25);
    timed.scene().finish();
    EXPECT_EQ(text("each.csv").substr(0, text("each.csv").find("\n0.25")),
              "t [s],heavy.position.x [m],light.position.x [m],heavy.mass [kg]\n0,0,3,2");
    EXPECT_THAT(text("whole.jsonl"), HasSubstr("{\"t\":0,\"goods.position\":[1,0,1],\"energy.kinetic\":18}\n"));
}

// Every contact of a box of 2 kg at rest: where it stands, its normal, and impulses that add up to its weight.
TEST_F(SceneBodyNumbers, RecordsOfContacts) {
    TimedScene timed(
        "ground: {}\nrigid: [{name: box, shape: box, size: [0.4, 0.4, 0.4], mass: 2, position: [0, 0, 0.2]}]\n"
        "sensors: [{name: knocks, kind: contact, between: [box, ground]}]\n"
        "record: [{file: knocks.jsonl, of: knocks}, {file: knocks.csv, of: knocks}]\n");
    timed.scene().setRecordFolder(m_folder.string());
    timed.step(1.5);
    timed.scene().finish();
    std::istringstream lines(text("knocks.jsonl"));
    double last = 0.0;
    int count = 0;
    for (std::string line; std::getline(lines, line);) {
        const nlohmann::json contact = nlohmann::json::parse(line);
        EXPECT_EQ(contact["body"], "box");
        EXPECT_EQ(contact["other"], "ground");
        EXPECT_NEAR(contact["normal"][2].get<double>(), 1.0, 1e-6);
        EXPECT_NEAR(std::abs(contact["point"][0].get<double>()), 0.2, 0.01);
        EXPECT_GT(contact["impulse"].get<double>(), 0.0);
        if (std::abs(contact["t"].get<double>() - 1.5) < 1e-6) last += contact["impulse"].get<double>();
        ++count;
    }
    EXPECT_GT(count, 300) << "a line for each contact of each step";
    EXPECT_NEAR(last, 2 * kGravity * kStep, 0.01 * 2 * kGravity * kStep);
    EXPECT_NEAR(last, timed.number("knocks.impulse"), 1e-9) << "those of the sensor";
    EXPECT_THAT(text("knocks.csv"), HasSubstr("t [s],body,other,point.x [m],point.y [m],point.z [m],normal.x [1],"
                                              "normal.y [1],normal.z [1],impulse [N s]\n"));
    const std::string table = text("knocks.csv");
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), count + 1);
}

/// The fields of a line of a table, read as [RFC 4180] says; `text` goes on behind it.
std::vector<std::string> takeRow(std::string& text) {
    std::vector<std::string> fields(1);
    bool inQuotes = false;
    std::size_t i = 0;
    for (; i < text.size() && (inQuotes || text[i] != '\n'); ++i) {
        const bool isDoubled = inQuotes && text.compare(i, 2, "\"\"") == 0;
        if (isDoubled) ++i;
        if (text[i] == '"' && !isDoubled)
            inQuotes = !inQuotes;
        else if (text[i] == ',' && !inQuotes)
            fields.emplace_back();
        else
            fields.back() += text[i];
    }
    text.erase(0, i + 1);
    return fields;
}

// Names that hold what separates the fields and lines of a table, and what ends a text in JSON.
TEST_F(SceneBodyNumbers, RecordsKeepNamesWhole) {
    const std::string name = "half, \"full\"\nand \\ \t1";
    const std::string inYaml = R"("half, \"full\"\nand \\ \t1")", quantity = R"("half, \"full\"\nand \\ \t1.speed")",
                      vector = R"("half, \"full\"\nand \\ \t1.position")";
    TimedScene timed("ground: {}\nrigid: [{name: " + inYaml +
                     ", shape: box, size: [0.4, 0.4, 0.4], mass: 2, position: [0, 0, 0.2]}]\n"
                     "sensors: [{name: knocks, kind: contact, between: [" +
                     inYaml +
                     ", ground]}]\n"
                     "record:\n  - {file: numbers.csv, every: 0.1, of: [" +
                     quantity + ", " + vector +
                     "]}\n"
                     "  - {file: numbers.jsonl, every: 0.1, of: [" +
                     quantity + ", " + vector +
                     "]}\n"
                     "  - {file: knocks.csv, of: knocks}\n  - {file: knocks.jsonl, of: knocks}\n");
    timed.scene().setRecordFolder(m_folder.string());
    timed.step(0.5);
    timed.scene().finish();
    std::string numbers = text("numbers.csv"), knocks = text("knocks.csv");
    EXPECT_THAT(takeRow(numbers), ElementsAre("t [s]", name + ".speed [m/s]", name + ".position.x [m]",
                                              name + ".position.y [m]", name + ".position.z [m]"));
    EXPECT_THAT(takeRow(numbers), SizeIs(5));
    EXPECT_THAT(takeRow(knocks), SizeIs(10));
    const std::vector<std::string> contact = takeRow(knocks);
    ASSERT_THAT(contact, SizeIs(10));
    EXPECT_EQ(contact[1], name);
    EXPECT_EQ(contact[2], "ground");
    const auto firstOf = [&](const std::string& file) {
        std::istringstream lines(text(file));
        std::string line;
        std::getline(lines, line);
        return nlohmann::json::parse(line);
    };
    EXPECT_EQ(firstOf("knocks.jsonl")["body"], name);
    EXPECT_THAT(firstOf("numbers.jsonl")[name + ".position"], SizeIs(3));
    EXPECT_TRUE(firstOf("numbers.jsonl").contains(name + ".speed"));
}

// Sensors of an instance, and sensors beside it that name its bodies, have contacts to write: their names have dots, as
// numbers of sensors have.
TEST_F(SceneBodyNumbers, RecordsOfContactsOfInstances) {
    TimedScene timed(
        "ground: {}\n"
        "prefabs:\n  crate:\n    rigid: [{name: box, shape: box, size: [0.4, 0.4, 0.4], mass: 2, position: [0, 0, "
        "0.2]}]\n"
        "    sensors: [{name: knocks, kind: contact, between: [box, ground]}]\n"
        "instances: [{prefab: crate, name: one}, {prefab: crate, name: two, position: [3, 0, 0]}]\n"
        "sensors: [{name: outside, kind: contact, between: [two.box, ground]}]\n"
        "record:\n  - {file: one.jsonl, of: one.knocks}\n  - {file: two.jsonl, of: [outside]}\n"
        "  - {file: counts.csv, every: 0.25, of: [one.knocks.count, outside.count, two.knocks.count]}\n");
    timed.scene().setRecordFolder(m_folder.string());
    timed.step(1.0);
    timed.scene().finish();
    for (const std::string file : {"one", "two"}) {
        std::istringstream lines(text(file + ".jsonl"));
        double last = 0.0;
        for (std::string line; std::getline(lines, line);) {
            const nlohmann::json contact = nlohmann::json::parse(line);
            EXPECT_EQ(contact["body"], file + ".box");
            EXPECT_NEAR(contact["point"][0].get<double>(), file == "two" ? 3.0 : 0.0, 0.21);
            if (std::abs(contact["t"].get<double>() - 1.0) < 1e-6) last += contact["impulse"].get<double>();
        }
        EXPECT_NEAR(last, 2 * kGravity * kStep, 0.01 * 2 * kGravity * kStep) << "its weight, " << file;
    }
    std::string counts = text("counts.csv");
    EXPECT_THAT(takeRow(counts),
                ElementsAre("t [s]", "one.knocks.count [1]", "outside.count [1]", "two.knocks.count [1]"));
    EXPECT_EQ(timed.number("one.knocks.count"), 4.0);
}

// Numbers of a name that two things have could be either's.
TEST_F(SceneBodyNumbers, OneNameHasOneOwner) {
    const std::string both = kBalls + "joints: [{name: light, kind: point, between: [light], at: [3, 0, 1.5]}]\n";
    EXPECT_EQ(told(both), "nothing") << "as long as nobody asks";
    const std::string sentence =
        "\"light\" is a group of bodies and a joint: whose number is meant cannot be told; give one of them another "
        "name, or measure it by a sensor with a name of its own";
    EXPECT_THAT(told(both + "expect: [{that: light.speed > 5}]\n"), HasSubstr(sentence));
    EXPECT_THAT(told(both + "record: [{file: a.csv, every: 1, of: [heavy.speed, light.force]}]\n"),
                HasSubstr(sentence));
    EXPECT_THAT(told(both + "events: [{when: light.broken > 0, do: [stop]}]\n"), HasSubstr(sentence));
    const std::string measured =
        "sensors: [{name: bulb, kind: bodies, of: light}, {name: wire, kind: joint, of: light}]\n"
        "expect: [{that: \"bulb.speed > 5 && wire.broken == 0\"}]\n";
    EXPECT_EQ(told(both + measured), "nothing");
    EXPECT_THAT(told("rigid: [{name: energy, shape: sphere, radius: 0.1, mass: 2}]\n"
                     "expect: [{that: energy.total > 0}, {that: energy.total < 9}]\n"),
                HasSubstr("numbers.yaml:2:10: \"energy\" is a group of bodies and the energy of the world"));
}

// What is written of each body of a layer needs the names of its groups.
TEST_F(SceneBodyNumbers, EachBodyOfALayerHasAName) {
    const std::string record =
        "layers: {goods: []}\nrecord: [{file: a.csv, every: 0.1, each: true, of: goods.speed}]\n";
    const std::string nameless = "  - {shape: sphere, radius: 0.1, mass: 1, position: [6, 0, 1], layer: goods}\n";
    const std::string named = "rigid:\n  - {name: heavy, shape: sphere, radius: 0.1, mass: 2, layer: goods}\n";
    EXPECT_EQ(told(named + record), "nothing");
    EXPECT_THAT(told(named + nameless + record),
                HasSubstr("the layer \"goods\" has groups without a name, which \"each\" needs; name them"));
    TimedScene several(kWeightless + named +
                       "  - {name: crate, shape: sphere, radius: 0.1, mass: 1, position: [9, 0, 1], "
                       "grid: {count: [2, 1, 1], spacing: 2}, layer: goods}\n" +
                       record);
    several.scene().setRecordFolder(m_folder.string());
    several.step(0.1);
    several.scene().finish();
    std::string table = text("a.csv");
    EXPECT_THAT(takeRow(table),
                ElementsAre("t [s]", "heavy.speed [m/s]", "crate[0].speed [m/s]", "crate[1].speed [m/s]"));
}

TEST_F(SceneBodyNumbers, Mistakes) {
    EXPECT_THAT(told(kBalls + "expect: [{that: goods.lots == 0}]\n"),
                HasSubstr("\"goods.lots\" is not defined; did you mean \"goods.lost\"?"));
    EXPECT_THAT(told(kBalls + "expect: [{that: \"heavy[3].speed > 0\"}]\n"),
                HasSubstr("has 1 bodies, numbered from 0"));
    EXPECT_THAT(told(kBalls + "expect: [{that: hevy.speed > 0}]\n"), HasSubstr("\"hevy.speed\" is not defined"));
    EXPECT_THAT(told(kBalls + "record: [{file: a.csv, of: heavy.sped}]\n"), HasSubstr("did you mean \"heavy.speed\"?"));
    EXPECT_THAT(told(kBalls + "record: [{file: a.csv, of: knocks}]\n"),
                HasSubstr("no contact sensor is called \"knocks\""));
    const std::string sensors =
        "sensors: [{name: knocks, kind: contact, between: [heavy]}, {name: tip, kind: point, of: light}]\n";
    EXPECT_THAT(told(kBalls + sensors + "record: [{file: a.csv, of: knoks}]\n"), HasSubstr("did you mean \"knocks\"?"));
    EXPECT_THAT(told(kBalls + sensors + "record: [{file: a.csv, of: tip}]\n"),
                HasSubstr("\"tip\" is no contact sensor, and has no contacts to write; name one of its numbers: "
                          "tip.position"));
    EXPECT_THAT(
        told(kBalls + sensors + "record: [{file: a.csv, of: knocks, every: 1}]\n"),
        AllOf(HasSubstr("\"every\" means nothing for a record of contacts, which \"knocks\" without a quantity is"),
              HasSubstr("for a number of it write knocks.position")));
    EXPECT_THAT(told(kBalls + sensors + "record: [{file: a.csv, of: knocks, each: true}]\n"),
                HasSubstr("\"each\" means nothing for a record of contacts"));
    // What only follows from a body that cannot be read is not told.
    const std::string lost = told("rigid: [{name: ball, shape: sfere}]\nexpect: [{that: ball.lost == 0}]\n");
    EXPECT_THAT(lost, HasSubstr("did you mean \"sphere\"?"));
    EXPECT_THAT(lost, ::testing::Not(HasSubstr("ball.lost")));
}

}  // namespace
}  // namespace pliant::test
