// SPDX-License-Identifier: Zlib
// Scene files in viewers that know nothing of Pliant, by the plugin of examples/osgdb_pliantscene.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <osg/MatrixTransform>
#include <osg/NodeVisitor>
#include <osgDB/ReadFile>
#include <osgUtil/UpdateVisitor>
#include <string>

#include "Sanitizers.h"

using ::testing::HasSubstr;

namespace {

class ScenePlugin : public ::testing::Test {
protected:
    void SetUp() override {
        std::filesystem::create_directories(_folder);
        osgDB::Registry::instance()->getLibraryFilePathList().push_front(PLIANT_SCENE_PLUGIN_FOLDER);
    }
    void TearDown() override {
        osgDB::Registry::instance()->getLibraryFilePathList().pop_front();
        std::filesystem::remove_all(_folder);
    }
    osg::ref_ptr<osg::Node> read(const std::string& text) const {
        const std::string path = (_folder / "drop.pliantscene").string();
        std::ofstream(path) << text;
        return osgDB::readRefNodeFile(path);
    }
    const std::filesystem::path _folder =
        std::filesystem::temp_directory_path() / ("pliant_scene_plugin_" + std::to_string(::getpid()));
};

/// Where the transform of a node stands highest, m.
class HighestTransform : public osg::NodeVisitor {
public:
    HighestTransform() : osg::NodeVisitor(TRAVERSE_ALL_CHILDREN) {}
    void apply(osg::MatrixTransform& transform) override {
        height = std::max(height, transform.getMatrix().getTrans().z());
        traverse(transform);
    }
    double height = -1e9;
};

double heightIn(osg::Node& node) {
    HighestTransform highest;
    node.accept(highest);
    return highest.height;
}

/// The update traversal of a viewer at a simulation time, s.
void updateAt(osg::Node& node, double time) {
    const osg::ref_ptr<osg::FrameStamp> stamp = new osg::FrameStamp;
    stamp->setSimulationTime(time);
    osgUtil::UpdateVisitor visitor;
    visitor.setFrameStamp(stamp);
    node.accept(visitor);
}

// A ball falls by the clock of the viewer, which began at 100 s.
TEST_F(ScenePlugin, RunsByTheTimeOfTheViewer) {
    const osg::ref_ptr<osg::Node> node = read(
        "time: {frames_per_second: 100, substeps: 1}\n"
        "rigid: [{shape: sphere, radius: 0.1, mass: 1, position: [0, 0, 9]}]\n");
    ASSERT_TRUE(node);
    EXPECT_DOUBLE_EQ(heightIn(*node), 9.0);
    updateAt(*node, 100.0);
    EXPECT_DOUBLE_EQ(heightIn(*node), 9.0) << "its time begins with the first picture";
    for (int frame = 1; frame <= 50; ++frame) updateAt(*node, 100.0 + 0.02 * frame);
    constexpr double step = 0.01, t = 1.0;
    EXPECT_NEAR(heightIn(*node), 9.0 - 0.5 * 9.81 * t * (t + step), 1e-4);
    updateAt(*node, 100.0 + 0.02 * 50);
    EXPECT_NEAR(heightIn(*node), 9.0 - 0.5 * 9.81 * t * (t + step), 1e-4) << "a clock that stands";
    updateAt(*node, 160.0);
    EXPECT_NEAR(heightIn(*node), 9.0 - 0.5 * 9.81 * (t + 25 * step) * (t + 26 * step), 1e-4)
        << "of a minute without a picture a quarter of a second is made up for";
}

// At five pictures a second the ball falls as fast as at fifty.
TEST_F(ScenePlugin, ASlowViewerShowsTheSceneAtItsRate) {
    const osg::ref_ptr<osg::Node> node = read(
        "time: {frames_per_second: 100, substeps: 1}\n"
        "rigid: [{shape: sphere, radius: 0.1, mass: 1, position: [0, 0, 9]}]\n");
    ASSERT_TRUE(node);
    for (int frame = 0; frame <= 5; ++frame) updateAt(*node, 100.0 + 0.2 * frame);
    constexpr double step = 0.01, t = 1.0;
    EXPECT_NEAR(heightIn(*node), 9.0 - 0.5 * 9.81 * t * (t + step), 1e-4);
}

// A quarter of a second that a viewer lacks are 250,000 steps of ten bodies here, of which no machine does each in less
// than 0.4 microseconds: as many are done as a tenth of a second's work is, the rest is not made up for, and the scene
// goes on at the viewer's rate. The ten steps of the last picture take less than that tenth on any machine. How far the
// scene is, in seconds, is the height of a body that is moved by the time, in metres.
TEST_F(ScenePlugin, PhysicsSlowerThanTheClockDoesNotHoldTheViewerUp) {
    const osg::ref_ptr<osg::Node> node = read(
        "time: {frames_per_second: 1000, substeps: 1000}\n"
        "rigid:\n"
        "  - {name: clock, shape: sphere, radius: 0.1, kinematic: true, position: [0, 0, = t]}\n"
        "  - {shape: sphere, radius: 0.1, mass: 1, position: [0, 3, -5], grid: {count: [10, 1, 1], spacing: 1}}\n");
    ASSERT_TRUE(node);
    constexpr double step = 1e-6;
    updateAt(*node, 100.0);
    EXPECT_EQ(heightIn(*node), 0.0);
    updateAt(*node, 100.25);
    const double first = heightIn(*node);
    EXPECT_GE(first, 0.5 * step);
    EXPECT_LT(first, 0.249) << "all of it was done";
    updateAt(*node, 100.25);
    EXPECT_EQ(heightIn(*node), first) << "it is made up for later";
    updateAt(*node, 100.25 + 10 * step);
    EXPECT_NEAR(heightIn(*node), first + 10 * step, 0.5 * step);
}

// Nobody makes the pictures that events want: thousands of them are not kept. The event of each lifts a body, too.
TEST_F(ScenePlugin, PicturesThatNobodyMakesAreForgotten) {
    if (pliant::test::sanitized) GTEST_SKIP() << "sanitizers bring their own heap, which does not tell what is in use";
    constexpr int pictures = 2000;
    const std::string name(150, 'p');
    const osg::ref_ptr<osg::Node> node =
        read("time: {frames_per_second: 100, substeps: 1}\nevents: [{every: 0.01, do: [{picture: " + name +
             ".png}, {set: {what: gauge.position.z, to: = t}}]}]\n"
             "rigid: [{name: gauge, shape: sphere, radius: 0.1, kinematic: true, position: [0, 0, 0]}]\n");
    ASSERT_TRUE(node);
    for (int frame = 0; frame <= 100; ++frame) updateAt(*node, 100.0 + 0.01 * frame);
    const auto before = static_cast<double>(mallinfo2().uordblks);
    int lifted = 0;
    for (int frame = 1; frame <= pictures; ++frame) {
        const double height = heightIn(*node);
        updateAt(*node, 101.0 + 0.01 * frame);
        lifted += heightIn(*node) > height;
    }
    const double kept = static_cast<double>(mallinfo2().uordblks) - before;
    EXPECT_GE(lifted, pictures - 1) << "events that happened";
    EXPECT_LT(kept, 0.1 * static_cast<double>(pictures) * static_cast<double>(name.size())) << "bytes";
}

TEST_F(ScenePlugin, AnEventStopsTheScene) {
    const osg::ref_ptr<osg::Node> node = read(
        "time: {frames_per_second: 100, substeps: 1}\nevents: [{at: 0.5, do: [stop, {picture: never.png}]}]\n"
        "rigid: [{shape: sphere, radius: 0.1, mass: 1, position: [0, 0, 9]}]\n");
    ASSERT_TRUE(node);
    for (int frame = 0; frame <= 100; ++frame) updateAt(*node, 100.0 + 0.01 * frame);
    const double stopped = heightIn(*node);
    constexpr double step = 0.01, t = 0.5;
    EXPECT_NEAR(stopped, 9.0 - 0.5 * 9.81 * t * (t + step), 9.81 * t * 1.5 * step) << "at most a step later";
    updateAt(*node, 101.2);
    EXPECT_EQ(heightIn(*node), stopped);
    EXPECT_FALSE(std::filesystem::exists("never.png"));
}

TEST_F(ScenePlugin, TellsEveryMistake) {
    ::testing::internal::CaptureStderr();
    const osg::ref_ptr<osg::Node> node = read("gravty: [0, 0, 0]\nrigid: [{shape: sfere}]\n");
    const std::string told = ::testing::internal::GetCapturedStderr();
    EXPECT_FALSE(node);
    EXPECT_THAT(told, HasSubstr("did you mean \"gravity\"?"));
    EXPECT_THAT(told, HasSubstr("did you mean \"sphere\"?"));
}

}  // namespace
