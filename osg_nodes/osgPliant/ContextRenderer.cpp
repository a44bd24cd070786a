// SPDX-License-Identifier: Zlib
#include "osgPliant/ContextRenderer.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <osg/GL>
#include <osg/GLExtensions>

namespace osgPliant {

namespace {

std::mutex renderersMutex;
std::map<unsigned int, ContextRenderer> renderers;

}  // namespace

bool isSoftwareRenderer(const std::string& name) {
    // Mesa's (the last but one its old rasterizer, and macOS's), Google's and those of Windows.
    constexpr std::array<const char*, 8> known = {
        "llvmpipe",          "softpipe",    "SWR",         "Software Rasterizer",
        "Software Renderer", "SwiftShader", "GDI Generic", "Basic Render"};
    return std::any_of(known.begin(), known.end(),
                       [&](const char* part) { return name.find(part) != std::string::npos; });
}

void noteRenderer(unsigned int contextID) {
    constexpr GLenum maxTextureBufferSize = 0x8C2B;
    ContextRenderer renderer;
    const GLubyte* name = glGetString(GL_RENDERER);
    if (!name) return;
    renderer.isOnProcessor = isSoftwareRenderer(reinterpret_cast<const char*>(name));
    renderer.hasTriples = osg::isGLExtensionOrVersionSupported(contextID, "GL_ARB_texture_buffer_object_rgb32", 4.0f);
    GLint most = 0;
    glGetIntegerv(maxTextureBufferSize, &most);
    renderer.mostTexels = static_cast<std::size_t>(std::max(most, 0));
    const std::lock_guard<std::mutex> lock(renderersMutex);
    renderers[contextID] = renderer;
}

ContextRenderer rendererOf(unsigned int contextID) {
    const std::lock_guard<std::mutex> lock(renderersMutex);
    const auto found = renderers.find(contextID);
    return found == renderers.end() ? ContextRenderer() : found->second;
}

void forgetRenderer(unsigned int contextID) {
    const std::lock_guard<std::mutex> lock(renderersMutex);
    renderers.erase(contextID);
}

}  // namespace osgPliant
