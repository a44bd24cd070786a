// SPDX-License-Identifier: Zlib
/// @file
/// OpenGL without a window system.
#pragma once

#include <memory>
#include <osg/GraphicsContext>
#include <string>

#include "pliant/math/Api.h"

namespace osgPliant {

/// OpenGL without a window system: an EGL pbuffer, on Mesa's surfaceless platform, else on an EGL device, else on the
/// default display. OpenSceneGraph 3.6 has no such path of its own.
class PLIANT_API EglContext : public osg::GraphicsContext {
public:
    /// Makes the context at once; on failure valid() is false and getProblem() tells what is missing.
    explicit EglContext(osg::GraphicsContext::Traits* traits);
    /// The same with the platforms to try, as HeadlessOptions::platforms.
    EglContext(osg::GraphicsContext::Traits* traits, const std::string& platforms);

    /// Empty, or one sentence that names what is missing.
    const std::string& getProblem() const { return _problem; }
    /// The driver's name, "Mesa/X.org ... llvmpipe"; empty before the first makeCurrent().
    std::string getRenderer() const;
    /// Multisamples that the pbuffer has.
    int getSamples() const;

    /// Whether an object is an EglContext too.
    bool isSameKindAs(const osg::Object* object) const override;
    /// "osgPliant".
    const char* libraryName() const override { return "osgPliant"; }
    /// "EglContext".
    const char* className() const override { return "EglContext"; }

    /// Whether the context can be used.
    bool valid() const override;
    /// OpenSceneGraph's callback that makes the context ready for use.
    bool realizeImplementation() override;
    /// Whether the context is ready for use.
    bool isRealizedImplementation() const override { return _realized; }
    /// OpenSceneGraph's callback that destroys the context.
    void closeImplementation() override;
    /// OpenSceneGraph's callback that makes the context that of the calling thread.
    bool makeCurrentImplementation() override;
    /// The same, with another context to read from.
    bool makeContextCurrentImplementation(osg::GraphicsContext* readContext) override;
    /// OpenSceneGraph's callback that takes the context away from the calling thread.
    bool releaseContextImplementation() override;
    /// Not supported: tells so through OpenSceneGraph's notifications.
    void bindPBufferToTextureImplementation(GLenum buffer) override;
    /// OpenSceneGraph's callback at the end of a frame; there is nothing to swap.
    void swapBuffersImplementation() override;

protected:
    ~EglContext() override;

private:
    struct PLIANT_HIDDEN Handles;
    std::unique_ptr<Handles> _handles;
    std::string _problem;
    std::string _renderer;
    bool _realized = false;
};

/// What a picture without a window is made with.
struct HeadlessOptions {
    int width = 1280;  ///< Width of the picture, pixels.
    int height = 720;  ///< Height of the picture, pixels.
    /// Anti-aliasing: every pixel is the mean of this many squared, 1..4. Software renderers do this an order of
    /// magnitude faster than multisampling where triangles are small.
    int supersampling = 2;
    int samples = 0;  ///< Multisampling on top, for graphics cards; fewer where the driver has no such pbuffer.
    /// Names of EGL platforms to try, in order: "surfaceless", "device", "default". Any other name fails.
    std::string platforms = "surfaceless,device,default";
};

/// A context for pictures without a window.
/// @param options size, samples, platforms
/// @param problem receives one sentence that names what is missing and what to install; may be null
/// @return the context, or null
PLIANT_API osg::ref_ptr<EglContext> createHeadlessContext(const HeadlessOptions& options, std::string* problem);

}  // namespace osgPliant
