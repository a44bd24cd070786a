// SPDX-License-Identifier: Zlib
// Films of views, begun and ended by keys.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <osgViewer/CompositeViewer>
#include <osgViewer/Viewer>

#include "TestModels.h"
#include "osgPliant/EglWindows.h"
#include "osgPliant/FilmHandler.h"
#include "osgPliant/HeadlessViewer.h"

using namespace pliant::test;

namespace {

bool press(osgPliant::FilmHandler& film, int key, osgGA::GUIActionAdapter& action) {
    const osg::ref_ptr<osgGA::GUIEventAdapter> event = new osgGA::GUIEventAdapter;
    event->setEventType(osgGA::GUIEventAdapter::KEYDOWN);
    event->setKey(key);
    return film.handle(*event, action);
}

}  // namespace

// A view of any threading model is filmed at the rate of the film: frames that come faster are left out, slower ones
// are there several times.
TEST(FilmHandler, AViewIsFilmed) {
    PLIANT_NEEDS_OPENGL();
    if (std::system("ffmpeg -version > /dev/null 2>&1") != 0) GTEST_SKIP() << "the program ffmpeg is not installed";
    const std::string whole = ::testing::TempDir() + "pliant_film_handler/";
    std::filesystem::remove_all(whole);
    for (const auto threading : {osgViewer::Viewer::SingleThreaded, osgViewer::Viewer::DrawThreadPerContext}) {
        const std::string folder = whole + std::to_string(threading) + "/";
        osgPliant::HeadlessOptions options;
        options.width = 64;
        options.height = 48;
        options.supersampling = 1;
        osgPliant::HeadlessViewer headless(options);
        headless.setScene(new osg::Group);
        osgViewer::Viewer& viewer = headless.getViewer();
        viewer.setThreadingModel(threading);
        osgPliant::VideoOptions video;
        video.framesPerSecond = 10.0;
        const osg::ref_ptr<osgPliant::FilmHandler> film = new osgPliant::FilmHandler(folder + "run.mp4", video);
        EXPECT_FALSE(press(*film, 'x', viewer));
        EXPECT_FALSE(film->isFilming());
        const auto draw = [&](double from, double to, double every) {
            for (double t = from; t < to - 1e-9; t += every) {
                viewer.getFrameStamp()->setReferenceTime(t);
                viewer.renderingTraversals();
            }
        };
        viewer.getFrameStamp()->setReferenceTime(5.0);
        viewer.frame(5.0);
        EXPECT_TRUE(press(*film, 'v', viewer));
        EXPECT_TRUE(film->isFilming());
        draw(5.0, 6.0, 0.025);                                        // four times as fast
        draw(6.0, 7.0, 0.25);                                         // and two and a half times as slow
        viewer.setThreadingModel(osgViewer::Viewer::SingleThreaded);  // what is on its way is drawn
        viewer.setThreadingModel(threading);
        EXPECT_TRUE(press(*film, 'v', viewer));
        EXPECT_EQ(film->getProblem(), "");
        EXPECT_EQ(film->getFrameCount(), 18) << "the first frame, and one each tenth of a second up to 6.75 s";
        EXPECT_TRUE(press(*film, 'v', viewer));
        draw(8.0, 8.5, 0.1);
        viewer.setThreadingModel(osgViewer::Viewer::SingleThreaded);
        film->finish();
        ASSERT_EQ(film->getFilms().size(), 2u);
        EXPECT_EQ(film->getFilms()[1], folder + "run_2.mp4");
        for (const std::string& made : film->getFilms()) EXPECT_GT(std::filesystem::file_size(made), 500u) << made;
        draw(9.0, 9.5, 0.1);
        EXPECT_EQ(film->getFrameCount(), 5) << "it is over";
    }
    const osg::ref_ptr<osgPliant::FilmHandler> film = new osgPliant::FilmHandler(whole + "run.txt");
    osgPliant::HeadlessViewer headless;
    headless.setScene(new osg::Group);
    EXPECT_TRUE(press(*film, 'v', headless.getViewer()));
    headless.getViewer().frame();
    EXPECT_NE(film->getProblem(), "") << "no film ends in .txt";
    EXPECT_FALSE(film->isFilming());
    std::filesystem::remove_all(whole);
}

namespace {

/// Number of frames of a film, its width and the brightness of a pixel of its last row; -1 where it cannot be read.
struct FilmContent {
    int frames = -1, width = -1;
    double brightness = -1.0;
};

FilmContent contentOf(const std::string& film, const std::string& folder) {
    const std::string probe = folder + "probe", picture = folder + "picture.ppm";
    FilmContent content;
    if (std::system(("ffprobe -v error -count_frames -select_streams v -show_entries stream=width,nb_read_frames -of "
                     "csv=p=0 " +
                     film + " > " + probe)
                        .c_str()) == 0) {
        char comma = 0;
        std::ifstream(probe) >> content.width >> comma >> content.frames;
    }
    if (std::system(("ffmpeg -v error -y -i " + film + " -frames:v 1 " + picture).c_str()) == 0) {
        std::ifstream file(picture, std::ios::binary);
        const std::string bytes((std::istreambuf_iterator<char>(file)), {});
        content.brightness = bytes.empty() ? -1.0 : static_cast<unsigned char>(bytes.back());
    }
    return content;
}

/// A view of nothing but a colour.
osg::ref_ptr<osgViewer::View> viewOf(osg::GraphicsContext* window, int x, int width, float brightness) {
    const osg::ref_ptr<osgViewer::View> view = new osgViewer::View;
    osg::Camera& camera = *view->getCamera();
    camera.setGraphicsContext(window);
    camera.setViewport(x, 0, width, 48);
    camera.setClearColor(osg::Vec4(brightness, brightness, brightness, 1.0f));
    view->setSceneData(new osg::Group);
    return view;
}

/// A window of two views that a thread draws: a white one of 96 pixels, and a black one of 64.
class TwoViews {
public:
    TwoViews() {
        osgPliant::EglWindows::install(160, 48);
        const osg::ref_ptr<osg::GraphicsContext::Traits> traits = new osg::GraphicsContext::Traits;
        traits->width = 160;
        traits->height = 48;
        traits->doubleBuffer = true;
        const osg::ref_ptr<osg::GraphicsContext> window = osg::GraphicsContext::createGraphicsContext(traits);
        left = viewOf(window, 0, 96, 1.0f);
        right = viewOf(window, 96, 64, 0.0f);
        _viewer.addView(left);
        _viewer.addView(right);
        _viewer.setThreadingModel(osgViewer::ViewerBase::DrawThreadPerContext);
        _viewer.realize();
    }
    /// Frames of a twentieth of a second.
    void draw(int frames) {
        for (int i = 0; i < frames; ++i, _time += 0.05) {
            _viewer.getFrameStamp()->setReferenceTime(_time);
            _viewer.renderingTraversals();
        }
        _viewer.stopThreading();  // what is on its way is drawn
        _viewer.startThreading();
    }
    void end() {
        _viewer.stopThreading();
        osgPliant::EglWindows::uninstall();
    }
    osg::ref_ptr<osgViewer::View> left, right;

private:
    osgViewer::CompositeViewer _viewer;
    double _time = 0.0;
};

osg::ref_ptr<osgPliant::FilmHandler> filmTo(const std::string& path, double rate = 10.0,
                                            const std::string& ffmpeg = "ffmpeg") {
    osgPliant::VideoOptions video;
    video.framesPerSecond = rate;
    video.ffmpeg = ffmpeg;
    return new osgPliant::FilmHandler(path, video);
}

}  // namespace

// Three handlers, two of them at one view, whose films begin and end at different times and are all called the same.
TEST(FilmHandler, FilmsAreMadeBesideEachOther) {
    PLIANT_NEEDS_OPENGL();
    if (std::system("ffmpeg -version > /dev/null 2>&1") != 0) GTEST_SKIP() << "the program ffmpeg is not installed";
    const std::string folder = ::testing::TempDir() + "pliant_films_beside/", path = folder + "run.mp4";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    TwoViews views;
    const osg::ref_ptr<osgPliant::FilmHandler> slow = filmTo(path), fast = filmTo(path, 20.0), other = filmTo(path);
    views.draw(1);
    press(*slow, 'v', *views.left);
    views.draw(10);
    press(*fast, 'v', *views.left);
    press(*other, 'v', *views.right);
    views.draw(10);
    press(*slow, 'v', *views.left);  // the film that began first ends while the others go on
    views.draw(10);
    press(*other, 'v', *views.right);
    views.draw(2);
    press(*fast, 'v', *views.left);
    views.end();
    const auto check = [&](const osgPliant::FilmHandler& film, int frames, int width, bool isBright) {
        EXPECT_EQ(film.getProblem(), "");
        ASSERT_EQ(film.getFilms().size(), 1u);
        const FilmContent content = contentOf(film.getFilms()[0], folder);
        EXPECT_EQ(content.frames, frames) << film.getFilms()[0];
        EXPECT_EQ(content.width, width);
        EXPECT_NEAR(content.brightness, isBright ? 255.0 : 0.0, 8.0);
        std::filesystem::remove(film.getFilms()[0]);
    };
    EXPECT_EQ(slow->getFilms(), std::vector<std::string>{folder + "run.mp4"});
    check(*slow, 10, 96, true);
    check(*fast, 22, 96, true);
    check(*other, 10, 64, false);
    std::filesystem::remove_all(folder);
}

namespace {

/// A view of a colour without a window, and handlers that film it.
class FilmedView {
public:
    explicit FilmedView(float brightness) : _headless(small()) {
        _headless.setScene(new osg::Group);
        viewer().getCamera()->setClearColor(osg::Vec4(brightness, brightness, brightness, 1.0f));
    }
    osgViewer::Viewer& viewer() { return _headless.getViewer(); }
    void pressKey(osgPliant::FilmHandler& film) { press(film, 'v', viewer()); }
    /// Frames of a tenth of a second.
    void draw(int frames) {
        for (int i = 0; i < frames; ++i, _time += 0.1) {
            viewer().getFrameStamp()->setReferenceTime(_time);
            viewer().renderingTraversals();
        }
    }

private:
    static osgPliant::HeadlessOptions small() {
        osgPliant::HeadlessOptions options;
        options.width = 64;
        options.height = 48;
        options.supersampling = 1;
        return options;
    }
    osgPliant::HeadlessViewer _headless;
    double _time = 0.0;
};

}  // namespace

// A film that is whole stays whole: who films later to the same file, by another path to it, takes the next number.
TEST(FilmHandler, FilmsAreMadeOneAfterTheOther) {
    PLIANT_NEEDS_OPENGL();
    if (std::system("ffmpeg -version > /dev/null 2>&1") != 0) GTEST_SKIP() << "the program ffmpeg is not installed";
    const std::string folder = ::testing::TempDir() + "pliant_films_after/";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    const auto filmed = [&](const std::string& path, float brightness, int frames) {
        FilmedView view(brightness);
        const osg::ref_ptr<osgPliant::FilmHandler> film = filmTo(path);
        view.pressKey(*film);
        view.draw(frames);
        view.pressKey(*film);
        EXPECT_EQ(film->getProblem(), "");
        return film->getFilms();
    };
    EXPECT_EQ(filmed(folder + "run.mp4", 1.0f, 7), std::vector<std::string>{folder + "run.mp4"});
    EXPECT_EQ(filmed(folder + "./run.mp4", 0.0f, 3), std::vector<std::string>{folder + "./run_2.mp4"});
    EXPECT_EQ(contentOf(folder + "run.mp4", folder).frames, 7);
    EXPECT_EQ(contentOf(folder + "run_2.mp4", folder).frames, 3);
    std::filesystem::remove_all(folder);
}

// A film that has failed leaves its file to the next one, once.
TEST(FilmHandler, AFilmThatHasFailedTakesNoFileFromAnother) {
    PLIANT_NEEDS_OPENGL();
    if (std::system("ffmpeg -version > /dev/null 2>&1") != 0) GTEST_SKIP() << "the program ffmpeg is not installed";
    const std::string folder = ::testing::TempDir() + "pliant_film_failed/";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    const std::string dying = folder + "dying";  // has an encoder, and takes no picture
    std::ofstream(dying) << "#!/bin/sh\ncase \"$*\" in *-encoders*) echo ' V libx264 H.264';; *) exit 3;; esac\n";
    std::filesystem::permissions(dying, std::filesystem::perms::owner_all);
    FilmedView view(1.0f);
    const osg::ref_ptr<osgPliant::FilmHandler> failed = filmTo(folder + "run.mp4", 10.0, dying);
    view.pressKey(*failed);
    for (int frame = 0; frame < 1000 && failed->isFilming(); ++frame)
        view.draw(1);  // until the pipe is known to be closed
    ASSERT_FALSE(failed->isFilming());
    EXPECT_NE(failed->getProblem(), "");
    const osg::ref_ptr<osgPliant::FilmHandler> second = filmTo(folder + "run.mp4"), third = filmTo(folder + "run.mp4");
    view.pressKey(*second);
    view.draw(2);
    failed->finish();  // as a viewer that is closed does
    view.pressKey(*third);
    view.draw(2);
    view.pressKey(*second);
    view.pressKey(*third);
    EXPECT_EQ(second->getFilms(), std::vector<std::string>{folder + "run.mp4"});
    EXPECT_EQ(third->getFilms(), std::vector<std::string>{folder + "run_2.mp4"});
    EXPECT_EQ(contentOf(folder + "run.mp4", folder).frames, 4);
    std::filesystem::remove_all(folder);
}
