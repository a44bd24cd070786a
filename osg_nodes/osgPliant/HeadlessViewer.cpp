// SPDX-License-Identifier: Zlib
#include "osgPliant/HeadlessViewer.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <osgDB/FileNameUtils>
#include <osgDB/WriteFile>
#include <vector>

#include "pliant/mesh/FilesThere.h"

namespace osgPliant {

namespace {

constexpr std::chrono::minutes patience(10);  // a software renderer may take long, a lost context takes for ever

}  // namespace

/// Reads what the camera has just drawn, in the thread and context that drew it.
class HeadlessViewer::FrameReader : public osg::Camera::DrawCallback {
public:
    FrameReader(osg::Image* image, int width, int height) : _image(image), _width(width), _height(height) {}

    void operator()(osg::RenderInfo&) const override {
        const std::lock_guard<std::mutex> lock(_mutex);
        _image->readPixels(0, 0, _width, _height, GL_RGB, GL_UNSIGNED_BYTE);
        ++_frames;
        _arrived.notify_all();
    }
    int frames() const {
        const std::lock_guard<std::mutex> lock(_mutex);
        return _frames;
    }
    /// Viewers with draw threads return before the frame is there.
    bool waitFor(int frames) const {
        std::unique_lock<std::mutex> lock(_mutex);
        return _arrived.wait_for(lock, patience, [&] { return _frames >= frames; });
    }

private:
    osg::ref_ptr<osg::Image> _image;
    int _width, _height;
    mutable std::mutex _mutex;
    mutable std::condition_variable _arrived;
    mutable int _frames = 0;
};

namespace {

/// Means of n x n pixels, of squares: display values are about the root of light.
void shrink(const osg::Image& source, int n, osg::Image& target) {
    std::vector<float> sums(3 * static_cast<std::size_t>(target.s()));
    for (int y = 0; y < target.t(); ++y) {
        std::fill(sums.begin(), sums.end(), 0.0f);
        for (int row = 0; row < n; ++row) {
            const unsigned char* in = source.data(0, static_cast<unsigned int>(n * y + row));
            for (std::size_t x = 0; x < sums.size(); x += 3) {
                for (int column = 0; column < n; ++column, in += 3) {
                    for (std::size_t channel = 0; channel < 3; ++channel) {
                        sums[x + channel] += static_cast<float>(in[channel]) * static_cast<float>(in[channel]);
                    }
                }
            }
        }
        unsigned char* out = target.data(0, static_cast<unsigned int>(y));
        const float scale = 1.0f / static_cast<float>(n * n);
        for (const float sum : sums) *out++ = static_cast<unsigned char>(std::sqrt(sum * scale) + 0.5f);
    }
}

HeadlessOptions enlarged(HeadlessOptions options) {
    options.supersampling = std::clamp(options.supersampling, 1, 4);
    options.width *= options.supersampling;
    options.height *= options.supersampling;
    return options;
}

}  // namespace

HeadlessViewer::HeadlessViewer(const HeadlessOptions& options)
    : _options(options),
      _context(createHeadlessContext(enlarged(options), &_problem)),
      _viewer(new osgViewer::Viewer),
      _drawn(new osg::Image) {
    if (!_context.valid()) return;
    _options.supersampling = enlarged(options).supersampling;
    const int width = _options.width * _options.supersampling, height = _options.height * _options.supersampling;
    _drawn->setPacking(1);  // rows of any width follow each other without gaps
    _image = _drawn;
    if (_options.supersampling > 1) {
        _image = new osg::Image;
        _image->allocateImage(_options.width, _options.height, 1, GL_RGB, GL_UNSIGNED_BYTE, 1);
    }
    osg::Camera* camera = _viewer->getCamera();
    camera->setGraphicsContext(_context);
    camera->setViewport(0, 0, width, height);
    camera->setDrawBuffer(GL_BACK);
    camera->setReadBuffer(GL_BACK);
    _reader = new FrameReader(_drawn, width, height);
    camera->setFinalDrawCallback(_reader);
    _viewer->setThreadingModel(osgViewer::Viewer::SingleThreaded);
    // Another viewer may draw in this thread before the next frame: a context that stays current is taken for this
    // one's.
    _viewer->setReleaseContextAtEndOfFrameHint(true);
    _viewer->setCameraManipulator(nullptr);
    _viewer->setKeyEventSetsDone(0);
}

HeadlessViewer::~HeadlessViewer() {
    if (!_context.valid()) return;
    // Cull and draw threads of other threading models may still be at the end of the last frame.
    _viewer->stopThreading();
    // Another viewer's context may get the number of this one: what has been drawn here would go on with its names.
    if (!_formerScenes.empty() && _viewer->isRealized() && _context->makeCurrent()) {
        osg::ref_ptr<osg::Node> former;
        for (const auto& scene : _formerScenes)
            if (scene.lock(former)) former->releaseGLObjects(_context->getState());
        _context->releaseContext();
    }
    // OpenSceneGraph gives back what this context has of the scene. A camera that has the scene still when its context
    // is closed would give back what the contexts of other viewers have.
    _context->close();
    // Viewers go before their scenes: those with osgShadow's StandardShadowMap wait for ever when the last is theirs.
    const osg::ref_ptr<osg::Node> scene = _viewer->getSceneData();
    _viewer->setSceneData(nullptr);
    _viewer = nullptr;
}

std::string HeadlessViewer::getRenderer() const {
    return _context.valid() ? _context->getRenderer() : std::string();
}

void HeadlessViewer::setScene(osg::Node* scene) {
    osg::Node* former = _viewer->getSceneData();
    if (former == scene) return;
    _formerScenes.erase(std::remove_if(_formerScenes.begin(), _formerScenes.end(),
                                       [&](const auto& one) { return !one.valid() || one == scene; }),
                        _formerScenes.end());
    if (former) _formerScenes.emplace_back(former);
    _viewer->setSceneData(scene);
}

void HeadlessViewer::setCamera(const osg::Vec3d& eye, const osg::Vec3d& centre, const osg::Vec3d& up,
                               double fieldOfView) {
    osg::Camera* camera = _viewer->getCamera();
    camera->setViewMatrixAsLookAt(eye, centre, uprightFor(eye, centre, up));
    camera->setProjectionMatrixAsPerspective(
        fieldOfView, static_cast<double>(_options.width) / static_cast<double>(_options.height), 0.01, 10000.0);
}

osg::Vec3d uprightFor(const osg::Vec3d& eye, const osg::Vec3d& centre, const osg::Vec3d& up) {
    osg::Vec3d along = centre - eye;
    along.normalize();
    osg::Vec3d direction = up;
    direction.normalize();
    constexpr double parallel = 1e-6;  // sine of the angle below which a view has no right and left
    if ((along ^ direction).length() > parallel) return up;
    // The axis that is next to `up` by number: seen from above, y is up in a world whose z is up.
    const osg::Vec3d candidates[] = {osg::Vec3d(0.0, 1.0, 0.0), osg::Vec3d(0.0, 0.0, -1.0)};
    return (along ^ candidates[0]).length() > 0.5 ? candidates[0] : candidates[1];
}

const osg::Image* HeadlessViewer::render(double simulationTime) {
    if (!isValid()) return nullptr;
    const auto start = std::chrono::steady_clock::now();
    const int before = _reader->frames();
    _viewer->frame(simulationTime);
    if (!_viewer->isRealized() || !_reader->waitFor(before + 1)) return nullptr;
    if (_options.supersampling > 1 && _drawn->valid()) shrink(*_drawn, _options.supersampling, *_image);
    const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
    _statistics.add(elapsed.count());
    return _drawn->valid() ? _image.get() : nullptr;
}

std::string saveImage(const osg::Image& image, const std::string& path) {
    std::string problem;
    const std::string place = pliant::files::placeOfWholeFile(path, problem).string();
    if (!problem.empty()) return "cannot write the picture " + path + ": it " + problem;
    const std::string temporary = osgDB::getNameLessExtension(place) + ".unfinished." + osgDB::getFileExtension(path);
    if (!osgDB::writeImageFile(image, temporary)) {
        std::remove(temporary.c_str());
        return "cannot write the picture " + path + "; check that its folder exists and can be written, and that the " +
               "extension is one that OpenSceneGraph has a plugin for (.png, .jpg)";
    }
    std::error_code failure;
    std::filesystem::rename(temporary, place, failure);
    if (!failure) return {};
    std::remove(temporary.c_str());
    return "cannot write the picture " + path + ": " + failure.message();
}

}  // namespace osgPliant
