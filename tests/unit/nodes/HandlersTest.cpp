// SPDX-License-Identifier: Zlib
// Keys and mouse, by events made here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <osgViewer/Viewer>

#include "TestModels.h"
#include "osgPliant/Handlers.h"
#include "osgPliant/ModeHandler.h"
#include "osgPliant/MouseHandHandler.h"

using namespace pliant::test;
using Event = osgGA::GUIEventAdapter;

namespace {

osg::ref_ptr<Event> eventOf(Event::EventType type, float x = 0.0f, float y = 0.0f, unsigned int keys = 0) {
    osg::ref_ptr<Event> event = new Event;
    event->setEventType(type);
    event->setInputRange(-1.0f, -1.0f, 1.0f, 1.0f);
    event->setMouseYOrientation(Event::Y_INCREASING_UPWARDS);
    event->setX(x);
    event->setY(y);
    event->setButton(Event::LEFT_MOUSE_BUTTON);
    event->setModKeyMask(static_cast<int>(keys));
    return event;
}

bool pressKey(osgGA::GUIEventHandler& handler, int key, osgGA::GUIActionAdapter& action) {
    const osg::ref_ptr<Event> event = eventOf(Event::KEYDOWN);
    event->setKey(key);
    return handler.handle(*event, action);
}

/// Notes what it is told.
class NotingHand : public osgPliant::Hand {
public:
    bool take(const osg::Vec3d& from, const osg::Vec3d& to) override {
        ++takes;
        eye = from;
        end = to;
        return !isEmpty;
    }
    void move(const osg::Vec3d& from, const osg::Vec3d& to) override {
        ++moves;
        eye = from;
        end = to;
    }
    void release() override { ++releases; }
    int takes = 0, moves = 0, releases = 0;
    bool isEmpty = false;
    osg::Vec3d eye, end;
};

/// How far a line passes from a point, m.
double distanceOf(const NotingHand& hand, const osg::Vec3d& point) {
    osg::Vec3d along = hand.end - hand.eye;
    along.normalize();
    return ((point - hand.eye) ^ along).length();
}

}  // namespace

TEST(Handlers, DragsAlongTheLineOfSight) {
    osgViewer::Viewer viewer;
    viewer.getCamera()->setViewMatrixAsLookAt(osg::Vec3d(1, -9, 4), osg::Vec3d(0, 1, 0.5), osg::Vec3d(0, 0, 1));
    viewer.getCamera()->setProjectionMatrixAsPerspective(35.0, 1.5, 0.5, 50.0);
    const osg::ref_ptr<NotingHand> hand = new NotingHand;
    const osg::ref_ptr<osgPliant::DragHandler> handler = new osgPliant::DragHandler(hand);
    const auto at = [&](const osg::Vec3d& point) {
        return point * viewer.getCamera()->getViewMatrix() * viewer.getCamera()->getProjectionMatrix();
    };
    const osg::Vec3d first(0.3, 0.8, 0.2), second(-1.0, 2.0, 1.5);
    const unsigned int ctrl = Event::MODKEY_LEFT_CTRL;
    const auto handle = [&](Event::EventType type, const osg::Vec3d& point, unsigned int keys) {
        const osg::Vec3d x = at(point);
        return handler->handle(*eventOf(type, static_cast<float>(x.x()), static_cast<float>(x.y()), keys), viewer);
    };
    EXPECT_FALSE(handle(Event::PUSH, first, 0)) << "the button is the camera's";
    EXPECT_FALSE(handle(Event::DRAG, first, 0));
    EXPECT_EQ(hand->takes, 0);
    EXPECT_TRUE(handle(Event::PUSH, first, ctrl));
    EXPECT_TRUE(handler->isHolding());
    EXPECT_LT((hand->eye - osg::Vec3d(1, -9, 4)).length(), 1e-6);
    EXPECT_LT(distanceOf(*hand, first), 1e-5);
    EXPECT_TRUE(handle(Event::DRAG, second, 0)) << "Ctrl may be let go meanwhile";
    EXPECT_EQ(hand->moves, 1);
    EXPECT_LT(distanceOf(*hand, second), 1e-5);
    EXPECT_TRUE(handle(Event::RELEASE, second, 0));
    EXPECT_FALSE(handle(Event::RELEASE, second, 0));
    EXPECT_EQ(hand->releases, 1);

    // An empty hand keeps the camera still, and moves nothing.
    hand->isEmpty = true;
    EXPECT_TRUE(handle(Event::PUSH, first, ctrl));
    EXPECT_TRUE(handle(Event::DRAG, second, ctrl));
    EXPECT_EQ(hand->moves, 1);
    EXPECT_FALSE(handle(Event::RELEASE, second, ctrl));

    // Parallel projections have no eye.
    hand->isEmpty = false;
    viewer.getCamera()->setProjectionMatrixAsOrtho(-3, 3, -2, 2, 0.5, 50.0);
    EXPECT_TRUE(handle(Event::PUSH, second, ctrl));
    EXPECT_LT(distanceOf(*hand, second), 1e-5);
    EXPECT_GT((hand->eye - osg::Vec3d(1, -9, 4)).length(), 0.5);
    handle(Event::RELEASE, second, 0);

    // A slave of the view has a camera of its own.
    const osg::ref_ptr<osg::Camera> slave = new osg::Camera;
    slave->setViewMatrixAsLookAt(osg::Vec3d(8, 0, 0), osg::Vec3d(), osg::Vec3d(0, 0, 1));
    slave->setProjectionMatrixAsPerspective(50.0, 1.0, 0.5, 50.0);
    const osg::Vec3d there = first * slave->getViewMatrix() * slave->getProjectionMatrix();
    const osg::ref_ptr<Event> push = eventOf(Event::PUSH, 0.0f, 0.0f, ctrl);
    push->addPointerData(new osgGA::PointerData(slave, static_cast<float>(there.x()), -1.0f, 1.0f,
                                                static_cast<float>(there.y()), -1.0f, 1.0f));
    EXPECT_TRUE(handler->handle(*push, viewer));
    EXPECT_LT(distanceOf(*hand, first), 1e-5);
    EXPECT_LT((hand->eye - osg::Vec3d(8, 0, 0)).length(), 1e-6);
    // What others have handled is theirs.
    push->setHandled(true);
    EXPECT_FALSE(handler->handle(*push, viewer));
}

TEST(Handlers, TheMouseIsTheHandsWhileTheClutchIsClosed) {
    osgViewer::Viewer viewer;
    viewer.getCamera()->setViewMatrixAsLookAt(osg::Vec3d(0, -4, 0), osg::Vec3d(0, 0, 0), osg::Vec3d(0, 0, 1));
    viewer.getCamera()->setProjectionMatrixAsPerspective(90.0, 1.5, 0.5, 50.0);
    const auto device = std::make_shared<pliant::MouseDevice>(pliant::ToolPose{});
    const osg::ref_ptr<osgPliant::MouseHandHandler> handler = new osgPliant::MouseHandHandler(device);
    const auto pose = [&] {
        pliant::ToolPose read;
        device->read(0, read);
        return read;
    };
    const auto handle = [&](Event::EventType type, float x, float y) {
        return handler->handle(*eventOf(type, x, y), viewer);
    };
    EXPECT_FALSE(handle(Event::MOVE, 0.5f, 0.5f)) << "it is the camera's";
    EXPECT_EQ(pose().position.norm(), 0.0);
    EXPECT_TRUE(pressKey(*handler, 'g', viewer));
    // 4 m away a field of view of 90 degrees shows 4 m from the middle to the upper edge, and 6 m to the right one.
    EXPECT_TRUE(handle(Event::MOVE, 0.6f, 0.5f));
    EXPECT_TRUE(handle(Event::DRAG, 0.6f, 0.3f));
    EXPECT_TRUE(pose().position.isApprox(pliant::Vector3(0.6, 0, -0.8), 1e-5)) << pose().position.transpose();
    const osg::ref_ptr<Event> wheel = eventOf(Event::SCROLL, 0.6f, 0.3f);
    wheel->setScrollingMotion(Event::SCROLL_UP);
    EXPECT_TRUE(handler->handle(*wheel, viewer));
    EXPECT_NEAR(pose().position.y(), 0.4, 1e-5) << "away";
    const osg::ref_ptr<Event> button = eventOf(Event::PUSH, 0.6f, 0.3f);
    button->setButton(Event::RIGHT_MOUSE_BUTTON);
    EXPECT_TRUE(handler->handle(*button, viewer));
    const pliant::Vector3 before = pose().position;
    EXPECT_TRUE(handle(Event::DRAG, 0.7f, 0.3f));
    EXPECT_EQ(pose().position, before);
    EXPECT_GT((pose().rotation * pliant::Vector3(0, -1, 0)).x(), 0.1) << "its front goes to the right";
    EXPECT_TRUE(pressKey(*handler, 'g', viewer));
    EXPECT_FALSE(handle(Event::MOVE, 0.0f, 0.0f));
    EXPECT_EQ(pose().position, before);
}

TEST(Handlers, SlowMotionIsHalvedAndDoubled) {
    std::vector<double> speeds;
    osgPliant::SimulationHandler::Callbacks callbacks;
    callbacks.speed = [&](double speed) { speeds.push_back(speed); };
    osgViewer::Viewer viewer;
    const osg::ref_ptr<osgPliant::SimulationHandler> handler = new osgPliant::SimulationHandler(callbacks);
    for (const int key : {',', ',', '.', '.', '.', '.', '.'}) EXPECT_TRUE(pressKey(*handler, key, viewer));
    EXPECT_THAT(speeds, ::testing::ElementsAre(0.5, 0.25, 0.5, 1.0, 2.0, 4.0, 4.0));
    const osg::ref_ptr<osgPliant::SimulationHandler> none = new osgPliant::SimulationHandler({});
    EXPECT_FALSE(pressKey(*none, ',', viewer));
}

TEST(Handlers, FunctionKeysSwitchLayers) {
    osg::ref_ptr<osgPliant::DebugDrawing> drawing = new osgPliant::DebugDrawing;
    const osg::ref_ptr<osgPliant::DebugHandler> handler = new osgPliant::DebugHandler(drawing);
    osgViewer::Viewer viewer;
    for (int layer = 0; layer < pliant::debugLayerCount; ++layer) {
        const unsigned int before = drawing->getShownLayers();
        EXPECT_TRUE(pressKey(*handler, Event::KEY_F1 + layer, viewer));
        EXPECT_EQ(drawing->getShownLayers(), before ^ (1u << static_cast<unsigned int>(layer)));
    }
    EXPECT_FALSE(pressKey(*handler, Event::KEY_F10, viewer));
    EXPECT_FALSE(pressKey(*handler, 'a', viewer));
    const osg::ref_ptr<osg::ApplicationUsage> usage = new osg::ApplicationUsage;
    handler->getUsage(*usage);
    EXPECT_EQ(usage->getKeyboardMouseBindings().size(), static_cast<std::size_t>(pliant::debugLayerCount));
    drawing = nullptr;
    EXPECT_FALSE(pressKey(*handler, Event::KEY_F1, viewer)) << "the drawing is gone";
}

TEST(Handlers, ShapesArePlayedAndChosen) {
    const auto model = makeTorus();
    model->restEigenvectors = pliant::MatrixX::Identity(10, 10);
    model->restEigenvalues = pliant::VectorX::LinSpaced(10, 100.0, 1000.0);
    const osg::ref_ptr<osgPliant::BodyGroup> group = new osgPliant::BodyGroup(new osgPliant::ModelGeometry(model), 1);
    group->setBody(0, osg::Matrixd::translate(1, 2, 3), std::vector<double>(10, 0.0).data());
    const osg::ref_ptr<osgPliant::ModeHandler> handler = new osgPliant::ModeHandler(group, {3, 0.1});
    osgViewer::Viewer viewer;
    const auto frameAt = [&](double time) {
        viewer.getFrameStamp()->setSimulationTime(time);
        handler->handle(*eventOf(Event::FRAME), viewer, nullptr, nullptr);
    };
    const auto press = [&](int key) {
        const osg::ref_ptr<Event> event = eventOf(Event::KEYDOWN);
        event->setKey(key);
        return handler->handle(*event, viewer, nullptr, nullptr);
    };
    /// How far the surface of a body is out of rest, in sizes of the body; and that only one coordinate is.
    const auto reachOf = [&](int body, int shape) {
        const std::vector<double> q = group->getQ(body);
        for (int j = 0; j < 10; ++j)
            EXPECT_EQ(q[static_cast<std::size_t>(j)] != 0.0, j == shape) << "body " << body << " coordinate " << j;
        const pliant::Points& rest = group->getDeformation()->getRestPositions();
        const pliant::Points moved = group->getDeformation()->getPositions(q.data()).cast<double>() - rest;
        return moved.colwise().norm().maxCoeff() / (rest.rowwise().maxCoeff() - rest.rowwise().minCoeff()).norm();
    };
    EXPECT_EQ(handler->getShape(), 3);
    frameAt(10.0);
    frameAt(10.375);  // a quarter of 1.5 s
    EXPECT_NEAR(reachOf(0, 2), 0.1, 1e-5);
    EXPECT_EQ(group->getWorldFromBody(0).getTrans(), osg::Vec3d(1, 2, 3));
    frameAt(13.1);
    EXPECT_EQ(handler->getShape(), 4) << "three seconds each";
    EXPECT_TRUE(press('['));
    EXPECT_TRUE(press('['));
    EXPECT_TRUE(press('}'));
    EXPECT_TRUE(press('}'));
    EXPECT_TRUE(press('{'));
    EXPECT_NEAR(handler->getAmplitude(), 0.125, 1e-12);
    frameAt(20.0);
    frameAt(39.875);
    EXPECT_EQ(handler->getShape(), 2) << "what was chosen stays";
    EXPECT_NEAR(reachOf(0, 1), 0.125, 1e-5);
    EXPECT_TRUE(press(']'));
    EXPECT_EQ(handler->getShape(), 3);
    for (int i = 0; i < 8; ++i) press(']');
    EXPECT_EQ(handler->getShape(), 1) << "round";

    EXPECT_TRUE(press('k'));
    frameAt(50.0);
    frameAt(50.375);
    ASSERT_EQ(group->getBodyCount(), 10);
    for (int body = 0; body < 10; ++body) {
        EXPECT_NEAR(reachOf(body, body), 0.125, 1e-5);
        for (int other = 0; other < body; ++other)
            EXPECT_FALSE(group->getBodyBound(body).intersects(group->getBodyBound(other))) << body << " and " << other;
    }
    EXPECT_TRUE(press('k'));
    EXPECT_EQ(group->getBodyCount(), 1);
    EXPECT_FALSE(press('x'));
}
