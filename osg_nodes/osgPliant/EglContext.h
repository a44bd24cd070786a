// SPDX-License-Identifier: Zlib
// OpenGL without a window system: an EGL pbuffer, on Mesa's surfaceless platform, else on an EGL device, else on the
// default display. OpenSceneGraph 3.6 has no such path of its own.
#pragma once

#include <memory>
#include <osg/GraphicsContext>
#include <string>

namespace osgPliant {

class EglContext : public osg::GraphicsContext {
public:
    /// Makes the context at once; on failure valid() is false and getProblem() tells what is missing.
    explicit EglContext(osg::GraphicsContext::Traits* traits);
    /// @param platforms as HeadlessOptions::platforms
    EglContext(osg::GraphicsContext::Traits* traits, const std::string& platforms);

    const std::string& getProblem() const { return _problem; }
    /// Of the driver, "Mesa/X.org ... llvmpipe"; empty before the first makeCurrent().
    std::string getRenderer() const;
    int getSamples() const;  ///< multisamples that the pbuffer has

    bool isSameKindAs(const osg::Object* object) const override;
    const char* libraryName() const override { return "osgPliant"; }
    const char* className() const override { return "EglContext"; }

    bool valid() const override;
    bool realizeImplementation() override;
    bool isRealizedImplementation() const override { return _realized; }
    void closeImplementation() override;
    bool makeCurrentImplementation() override;
    bool makeContextCurrentImplementation(osg::GraphicsContext* readContext) override;
    bool releaseContextImplementation() override;
    void bindPBufferToTextureImplementation(GLenum buffer) override;
    void swapBuffersImplementation() override;

protected:
    ~EglContext() override;

private:
    struct Handles;
    std::unique_ptr<Handles> _handles;
    std::string _problem;
    std::string _renderer;
    bool _realized = false;
};

struct HeadlessOptions {
    int width = 1280;
    int height = 720;
    /// Anti-aliasing: every pixel is the mean of this many squared, 1..4. Software renderers do this an order of
    /// magnitude faster than multisampling where triangles are small.
    int supersampling = 2;
    int samples = 0;  ///< multisampling on top, for graphics cards; fewer where the driver has no such pbuffer
    /// Names of EGL platforms to try, in order: "surfaceless", "device", "default". Any other name fails.
    std::string platforms = "surfaceless,device,default";
};

/// @param problem receives one sentence that names what is missing and what to install; may be null
/// @return the context, or null
osg::ref_ptr<EglContext> createHeadlessContext(const HeadlessOptions& options, std::string* problem);

}  // namespace osgPliant
