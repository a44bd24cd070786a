// SPDX-License-Identifier: Zlib
// A scene file in a program that is there already: its bodies in the program's Bullet world, beside a crate of the
// program's own, and their picture in its graph.
#include <btBulletDynamicsCommon.h>
#include <btPliant/btPliantConstraintSolver.h>
#include <btPliantScene/btPliantScene.h>
#include <osgPliant/HeadlessViewer.h>
#include <osgPliant/ViewerSetUp.h>
#include <osgPliantScene/SceneNode.h>
#include <pliant/scene/SceneModels.h>
#include <pliant/scene/SceneReader.h>

#include <cstdio>
#include <osg/ShapeDrawable>

namespace {

/// What the program has without Pliant: a world with a crate, and a node that shows it.
struct Crate {
    explicit Crate(btDiscreteDynamicsWorld& inWorld) : world(inWorld) {
        world.addRigidBody(&body);
        osg::ref_ptr<osg::ShapeDrawable> box = new osg::ShapeDrawable(new osg::Box(osg::Vec3(), 0.3f));
        box->setColor(osg::Vec4(0.5f, 0.15f, 0.1f, 1.0f));
        node->addChild(box);
        osgPliant::Stage::adopt(*node);
    }
    ~Crate() { world.removeRigidBody(&body); }
    static btRigidBody::btRigidBodyConstructionInfo getInfo(btCollisionShape& shape) {
        btVector3 inertia;
        shape.calculateLocalInertia(2, inertia);
        btRigidBody::btRigidBodyConstructionInfo info(2, nullptr, &shape, inertia);
        info.m_startWorldTransform.setOrigin(btVector3(btScalar(0.1), 0, btScalar(1.5)));
        return info;
    }
    void show() {
        btScalar frame[16];
        body.getWorldTransform().getOpenGLMatrix(frame);
        node->setMatrix(osg::Matrixd(frame));
    }
    btDiscreteDynamicsWorld& world;
    btBoxShape shape{btVector3(btScalar(0.15), btScalar(0.15), btScalar(0.15))};
    btRigidBody body{getInfo(shape)};
    osg::ref_ptr<osg::MatrixTransform> node = new osg::MatrixTransform;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) return std::puts("usage: add_a_scene SCENE.yaml [PICTURE.png]"), 1;
    try {
        btDefaultCollisionConfiguration configuration;
        btCollisionDispatcher dispatcher(&configuration);
        btDbvtBroadphase broadphase;
        btPliantConstraintSolver solver;
        btDiscreteDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);

        // The scene, in that world ...
        const pliant::scene::SceneDescription scene = pliant::scene::readScene(argv[1]);
        const auto models = pliant::scene::loadModels(scene);
        btPliantScene::applySettings(scene, world);  // gravity and iterations; leave it out to keep your own
        btPliantSystem system(&world, btPliantScene::getSystemInfo(scene));
        btPliantScene physics(system, scene, models);
        Crate crate(world);
        // ... and in this graph.
        const osg::ref_ptr<osg::Group> stage = osgPliant::createStage(scene, physics.getBounds());
        const osg::ref_ptr<osgPliant::SceneNode> picture = new osgPliant::SceneNode(scene, models, physics.getBounds());
        stage->addChild(picture);
        stage->addChild(crate.node);
        const auto advance = [&] {
            for (int i = 0; i < scene.time.substeps; ++i) physics.step();
            picture->show(physics.getPoses());
            crate.show();
        };

        const osgPliant::CameraPlace camera = osgPliant::cameraPlace(physics.getViewPoint());
        if (argc > 2) {
            osgPliant::HeadlessViewer viewer;
            if (!viewer.isValid()) return std::fprintf(stderr, "%s\n", viewer.getProblem().c_str()), 1;
            viewer.setScene(stage);
            viewer.setCamera(camera.eye, camera.centre, camera.up, camera.fieldOfView);
            for (int frame = 0; frame < scene.time.framesPerSecond; ++frame) advance();
            const std::string problem = osgPliant::saveImage(*viewer.render(1.0), argv[2]);
            std::printf("after %.2f s the crate is at a height of %.3f m\n", physics.getTime(),
                        double(crate.body.getWorldTransform().getOrigin().z()));
            return problem.empty() ? 0 : (std::fprintf(stderr, "%s\n", problem.c_str()), 1);
        }
        osgViewer::Viewer viewer;
        viewer.setSceneData(stage);
        osgPliant::setUpViewer(viewer);
        viewer.getCameraManipulator()->setHomePosition(camera.eye, camera.centre, camera.up);
        viewer.home();
        const std::string problem = osgPliant::realizeViewer(viewer);
        if (!problem.empty()) return std::fprintf(stderr, "%s\n", problem.c_str()), 1;
        for (; !viewer.done(); viewer.frame()) advance();
    } catch (const std::exception& problem) {
        return std::fprintf(stderr, "%s\n", problem.what()), 1;
    }
    return 0;
}
