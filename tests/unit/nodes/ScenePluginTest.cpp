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

/// Where the transform of a node named by nobody, the only one that is moved along z, stands highest, m.
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

// Of the quarter of a second that a viewer lacks, 2,500 steps of a thousand bodies, a tenth of a second's work is done;
// the rest is not made up for, and the scene goes on at the viewer's rate.
TEST_F(ScenePlugin, PhysicsSlowerThanTheClockDoesNotHoldTheViewerUp) {
    const osg::ref_ptr<osg::Node> node = read(
        "time: {frames_per_second: 100, substeps: 100}\n"
        "rigid: [{shape: sphere, radius: 0.1, mass: 1, position: [0, 0, 9], grid: {count: [10, 10, 10], spacing: "
        "1}}]\n");
    ASSERT_TRUE(node);
    const double start = heightIn(*node);
    const auto fallen = [&] { return std::sqrt(2.0 * (start - heightIn(*node)) / 9.81); };  // s
    updateAt(*node, 100.0);
    updateAt(*node, 100.25);
    const double first = fallen();
    EXPECT_GT(first, 0.0);
    EXPECT_LT(first, 0.249) << "all of it was done";
    updateAt(*node, 100.25);
    EXPECT_EQ(fallen(), first) << "it is made up for later";
    updateAt(*node, 100.251);
    EXPECT_NEAR(fallen(), first + 1e-3, 5e-5);
}

// Nobody makes the pictures that events want: thousands of them are not kept.
TEST_F(ScenePlugin, PicturesThatNobodyMakesAreForgotten) {
    if (pliant::test::sanitized) GTEST_SKIP() << "sanitizers bring their own heap, which does not tell what is in use";
    constexpr int pictures = 2000;
    const std::string name(150, 'p');
    const osg::ref_ptr<osg::Node> node =
        read("time: {frames_per_second: 100, substeps: 1}\nevents: [{every: 0.01, do: [{picture: " + name +
             ".png}]}]\nrigid: [{shape: sphere, radius: 0.1, mass: 1, position: [0, 0, 9]}]\n");
    ASSERT_TRUE(node);
    for (int frame = 0; frame <= 100; ++frame) updateAt(*node, 100.0 + 0.01 * frame);
    const auto before = static_cast<double>(mallinfo2().uordblks);
    for (int frame = 1; frame <= pictures; ++frame) updateAt(*node, 101.0 + 0.01 * frame);
    const double kept = static_cast<double>(mallinfo2().uordblks) - before;
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
