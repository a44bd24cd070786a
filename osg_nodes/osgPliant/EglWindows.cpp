// SPDX-License-Identifier: Zlib
#include "osgPliant/EglWindows.h"

#include <osg/Notify>
#include <osg/State>
#include <osgViewer/GraphicsWindow>

namespace osgPliant {

namespace {

const char* const systemName = "EGL";

}  // namespace

EglWindow::EglWindow(osg::GraphicsContext::Traits* traits) : _context(new EglContext(traits)) {
    _traits = traits;
    if (!_context->valid()) return;
    setState(_context->getState());
    getState()->setGraphicsContext(this);
    // Coordinates of the pointer are those of the picture, from below.
    getEventQueue()->syncWindowRectangleWithGraphicsContext();
    getEventQueue()->getCurrentEventState()->setMouseYOrientation(osgGA::GUIEventAdapter::Y_INCREASING_UPWARDS);
}

EglWindow::~EglWindow() {
    close(true);
    // The state is the window's: the context, which shares it, closes later.
    _context->setState(nullptr);
}

bool EglWindow::isSameKindAs(const osg::Object* object) const {
    return dynamic_cast<const EglWindow*>(object) != nullptr;
}

bool EglWindow::realizeImplementation() {
    if (!_context->realizeImplementation()) return false;
    getEventQueue()->syncWindowRectangleWithGraphicsContext();
    getEventQueue()->windowResize(_traits->x, _traits->y, _traits->width, _traits->height);
    return true;
}

void EglWindow::closeImplementation() {
    _context->closeImplementation();
}

bool EglWindow::setWindowRectangleImplementation(int, int, int width, int height) {
    return width == _traits->width && height == _traits->height;
}

EglWindows::EglWindows(unsigned int width, unsigned int height)
    : _settings(static_cast<int>(width), static_cast<int>(height)) {
    setName(systemName);
}

void EglWindows::install(unsigned int width, unsigned int height) {
    uninstall();
    // The first system that is known is the one that is taken.
    auto& systems = *osg::GraphicsContext::getWindowingSystemInterfaces();
    osg::GraphicsContext::WindowingSystemInterfaces::Interfaces others = systems.getInterfaces();
    systems.getInterfaces().clear();
    systems.addWindowingSystemInterface(new EglWindows(width, height));
    for (const auto& other : others) systems.addWindowingSystemInterface(other);
}

void EglWindows::uninstall() {
    auto& systems = *osg::GraphicsContext::getWindowingSystemInterfaces();
    osg::GraphicsContext::WindowingSystemInterfaces::Interfaces all = systems.getInterfaces();
    for (const auto& system : all)
        if (dynamic_cast<EglWindows*>(system.get())) systems.removeWindowingSystemInterface(system);
}

unsigned int EglWindows::getNumScreens(const osg::GraphicsContext::ScreenIdentifier&) {
    return 1;
}

void EglWindows::getScreenSettings(const osg::GraphicsContext::ScreenIdentifier&,
                                   osg::GraphicsContext::ScreenSettings& settings) {
    settings = _settings;
}

void EglWindows::enumerateScreenSettings(const osg::GraphicsContext::ScreenIdentifier&,
                                         osg::GraphicsContext::ScreenSettingsList& settings) {
    settings.assign(1, _settings);
}

osg::GraphicsContext* EglWindows::createGraphicsContext(osg::GraphicsContext::Traits* traits) {
    osg::ref_ptr<EglWindow> window = new EglWindow(traits);
    if (window->valid()) return window.release();
    OSG_WARN << "osgPliant: " << window->getProblem() << std::endl;
    return nullptr;
}

}  // namespace osgPliant
