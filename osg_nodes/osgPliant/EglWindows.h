// SPDX-License-Identifier: Zlib
/// @file
/// Windows for viewers where there is no display.
#pragma once

#include <osgViewer/GraphicsWindow>
#include <string>

#include "osgPliant/EglContext.h"
#include "pliant/math/Api.h"

namespace osgPliant {

/// A window that nobody sees: an EglContext with an event queue, as viewers want it.
class PLIANT_API EglWindow : public osgViewer::GraphicsWindow {
public:
    /// Makes the context at once; on failure valid() is false.
    explicit EglWindow(osg::GraphicsContext::Traits* traits);

    /// Empty, or one sentence that names what is missing.
    const std::string& getProblem() const { return _context->getProblem(); }

    /// "osgPliant".
    const char* libraryName() const override { return "osgPliant"; }
    /// "EglWindow".
    const char* className() const override { return "EglWindow"; }
    /// Whether an object is an EglWindow too.
    bool isSameKindAs(const osg::Object* object) const override;
    /// Whether the window can be used.
    bool valid() const override { return _context->valid(); }
    /// OpenSceneGraph's callback that makes the window ready for use.
    bool realizeImplementation() override;
    /// Whether the window is ready for use.
    bool isRealizedImplementation() const override { return _context->isRealizedImplementation(); }
    /// OpenSceneGraph's callback that destroys the context.
    void closeImplementation() override;
    /// OpenSceneGraph's callback that makes the context that of the calling thread.
    bool makeCurrentImplementation() override { return _context->makeCurrentImplementation(); }
    /// OpenSceneGraph's callback that takes the context away from the calling thread.
    bool releaseContextImplementation() override { return _context->releaseContextImplementation(); }
    /// OpenSceneGraph's callback at the end of a frame.
    void swapBuffersImplementation() override { _context->swapBuffersImplementation(); }
    /// A window is where it is told to be, and as large as it was made: another size is refused.
    bool setWindowRectangleImplementation(int x, int y, int width, int height) override;
    /// There is nothing to decorate: refused.
    bool setWindowDecorationImplementation(bool) override { return false; }
    /// There is nothing to grab.
    void grabFocus() override {}
    /// There is nothing to grab.
    void grabFocusIfPointerInWindow() override {}

protected:
    ~EglWindow() override;

private:
    osg::ref_ptr<EglContext> _context;
};

/// A windowing system without a screen: an unmodified osgViewer::Viewer draws without a display.
///
///     if (!osgPliant::hasDisplay()) osgPliant::EglWindows::install();
///     osgViewer::Viewer viewer;
///     ... as ever ...
class PLIANT_API EglWindows : public osg::GraphicsContext::WindowingSystemInterface {
public:
    /// A system of one screen. @param width, height of it, pixels
    explicit EglWindows(unsigned int width = 1280, unsigned int height = 720);

    /// Makes it the system that windows are made by from now on. Others stay known by their names, this one as "EGL".
    static void install(unsigned int width = 1280, unsigned int height = 720);
    /// Takes it out again, where it was installed.
    static void uninstall();

    /// One screen.
    unsigned int getNumScreens(const osg::GraphicsContext::ScreenIdentifier& screen) override;
    /// Its size.
    void getScreenSettings(const osg::GraphicsContext::ScreenIdentifier& screen,
                           osg::GraphicsContext::ScreenSettings& settings) override;
    /// Its size, and no other.
    void enumerateScreenSettings(const osg::GraphicsContext::ScreenIdentifier& screen,
                                 osg::GraphicsContext::ScreenSettingsList& settings) override;
    /// A window, or a pbuffer. @return null, and a warning that names what is missing, where EGL has none
    osg::GraphicsContext* createGraphicsContext(osg::GraphicsContext::Traits* traits) override;

protected:
    ~EglWindows() override = default;

private:
    osg::GraphicsContext::ScreenSettings _settings;
};

}  // namespace osgPliant
