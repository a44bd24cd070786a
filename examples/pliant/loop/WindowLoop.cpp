// SPDX-License-Identifier: Zlib
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <osgGA/CameraManipulator>
#include <osgViewer/Viewer>
#include <utility>

#include "draw/DebugLayers.h"
#include "draw/MaterialKeys.h"
#include "draw/SceneView.h"
#include "draw/WindowPictures.h"
#include "draw/WindowText.h"
#include "loop/Loops.h"
#include "loop/SimulationHand.h"
#include "loop/WindowPhysics.h"
#include "models/ModelStore.h"
#include "osgPliant/FilmHandler.h"
#include "osgPliant/Handlers.h"
#include "osgPliant/HeadlessViewer.h"
#include "osgPliant/MouseHandHandler.h"
#include "osgPliant/ViewerSetUp.h"
#include "pliant/math/Error.h"
#include "terminal/Interrupt.h"

namespace pliant::program {
namespace {

/// The hand of a simulation that moves beside the window.
class LockedHand : public osgPliant::Hand {
public:
    LockedHand(Simulation& simulation, WindowPhysics& physics)
        : m_hand(new SimulationHand(simulation)), m_physics(physics) {}
    bool take(const osg::Vec3d& eye, const osg::Vec3d& end) override {
        bool holds = false;
        m_physics.withWorld([&] { holds = m_hand->take(eye, end); });
        return holds;
    }
    void move(const osg::Vec3d& eye, const osg::Vec3d& end) override {
        m_physics.withWorld([&] { m_hand->move(eye, end); });
    }
    void release() override {
        m_physics.withWorld([&] { m_hand->release(); });
    }

protected:
    ~LockedHand() override = default;

private:
    osg::ref_ptr<SimulationHand> m_hand;
    WindowPhysics& m_physics;
};

/// The pictures that events want, of what the window shows.
class EventPictures {
public:
    EventPictures(osgViewer::Viewer& viewer, std::string folder)
        : m_window(new WindowPictures), m_folder(std::move(folder)) {
        viewer.getCamera()->setFinalDrawCallback(m_window);
    }
    /// Has the next frame copied for these files, in the folder.
    void ask(const std::vector<std::string>& files) {
        m_wanted.insert(m_wanted.end(), files.begin(), files.end());
        if (!files.empty()) m_window->ask();
    }
    bool areWanted() const { return !m_wanted.empty(); }
    /// After a frame. @throws Error
    void save() {
        const osg::ref_ptr<osg::Image> image = m_window->take();
        if (!image) return;
        for (const std::string& file : m_wanted) {
            m_made.push_back((std::filesystem::path(m_folder) / file).string());
            expectWritableFolder(std::filesystem::path(m_made.back()).parent_path().string());
            const std::string problem = osgPliant::saveImage(*image, m_made.back());
            if (!problem.empty()) throw Error(m_made.back(), problem);
        }
        m_wanted.clear();
    }
    const std::vector<std::string>& made() const { return m_made; }

private:
    osg::ref_ptr<WindowPictures> m_window;
    std::string m_folder;
    std::vector<std::string> m_wanted, m_made;
};

void setCamera(osgViewer::Viewer& viewer, const osgPliant::CameraPlace& point) {
    double oldFieldOfView = 0.0, aspect = 1.0, zNear = 0.0, zFar = 0.0;
    osg::Camera& camera = *viewer.getCamera();
    camera.getProjectionMatrixAsPerspective(oldFieldOfView, aspect, zNear, zFar);
    camera.setProjectionMatrixAsPerspective(point.fieldOfView, aspect, zNear, zFar);
    if (osgGA::CameraManipulator* manipulator = viewer.getCameraManipulator()) {
        manipulator->setHomePosition(point.eye, point.centre, point.up);
        viewer.home();
    }
}

/// A mouse for the tool of the scene that wants one. @return null where none does
std::shared_ptr<MouseDevice> giveMouse(const SceneWorld& world) {
    const std::vector<scene::Tool>& tools = world.scene().tools;
    for (std::size_t i = 0; i < tools.size(); ++i) {
        if (tools[i].device != scene::HandDeviceKind::Mouse) continue;
        const int tool = static_cast<int>(i);
        const auto mouse = std::make_shared<MouseDevice>(world.physics().getTool(tool).getGripPose());
        world.physics().setHandDevice(tool, mouse);
        return mouse;
    }
    return nullptr;
}

/// Brings the scene to a time, without a picture. @return false where it is over before
bool goOn(Simulation& simulation, double time, const std::function<bool(const OpenWindow&)>& isOver) {
    const OpenWindow none;
    while (simulation.world().physics().getTime() < time && !simulation.isStopped()) {
        if (interrupted() || isOver(none)) return false;
        simulation.advanceFrame();
        simulation.endFrame(0.0);
        simulation.takePictures();  // those of the past have been made
    }
    return true;
}

/// The handler that films the window, into the folder of the output.
osg::ref_ptr<osgPliant::FilmHandler> makeFilm(const scene::SceneDescription& scene, const std::string& folder) {
    osgPliant::VideoOptions video;
    video.framesPerSecond = scene.time.framesPerSecond;
    return new osgPliant::FilmHandler((std::filesystem::path(folder) / (scene.output.name + "_window.mp4")).string(),
                                      video);
}

/// A viewer in a window of the scene's size.
void openViewer(osgViewer::Viewer& viewer, const scene::SceneDescription& scene) {
    viewer.setThreadingModel(osgViewer::ViewerBase::SingleThreaded);
    viewer.setUpViewInWindow(60, 60, scene.output.width, scene.output.height);
    osgPliant::setUpViewer(viewer);
}

/// Pause, single steps and speed of the physics.
osgPliant::SimulationHandler::Callbacks clockOf(WindowPhysics& physics) {
    osgPliant::SimulationHandler::Callbacks callbacks;
    callbacks.pause = [&physics](bool paused) { physics.setPaused(paused); };
    callbacks.step = [&physics] { physics.stepOnce(); };
    callbacks.speed = [&physics](double speed) { physics.setSpeed(speed); };
    return callbacks;
}

}  // namespace

std::vector<std::string> runInWindow(Simulation& simulation, const RunOptions& options,
                                     const std::function<bool(const OpenWindow&)>& isOver, WindowPlace& place) {
    if (!goOn(simulation, place.time, isOver)) return {};
    const scene::SceneDescription& scene = simulation.world().scene();
    SceneView view(simulation.world(), simulation.models(), {options.joints});
    osgViewer::Viewer viewer;
    openViewer(viewer, scene);
    DebugLayers layers(view, scene.show);
    EventPictures pictures(viewer, options.output);
    const osgPliant::CameraPlace start = viewPoint(simulation.world());

    const std::shared_ptr<MouseDevice> mouse = giveMouse(simulation.world());
    const osg::ref_ptr<osgPliant::MouseHandHandler> hand = mouse ? new osgPliant::MouseHandHandler(mouse) : nullptr;
    WindowPhysics physics(simulation, options.output);  // from here on the world belongs to its thread
    const osg::ref_ptr<MaterialKeys> materials = new MaterialKeys(
        simulation.world(), [&](const auto& edit) { physics.withWorld([&] { edit(simulation.world()); }); });
    // Of the file that is watched: what is reset goes back to before them.
    std::vector<std::function<void(const SceneWorld&)>> edits;
    WindowNote note;
    const OpenWindow window = {[&](const std::function<void(const SceneWorld&)>& edit) {
                                   edits.push_back(edit);
                                   physics.withWorld([&] { edit(simulation.world()); });
                               },
                               [&](const std::string& text) { note.show(text); }};
    osgPliant::SimulationHandler::Callbacks callbacks = clockOf(physics);
    callbacks.reset = [&] {
        physics.reset();
        physics.withWorld([&] {
            for (const auto& edit : edits) edit(simulation.world());
            materials->edit(simulation.world());
            if (hand) hand->setDevice(giveMouse(simulation.world()));
        });
    };
    viewer.addEventHandler(new osgPliant::SimulationHandler(callbacks));
    if (hand) viewer.addEventHandler(hand);
    viewer.addEventHandler(new osgPliant::DragHandler(new LockedHand(simulation, physics)));
    viewer.addEventHandler(layers.handler());
    viewer.addEventHandler(materials);
    const osg::ref_ptr<osgPliant::FilmHandler> film = makeFilm(scene, options.output);
    viewer.addEventHandler(film);
    const osg::ref_ptr<osg::Group> root = new osg::Group;
    root->addChild(view.root());
    root->addChild(materials->line());
    root->addChild(note.camera());
    viewer.setSceneData(root);
    const std::string problem = osgPliant::realizeViewer(viewer);
    if (!problem.empty()) throw Error("", problem, "or run with --headless");
    setCamera(viewer, start);
    if (place.worldFromEye) viewer.getCameraManipulator()->setByMatrix(osg::Matrixd(place.worldFromEye->data()));

    for (int frame = 0; !viewer.done() && !interrupted() && (options.frames == 0 || frame < options.frames); ++frame) {
        if (isOver(window)) break;
        const double from = now();
        const scene::ScenePoses& poses = physics.at(from);
        view.show(poses);
        if (layers.areShown()) physics.withWorld([&] { layers.follow(simulation.world()); });
        viewer.frame(poses.time);
        pictures.save();
        physics.withWorld([&] { pictures.ask(simulation.takePictures()); });
        physics.tellDrawing(now() - from);
    }
    if (pictures.areWanted()) viewer.frame();
    pictures.save();
    physics.withWorld([&] { place.time = simulation.world().physics().getTime(); });
    place.worldFromEye.emplace();
    std::copy_n(viewer.getCameraManipulator()->getMatrix().ptr(), 16, place.worldFromEye->begin());
    film->finish();
    if (!film->getProblem().empty()) fmt::print(stderr, "pliant: warning: {}\n", film->getProblem());
    std::vector<std::string> made = physics.close();
    for (const std::string& path : film->getFilms()) made.push_back(path);
    made.insert(made.end(), pictures.made().begin(), pictures.made().end());
    return made;
}

}  // namespace pliant::program
