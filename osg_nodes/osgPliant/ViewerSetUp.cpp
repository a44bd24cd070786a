// SPDX-License-Identifier: Zlib
#include "osgPliant/ViewerSetUp.h"

#include <OpenThreads/Thread>
#include <cstdlib>
#include <osg/DisplaySettings>
#include <osg/GraphicsContext>
#include <osg/OperationThread>
#include <osg/Timer>
#include <osgGA/DriveManipulator>
#include <osgGA/FlightManipulator>
#include <osgGA/KeySwitchMatrixManipulator>
#include <osgGA/StateSetManipulator>
#include <osgGA/TerrainManipulator>
#include <osgGA/TrackballManipulator>

#include "osgPliant/BodyCount.h"

namespace osgPliant {

namespace {

/// Waits until the next frame is due. Viewer::run() keeps to ViewerBase::getRunMaxFrameRate() by itself; whoever calls
/// Viewer::frame() gets as many frames as the processor makes, where nothing waits for a screen.
struct FrameRateLimit : osg::Operation {
    FrameRateLimit() : osg::Operation("FrameRateLimit", true) {}

    void operator()(osg::Object* caller) override {
        const auto* viewer = dynamic_cast<const osgViewer::ViewerBase*>(caller);
        const double rate = viewer ? viewer->getRunMaxFrameRate() : 0.0;  // Hz; 0: without a limit
        const double since = _last.time_s();
        if (rate > 0.0 && since < 1.0 / rate)
            OpenThreads::Thread::microSleep(static_cast<unsigned int>(1e6 * (1.0 / rate - since)));
        _last.setStartTick();
    }

private:
    osg::Timer _last;
};

}  // namespace

void setUpViewer(osgViewer::Viewer& viewer) {
    if (!std::getenv("OSG_MULTI_SAMPLES")) {
        // Its copy constructor leaves some values to chance, such as how texts are drawn: as boxes.
        osg::ref_ptr<osg::DisplaySettings> display = new osg::DisplaySettings;
        display->setDisplaySettings(*osg::DisplaySettings::instance());
        display->setNumMultiSamples(4);
        viewer.setDisplaySettings(display);
    }
    osg::ref_ptr<osgGA::KeySwitchMatrixManipulator> cameras = new osgGA::KeySwitchMatrixManipulator;
    cameras->addMatrixManipulator('1', "Trackball", new osgGA::TrackballManipulator);
    cameras->addMatrixManipulator('2', "Flight", new osgGA::FlightManipulator);
    cameras->addMatrixManipulator('3', "Drive", new osgGA::DriveManipulator);
    cameras->addMatrixManipulator('4', "Terrain", new osgGA::TerrainManipulator);
    viewer.setCameraManipulator(cameras);
    const osg::ref_ptr<osgViewer::StatsHandler> statistics = new osgViewer::StatsHandler;
    addBodyRows(*statistics, viewer);
    viewer.addEventHandler(statistics);
    viewer.addEventHandler(new osgViewer::HelpHandler);
    viewer.addEventHandler(new osgViewer::WindowSizeHandler);
    viewer.addEventHandler(new osgGA::StateSetManipulator(viewer.getCamera()->getOrCreateStateSet()));
    viewer.addEventHandler(new osgViewer::ScreenCaptureHandler);
    viewer.addEventHandler(new osgViewer::RecordCameraPathHandler);
    viewer.addUpdateOperation(new FrameRateLimit);
}

void addBodyRows(osgViewer::StatsHandler& handler, osgViewer::ViewerBase& viewer) {
    const osg::Vec4 colour(1.0f, 0.75f, 0.35f, 1.0f), none(0.0f, 0.0f, 0.0f, 0.0f);
    const auto add = [&](const std::string& label, const char* attribute, float factor, float largest) {
        handler.addUserStatsLine(label, colour, none, attribute, factor, factor != 1.0f, false, "", "", largest);
    };
    add("Bodies drawn", BodyCount::drawnName, 1.0f, 1000.0f);
    add("Bodies culled", BodyCount::culledName, 1.0f, 1000.0f);
    add("Bodies update", BodyCount::updateName, 1000.0f, 0.016f);
    if (osg::Stats* stats = viewer.getViewerStats()) stats->collectStats(BodyCount::collected, true);
}

bool hasDisplay(std::string* problem) {
    std::string reason;
    const char* display = std::getenv("DISPLAY");
    osg::GraphicsContext::WindowingSystemInterface* windows = osg::GraphicsContext::getWindowingSystemInterface();
    osg::GraphicsContext::ScreenIdentifier screen;
    screen.readDISPLAY();
    screen.setUndefinedScreenDetailsToDefaultScreen();
    if (!display || !*display) {
        reason = "there is no display (the environment variable DISPLAY is not set)";
    } else if (!windows || windows->getNumScreens(screen) == 0) {
        reason = std::string("the display ") + display + " cannot be opened";
    }
    if (problem) *problem = reason;
    return reason.empty();
}

std::string realizeViewer(osgViewer::Viewer& viewer) {
    std::string reason;
    if (!hasDisplay(&reason)) return "cannot open a window: " + reason + "; start it in a desktop session, or headless";
    // OpenSceneGraph's own choice asks for the screens of ":0.-1" where DISPLAY is ":0", which libxcb does not open.
    const bool isToldWhere = std::getenv("OSG_CONFIG_FILE") || std::getenv("OSG_SCREEN") || std::getenv("OSG_WINDOW");
    if (!viewer.getCamera()->getGraphicsContext() && viewer.getNumSlaves() == 0 && !isToldWhere)
        viewer.setUpViewOnSingleScreen(0);
    viewer.realize();
    if (viewer.isRealized()) return {};
    return "cannot open a window: the display has no OpenGL; install a driver (Debian: libgl1-mesa-dri), or run "
           "headless";
}

}  // namespace osgPliant
