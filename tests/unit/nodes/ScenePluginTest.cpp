// SPDX-License-Identifier: Zlib
// Scene files in viewers that know nothing of Pliant, by the plugin of examples/osgdb_pliantscene.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
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
