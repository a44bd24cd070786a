// SPDX-License-Identifier: Zlib
// Soft bodies in a program that is there already: its Bullet world, its scene graph, its lights, shadows and fog.
#include <btPliant/btPliantConstraintSolver.h>
#include <btPliant/btPliantSystem.h>
#include <osgPliant/BodyGroup.h>
#include <osgPliant/HeadlessViewer.h>
#include <osgPliant/ViewerSetUp.h>

#include <cstdio>
#include <osgDB/ReadFile>

#include "existing_scene.h"

int main(int argc, char** argv) {
    if (argc < 3) return std::puts("usage: add_a_body MODEL.pliant NODE.obj [PICTURE.png]"), 1;
    try {
        btPliantConstraintSolver solver;  // the only thing that the world has to be told
        ExistingScene scene(solver);

        // Soft bodies move in the scene's world ...
        const std::shared_ptr<const pliant::ReducedModel> model = pliant::loadModel(argv[1]);
        btPliantSystem system(&scene.world());
        std::vector<btPliantBody*> bodies;
        for (int i = 0; i < 3; ++i) {
            btPliantBodyInfo info;
            info.m_meshTransform.setOrigin(btVector3(btScalar(0.6 * i - 0.6), 0, btScalar(0.3 + 0.3 * i)));
            bodies.push_back(system.createBody(model, info));
            scene.world().addRigidBody(bodies.back());
        }
        // ... and are drawn by its graph, with the looks of a node of its own.
        const osg::ref_ptr<osg::Node> node = osgDB::readRefNodeFile(argv[2], new osgDB::Options("noRotation"));
        const osg::ref_ptr<osgPliant::Skin> skin = osgPliant::Skin::bind(node, model);
        if (!skin) return std::fprintf(stderr, "cannot bind %s to %s\n", argv[2], argv[1]), 1;
        const osg::ref_ptr<osgPliant::BodyGroup> group = new osgPliant::BodyGroup(skin, 3);
        scene.graph()->addChild(group);
        const auto advance = [&] {
            scene.advance(1.0 / 60.0);
            for (int i = 0; i < 3; ++i) {
                btScalar frame[16];
                bodies[i]->getWorldTransform().getOpenGLMatrix(frame);
                group->setBody(i, osg::Matrixd(frame), bodies[i]->getReducedCoordinates().data());
            }
        };

        const osg::Vec3d eye(0.9, -2.4, 1.3), centre(0, 0, 0.25), up(0, 0, 1);
        if (argc > 3) {
            osgPliant::HeadlessViewer viewer;
            if (!viewer.isValid()) return std::fprintf(stderr, "%s\n", viewer.getProblem().c_str()), 1;
            viewer.setScene(scene.root());
            viewer.setCamera(eye, centre, up);
            for (int frame = 0; frame < 50; ++frame) advance();
            const std::string problem = osgPliant::saveImage(*viewer.render(0.8), argv[3]);
            return problem.empty() ? 0 : (std::fprintf(stderr, "%s\n", problem.c_str()), 1);
        }
        osgViewer::Viewer viewer;
        viewer.setSceneData(scene.root());
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
