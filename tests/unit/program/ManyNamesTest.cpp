// SPDX-License-Identifier: Zlib
// A short scene may have 20,000 entries of a name each: what is looked up by name takes no time for all of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "SceneFolder.h"
#include "pliant/scene/SceneReader.h"
#include "pliant/scene/Timeline.h"

namespace pliant::scene {
namespace {

using ::testing::HasSubstr;
using ManyNames = SceneFolder;

/// Ends after 20 s that are not to be taken: what takes the square of the number takes minutes.
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
