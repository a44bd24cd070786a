// SPDX-License-Identifier: Zlib
// Groups that no update traversal reaches: the cull traversal takes over what was written.
#include <gtest/gtest.h>

#include <osg/GLExtensions>
#include <osgUtil/SceneView>
#include <osgUtil/UpdateVisitor>

#include "TestModels.h"
#include "osgPliant/BodyGroup.h"
#include "osgPliant/HeadlessViewer.h"

using namespace pliant::test;
using osgPliant::BodyGroup;

namespace {

constexpr int pictureSide = 96;

/// Draws what it does not update, as osgSim::OverlayNode does.
class DrawnAlone : public osg::Group {
public:
    void traverse(osg::NodeVisitor& visitor) override {
        if (visitor.getVisitorType() != osg::NodeVisitor::UPDATE_VISITOR) osg::Group::traverse(visitor);
    }
};

osg::ref_ptr<BodyGroup> makeOneTorus() {
    return new BodyGroup(new osgPliant::ModelGeometry(makeTorus()), 1);
}

void putAt(BodyGroup& group, double x) {
    const std::vector<double> atRest(static_cast<std::size_t>(group.getDeformation()->getDimension()), 0.0);
    group.setBody(0, osg::Matrixd::translate(x, 0.0, 0.0), atRest.data());
}

double shownAt(const BodyGroup& group) {
    osg::Matrixd frame;
    std::vector<double> q;
    return group.getShown(0, frame, q) ? frame.getTrans().x() : -1e9;
}

/// A program's own view of a scene, in a context of its own.
class OwnView {
public:
    OwnView() : _view(new osgUtil::SceneView) {
        osgPliant::HeadlessOptions options;
        options.width = options.height = pictureSide;
        _context = osgPliant::createHeadlessContext(options, nullptr);
        _context->realize();
        _context->makeCurrent();
        _view->setDefaults();
        _view->setState(_context->getState());
        _view->setViewport(0, 0, pictureSide, pictureSide);
        _view->setViewMatrixAsLookAt(osg::Vec3d(0.0, 4.0, 3.0), osg::Vec3d(), osg::Vec3d(0.0, 1.0, 0.0));
        _view->setProjectionMatrixAsPerspective(40.0, 1.0, 0.1, 100.0);
        _view->init();
        _context->releaseContext();
    }
    ~OwnView() {
        _view->setSceneData(nullptr);
        _view = nullptr;
        _context->close();
    }
    osgUtil::SceneView& view() { return *_view; }
    osg::ref_ptr<osg::Image> draw() {
        _context->makeCurrent();
        _view->cull();
        _view->draw();
        const osg::ref_ptr<osg::Image> image = new osg::Image;
        image->setPacking(1);
        image->readPixels(0, 0, pictureSide, pictureSide, GL_RGB, GL_UNSIGNED_BYTE);
        _context->releaseContext();
        return image;
    }

private:
    osg::ref_ptr<osg::GraphicsContext> _context;
    osg::ref_ptr<osgUtil::SceneView> _view;
};

/// A picture of a body, one of it elsewhere, and one of it where it was before.
void expectThatItIsFollowed(OwnView& own, BodyGroup& group) {
    putAt(group, 0.0);
    const auto before = own.draw();
    putAt(group, 0.3);
    EXPECT_GT(countDifferentPixels(*before, *own.draw(), 8), 100);
    EXPECT_EQ(shownAt(group), 0.3);
    putAt(group, 0.0);
    EXPECT_EQ(countDifferentPixels(*before, *own.draw(), 0), 0);
}

}  // namespace

TEST(WithoutUpdates, ABodyThatHasLeftTheViewComesBack) {
    PLIANT_NEEDS_OPENGL();
    osgPliant::HeadlessOptions options;
    options.width = options.height = pictureSide;
    osgPliant::HeadlessViewer headless(options);
    const osg::ref_ptr<BodyGroup> group = makeOneTorus();
    const osg::ref_ptr<osg::Group> scene = new DrawnAlone, above = new osg::Group;
    above->addChild(group);
    scene->addChild(above);
    headless.setScene(scene);
    headless.setCamera(osg::Vec3d(0.0, 4.0, 3.0), osg::Vec3d(), osg::Vec3d(0.0, 1.0, 0.0));
    double time = 0.0;
    const auto draw = [&](double x) {
        putAt(*group, x);
        return osg::ref_ptr<osg::Image>(new osg::Image(*headless.render(time += 0.1), osg::CopyOp::DEEP_COPY_ALL));
    };
    const auto before = draw(0.0), away = draw(50.0);
    EXPECT_GT(countDifferentPixels(*before, *away, 8), 100);
    EXPECT_EQ(countDifferentPixels(*away, *draw(60.0), 0), 0);
    EXPECT_EQ(countDifferentPixels(*before, *draw(0.0), 0), 0);
}

TEST(WithoutUpdates, GroupsThatAreUpdatedAreCulledAsAWhole) {
    const osg::ref_ptr<BodyGroup> group = makeOneTorus(), copy = new BodyGroup(*group);
    const osg::ref_ptr<osg::Group> above = new osg::Group;
    above->addChild(group);
    above->addChild(copy);
    putAt(*group, 0.0);
    putAt(*copy, 0.0);
    EXPECT_FALSE(above->isCullingActive()) << "spheres of what nobody updates are old";
    EXPECT_TRUE(group->getCullingActive()) << "that is the user's to say";
    for (int i = 0; i < 2; ++i) updateOnce(*above);
    EXPECT_TRUE(group->isCullingActive());
    EXPECT_TRUE(above->isCullingActive());
}

TEST(WithoutUpdates, AViewWithoutAFrameStampFollows) {
    PLIANT_NEEDS_OPENGL();
    OwnView own;
    const osg::ref_ptr<BodyGroup> group = makeOneTorus();
    own.view().setSceneData(group);
    expectThatItIsFollowed(own, *group);
}

TEST(WithoutUpdates, AViewWhoseFrameStampStandsStillFollows) {
    PLIANT_NEEDS_OPENGL();
    OwnView own;
    const osg::ref_ptr<BodyGroup> group = makeOneTorus();
    own.view().setFrameStamp(new osg::FrameStamp);
    own.view().setSceneData(group);
    expectThatItIsFollowed(own, *group);
}

// A frame shows one state, whoever writes meanwhile.
TEST(WithoutUpdates, AllPassesOfAFrameShowTheSame) {
    PLIANT_NEEDS_OPENGL();
    OwnView one, other;
    const osg::ref_ptr<osg::FrameStamp> stamp = new osg::FrameStamp;
    const osg::ref_ptr<BodyGroup> group = makeOneTorus();
    const osg::ref_ptr<osg::Group> twice = new osg::Group, second = new osg::Group;
    twice->addChild(group);
    twice->addChild(second);
    second->addChild(group);
    // It is moved between the two.
    struct Move : public osg::NodeCallback {
        void operator()(osg::Node* node, osg::NodeVisitor* visitor) override {
            putAt(*dynamic_cast<BodyGroup*>(node->asGroup()->getChild(0)), 0.7);
            traverse(node, visitor);
        }
    };
    second->setCullCallback(new Move);
    for (OwnView* own : {&one, &other}) {
        own->view().setFrameStamp(stamp);
        own->view().setSceneData(twice);
    }
    putAt(*group, 0.2);
    stamp->setFrameNumber(7);
    one.draw();
    EXPECT_EQ(shownAt(*group), 0.2);
    other.draw();
    EXPECT_EQ(shownAt(*group), 0.2);
    stamp->setFrameNumber(8);
    other.draw();
    EXPECT_EQ(shownAt(*group), 0.7);
}
