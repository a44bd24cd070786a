// SPDX-License-Identifier: Zlib
#include <osgViewer/Viewer>

#include "btPliant/btPliantDebugShapes.h"
#include "draw/SceneView.h"
#include "loop/Loops.h"
#include "loop/SimulationHand.h"
#include "osgPliant/DebugDrawing.h"
#include "osgPliant/Handlers.h"
#include "osgPliant/ViewerSetUp.h"
#include "pliant/math/Error.h"
#include "terminal/Interrupt.h"

namespace pliant::program {
namespace {

/// Keeps simulated time at the pace of the clock, as far as the machine can: at most one frame's steps a picture.
class Pace {
public:
    /// Steps that are due at `clock` seconds, of `step` simulated seconds each.
    int dueSteps(double clock, double step, int most) {
        m_owed += m_last > 0.0 ? m_speed * (clock - m_last) : step;
        m_last = clock;
        const int due = static_cast<int>(m_owed / step);
        m_owed -= due * step;
        return due < most ? due : most;
    }

    void setSpeed(double speed) { m_speed = speed; }

private:
    double m_speed = 1.0;  ///< simulated seconds in a second
    double m_last = 0.0;
    double m_owed = 0.0;
};

/// What cannot be seen of the world, once somebody has asked for a layer (F1 to F8).
class DebugLayers {
public:
    explicit DebugLayers(SceneView& view) : m_drawing(new osgPliant::DebugDrawing) {
        for (int layer = 0; layer < debugLayerCount; ++layer)
            m_drawing->setLayerShown(static_cast<DebugLayer>(layer), false);
        view.root()->addChild(m_drawing);
    }
    osgGA::GUIEventHandler* handler() const { return new osgPliant::DebugHandler(m_drawing); }
    void follow(const SceneWorld& world) {
        m_shapes.clear();
        m_shapes.wanted = m_drawing->getShownLayers();
        btPliantDebugShapes collector(m_shapes);
        if (world.system().getNumBodies() > 0) collector.info().m_pickedBody = world.system().getBody(0);
        collector.collect(world.system());
        m_drawing->show(m_shapes);
    }

private:
    osg::ref_ptr<osgPliant::DebugDrawing> m_drawing;
    DebugShapes m_shapes;
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

}  // namespace

void runInWindow(Simulation& simulation, const RunOptions& options, const std::function<bool()>& isOver) {
    const scene::SceneDescription& scene = simulation.world().scene();
    SceneView view(simulation.world(), simulation.models(), {options.joints});
    osgViewer::Viewer viewer;
    viewer.setThreadingModel(osgViewer::ViewerBase::SingleThreaded);
    viewer.setUpViewInWindow(60, 60, scene.output.width, scene.output.height);
    viewer.setSceneData(view.root());
    osgPliant::setUpViewer(viewer);
    osgPliant::SimulationHandler::Callbacks callbacks;
    callbacks.step = [&] { simulation.step(); };
    callbacks.reset = [&] { simulation.reset(); };
    Pace pace;
    callbacks.speed = [&](double speed) { pace.setSpeed(speed); };
    const osg::ref_ptr<osgPliant::SimulationHandler> handler = new osgPliant::SimulationHandler(callbacks);
    viewer.addEventHandler(handler);
    viewer.addEventHandler(new osgPliant::DragHandler(new SimulationHand(simulation)));
    DebugLayers layers(view);
    viewer.addEventHandler(layers.handler());
    const std::string problem = osgPliant::realizeViewer(viewer);
    if (!problem.empty()) throw Error("", problem, "or run with --headless");
    setCamera(viewer, viewPoint(simulation.world()));

    for (int frame = 0; !viewer.done() && !interrupted() && (options.frames == 0 || frame < options.frames); ++frame) {
        if (isOver()) return;
        const int due = pace.dueSteps(now(), scene.time.step(), scene.time.substeps);
        for (int i = 0; i < due && !handler->isPaused() && !simulation.isStopped(); ++i) simulation.step();
        const double start = now();
        view.follow(simulation.world());
        layers.follow(simulation.world());
        viewer.frame(simulation.world().time());
        simulation.endFrame(now() - start);
    }
}

}  // namespace pliant::program
