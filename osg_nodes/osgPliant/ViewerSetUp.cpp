// SPDX-License-Identifier: Zlib
#include "osgPliant/ViewerSetUp.h"

#include <cstdlib>
#include <osg/DisplaySettings>
#include <osg/GraphicsContext>
#include <osgGA/DriveManipulator>
#include <osgGA/FlightManipulator>
#include <osgGA/KeySwitchMatrixManipulator>
#include <osgGA/StateSetManipulator>
#include <osgGA/TerrainManipulator>
#include <osgGA/TrackballManipulator>
#include <osgViewer/ViewerEventHandlers>

namespace osgPliant {

void setUpViewer(osgViewer::Viewer& viewer) {
    if (!std::getenv("OSG_MULTI_SAMPLES")) {
        osg::ref_ptr<osg::DisplaySettings> display = new osg::DisplaySettings(*osg::DisplaySettings::instance());
        display->setNumMultiSamples(4);
        viewer.setDisplaySettings(display);
    }
    osg::ref_ptr<osgGA::KeySwitchMatrixManipulator> cameras = new osgGA::KeySwitchMatrixManipulator;
    cameras->addMatrixManipulator('1', "Trackball", new osgGA::TrackballManipulator);
    cameras->addMatrixManipulator('2', "Flight", new osgGA::FlightManipulator);
    cameras->addMatrixManipulator('3', "Drive", new osgGA::DriveManipulator);
    cameras->addMatrixManipulator('4', "Terrain", new osgGA::TerrainManipulator);
    viewer.setCameraManipulator(cameras);
    viewer.addEventHandler(new osgViewer::StatsHandler);
    viewer.addEventHandler(new osgViewer::HelpHandler);
    viewer.addEventHandler(new osgViewer::WindowSizeHandler);
    viewer.addEventHandler(new osgGA::StateSetManipulator(viewer.getCamera()->getOrCreateStateSet()));
    viewer.addEventHandler(new osgViewer::ScreenCaptureHandler);
    viewer.addEventHandler(new osgViewer::RecordCameraPathHandler);
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
