// SPDX-License-Identifier: Zlib
// A short scene may have 20,000 entries of a name each: what is looked up by name takes no time for all of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <string>
#include <vector>

#include "SceneFolder.h"
#include "pliant/scene/NearestWord.h"
#include "pliant/scene/SceneReader.h"
#include "pliant/scene/Timeline.h"

namespace pliant::scene {
namespace {

using ::testing::HasSubstr;
using ManyNames = SceneFolder;

/// Fails where a test has taken 20 s: an order of magnitude more than on a busy machine, and less than the square of
/// the number took (37 s and more).
class Stopwatch {
public:
    ~Stopwatch() {
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - m_start;
        EXPECT_LT(taken.count(), 20.0);
    }

private:
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

TEST_F(ManyNames, LongWordsAreNotComparedWithEachOther) {
    const Stopwatch stopwatch;
    const std::string one(200000, 'a'), other(200000, 'b');
    EXPECT_THAT(complaint("rigid:\n  - {shape: box, name: " + one +
                          "}\nsensors:\n  - {name: s, kind: bodies, of: " + other + "}\n"),
                HasSubstr("give one this name"));
}

/// 17 numbers of each of 3,000 bodies.
std::vector<std::string> numbersOfMany(const std::string& body) {
    std::vector<std::string> names;
    for (int i = 0; i < 3000; ++i) {
        const std::string one = body + "[" + std::to_string(i) + "].";
        for (const char* vector : {"position", "velocity", "rotation", "spin", "force"})
            for (const char* component : {".x", ".y", ".z"}) names.push_back(one + vector + component);
        names.push_back(one + "speed");
        names.push_back(one + "energy");
    }
    return names;
}

// The nearest stands among the last of 51,000; that those before it begin with the same letters takes no time.
TEST(NearestWord, OfTensOfThousandsTheNearestIsSuggested) {
    EXPECT_EQ(nearestWord("crate[2999].veloctiy.x", numbersOfMany("crate")), "crate[2999].velocity.x");
    const std::string longName(70, 'c');
    EXPECT_EQ(nearestWord(longName + "[2999].veloctiy.x", numbersOfMany(longName)), longName + "[2999].velocity.x");
    EXPECT_EQ(nearestWord("Crate[2999].SPEED", numbersOfMany("crate")), "crate[2999].speed");
}

// Long words that differ at both ends by as much as is still suggested: to compare them all takes too long.
TEST(NearestWord, WhereNotAllAreComparedNoneIsSuggested) {
    std::vector<std::string> names(20000, "x" + std::string(96, 'a') + "yzx");
    EXPECT_EQ(nearestWord("b" + std::string(96, 'c') + "bbb", names), "");
    for (std::size_t i = 0; i < names.size(); ++i)
        names[i] = "x" + std::string(i % 2 ? 40 : 41, 'a') + std::string(50, 'b') + "y";
    names.push_back("p" + std::string(45, 'a') + std::string(50, 'b') + "q");
    EXPECT_EQ(nearestWord("p" + std::string(45, 'a') + std::string(50, 'b') + "r", names), "");
}

TEST_F(ManyNames, SensorsOfManyBodiesFindThem) {
    const Stopwatch stopwatch;
    const SceneDescription scene = parse(
        "rigid:\n  - {repeat: {i: 10000}, shape: box, name: a}\n"
        "sensors:\n  - {repeat: {i: 10000}, name: s, kind: bodies, of: \"a[= i]\"}\n");
    EXPECT_EQ(scene.timeline.sensors.size(), 10000u);
    EXPECT_EQ(scene.timeline.sensors[9999].of[0].name, "a[9999]");
}

TEST_F(ManyNames, RecordsOfEachBodyFindTheirNumbers) {
    const Stopwatch stopwatch;
    const SceneDescription scene = parse(
        "rigid:\n  - {shape: box, mass: 1, name: a, grid: {count: [100, 50, 1], spacing: 2}}\n"
        "record:\n  - {file: speeds.csv, of: [a.speed, a.position, a.velocity.x], each: true}\n");
    ASSERT_EQ(scene.timeline.records.size(), 1u);
    EXPECT_EQ(scene.timeline.records[0].of.size(), 15000u);
    Timeline timeline(scene.timeline, 0.01);
    timeline.setFolder(m_folder.string());
    EXPECT_TRUE(timeline.warnings().empty());
    timeline.advance(0.0, [](const DueAction&) {});
    timeline.finish(0.0);
    std::ifstream table(m_folder / "speeds.csv");
    std::string header;
    std::getline(table, header);
    EXPECT_THAT(header, HasSubstr(",a[4999].speed [m/s],"));
    EXPECT_EQ(std::count(header.begin(), header.end(), ','), 5000 * 5);  // behind the time
}

TEST_F(ManyNames, CopiesOfAnEntryReadTheirFileOnce) {
    write("wedge.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    write("heights.csv", "0,1\n1,0\n");
    const SceneDescription scene = parse(
        "rigid:\n  - {repeat: {i: 3}, shape: hull, file: wedge.obj, mass: \"= i == 0 ? 0 : 2\", name: a}\n"
        "  - {shape: hull, file: wedge.obj, scale: 2}\n"
        "  - {repeat: {i: 2}, shape: heightfield, file: heights.csv, spacing: 1}\n");
    ASSERT_EQ(scene.rigid.size(), 6u);
    EXPECT_EQ(scene.rigid[1].mesh, scene.rigid[2].mesh);
    EXPECT_EQ(scene.rigid[1].inertiaOfKilogram, scene.rigid[2].inertiaOfKilogram);
    EXPECT_GT(scene.rigid[2].inertiaOfKilogram.norm(), 0.0);
    EXPECT_NE(scene.rigid[0].mesh, scene.rigid[1].mesh) << "without a mass it stands about the origin of its file";
    EXPECT_NE(scene.rigid[0].mesh, scene.rigid[3].mesh) << "of another scale";
    EXPECT_EQ(scene.rigid[4].heights, scene.rigid[5].heights);
}

}  // namespace
}  // namespace pliant::scene
