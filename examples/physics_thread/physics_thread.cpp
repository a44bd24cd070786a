// SPDX-License-Identifier: Zlib
// Physics in a thread of its own, in steps of 1/60 s, shown smoothly at any rate; p pauses, n steps, comma and full
// stop are slow motion. With a picture, the picture shows the run at 1.5 s between two steps.
#include <btBulletDynamicsCommon.h>
#include <btPliant/btPliantConstraintSolver.h>
#include <btPliant/btPliantSystem.h>
#include <osgPliant/BodyGroup.h>
#include <osgPliant/Handlers.h>
#include <osgPliant/HeadlessViewer.h>
#include <osgPliant/Primitives.h>
#include <osgPliant/Stage.h>
#include <osgPliant/ViewerSetUp.h>
#include <pliant/view/PhysicsThread.h>

#include <cstdio>
#include <functional>
#include <string>

namespace {

constexpr int bodyCount = 6;

pliant::RigidTransform frameOf(const btPliantBody& body) {
    const btTransform& t = body.getWorldTransform();
    pliant::RigidTransform frame;
    for (int i = 0; i < 3; ++i) {
        frame.translation[i] = static_cast<double>(t.getOrigin()[i]);
        for (int j = 0; j < 3; ++j) frame.rotation(i, j) = static_cast<double>(t.getBasis()[i][j]);
    }
    return frame;
}

const osg::Vec3d kEye(1.6, -2.8, 1.2), kCentre(0, 0, 0.5), kUp(0, 0, 1);
using Show = std::function<void(double clock)>;

/// A picture of 1.5 s, without a display. @return as main()
int drawIntoPicture(const char* file, osg::Group* stage, const pliant::PhysicsThread& physics, double step,
                    const Show& show) {
    osgPliant::HeadlessViewer viewer;
    if (!viewer.isValid()) return std::fprintf(stderr, "%s\n", viewer.getProblem().c_str()), 1;
    viewer.setScene(stage);
    viewer.setCamera(kEye, kCentre, kUp);
    show(0.0);
    show(1.5 + 1.5 * step);
    std::printf("%d steps, shown at %.4f s\n", static_cast<int>(physics.stepCount()), physics.shownTime());
    const std::string problem = osgPliant::saveImage(*viewer.render(1.5), file);
    return problem.empty() ? 0 : (std::fprintf(stderr, "%s\n", problem.c_str()), 1);
}

int runInWindow(osg::Group* stage, pliant::PhysicsThread& physics, const Show& show) {
    osgViewer::Viewer viewer;
    viewer.setSceneData(stage);
    osgPliant::setUpViewer(viewer);
    osgPliant::SimulationHandler::Callbacks keys;
    keys.pause = [&](bool paused) { paused ? physics.pause() : physics.resume(); };
    keys.step = [&] { physics.stepOnce(); };
    keys.speed = [&](double speed) { physics.setSpeed(speed); };
    viewer.addEventHandler(new osgPliant::SimulationHandler(keys));
    viewer.getCameraManipulator()->setHomePosition(kEye, kCentre, kUp);
    viewer.home();
    const std::string problem = osgPliant::realizeViewer(viewer);
    if (!problem.empty()) return std::fprintf(stderr, "%s\n", problem.c_str()), 1;
    while (!viewer.done() && physics.problem().empty()) {
        viewer.advance();
        show(viewer.getFrameStamp()->getReferenceTime());
        viewer.eventTraversal();
        viewer.updateTraversal();
        viewer.renderingTraversals();
    }
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) return std::puts("usage: physics_thread MODEL.pliant [PICTURE.png]"), 1;
    btStaticPlaneShape plane(btVector3(0, 0, 1), 0);
    btRigidBody ground(btRigidBody::btRigidBodyConstructionInfo(0, nullptr, &plane));
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broadphase;
    btPliantConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
    world.setGravity(btVector3(0, 0, btScalar(-9.81)));
    world.addRigidBody(&ground);
    btPliantSystem system(&world);
    try {
        const std::shared_ptr<const pliant::ReducedModel> model = pliant::loadModel(argv[1]);
        for (int i = 0; i < bodyCount; ++i) {
            btPliantBodyInfo info;
            info.m_meshTransform.setOrigin(btVector3(btScalar(0.15 * (i % 2)), 0, btScalar(0.5 + 0.7 * i)));
            world.addRigidBody(system.createBody(model, info));
        }
        osgPliant::StageSettings look;
        look.up.set(0, 0, 1);
        look.towardsSun.set(0.4f, -0.5f, 0.8f);
        const osg::ref_ptr<osgPliant::Stage> stage = new osgPliant::Stage(look);
        const osg::ref_ptr<osgPliant::BodyGroup> picture =
            new osgPliant::BodyGroup(new osgPliant::ModelGeometry(model), bodyCount);
        stage->addChild(picture);
        stage->addChild(osgPliant::createPlane(osg::Vec3f(0, 0, 1), 0, 20));

        // From here on the world belongs to the thread.
        pliant::PhysicsThreadSettings settings;
        settings.waits = argc > 2;
        pliant::PhysicsThread physics(settings, [&](std::vector<pliant::Poses>& poses) {
            for (int i = 0; i < 4; ++i) world.stepSimulation(static_cast<btScalar>(settings.step / 4), 0);
            poses.resize(1);
            poses[0].resize(bodyCount, model->dimension());
            for (int i = 0; i < bodyCount; ++i)
                poses[0].set(i, frameOf(*system.getBody(i)), system.getBody(i)->getReducedCoordinates().data());
        });
        const auto show = [&](double clock) {
            const std::vector<pliant::Poses>& poses = physics.at(clock);
            if (!poses.empty()) picture->show(poses[0]);
        };
        if (argc > 2) return drawIntoPicture(argv[2], stage, physics, settings.step, show);
        return runInWindow(stage, physics, show);
    } catch (const std::exception& problem) {
        return std::fprintf(stderr, "%s\n", problem.what()), 1;
    }
}
