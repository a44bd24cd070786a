// SPDX-License-Identifier: Zlib
#include "osgPliant/HeadlessViewer.h"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <osgDB/FileNameUtils>
#include <osgDB/WriteFile>

namespace osgPliant {

namespace {

/// Reads what the camera has just drawn, in the thread and context that drew it.
class ReadFrame : public osg::Camera::DrawCallback {
public:
    ReadFrame(osg::Image* image, int width, int height) : _image(image), _width(width), _height(height) {}
    void operator()(osg::RenderInfo&) const override {
        _image->readPixels(0, 0, _width, _height, GL_RGB, GL_UNSIGNED_BYTE);
    }

private:
    osg::ref_ptr<osg::Image> _image;
    int _width, _height;
};

}  // namespace

HeadlessViewer::HeadlessViewer(const HeadlessOptions& options)
    : _options(options),
      _context(createHeadlessContext(options, &_problem)),
      _viewer(new osgViewer::Viewer),
      _image(new osg::Image) {
    if (!_context.valid()) return;
    _image->setPacking(1);  // rows of any width follow each other without gaps
    osg::Camera* camera = _viewer->getCamera();
    camera->setGraphicsContext(_context);
    camera->setViewport(0, 0, options.width, options.height);
    camera->setDrawBuffer(GL_BACK);
    camera->setReadBuffer(GL_BACK);
    camera->setFinalDrawCallback(new ReadFrame(_image, options.width, options.height));
    _viewer->setThreadingModel(osgViewer::Viewer::SingleThreaded);
    _viewer->setReleaseContextAtEndOfFrameHint(false);
    _viewer->setCameraManipulator(nullptr);
    _viewer->setKeyEventSetsDone(0);
}

HeadlessViewer::~HeadlessViewer() = default;

std::string HeadlessViewer::getRenderer() const {
    return _context.valid() ? _context->getRenderer() : std::string();
}

void HeadlessViewer::setScene(osg::Node* scene) {
    _viewer->setSceneData(scene);
}

void HeadlessViewer::setCamera(const osg::Vec3d& eye, const osg::Vec3d& centre, const osg::Vec3d& up,
                               double fieldOfView) {
    osg::Camera* camera = _viewer->getCamera();
    camera->setViewMatrixAsLookAt(eye, centre, up);
    camera->setProjectionMatrixAsPerspective(
        fieldOfView, static_cast<double>(_options.width) / static_cast<double>(_options.height), 0.01, 10000.0);
}

const osg::Image* HeadlessViewer::render(double simulationTime) {
    if (!isValid()) return nullptr;
    const auto start = std::chrono::steady_clock::now();
    _viewer->frame(simulationTime);
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
    _statistics.add(elapsed.count());
    return _image->valid() ? _image.get() : nullptr;
}

std::string saveImage(const osg::Image& image, const std::string& path) {
    const std::string extension = osgDB::getFileExtension(path);
    const std::string temporary = osgDB::getNameLessExtension(path) + ".unfinished." + extension;
    if (!osgDB::writeImageFile(image, temporary)) {
        std::remove(temporary.c_str());
        return "cannot write the picture " + path + "; check that its folder exists and can be written, and that the " +
               "extension is one that OpenSceneGraph has a plugin for (.png, .jpg)";
    }
    std::error_code failure;
    std::filesystem::rename(temporary, path, failure);
    if (!failure) return {};
    std::remove(temporary.c_str());
    return "cannot write the picture " + path + ": " + failure.message();
}

}  // namespace osgPliant
