// SPDX-License-Identifier: Zlib
// OpenGL objects that are given back while a viewer goes on: it draws what it has drawn before.
#include <gtest/gtest.h>

#include <functional>
#include <osg/BufferObject>
#include <osg/ContextData>
#include <osg/GLExtensions>
#include <osgShadow/ShadowedScene>
#include <osgShadow/StandardShadowMap>

#include "SkinModels.h"
#include "TestModels.h"
#include "osgPliant/BodyGroup.h"
#include "osgPliant/HeadlessViewer.h"
#include "osgPliant/Primitives.h"
#include "osgPliant/Skin.h"

using namespace pliant::test;
using osgPliant::BodyGroup;

namespace {

/// A look of bodies.
struct GivenBackLook {
    const char* name;
    std::function<osg::ref_ptr<BodyGroup>()> makeGroup;
};

osg::ref_ptr<BodyGroup> makeSkinned(osgPliant::SumPlace place) {
    const auto model = makeBrickTorus();
    const std::vector<double> rest(brickTorusDimension, 0.0);
    const osg::ref_ptr<osg::Group> node = makeSkinNode(inMeshFrame(*model, rest));
    const osg::ref_ptr<BodyGroup> group = new BodyGroup(osgPliant::Skin::bind(node, model), 2);
    group->setSumPlace(place);
    return group;
}

const GivenBackLook looks[] = {
    {"SkinSummedInVertexShader", [] { return makeSkinned(osgPliant::SumsInVertexShader); }},
    {"SkinSummedOnProcessor", [] { return makeSkinned(osgPliant::SumsOnProcessor); }},
    {"ModelGeometry",
     [] { return osg::ref_ptr<BodyGroup>(new BodyGroup(new osgPliant::ModelGeometry(makeTorus()), 2)); }}};

/// A viewer of the user's own: closing it gives back what all contexts have of its scene.
osg::ref_ptr<osgViewer::Viewer> makeOwnViewer(osg::Node* scene) {
    osgPliant::HeadlessOptions options;
    options.width = options.height = 64;
    const osg::ref_ptr<osgViewer::Viewer> viewer = new osgViewer::Viewer;
    viewer->setThreadingModel(osgViewer::Viewer::SingleThreaded);
    viewer->setReleaseContextAtEndOfFrameHint(true);
    viewer->setCameraManipulator(nullptr);
    osg::Camera& camera = *viewer->getCamera();
    camera.setGraphicsContext(osgPliant::createHeadlessContext(options, nullptr));
    camera.setViewport(0, 0, options.width, options.height);
    camera.setViewMatrixAsLookAt(osg::Vec3d(0.0, 0.8, 3.6), osg::Vec3d(), osg::Vec3d(0.0, 1.0, 0.0));
    camera.setProjectionMatrixAsPerspective(35.0, 1.0, 0.1, 100.0);
    viewer->setSceneData(scene);
    return viewer;
}

/// Sums up how often arrays below a node have changed, one more for each.
class CountArrayChanges : public osg::NodeVisitor {
public:
    META_NodeVisitor(pliant, CountArrayChanges) CountArrayChanges() : osg::NodeVisitor(TRAVERSE_ALL_CHILDREN) {}
    void apply(osg::Geometry& geometry) override {
        osg::Geometry::ArrayList arrays;
        geometry.getArrayList(arrays);
        for (const auto& array : arrays) changes += 1 + array->getModifiedCount();
    }
    unsigned int changes = 0;
};

class GivenBack : public ::testing::TestWithParam<GivenBackLook> {
protected:
    void SetUp() override {
        PLIANT_NEEDS_OPENGL();
        osgPliant::HeadlessOptions options;
        options.width = 160;
        options.height = 100;
        options.supersampling = 1;
        _viewer = std::make_unique<osgPliant::HeadlessViewer>(options);
        _viewer->setCamera(osg::Vec3d(0.0, 0.8, 3.6), osg::Vec3d(), osg::Vec3d(0.0, 1.0, 0.0));
    }
    void show(BodyGroup* group) {
        const int r = group->getDeformation()->getDimension();
        for (int i = 0; i < 2; ++i)
            group->setBody(i, osg::Matrixd::translate(0.9 * i - 0.45, 0.0, 0.0), makeCoordinates(r, i, 0.03).data());
        _viewer->setScene(group);
        for (int i = 0; i < 3; ++i) _before = draw();
    }
    osg::ref_ptr<osg::Image> draw() { return new osg::Image(*_viewer->render(0.1 * ++_frame)); }
    void expectTheSamePictures() {
        for (int i = 0; i < 3; ++i) EXPECT_EQ(countDifferentPixels(*_before, *draw(), 0), 0) << "frame " << i;
    }
    /// Programs that OpenGL has.
    int countPrograms() {
        constexpr GLuint mostNames = 4096;
        osg::GraphicsContext& context = *_viewer->getViewer().getCamera()->getGraphicsContext();
        context.makeCurrent();
        int count = 0;
        for (GLuint name = 1; name < mostNames; ++name)
            count += state()->get<osg::GLExtensions>()->glIsProgram(name) != 0;
        context.releaseContext();
        return count;
    }
    osg::State* state() { return _viewer->getViewer().getCamera()->getGraphicsContext()->getState(); }

    std::unique_ptr<osgPliant::HeadlessViewer> _viewer;
    osg::ref_ptr<osg::Image> _before;
    int _frame = 0;
};

INSTANTIATE_TEST_SUITE_P(Looks, GivenBack, ::testing::ValuesIn(looks),
                         [](const auto& look) { return std::string(look.param.name); });

TEST_P(GivenBack, OfAllContextsIsMadeAgain) {
    if (!_viewer) GTEST_SKIP();
    const osg::ref_ptr<BodyGroup> group = GetParam().makeGroup();
    show(group);
    group->releaseGLObjects(nullptr);
    expectTheSamePictures();
    group->releaseGLObjects(state());
    group->releaseGLObjects(nullptr);
    expectTheSamePictures();
}

TEST_P(GivenBack, ByAnotherViewerThatClosesIsMadeAgain) {
    if (!_viewer) GTEST_SKIP();
    const osg::ref_ptr<BodyGroup> group = GetParam().makeGroup();
    show(group);
    for (int round = 0; round < 2; ++round) {
        const osg::ref_ptr<osgViewer::Viewer> other = makeOwnViewer(group);
        for (int i = 0; i < 2; ++i) other->frame(0.1 * i);
        EXPECT_EQ(countDifferentPixels(*_before, *draw(), 0), 0);
    }
    expectTheSamePictures();
}

TEST_P(GivenBack, ByAGroupThatSharesTheLookIsMadeAgain) {
    if (!_viewer) GTEST_SKIP();
    const osg::ref_ptr<BodyGroup> group = GetParam().makeGroup(), other = new BodyGroup(*group);
    show(group);
    other->releaseGLObjects(nullptr);
    expectTheSamePictures();
}

TEST_P(GivenBack, IsAllThatThereWas) {
    if (!_viewer) GTEST_SKIP();
    const osg::ref_ptr<BodyGroup> group = GetParam().makeGroup();
    show(group);
    const auto active = [&] {
        _viewer->setScene(new osg::Group);
        draw();  // what is given back goes at the end of a frame
        return osg::get<osg::GLBufferObjectManager>(state()->getContextID())->getNumberActiveGLBufferObjects();
    };
    EXPECT_GT(active(), 0u);
    group->releaseGLObjects(state());
    EXPECT_EQ(active(), 0u);
}

// Their composed programs are the same ones.
TEST_P(GivenBack, OfGroupsThatAreLaidOutAlikeIsAllThatThereWas) {
    if (!_viewer) GTEST_SKIP();
    const osg::ref_ptr<BodyGroup> group = GetParam().makeGroup(), other = GetParam().makeGroup();
    const auto programs = [&] {
        _viewer->setScene(new osg::Group);
        draw();
        return countPrograms();
    };
    const int without = programs();
    for (BodyGroup* one : {group.get(), other.get()}) show(one);
    EXPECT_GT(programs(), without);
    group->releaseGLObjects(state());
    other->releaseGLObjects(state());
    EXPECT_EQ(programs(), without);
    show(group);
    group->releaseGLObjects(nullptr);
    EXPECT_EQ(programs(), without);
}

// What belongs to one context is of no concern to the others: they would copy all arrays to OpenGL once more.
TEST_P(GivenBack, OfOneContextLeavesArraysAsTheyAre) {
    if (!_viewer) GTEST_SKIP();
    const osg::ref_ptr<BodyGroup> group = GetParam().makeGroup();
    show(group);
    const auto changes = [&] {
        CountArrayChanges count;
        group->accept(count);
        return count.changes;
    };
    const unsigned int before = changes();
    EXPECT_GT(before, 0u);
    group->releaseGLObjects(state());
    EXPECT_EQ(changes(), before);
    expectTheSamePictures();
    group->releaseGLObjects(nullptr);
    EXPECT_GT(changes(), before);
    expectTheSamePictures();
}

// A box that is drawn alone, with buffers of its own, as any geometry of OpenSceneGraph's.
TEST(Headless, AViewerThatClosesLeavesToOthersWhatTheyHave) {
    PLIANT_NEEDS_OPENGL();
    const osg::ref_ptr<osg::Geometry> box = osgPliant::createBox(osg::Vec3f(0.5f, 0.5f, 0.5f));
    osgPliant::HeadlessOptions options;
    options.width = options.height = 64;
    osgPliant::HeadlessViewer first(options);
    const auto look = [&](osgPliant::HeadlessViewer& viewer) {
        viewer.setScene(box);
        viewer.setCamera(osg::Vec3d(1.0, 2.0, 3.0), osg::Vec3d(), osg::Vec3d(0.0, 1.0, 0.0));
        return osg::ref_ptr<osg::Image>(new osg::Image(*viewer.render(0.0)));
    };
    const auto before = look(first);
    {
        osgPliant::HeadlessViewer second(options);
        EXPECT_EQ(countDifferentPixels(*before, *look(second), 0), 0);
    }
    EXPECT_EQ(countDifferentPixels(*before, *first.render(0.1), 0), 0);
}

namespace {

/// Counts how often it is asked to give back what a context has of it.
class CountReleases : public osg::Group {
public:
    void releaseGLObjects(osg::State* state) const override {
        if (state && state->getGraphicsContext() && state->getGraphicsContext()->isCurrent()) ++count;
        osg::Group::releaseGLObjects(state);
    }
    mutable int count = 0;
};

}  // namespace

// The context of the next viewer may get the number of this one: what is not given back goes on with names that are
// another's by then.
TEST(Headless, AViewerThatClosesGivesBackWhatItsFormerScenesHave) {
    PLIANT_NEEDS_OPENGL();
    osgPliant::HeadlessOptions options;
    options.width = options.height = 64;
    const osg::ref_ptr<CountReleases> former = new CountReleases, last = new CountReleases;
    former->addChild(osgPliant::createSphere(0.6f, {}));
    {
        osgPliant::HeadlessViewer viewer(options);
        viewer.setCamera(osg::Vec3d(0.0, 0.8, 3.6), osg::Vec3d(), osg::Vec3d(0.0, 1.0, 0.0));
        viewer.setScene(former);
        const osg::ref_ptr<osg::Image> first = new osg::Image(*viewer.render(0.0), osg::CopyOp::DEEP_COPY_ALL);
        viewer.setScene(osgPliant::createSphere(0.1f, {}));  // is gone before the viewer
        viewer.render(0.1);
        viewer.setScene(former);
        EXPECT_EQ(countDifferentPixels(*first, *viewer.render(0.2), 0), 0);
        viewer.setScene(last);
        viewer.render(0.3);
        EXPECT_EQ(former->count, 0) << "it may come back";
    }
    EXPECT_EQ(former->count, 1);
}

// Its technique and its viewer observe each other.
TEST(Headless, AViewerMayBeTheLastThatHasAScene) {
    PLIANT_NEEDS_OPENGL();
    osgPliant::HeadlessOptions options;
    options.width = options.height = 64;
    osgPliant::HeadlessViewer viewer(options);
    viewer.setScene(new osgShadow::ShadowedScene(new osgShadow::StandardShadowMap));
    viewer.setCamera(osg::Vec3d(1.0, 2.0, 3.0), osg::Vec3d(), osg::Vec3d(0.0, 1.0, 0.0));
    EXPECT_NE(viewer.render(0.0), nullptr);
}

// Threads of its own may still be at the end of the frame.
TEST(Headless, AViewerWithThreadsMayGoRightAfterAFrame) {
    PLIANT_NEEDS_OPENGL();
    for (const auto model :
         {osgViewer::ViewerBase::CullDrawThreadPerContext, osgViewer::ViewerBase::DrawThreadPerContext,
          osgViewer::ViewerBase::CullThreadPerCameraDrawThreadPerContext}) {
        for (int round = 0; round < 10; ++round) {
            const osg::ref_ptr<BodyGroup> group = makeSkinned(osgPliant::SumsOnProcessor);
            osgPliant::HeadlessOptions options;
            options.width = options.height = 64;
            osgPliant::HeadlessViewer threaded(options);
            threaded.getViewer().setThreadingModel(model);
            threaded.setScene(group);
            threaded.setCamera(osg::Vec3d(1.0, 2.0, 3.0), osg::Vec3d(), osg::Vec3d(0.0, 1.0, 0.0));
            for (int frame = 0; frame < 3; ++frame) EXPECT_NE(threaded.render(0.1 * frame), nullptr);
        }
    }
}

}  // namespace
