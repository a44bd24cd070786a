// SPDX-License-Identifier: Zlib
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
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
#include "terminal/ProgressBar.h"

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
        const auto mouse = std::make_shared<MouseDevice>(world.physics().getToolPose(tool));
        world.physics().setHandDevice(tool, mouse);
        return mouse;
    }
    return nullptr;
}

/// The handler that films the window, into the folder of the output.
osg::ref_ptr<osgPliant::FilmHandler> makeFilm(const scene::SceneDescription& scene, const std::string& folder,
                                              int filmsBefore) {
    osgPliant::VideoOptions video;
    video.framesPerSecond = scene.time.framesPerSecond;
    const std::filesystem::path path = std::filesystem::path(folder) / (scene.output.name + "_window.mp4");
    return new osgPliant::FilmHandler(path.string(), video, 'v', filmsBefore + 1);
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

/// A scene in a window: what is drawn, what listens to keys, and the physics beside it.
class SceneWindow {
public:
    SceneWindow(Simulation& simulation, const RunOptions& options, const WindowPlace& place)
        : m_simulation(simulation),
          m_view(simulation.world(), simulation.models(), {options.joints}),
          m_layers(m_view, simulation.world().scene().show),
          m_pictures(opened(m_viewer, simulation.world().scene()), options.output),
          m_start(viewPoint(simulation.world())),
          m_mouse(giveMouse(simulation.world())),
          m_hand(m_mouse ? new osgPliant::MouseHandHandler(m_mouse) : nullptr),
          m_materials(new MaterialKeys(simulation.world(), [this](const auto& change) { withWorld(change); })),
          m_film(makeFilm(simulation.world().scene(), options.output, place.films)) {
        showScene();
        setCamera(m_viewer, m_start);
        if (place.worldFromEye) m_viewer.getCameraManipulator()->setByMatrix(osg::Matrixd(place.worldFromEye->data()));
    }

    bool isClosed() const { return m_viewer.done(); }
    /// Brings the scene to a time. The window shows how far it is, can be looked around in, and can be closed.
    /// @return false where it is over before
    bool advanceTo(double time, const std::function<bool(const OpenWindow&)>& isOver) {
        const double from = m_simulation.world().physics().getTime();
        std::string mistake;
        ProgressBar bar;
        const OpenWindow open{{}, [&](const std::string& text) { mistake = text; }, [&] { bar.clear(); }};
        double shown = 0.0;
        for (;;) {
            const double t = m_simulation.world().physics().getTime();
            if (t >= time || m_simulation.isStopped()) break;
            if (!bar("going on", (t - from) / (time - from)) || isOver(open)) return false;
            m_simulation.advanceFrame();
            m_simulation.endFrame(0.0);
            m_simulation.takePictures();     // those of the past have been made
            constexpr double between = 0.1;  // s, of frames meanwhile
            if (now() - shown < between) continue;
            m_note.show((mistake.empty() ? "" : mistake + "\n") + fmt::format("Going on: {:.2f} of {:.2f} s", t, time));
            m_view.follow(m_simulation.world());
            if (m_layers.areShown()) m_layers.follow(m_simulation.world());
            m_viewer.frame(t);
            shown = now();
            if (isClosed()) return false;
        }
        m_note.show(mistake);
        return true;
    }
    /// Gives the world to a thread of its own, and listens to keys and the mouse.
    void start(const std::string& folder) {
        m_physics = std::make_unique<WindowPhysics>(m_simulation, folder);
        addHandlers();
    }
    /// What a file that is watched may change.
    OpenWindow openWindow() {
        return {[this](const Edit& edit) {
                    m_edits.push_back(edit);
                    withWorld(edit);
                },
                [this](const std::string& text) { m_note.show(text); },
                {}};
    }
    void drawFrame() {
        const double from = now();
        const scene::ScenePoses& poses = m_physics->at(from);
        m_view.show(poses);
        if (m_layers.areShown()) withWorld([this](const SceneWorld& world) { m_layers.follow(world); });
        m_viewer.frame(poses.time);
        m_pictures.save();
        m_physics->withWorld([this] { m_pictures.ask(m_simulation.takePictures()); });
        m_physics->tellDrawing(now() - from);
        tellFilm();
    }
    /// Notes where one looks from.
    void noteView(WindowPlace& place) {
        place.worldFromEye.emplace();
        std::copy_n(m_viewer.getCameraManipulator()->getMatrix().ptr(), 16, place.worldFromEye->begin());
    }
    /// Ends what is under way, and notes where one looked. @return the files made
    std::vector<std::string> close(WindowPlace& place) {
        if (m_pictures.areWanted()) m_viewer.frame();
        m_pictures.save();
        withWorld([&](const SceneWorld& world) { place.time = world.physics().getTime(); });
        noteView(place);
        m_film->finish();
        tellFilm();
        std::vector<std::string> made = m_physics->close();
        const std::vector<std::string> films = m_film->getFilms();
        place.films += static_cast<int>(films.size());
        made.insert(made.end(), films.begin(), films.end());
        made.insert(made.end(), m_pictures.made().begin(), m_pictures.made().end());
        return made;
    }

private:
    using Edit = std::function<void(const SceneWorld&)>;

    static osgViewer::Viewer& opened(osgViewer::Viewer& viewer, const scene::SceneDescription& scene) {
        openViewer(viewer, scene);
        return viewer;
    }
    void withWorld(const Edit& edit) {
        m_physics->withWorld([&] { edit(m_simulation.world()); });
    }
    void reset() {
        m_physics->reset();
        withWorld([this](const SceneWorld& world) {
            for (const Edit& edit : m_edits) edit(world);
            m_materials->edit(world);
            if (m_hand) m_hand->setDevice(giveMouse(world));
        });
    }
    void addHandlers() {
        osgPliant::SimulationHandler::Callbacks callbacks = clockOf(*m_physics);
        callbacks.reset = [this] { reset(); };
        m_viewer.addEventHandler(new osgPliant::SimulationHandler(callbacks));
        if (m_hand) m_viewer.addEventHandler(m_hand);
        m_viewer.addEventHandler(new osgPliant::DragHandler(new LockedHand(m_simulation, *m_physics)));
        m_viewer.addEventHandler(m_layers.handler());
        m_viewer.addEventHandler(m_materials);
        m_viewer.addEventHandler(m_film);
    }
    void showScene() {
        const osg::ref_ptr<osg::Group> root = new osg::Group;
        root->addChild(m_view.root());
        root->addChild(m_materials->line());
        root->addChild(m_note.camera());
        m_viewer.setSceneData(root);
        const std::string problem = osgPliant::realizeViewer(m_viewer);
        if (!problem.empty()) throw Error("", problem, "or run with --headless");
    }
    /// What is wrong with a film is told once, in the window too.
    void tellFilm() {
        const std::string problem = m_film->getProblem();
        if (problem == m_filmProblem) return;
        m_filmProblem = problem;
        m_note.show(problem);
        if (!problem.empty()) fmt::print(stderr, "pliant: warning: {}\n", problem);
    }

    Simulation& m_simulation;
    SceneView m_view;
    osgViewer::Viewer m_viewer;
    DebugLayers m_layers;
    EventPictures m_pictures;
    osgPliant::CameraPlace m_start;
    std::shared_ptr<MouseDevice> m_mouse;
    osg::ref_ptr<osgPliant::MouseHandHandler> m_hand;
    std::unique_ptr<WindowPhysics> m_physics;  ///< once there is one, the world belongs to its thread
    osg::ref_ptr<MaterialKeys> m_materials;
    osg::ref_ptr<osgPliant::FilmHandler> m_film;
    WindowNote m_note;
    std::vector<Edit> m_edits;  ///< of the file that is watched: what is reset goes back to before them
    std::string m_filmProblem;
};

}  // namespace

std::vector<std::string> runInWindow(Simulation& simulation, const RunOptions& options,
                                     const std::function<bool(const OpenWindow&)>& isOver, WindowPlace& place) {
    SceneWindow window(simulation, options, place);
    if (!window.advanceTo(place.time, isOver)) {
        window.noteView(place);
        return {};
    }
    window.start(options.output);
    const OpenWindow open = window.openWindow();
    for (int frame = 0; !window.isClosed() && !interrupted() && (options.frames == 0 || frame < options.frames);
         ++frame) {
        if (isOver(open)) break;
        window.drawFrame();
    }
    return window.close(place);
}

}  // namespace pliant::program
