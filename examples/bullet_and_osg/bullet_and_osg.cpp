// SPDX-License-Identifier: Zlib
// The same soft body, drawn: in a window, or into a picture where no display is needed.
#include <btBulletDynamicsCommon.h>
#include <btPliant/btPliantConstraintSolver.h>
#include <btPliant/btPliantSystem.h>
#include <osgPliant/BodyGroup.h>
#include <osgPliant/HeadlessViewer.h>
#include <osgPliant/Primitives.h>
#include <osgPliant/Stage.h>
#include <osgPliant/ViewerSetUp.h>

#include <cstdio>

int main(int argc, char** argv) {
    if (argc < 2) return std::puts("usage: bullet_and_osg MODEL.pliant [PICTURE.png]"), 1;

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
    btPliantBodyInfo info;
    info.m_meshTransform.setOrigin(btVector3(0, 0, 1));
    try {
        btPliantBody* body = system.createBody(pliant::loadModel(argv[1]), info);
        world.addRigidBody(body);

        osgPliant::StageSettings settings;
        settings.up.set(0, 0, 1);
        settings.towardsSun.set(0.4f, -0.5f, 0.8f);
        osg::ref_ptr<osgPliant::Stage> stage = new osgPliant::Stage(settings);
        osg::ref_ptr<osgPliant::BodyGroup> picture =
            new osgPliant::BodyGroup(new osgPliant::ModelGeometry(body->getSharedModel()), 1);
        stage->addChild(picture);
        stage->addChild(osgPliant::createPlane(osg::Vec3f(0, 0, 1), 0, 20));
        const auto advance = [&] {
            for (int i = 0; i < 2; ++i) world.stepSimulation(btScalar(1) / 120, 0);
            btScalar frame[16];
            body->getWorldTransform().getOpenGLMatrix(frame);
            picture->setBody(0, osg::Matrixd(frame), body->getReducedCoordinates().data());
        };
        const osg::Vec3d eye(1.2, -2.0, 1.0), centre(0, 0, 0.3), up(0, 0, 1);
        if (argc == 3) {
            osgPliant::HeadlessViewer viewer;
            if (!viewer.isValid()) return std::fprintf(stderr, "%s\n", viewer.getProblem().c_str()), 1;
            viewer.setScene(stage);
            viewer.setCamera(eye, centre, up);
            for (int frame = 0; frame < 60; ++frame) advance();
            const std::string problem = osgPliant::saveImage(*viewer.render(1.0), argv[2]);
            return problem.empty() ? 0 : (std::fprintf(stderr, "%s\n", problem.c_str()), 1);
        }
        osgViewer::Viewer viewer;
        viewer.setUpViewInWindow(60, 60, 1280, 720);
        viewer.setSceneData(stage);
        osgPliant::setUpViewer(viewer);
        viewer.getCameraManipulator()->setHomePosition(eye, centre, up);
        viewer.home();
        const std::string problem = osgPliant::realizeViewer(viewer);
        if (!problem.empty()) return std::fprintf(stderr, "%s\n", problem.c_str()), 1;
        for (; !viewer.done(); viewer.frame()) advance();
    } catch (const std::exception& problem) {
        return std::fprintf(stderr, "%s\n", problem.what()), 1;
    }
    return 0;
}
