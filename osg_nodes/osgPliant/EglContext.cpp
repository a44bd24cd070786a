// SPDX-License-Identifier: Zlib
#include "osgPliant/EglContext.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <cstring>
#include <osg/DeleteHandler>
#include <osg/GL>
#include <osg/Notify>
#include <osg/State>
#include <sstream>
#include <vector>

#include "osgPliant/ContextRenderer.h"

namespace osgPliant {

struct EglContext::Handles {
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLConfig config = nullptr;
    EGLSurface surface = EGL_NO_SURFACE;
    EGLContext context = EGL_NO_CONTEXT;
    int samples = 0;

    bool open(EGLDisplay candidate, const osg::GraphicsContext::Traits& traits, std::string& problem);
    void close();
};

namespace {

std::string eglErrorName() {
    const EGLint error = eglGetError();
    switch (error) {
        case EGL_NOT_INITIALIZED:
            return "EGL_NOT_INITIALIZED (no usable driver)";
        case EGL_BAD_ALLOC:
            return "EGL_BAD_ALLOC (the surface is too large, or memory is short)";
        case EGL_BAD_MATCH:
            return "EGL_BAD_MATCH";
        case EGL_BAD_CONFIG:
            return "EGL_BAD_CONFIG";
        case EGL_BAD_PARAMETER:
            return "EGL_BAD_PARAMETER";
        default: {
            std::ostringstream text;
            text << "EGL error 0x" << std::hex << error;
            return text.str();
        }
    }
}

bool hasExtension(const char* list, const char* name) {
    if (!list) return false;
    std::istringstream words(list);
    for (std::string word; words >> word;) {
        if (word == name) return true;
    }
    return false;
}

EGLDisplay platformDisplay(EGLenum platform, void* native) {
    const auto get = reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
    return get ? get(platform, native, nullptr) : EGL_NO_DISPLAY;
}

std::vector<EGLDisplay> deviceDisplays(const char* extensions) {
    std::vector<EGLDisplay> displays;
    if (!hasExtension(extensions, "EGL_EXT_platform_device")) return displays;
    const auto query = reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(eglGetProcAddress("eglQueryDevicesEXT"));
    EGLDeviceEXT devices[16];
    EGLint count = 0;
    if (!query || !query(16, devices, &count)) return displays;
    for (EGLint i = 0; i < count; ++i) displays.push_back(platformDisplay(EGL_PLATFORM_DEVICE_EXT, devices[i]));
    return displays;
}

/// Displays of the platform called `name`, best first; empty with a reason if there is none.
std::vector<EGLDisplay> displaysOf(const std::string& name, std::string& problem) {
    const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    std::vector<EGLDisplay> displays;
    if (name == "surfaceless") {
        if (hasExtension(extensions, "EGL_MESA_platform_surfaceless")) {
            displays.push_back(platformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY));
        }
    } else if (name == "device") {
        displays = deviceDisplays(extensions);
    } else if (name == "default") {
        displays.push_back(eglGetDisplay(EGL_DEFAULT_DISPLAY));
    }
    if (displays.empty()) problem = "not offered by this EGL library";
    return displays;
}

/// A configuration with a pbuffer of 8 bits a colour, with as many samples as there are, at most those wanted.
/// @param samples becomes the number of samples that it has
bool chooseConfig(EGLDisplay display, EGLConfig& config, int& samples, const osg::GraphicsContext::Traits& traits) {
    EGLint found = 0;
    for (samples = static_cast<int>(traits.samples); found == 0; samples /= 2) {
        const EGLint wanted[] = {EGL_SURFACE_TYPE,
                                 EGL_PBUFFER_BIT,
                                 EGL_RENDERABLE_TYPE,
                                 EGL_OPENGL_BIT,
                                 EGL_RED_SIZE,
                                 8,
                                 EGL_GREEN_SIZE,
                                 8,
                                 EGL_BLUE_SIZE,
                                 8,
                                 EGL_DEPTH_SIZE,
                                 24,
                                 EGL_SAMPLE_BUFFERS,
                                 samples > 1 ? 1 : 0,
                                 EGL_SAMPLES,
                                 samples > 1 ? samples : 0,
                                 EGL_NONE};
        if (!eglChooseConfig(display, wanted, &config, 1, &found)) found = 0;
        if (found > 0 || samples == 0) break;
    }
    return found > 0;
}

}  // namespace

bool EglContext::Handles::open(EGLDisplay candidate, const osg::GraphicsContext::Traits& traits, std::string& problem) {
    if (candidate == EGL_NO_DISPLAY) {
        problem = "no display";
        return false;
    }
    if (!eglInitialize(candidate, nullptr, nullptr)) {
        problem = "eglInitialize failed with " + eglErrorName();
        return false;
    }
    display = candidate;
    if (!eglBindAPI(EGL_OPENGL_API)) {
        problem = "the driver has no desktop OpenGL";
        return false;
    }
    if (!chooseConfig(display, config, samples, traits)) {
        problem = "no 8-bit RGB pbuffer with 24-bit depth";
        return false;
    }
    const EGLint size[] = {EGL_WIDTH, traits.width, EGL_HEIGHT, traits.height, EGL_NONE};
    surface = eglCreatePbufferSurface(display, config, size);
    if (surface == EGL_NO_SURFACE) {
        problem = "eglCreatePbufferSurface failed with " + eglErrorName();
        return false;
    }
    context = eglCreateContext(display, config, EGL_NO_CONTEXT, nullptr);
    if (context == EGL_NO_CONTEXT) {
        problem = "eglCreateContext failed with " + eglErrorName();
        return false;
    }
    return true;
}

void EglContext::Handles::close() {
    // No eglTerminate: other contexts of the process share the display.
    if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
    if (surface != EGL_NO_SURFACE) eglDestroySurface(display, surface);
    context = EGL_NO_CONTEXT;
    surface = EGL_NO_SURFACE;
}

EglContext::EglContext(osg::GraphicsContext::Traits* traits) : EglContext(traits, HeadlessOptions().platforms) {}

EglContext::EglContext(osg::GraphicsContext::Traits* traits, const std::string& platforms) : _handles(new Handles) {
    _traits = traits;
    std::istringstream names(platforms);
    for (std::string name; std::getline(names, name, ',');) {
        std::string reason;
        for (const EGLDisplay display : displaysOf(name, reason)) {
            if (_handles->open(display, *traits, reason)) {
                setState(new osg::State);
                getState()->setGraphicsContext(this);
                getState()->setContextID(osg::GraphicsContext::createNewContextID());
                return;
            }
            _handles->close();
        }
        _problem += (_problem.empty() ? "" : "; ") + name + ": " + reason;
    }
    _problem = "cannot make an OpenGL context without a window (EGL " + _problem +
               "); install an EGL driver (Debian: libegl1 libegl-mesa0 libgl1-mesa-dri)";
}

EglContext::~EglContext() {
    close(true);
}

std::string EglContext::getRenderer() const {
    return _renderer;
}

int EglContext::getSamples() const {
    return _handles->samples;
}

bool EglContext::isSameKindAs(const osg::Object* object) const {
    return dynamic_cast<const EglContext*>(object) != nullptr;
}

bool EglContext::valid() const {
    return _handles->context != EGL_NO_CONTEXT;
}

bool EglContext::realizeImplementation() {
    _realized = valid();
    return _realized;
}

void EglContext::closeImplementation() {
    if (valid()) {
        if (getState()) forgetRenderer(getState()->getContextID());
        if (eglGetCurrentContext() == _handles->context) releaseContextImplementation();
        _handles->close();
    }
    _realized = false;
}

bool EglContext::makeCurrentImplementation() {
    // The bound API is a property of the thread, and draw threads come and go.
    if (!valid() || !eglBindAPI(EGL_OPENGL_API)) return false;
    if (!eglMakeCurrent(_handles->display, _handles->surface, _handles->surface, _handles->context)) {
        OSG_WARN << "osgPliant: eglMakeCurrent failed with " << eglErrorName() << std::endl;
        return false;
    }
    if (_renderer.empty()) {
        const auto* text = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
        _renderer = text ? text : "unknown";
        noteRenderer(getState()->getContextID());
    }
    return true;
}

bool EglContext::makeContextCurrentImplementation(osg::GraphicsContext*) {
    return makeCurrentImplementation();
}

bool EglContext::releaseContextImplementation() {
    return valid() && eglMakeCurrent(_handles->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}

void EglContext::bindPBufferToTextureImplementation(GLenum) {
    OSG_WARN << "osgPliant: an EGL pbuffer cannot be bound to a texture; use a frame buffer object" << std::endl;
}

void EglContext::swapBuffersImplementation() {
    eglSwapBuffers(_handles->display, _handles->surface);
}

osg::ref_ptr<EglContext> createHeadlessContext(const HeadlessOptions& options, std::string* problem) {
    osg::ref_ptr<osg::GraphicsContext::Traits> traits = new osg::GraphicsContext::Traits;
    traits->width = options.width;
    traits->height = options.height;
    traits->pbuffer = true;
    traits->doubleBuffer = true;
    traits->samples = static_cast<unsigned int>(options.samples > 1 ? options.samples : 0);
    traits->sampleBuffers = options.samples > 1 ? 1 : 0;
    std::string reason;
    osg::ref_ptr<EglContext> context;
    if (options.width < 1 || options.height < 1 || options.width > 16384 || options.height > 16384) {
        reason = "the picture's size " + std::to_string(options.width) + "x" + std::to_string(options.height) +
                 " is not between 1x1 and 16384x16384";
    } else {
        context = new EglContext(traits, options.platforms);
        reason = context->getProblem();
        if (!context->valid() || !context->realize()) context = nullptr;
    }
    if (problem) *problem = reason;
    return context;
}

}  // namespace osgPliant
