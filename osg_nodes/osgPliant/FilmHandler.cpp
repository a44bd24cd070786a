// SPDX-License-Identifier: Zlib
#include "osgPliant/FilmHandler.h"

#include <cmath>
#include <filesystem>
#include <mutex>
#include <osg/Camera>
#include <osg/FrameStamp>
#include <osg/View>
#include <osg/observer_ptr>
#include <osgGA/GUIActionAdapter>
#include <osgViewer/View>
#include <osgViewer/ViewerBase>
#include <set>
#include <utility>

namespace osgPliant {

namespace {

using Event = osgGA::GUIEventAdapter;

/// "run_2.mp4" of "run.mp4".
std::string numbered(const std::string& path, int number) {
    if (number == 1) return path;
    const std::size_t slash = path.find_last_of('/'), dot = path.find_last_of('.');
    const bool hasEnding = dot != std::string::npos && (slash == std::string::npos || dot > slash);
    const std::size_t at = hasEnding ? dot : path.size();
    return path.substr(0, at) + "_" + std::to_string(number) + path.substr(at);
}

/// The files of this process's films, whole ones and those that are under way: no handler writes over the film of
/// another one, by whatever path. A film that has failed leaves its file to others.
class FilmFiles {
public:
    /// What a file is known by.
    static std::string keyOf(const std::string& path) {
        std::error_code ignored;  // of a working directory that is gone
        const std::filesystem::path whole = std::filesystem::absolute(path, ignored);
        return (whole.empty() ? std::filesystem::path(path) : whole).lexically_normal().string();
    }
    /// @return false where it is another film's
    bool take(const std::string& key) {
        const std::lock_guard<std::mutex> lock(_mutex);
        return _keys.insert(key).second;
    }
    void release(const std::string& key) {
        const std::lock_guard<std::mutex> lock(_mutex);
        _keys.erase(key);
    }
    static FilmFiles& instance() {
        static FilmFiles all;
        return all;
    }

private:
    std::mutex _mutex;
    std::set<std::string> _keys;
};

}  // namespace

/// Hangs at a camera from its first film on; frames come in the thread that has drawn them.
class FilmHandler::Camera : public osg::Camera::DrawCallback {
public:
    Camera(std::string path, VideoOptions options, int firstNumber)
        : _path(std::move(path)), _options(std::move(options)), _number(firstNumber) {}

    void begin(osg::View& view) {
        osg::Camera& camera = *view.getCamera();
        join(camera, view);
        const std::lock_guard<std::mutex> lock(_mutex);
        if (_filmed.valid()) return;
        _filmed = &camera;
        _isOpen = false;
        _isOver = false;
        _count = 0;
        _problem.clear();
    }

    void end() {
        const std::lock_guard<std::mutex> lock(_mutex);
        _filmed = nullptr;
        if (_isOpen) close();
    }

    void operator()(osg::RenderInfo& info) const override {
        const std::lock_guard<std::mutex> lock(_mutex);
        const osg::Camera* camera = info.getCurrentCamera();
        if (!_filmed.valid() || _isOver || _filmed.get() != camera) return;
        const osg::FrameStamp* stamp = info.getState() ? info.getState()->getFrameStamp() : nullptr;
        if (camera->getViewport() && stamp)
            const_cast<Camera*>(this)->take(*camera->getViewport(), stamp->getReferenceTime());
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
    /// Hangs the callback at a camera that has it not yet. Draw threads read the camera's callbacks without a lock, so
    /// they are halted.
    void join(osg::Camera& camera, osg::View& view) {
        if (_joined.get() == &camera) return;
        auto* viewer = dynamic_cast<osgViewer::View*>(&view);
        osgViewer::ViewerBase* base = viewer ? viewer->getViewerBase() : nullptr;
        const bool threads = base && base->areThreadsRunning();
        if (threads) base->stopThreading();
        osg::ref_ptr<osg::Camera> before;
        if (_joined.lock(before)) before->removeFinalDrawCallback(this);
        camera.addFinalDrawCallback(this);
        _joined = &camera;
        if (threads) base->startThreading();
    }
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
            _writer.close();
            giveUp();
            return;
        }
    }

    void open(int width, int height, double time) {
        _width = width;
        _height = height;
        _begin = time;
        for (;; ++_number) {
            _current = numbered(_path, _number);
            _taken = FilmFiles::keyOf(_current);
            if (FilmFiles::instance().take(_taken)) break;
        }
        std::error_code ignored;  // the writer tells what it cannot write
        const std::filesystem::path folder = std::filesystem::path(_current).parent_path();
        if (!folder.empty()) std::filesystem::create_directories(folder, ignored);
        _problem = _writer.open(_current, width, height, _options);
        _isOpen = true;
        if (!_problem.empty()) giveUp();
    }

    /// The end of a film that has failed.
    void giveUp() {
        FilmFiles::instance().release(_taken);
        _isOpen = false;
        _isOver = true;
    }

    void close() {
        _problem = _writer.close();
        if (!_problem.empty()) return giveUp();
        _isOpen = false;
        _isOver = true;
        _films.push_back(_current);
        ++_number;
    }

    mutable std::mutex _mutex;  ///< of all below: frames come from the thread that draws
    const std::string _path;
    const VideoOptions _options;
    int _number;  ///< of the next film
    VideoWriter _writer;
    osg::observer_ptr<osg::Camera> _filmed;  ///< null: none is
    osg::observer_ptr<osg::Camera> _joined;  ///< what has the callback; of the thread of events alone
    osg::ref_ptr<osg::Image> _image = new osg::Image;
    std::string _current, _taken;  ///< path of the film, and what its file is known by
    std::string _problem;
    std::vector<std::string> _films;
    double _begin = 0.0;  ///< s
    int _width = 0, _height = 0, _count = 0;
    bool _isOpen = false, _isOver = false;
};

FilmHandler::FilmHandler(const std::string& path, const VideoOptions& options, int key, int firstNumber)
    : _camera(new Camera(path, options, firstNumber)), _key(key) {}

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
    if (event.getHandled() || event.getEventType() != Event::KEYDOWN || event.getKey() != _key) return false;
    if (isFilming()) {
        finish();
    } else {
        finish();  // one that has failed
        _camera->begin(*view);
    }
    action.requestRedraw();
    return true;
}

void FilmHandler::getUsage(osg::ApplicationUsage& usage) const {
    usage.addKeyboardMouseBinding(_key, "Film the view, and end the film");
}

}  // namespace osgPliant
