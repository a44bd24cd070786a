// SPDX-License-Identifier: Zlib
// Every pass of a frame (the view, a mirror, a map) draws what it sees of a BodyGroup, and no more.
#include <gtest/gtest.h>

#include <osg/Texture2D>
#include <osgUtil/SceneView>
#include <osgViewer/Renderer>

#include "TestModels.h"
#include "osgPliant/BodyGroup.h"
#include "osgPliant/HeadlessViewer.h"
#include "osgPliant/ViewerSetUp.h"

using namespace pliant::test;
using osgPliant::BodyGroup;
using osgPliant::ModelGeometry;

namespace {

constexpr int side = 20;  // of a square field of bodies, 1.5 m apart

osg::ref_ptr<BodyGroup> makeField(const std::shared_ptr<pliant::ReducedModel>& model) {
    osg::ref_ptr<BodyGroup> group = new BodyGroup(new ModelGeometry(model), side * side);
    const std::vector<double> q(static_cast<std::size_t>(model->dimension()), 0.0);
    for (int i = 0; i < side * side; ++i)
        group->setBody(i, osg::Matrixd::translate(1.5 * (i % side), 0.0, 1.5 * (i / side)), q.data());
    return group;
}

/// Triangles that a bin and the bins in it draw, every instance counted.
double trianglesOf(osgUtil::RenderBin& bin) {
    double triangles = 0.0;
    const auto count = [&](const osgUtil::RenderLeaf* leaf) {
        const osg::Geometry* geometry = leaf->getDrawable()->asGeometry();
        for (unsigned int p = 0; geometry && p < geometry->getNumPrimitiveSets(); ++p) {
            const osg::PrimitiveSet& set = *geometry->getPrimitiveSet(p);
            triangles += set.getNumIndices() / 3.0 * std::max(set.getNumInstances(), 1);
        }
    };
    for (const osgUtil::RenderLeaf* leaf : bin.getRenderLeafList()) count(leaf);
    for (const osgUtil::StateGraph* graph : bin.getStateGraphList())
        for (const auto& leaf : graph->_leaves) count(leaf);
    for (const auto& below : bin.getRenderBinList()) triangles += trianglesOf(*below.second);
    return triangles;
}

/// Triangles of the last frame's main pass, without those of passes before and after it.
double trianglesOfMainPass(osgPliant::HeadlessViewer& viewer) {
    auto* renderer = dynamic_cast<osgViewer::Renderer*>(viewer.getViewer().getCamera()->getRenderer());
    return std::max(trianglesOf(*renderer->getSceneView(0)->getRenderStage()),
                    trianglesOf(*renderer->getSceneView(1)->getRenderStage()));
}

class Passes : public ::testing::Test {
protected:
    void SetUp() override {
        PLIANT_NEEDS_OPENGL();
        osgPliant::HeadlessOptions options;
        options.width = 320;
        options.height = 200;
        options.supersampling = 1;
        _viewer = std::make_unique<osgPliant::HeadlessViewer>(options);
        _model = makeTorus();
        _group = makeField(_model);
        _viewer->setScene(_group);
        // Into a corner of the field: few bodies are in view.
        _viewer->setCamera(osg::Vec3d(1.5, 2.5, 3.0), osg::Vec3d(0.0, 0.0, 0.0), osg::Vec3d(0.0, 1.0, 0.0), 30.0);
    }

    double render() {
        EXPECT_NE(_viewer->render(0.0), nullptr);
        return trianglesOfMainPass(*_viewer);
    }
    double trianglesOfOne() const { return _model->surface.triangleCount(); }

    std::unique_ptr<osgPliant::HeadlessViewer> _viewer;
    std::shared_ptr<pliant::ReducedModel> _model;
    osg::ref_ptr<BodyGroup> _group;
};

osg::ref_ptr<osg::Camera> createSmallCamera(osg::Node* scene) {
    osg::ref_ptr<osg::Texture2D> texture = new osg::Texture2D;
    texture->setTextureSize(32, 32);
    texture->setInternalFormat(GL_RGB);
    osg::ref_ptr<osg::Camera> camera = new osg::Camera;
    camera->setRenderOrder(osg::Camera::PRE_RENDER);
    camera->setRenderTargetImplementation(osg::Camera::FRAME_BUFFER_OBJECT);
    camera->setReferenceFrame(osg::Transform::ABSOLUTE_RF);
    camera->setViewport(0, 0, 32, 32);
    camera->attach(osg::Camera::COLOR_BUFFER, texture);
    camera->setViewMatrixAsLookAt(osg::Vec3d(40.0, 3.0, 40.0), osg::Vec3d(0.0, 0.0, 0.0), osg::Vec3d(0.0, 1.0, 0.0));
    camera->setProjectionMatrixAsPerspective(50.0, 1.0, 0.1, 1000.0);
    camera->addChild(scene);
    return camera;
}

/// Draws what it does not update, as osgSim::OverlayNode does.
class WithoutUpdates : public osg::Group {
public:
    void traverse(osg::NodeVisitor& visitor) override {
        if (visitor.getVisitorType() != osg::NodeVisitor::UPDATE_VISITOR) osg::Group::traverse(visitor);
    }
};

}  // namespace

TEST_F(Passes, ASmallCameraInFrontChangesNothingOfTheMainPass) {
    if (!_viewer) GTEST_SKIP();
    const double alone = render();
    EXPECT_LT(alone, 20.0 * trianglesOfOne());
    const osg::ref_ptr<osg::Image> before = new osg::Image(*_viewer->render(0.0), osg::CopyOp::DEEP_COPY_ALL);
    osg::ref_ptr<osg::Group> both = new osg::Group;
    both->addChild(createSmallCamera(_group));
    both->addChild(_group);
    _viewer->setScene(both);
    EXPECT_EQ(render(), alone);
    EXPECT_EQ(countDifferentPixels(*before, *_viewer->render(0.0), 1), 0);
}

TEST_F(Passes, OrthographicCamerasDrawWhatTheySee) {
    if (!_viewer) GTEST_SKIP();
    _viewer->getViewer().getCamera()->setProjectionMatrixAsOrtho(-1.6, 1.6, -1.0, 1.0, 0.1, 100.0);
    const double seen = render();
    EXPECT_GT(seen, 0.2 * trianglesOfOne());
    EXPECT_LT(seen, 20.0 * trianglesOfOne());
}

TEST_F(Passes, TheScaleOfLevelsOfDetailCounts) {
    if (!_viewer) GTEST_SKIP();
    _viewer->setCamera(osg::Vec3d(-6.0, 4.0, -6.0), osg::Vec3d(15.0, 0.0, 15.0), osg::Vec3d(0.0, 1.0, 0.0));
    _group->setPixelError(0.05);
    const double plain = render();
    _viewer->getViewer().getCamera()->setLODScale(8.0f);
    EXPECT_LT(render(), 0.7 * plain);
    _viewer->getViewer().getCamera()->setLODScale(0.01f);
    EXPECT_GT(render(), 1.5 * plain);
}

TEST_F(Passes, WhatIsSmallerThanTheSmallestFeatureIsNotDrawn) {
    if (!_viewer) GTEST_SKIP();
    _viewer->setCamera(osg::Vec3d(-6.0, 4.0, -6.0), osg::Vec3d(15.0, 0.0, 15.0), osg::Vec3d(0.0, 1.0, 0.0));
    _group->setPixelError(0.0);
    const double all = render();
    osg::Camera& camera = *_viewer->getViewer().getCamera();
    camera.setCullingMode(camera.getCullingMode() | osg::CullSettings::SMALL_FEATURE_CULLING);
    camera.setSmallFeatureCullingPixelSize(15.0f);
    const double large = render();
    EXPECT_LT(large, 0.6 * all);
    EXPECT_GT(large, trianglesOfOne());
}

TEST_F(Passes, ViewsOfCamerasThatAreGoneAreRemoved) {
    if (!_viewer) GTEST_SKIP();
    for (int i = 0; i < 6; ++i) {
        osgPliant::HeadlessOptions options;
        options.width = options.height = 32;
        osgPliant::HeadlessViewer another(options);
        another.setScene(_group);
        for (int frame = 0; frame < 3; ++frame) ASSERT_NE(another.render(0.1 * frame), nullptr);
    }
    EXPECT_LE(_group->getViewCount(), 2);
}

TEST_F(Passes, TransparentBodiesAreDrawnFromFarToNear) {
    if (!_viewer) GTEST_SKIP();
    // Two half transparent bodies behind each other, in one group and in a group each that are drawn in the right
    // order.
    TorusOptions flat;
    const auto model = makeTorus(flat);
    model->surface.materials[0].opacity = 0.5;
    model->surface.colours.resize(4, 0);
    const std::vector<double> q(10, 0.0);
    const osg::Matrixd facing = osg::Matrixd::rotate(osg::PI_2, osg::Vec3d(1.0, 0.0, 0.0));
    const osg::Matrixd near = facing * osg::Matrixd::translate(0.1, 0.0, 0.5);
    const osg::Matrixd far =
        facing * osg::Matrixd::rotate(0.7, osg::Vec3d(0.0, 1.0, 0.0)) * osg::Matrixd::translate(-0.1, 0.0, -0.5);
    const auto draw = [&](osg::Node* scene, const char* name) {
        return renderPicture(scene, name, osg::Vec3d(0.0, 0.0, 3.0), osg::Vec3d(0.0, 0.0, 0.0));
    };
    osg::ref_ptr<BodyGroup> one = new BodyGroup(new ModelGeometry(model), 2);
    one->setBody(0, near, q.data());
    one->setBody(1, far, q.data());
    osg::ref_ptr<osg::Group> two = new osg::Group;
    int bin = 20;
    for (const osg::Matrixd& place : {far, near}) {
        osg::ref_ptr<BodyGroup> single = new BodyGroup(new ModelGeometry(model), 1);
        single->setBody(0, place, q.data());
        single->getOrCreateStateSet()->setRenderBinDetails(bin++, "RenderBin",
                                                           osg::StateSet::OVERRIDE_PROTECTED_RENDERBIN_DETAILS);
        two->addChild(single);
    }
    const auto together = draw(one, "transparent_together"), apart = draw(two, "transparent_apart");
    ASSERT_TRUE(together && apart);
    EXPECT_EQ(countDifferentPixels(*together, *apart, 2), 0);
}

// The rows that viewers show with key s: sums over groups, of the viewer's cameras alone.
TEST_F(Passes, ViewersAreToldHowManyBodiesTheyDraw) {
    if (!_viewer) GTEST_SKIP();
    _group->setPixelError(0.0);
    const osg::ref_ptr<BodyGroup> second = makeField(_model);
    second->setPixelError(0.0);
    osg::ref_ptr<osg::Group> scene = new osg::Group;
    scene->addChild(_group);
    scene->addChild(second);
    second->setBodyVisible(3, false);
    _viewer->setScene(scene);
    osg::Stats& stats = *_viewer->getViewer().getViewerStats();
    const auto attribute = [&](const char* name) {
        double value = -1.0;
        stats.getAttribute(_viewer->getViewer().getFrameStamp()->getFrameNumber(), name, value);
        return value;
    };
    render();
    EXPECT_EQ(attribute("Bodies drawn"), -1.0) << "nobody has asked";
    const osg::ref_ptr<osgViewer::StatsHandler> handler = new osgViewer::StatsHandler;
    osgPliant::addBodyRows(*handler, _viewer->getViewer());
    const double alone = render() / trianglesOfOne();
    EXPECT_GT(alone, 2.0);
    EXPECT_LT(alone, 2.0 * side * side - 1.0);
    EXPECT_EQ(attribute("Bodies drawn"), alone);
    EXPECT_EQ(attribute("Bodies culled"), 2.0 * side * side - 1.0 - alone) << "the hidden one is neither";
    EXPECT_GE(attribute("Bodies update time taken"), 0.0);
    scene->addChild(createSmallCamera(_group));
    EXPECT_EQ(render() / trianglesOfOne(), alone);
    EXPECT_EQ(attribute("Bodies drawn"), alone) << "textures are nobody's view";
    const std::vector<double> q(static_cast<std::size_t>(_model->dimension()), 1e-3);
    for (int i = 0; i < side * side; ++i)
        _group->setBody(i, osg::Matrixd::translate(1.5 * (i % side), 0.0, 1.5 * (i / side)), q.data());
    render();
    EXPECT_GT(attribute("Bodies update time taken"), 0.0) << "400 bodies have moved";
}

TEST_F(Passes, BodiesThatNoUpdateTraversalReachesAreWhereTheyWereWritten) {
    if (!_viewer) GTEST_SKIP();
    const osg::ref_ptr<osg::Group> apart = new WithoutUpdates;
    const osg::ref_ptr<BodyGroup> group = makeField(_model);
    apart->addChild(group);
    const auto draw = [&](osg::Node* scene) {
        _viewer->setScene(scene);
        _viewer->render(0.0);
        return osg::ref_ptr<osg::Image>(new osg::Image(*_viewer->render(0.1), osg::CopyOp::DEEP_COPY_ALL));
    };
    const auto before = draw(_group);
    EXPECT_EQ(countDifferentPixels(*before, *draw(apart), 0), 0);
    for (BodyGroup* moved : {_group.get(), group.get()})
        moved->setBody(0, osg::Matrixd::translate(0.3, 0.2, 0.0), makeCoordinates(_model->dimension(), 1).data());
    const auto after = draw(_group);
    EXPECT_GT(countDifferentPixels(*before, *after, 8), 100);
    EXPECT_EQ(countDifferentPixels(*after, *draw(apart), 0), 0);
}
