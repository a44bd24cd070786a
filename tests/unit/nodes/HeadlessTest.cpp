// SPDX-License-Identifier: Zlib
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <osg/Timer>
#include <osgDB/ReadFile>

#include "PixelOf.h"
#include "TestModels.h"
#include "osgPliant/HeadlessViewer.h"
#include "osgPliant/Primitives.h"
#include "osgPliant/Stage.h"
#include "osgPliant/ViewerSetUp.h"

using namespace pliant::test;
using osgPliant::HeadlessOptions;
using osgPliant::HeadlessViewer;
using testing::HasSubstr;

TEST(Headless, WithoutOpenGLThereIsAMessage) {
    HeadlessOptions options;
    options.platforms = "nonexistent";
    HeadlessViewer viewer(options);
    EXPECT_FALSE(viewer.isValid());
    EXPECT_THAT(viewer.getProblem(), HasSubstr("cannot make an OpenGL context without a window"));
    EXPECT_THAT(viewer.getProblem(), HasSubstr("nonexistent: not offered"));
    EXPECT_THAT(viewer.getProblem(), HasSubstr("libegl-mesa0"));
    EXPECT_EQ(viewer.render(0.0), nullptr);
}

TEST(Headless, ImpossibleSizesAreNamed) {
    HeadlessOptions options;
    options.width = 0;
    std::string problem;
    EXPECT_FALSE(osgPliant::createHeadlessContext(options, &problem).valid());
    EXPECT_THAT(problem, HasSubstr("0x720"));
}

TEST(Headless, RendersAtTheAskedSizeAndCountsFrames) {
    PLIANT_NEEDS_OPENGL();
    HeadlessOptions options;
    options.width = 101;  // odd: rows must not be padded
    options.height = 57;
    HeadlessViewer viewer(options);
    ASSERT_TRUE(viewer.isValid()) << viewer.getProblem();
    viewer.setScene(new osgPliant::Stage);
    const osg::Image* frame = viewer.render(0.0);
    ASSERT_NE(frame, nullptr);
    EXPECT_EQ(frame->s(), 101);
    EXPECT_EQ(frame->t(), 57);
    EXPECT_EQ(frame->getTotalSizeInBytes(), 101u * 57u * 3u);
    viewer.render(0.1);
    EXPECT_EQ(viewer.getStatistics().frames, 2);
    EXPECT_GT(viewer.getStatistics().mean(), 0.0);
    EXPECT_FALSE(viewer.getRenderer().empty());
}

namespace {

osg::ref_ptr<osg::Node> createBall(const osg::Vec4f& colour) {
    osgPliant::PrimitiveLook look;
    look.colour = colour;
    return osgPliant::createSphere(1.0f, look);
}

/// Channels of the pixel in the middle.
std::array<int, 3> middle(const osg::Image* image) {
    if (!image) return {-1, -1, -1};
    const unsigned char* pixel = pixelOf(*image, image->s() / 2, image->t() / 2);
    return {pixel[0], pixel[1], pixel[2]};
}

}  // namespace

TEST(Headless, SeveralViewersInTurnsDrawTheirOwnScenes) {
    PLIANT_NEEDS_OPENGL();
    HeadlessOptions options;
    options.width = options.height = 32;
    for (int round = 0; round < 3; ++round) {
        HeadlessViewer first(options), second(options);
        first.setScene(createBall(osg::Vec4f(0.8f, 0.0f, 0.0f, 1.0f)));
        second.setScene(createBall(osg::Vec4f(0.0f, 0.0f, 0.8f, 1.0f)));
        for (HeadlessViewer* viewer : {&first, &second})
            viewer->setCamera(osg::Vec3d(0.0, 0.0, 4.0), osg::Vec3d(), osg::Vec3d(0.0, 1.0, 0.0));
        for (int turn = 0; turn < 3; ++turn) {
            const std::array<int, 3> red = middle(first.render(0.1 * turn)), blue = middle(second.render(0.1 * turn));
            EXPECT_GT(red[0], red[2] + 60) << "round " << round << ", turn " << turn;
            EXPECT_GT(blue[2], blue[0] + 60) << "round " << round << ", turn " << turn;
        }
    }
}

TEST(Headless, ACameraThatLooksStraightDownSees) {
    PLIANT_NEEDS_OPENGL();
    HeadlessOptions options;
    options.width = options.height = 32;
    HeadlessViewer viewer(options);
    viewer.setScene(createBall(osg::Vec4f(0.8f, 0.0f, 0.0f, 1.0f)));
    for (const double height : {4.0, -4.0}) {
        viewer.setCamera(osg::Vec3d(0.0, height, 0.0), osg::Vec3d(), osg::Vec3d(0.0, 1.0, 0.0));
        const std::array<int, 3> red = middle(viewer.render(0.0));
        EXPECT_GT(red[0], red[2] + 30) << "from height " << height;
    }
}

TEST(Headless, PicturesAreSavedWholeOrNotAtAll) {
    osg::ref_ptr<osg::Image> image = new osg::Image;
    image->allocateImage(4, 4, 1, GL_RGB, GL_UNSIGNED_BYTE);
    std::fill_n(image->data(), image->getTotalSizeInBytes(), static_cast<unsigned char>(77));
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "pliant_nodes_pictures";
    std::filesystem::create_directories(folder);
    const std::string path = (folder / "a picture.png").string();
    EXPECT_EQ(osgPliant::saveImage(*image, path), "");
    const osg::ref_ptr<osg::Image> back = osgDB::readRefImageFile(path);
    ASSERT_TRUE(back.valid());
    EXPECT_EQ(back->data(2, 3)[1], 77);
    const std::filesystem::path link = folder / "link.png";
    std::filesystem::remove(link);
    std::filesystem::create_symlink(path, link);
    EXPECT_EQ(osgPliant::saveImage(*image, link.string()), "");
    EXPECT_TRUE(std::filesystem::is_symlink(link)) << "the file behind it is written";
    std::filesystem::remove(link);
    EXPECT_THAT(osgPliant::saveImage(*image, (folder / "missing" / "b.png").string()), HasSubstr("missing/b.png"));
    EXPECT_THAT(osgPliant::saveImage(*image, (folder / "c.unknown").string()), HasSubstr(".png"));
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()), 1);
    std::filesystem::remove_all(folder);
}

TEST(Viewer, WithoutADisplayThereIsAMessage) {
    const char* display = std::getenv("DISPLAY");
    const std::string before = display ? display : "";
    unsetenv("DISPLAY");
    std::string problem;
    EXPECT_FALSE(osgPliant::hasDisplay(&problem));
    EXPECT_THAT(problem, HasSubstr("DISPLAY"));
    osgViewer::Viewer viewer;
    osgPliant::setUpViewer(viewer);
    EXPECT_THAT(osgPliant::realizeViewer(viewer), HasSubstr("cannot open a window"));
    EXPECT_NE(viewer.getCameraManipulator(), nullptr);
    EXPECT_GE(viewer.getEventHandlers().size(), 6u);
    if (display) setenv("DISPLAY", before.c_str(), 1);
}

// Without a screen to wait for, a frame of nothing is over in microseconds.
TEST(Viewer, MakesNoMoreFramesASecondThanItIsAskedFor) {
    osgViewer::Viewer viewer;
    osgPliant::setUpViewer(viewer);
    const auto secondsOfFrames = [&viewer](int frames) {
        const osg::Timer clock;
        for (int i = 0; i < frames; ++i) {
            viewer.advance();
            viewer.updateTraversal();
        }
        return clock.time_s();
    };
    EXPECT_LT(secondsOfFrames(10), 1.0) << "nobody has asked for a limit";
    viewer.setRunMaxFrameRate(10.0);
    EXPECT_GE(secondsOfFrames(11), 0.99) << "the first one may come at once, ten are a tenth of a second apart";
}

TEST(Viewer, SimulationKeys) {
    int steps = 0, resets = 0;
    std::vector<bool> pauses;
    osg::ref_ptr<osgPliant::SimulationHandler> handler = new osgPliant::SimulationHandler(
        {[&](bool paused) { pauses.push_back(paused); }, [&] { ++steps; }, [&] { ++resets; }});
    osgViewer::Viewer viewer;
    const auto press = [&](int key) {
        osg::ref_ptr<osgGA::GUIEventAdapter> event = new osgGA::GUIEventAdapter;
        event->setEventType(osgGA::GUIEventAdapter::KEYDOWN);
        event->setKey(key);
        return handler->handle(*event, viewer);
    };
    EXPECT_TRUE(press('n'));
    EXPECT_EQ(steps, 0) << "steps only while paused";
    EXPECT_TRUE(press('p'));
    EXPECT_TRUE(handler->isPaused());
    press('n');
    press('n');
    EXPECT_EQ(steps, 2);
    press('p');
    press(osgGA::GUIEventAdapter::KEY_BackSpace);
    EXPECT_EQ(resets, 1);
    EXPECT_EQ(pauses, (std::vector<bool>{true, false}));
    EXPECT_FALSE(press('x'));
}
