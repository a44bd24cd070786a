// SPDX-License-Identifier: Zlib
// A soft body that follows the mouse: Ctrl and the left button take hold of the point that is under the pointer.
// Function keys show what cannot be seen. With a picture, the mouse is moved by the program itself.
#include <btBulletDynamicsCommon.h>
#include <btPliant/btPliantConstraintSolver.h>
#include <btPliant/btPliantDebugShapes.h>
#include <btPliant/btPliantPointMotor.h>
#include <btPliant/btPliantSystem.h>
#include <osgPliant/BodyGroup.h>
#include <osgPliant/BodyPoint.h>
#include <osgPliant/Conversions.h>
#include <osgPliant/DebugDrawing.h>
#include <osgPliant/Handlers.h>
#include <osgPliant/HeadlessViewer.h>
#include <osgPliant/Primitives.h>
#include <osgPliant/Stage.h>
#include <osgPliant/ViewerSetUp.h>

#include <cstdio>
#include <functional>
#include <string>

namespace {

btVector3 toBullet(const osg::Vec3d& v) {
    return btVector3(static_cast<btScalar>(v.x()), static_cast<btScalar>(v.y()), static_cast<btScalar>(v.z()));
}

/// Takes hold of the drawn surface of the one body there is, and marks the point with a red ball that rides on it.
class BodyHand : public osgPliant::Hand {
public:
    BodyHand(btDiscreteDynamicsWorld& world, btPliantBody& body, osgPliant::BodyGroup* picture)
        : _world(world), _body(body), _picture(picture) {}

    bool take(const osg::Vec3d& eye, const osg::Vec3d& end) override {
        const osg::ref_ptr<osgUtil::LineSegmentIntersector> ray = new osgUtil::LineSegmentIntersector(eye, end);
        osgUtil::IntersectionVisitor visitor(ray);
        _picture->accept(visitor);
        if (!ray->containsIntersections()) return false;
        const osgPliant::BodyHit hit = osgPliant::BodyGroup::getHit(ray->getFirstIntersection());
        _distance = (hit.point - eye).length();
        _motor =
            std::make_unique<btPliantPointMotor>(_body, toBullet(hit.restPoint), btScalar(60) / _body.getInvMass());
        _motor->setParam(BT_CONSTRAINT_ERP, btScalar(0.1));
        _world.addConstraint(_motor.get());
        _body.activate(true);
        osgPliant::PrimitiveLook red;
        red.colour.set(0.8f, 0.05f, 0.03f, 1.0f);
        _mark = new osgPliant::BodyPoint(_picture, hit.body, hit.restPoint);
        _mark->addChild(osgPliant::createSphere(0.03f, red));
        _picture->addChild(_mark);
        return true;
    }
    void move(const osg::Vec3d& eye, const osg::Vec3d& end) override {
        osg::Vec3d along = end - eye;
        along.normalize();
        if (_motor) _motor->setTargetPosition(toBullet(eye + along * _distance));
    }
    void release() override {
        if (!_motor) return;
        _world.removeConstraint(_motor.get());
        _motor.reset();
        _picture->removeChild(_mark);
    }

protected:
    ~BodyHand() override { release(); }

private:
    btDiscreteDynamicsWorld& _world;
    btPliantBody& _body;
    osg::ref_ptr<osgPliant::BodyGroup> _picture;
    osg::ref_ptr<osgPliant::BodyPoint> _mark;
    std::unique_ptr<btPliantPointMotor> _motor;
    double _distance = 0.0;
};

const osg::Vec3d kEye(1.2, -2.0, 1.0), kCentre(0, 0, 0.4), kUp(0, 0, 1);
using Advance = std::function<void()>;                      // makes the steps of a frame
using AddHandlers = std::function<void(osgViewer::View&)>;  // of mouse and keys

/// The pointer goes to the near side of the body, takes hold, and moves up.
/// @return by how much the body was lifted, m
double liftByPointer(osgViewer::Viewer& viewer, const btDiscreteDynamicsWorld& world, const btPliantBody& body,
                     osgPliant::BodyGroup& picture, const Advance& advance) {
    const double before = static_cast<double>(body.getWorldTransform().getOrigin().z());
    const osg::BoundingBoxd box = picture.getBodyBound(0);
    const osg::Vec3d grip = osg::Vec3d(box.center().x(), box.center().y(), box.zMax()) *
                            viewer.getCamera()->getViewMatrix() * viewer.getCamera()->getProjectionMatrix();
    osgGA::EventQueue& events = *viewer.getEventQueue();
    events.getCurrentEventState()->setMouseYOrientation(osgGA::GUIEventAdapter::Y_INCREASING_UPWARDS);
    events.getCurrentEventState()->setInputRange(-1.0f, -1.0f, 1.0f, 1.0f);
    events.getCurrentEventState()->setModKeyMask(osgGA::GUIEventAdapter::MODKEY_LEFT_CTRL);
    const auto x = static_cast<float>(grip.x()), y = static_cast<float>(grip.y());
    const auto listen = [&viewer](double time) {  // a frame that nobody sees need not be drawn
        viewer.advance(time);
        viewer.eventTraversal();
        viewer.updateTraversal();
    };
    float below = 0.0f;  // the middle of a basket is empty: look for its rim
    for (; below > -1.0f; below -= 0.02f) {
        events.mouseButtonPress(x, y + below, 1);
        advance();
        listen(2.0);
        if (world.getNumConstraints() > 0) break;
        events.mouseButtonRelease(x, y + below, 1);
    }
    for (int frame = 0; frame < 90; ++frame) {
        events.mouseMotion(x, y + below + 0.006f * static_cast<float>(frame));
        advance();
        listen(2.0 + frame / 60.0);
    }
    const double lifted = static_cast<double>(body.getWorldTransform().getOrigin().z()) - before;
    std::printf("lifted by %.2f m\n", lifted);
    return lifted;
}

/// A body that is lifted in a picture, without a display. @return as main()
int drawIntoPicture(const char* file, osg::Group* stage, const btDiscreteDynamicsWorld& world, const btPliantBody& body,
                    osgPliant::BodyGroup& picture, const Advance& advance, const AddHandlers& addHandlers) {
    osgPliant::HeadlessOptions size;
    size.width = 640;
    size.height = 360;
    osgPliant::HeadlessViewer headless(size);
    if (!headless.isValid()) return std::fprintf(stderr, "%s\n", headless.getProblem().c_str()), 1;
    headless.setScene(stage);
    headless.setCamera(kEye, kCentre, kUp);
    addHandlers(headless.getViewer());
    for (int frame = 0; frame < 120; ++frame) advance();
    headless.render(2.0);
    const double lifted = liftByPointer(headless.getViewer(), world, body, picture, advance);
    const std::string problem = osgPliant::saveImage(*headless.render(3.5), file);
    if (!problem.empty()) return std::fprintf(stderr, "%s\n", problem.c_str()), 1;
    headless.getViewer().getEventQueue()->mouseButtonRelease(0.0f, 0.0f, 1);
    headless.render(3.6);
    return lifted > 0.1 ? 0 : 1;
}

int runInWindow(osg::Group* stage, const Advance& advance, const AddHandlers& addHandlers) {
    osgViewer::Viewer viewer;
    viewer.setSceneData(stage);
    osgPliant::setUpViewer(viewer);
    addHandlers(viewer);
    viewer.getCameraManipulator()->setHomePosition(kEye, kCentre, kUp);
    viewer.home();
    const std::string problem = osgPliant::realizeViewer(viewer);
    if (!problem.empty()) return std::fprintf(stderr, "%s\n", problem.c_str()), 1;
    for (; !viewer.done(); viewer.frame()) advance();
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) return std::puts("usage: pick_and_drag MODEL.pliant [PICTURE.png]"), 1;
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
        btPliantBodyInfo info;
        info.m_meshTransform.setOrigin(btVector3(0, 0, btScalar(0.5)));
        btPliantBody* body = system.createBody(pliant::loadModel(argv[1]), info);
        world.addRigidBody(body);

        osgPliant::StageSettings settings;
        settings.up.set(0, 0, 1);
        settings.towardsSun.set(0.4f, -0.5f, 0.8f);
        const osg::ref_ptr<osgPliant::Stage> stage = new osgPliant::Stage(settings);
        const osg::ref_ptr<osgPliant::BodyGroup> picture =
            new osgPliant::BodyGroup(new osgPliant::ModelGeometry(body->getSharedModel()), 1);
        const osg::ref_ptr<osgPliant::DebugDrawing> drawing = new osgPliant::DebugDrawing;
        stage->addChild(picture);
        stage->addChild(drawing);
        stage->addChild(osgPliant::createPlane(osg::Vec3f(0, 0, 1), 0, 20));
        pliant::DebugShapes shapes;
        btPliantDebugShapes collector(shapes);
        const auto advance = [&] {
            for (int i = 0; i < 4; ++i) world.stepSimulation(btScalar(1) / 240, 0);
            btScalar frame[16];
            body->getWorldTransform().getOpenGLMatrix(frame);
            picture->setBody(0, osg::Matrixd(frame), body->getReducedCoordinates().data());
            shapes.clear();
            shapes.wanted = drawing->getShownLayers();
            collector.collect(system);
            drawing->show(shapes);
        };
        const auto setUp = [&](osgViewer::View& viewer) {
            viewer.addEventHandler(new osgPliant::DragHandler(new BodyHand(world, *body, picture)));
            viewer.addEventHandler(new osgPliant::DebugHandler(drawing));
        };
        if (argc > 2) return drawIntoPicture(argv[2], stage, world, *body, *picture, advance, setUp);
        return runInWindow(stage, advance, setUp);
    } catch (const std::exception& problem) {
        return std::fprintf(stderr, "%s\n", problem.what()), 1;
    }
}
