// SPDX-License-Identifier: Zlib
#include "osgPliant/FilmHandler.h"

#include <cmath>
#include <mutex>
#include <osg/Camera>
#include <osg/FrameStamp>
#include <osg/View>
#include <osg/observer_ptr>
#include <osgGA/GUIActionAdapter>
#include <utility>

namespace osgPliant {

namespace {

using Event = osgGA::GUIEventAdapter;

/// "run_2.mp4" of "run.mp4".
std::string numbered(const std::string& path, std::size_t number) {
    if (number == 1) return path;
    const std::size_t slash = path.find_last_of('/'), dot = path.find_last_of('.');
    const bool hasEnding = dot != std::string::npos && (slash == std::string::npos || dot > slash);
    const std::size_t at = hasEnding ? dot : path.size();
    return path.substr(0, at) + "_" + std::to_string(number) + path.substr(at);
}

}  // namespace

/// Hangs at a camera while it is filmed; frames come in the thread that has drawn them.
class FilmHandler::Camera : public osg::Camera::DrawCallback {
public:
    Camera(std::string path, VideoOptions options) : _path(std::move(path)), _options(std::move(options)) {}

    /// The time of the frame that comes, s.
    void tellTime(double now) {
        const std::lock_guard<std::mutex> lock(_mutex);
        _now = now;
    }

    void begin(osg::Camera& camera) {
        const std::lock_guard<std::mutex> lock(_mutex);
        if (_filmed.valid()) return;
        _filmed = &camera;
        _isOpen = false;
        _isOver = false;
        _count = 0;
        _problem.clear();
        camera.addFinalDrawCallback(this);
    }

    void end() {
        osg::ref_ptr<osg::Camera> camera;
        {
            const std::lock_guard<std::mutex> lock(_mutex);
            _filmed.lock(camera);
            _filmed = nullptr;
            if (_isOpen) close();
        }
        if (camera) camera->removeFinalDrawCallback(this);
    }

    void operator()(osg::RenderInfo& info) const override {
        const std::lock_guard<std::mutex> lock(_mutex);
        if (!_filmed.valid() || _isOver) return;
        const osg::Viewport* area = info.getCurrentCamera()->getViewport();
        if (area) const_cast<Camera*>(this)->take(*area, _now);
    }

    template <class Get>
    auto get(const Get& value) const {
        const std::lock_guard<std::mutex> lock(_mutex);
        return value(*this);
    }
    bool isFilming() const { return _filmed.valid() && !_isOver; }
    const std::string& problem() const { return _problem; }
    const std::vector<std::string>& films() const { return _films; }
    int count() const { return _count; }

private:
    /// The picture, as often as the film lacks it by now.
    void take(const osg::Viewport& area, double time) {
        const int width = static_cast<int>(area.width()), height = static_cast<int>(area.height());
        if (!_isOpen) open(width, height, time);
        if (_isOver) return;
        if (width != _width || height != _height) {
            close();
            if (_problem.empty()) _problem = "the window has changed its size; the film ends there";
            return;
        }
        const int due = static_cast<int>(std::floor((time - _begin) * _options.framesPerSecond + 1e-6)) + 1;
        if (due <= _count) return;
        _image->readPixels(static_cast<int>(area.x()), static_cast<int>(area.y()), width, height, GL_RGB,
                           GL_UNSIGNED_BYTE);
        for (; _count < due; ++_count) {
            _problem = _writer.add(*_image);
            if (_problem.empty()) continue;
            _isOver = true;
            _writer.close();
            return;
        }
    }

    void open(int width, int height, double time) {
        _width = width;
        _height = height;
        _begin = time;
        _current = numbered(_path, _films.size() + 1);
        _problem = _writer.open(_current, width, height, _options);
        _isOpen = _problem.empty();
        _isOver = !_isOpen;
    }

    void close() {
        const std::string problem = _writer.close();
        _isOpen = false;
        _isOver = true;
        if (problem.empty() && _problem.empty()) _films.push_back(_current);
        if (_problem.empty()) _problem = problem;
    }

    mutable std::mutex _mutex;  ///< of all below: frames come from the thread that draws
    const std::string _path;
    const VideoOptions _options;
    VideoWriter _writer;
    osg::observer_ptr<osg::Camera> _filmed;  ///< null: none is
    osg::ref_ptr<osg::Image> _image = new osg::Image;
    std::string _current, _problem;
    std::vector<std::string> _films;
    double _now = 0.0, _begin = 0.0;  ///< s
    int _width = 0, _height = 0, _count = 0;
    bool _isOpen = false, _isOver = false;
};

FilmHandler::FilmHandler(const std::string& path, const VideoOptions& options, int key)
    : _camera(new Camera(path, options)), _key(key) {}

FilmHandler::~FilmHandler() {
    _camera->end();
}

bool FilmHandler::isFilming() const {
    return _camera->get([](const Camera& camera) { return camera.isFilming(); });
}

void FilmHandler::finish() {
    _camera->end();
}

std::vector<std::string> FilmHandler::getFilms() const {
    return _camera->get([](const Camera& camera) { return camera.films(); });
}

int FilmHandler::getFrameCount() const {
    return _camera->get([](const Camera& camera) { return camera.count(); });
}

std::string FilmHandler::getProblem() const {
    return _camera->get([](const Camera& camera) { return camera.problem(); });
}

bool FilmHandler::handle(const Event& event, osgGA::GUIActionAdapter& action) {
    osg::View* view = action.asView();
    if (!view || !view->getCamera()) return false;
    if (event.getEventType() == Event::FRAME && view->getFrameStamp())
        _camera->tellTime(view->getFrameStamp()->getReferenceTime());
    if (event.getHandled() || event.getEventType() != Event::KEYDOWN || event.getKey() != _key) return false;
    if (isFilming()) {
        finish();
    } else {
        finish();  // one that has failed
        _camera->begin(*view->getCamera());
    }
    action.requestRedraw();
    return true;
}

void FilmHandler::getUsage(osg::ApplicationUsage& usage) const {
    usage.addKeyboardMouseBinding(_key, "Film the view, and end the film");
}

}  // namespace osgPliant
