// SPDX-License-Identifier: Zlib
// Bodies that are written while threads of the viewer draw the frame before.
#include <gtest/gtest.h>

#include "SkinModels.h"
#include "TestModels.h"
#include "osgPliant/BodyGroup.h"
#include "osgPliant/HeadlessViewer.h"

using namespace pliant::test;
using osgPliant::BodyGroup;
using osgPliant::ModelGeometry;

namespace {

/// Keeps what a camera has drawn, on the thread that has drawn it.
class FrameKeeper : public osg::Camera::DrawCallback {
public:
    mutable std::vector<osg::ref_ptr<osg::Image>> images;
    void operator()(osg::RenderInfo& info) const override {
        const osg::Viewport* viewport = info.getCurrentCamera()->getViewport();
        osg::ref_ptr<osg::Image> image = new osg::Image;
        image->readPixels(0, 0, static_cast<int>(viewport->width()), static_cast<int>(viewport->height()), GL_RGB,
                          GL_UNSIGNED_BYTE);
        images.push_back(image);
    }
};

constexpr int manyBodies = 24;

/// Frames of a group under a threading model that are neither of two states.
int tornFrames(BodyGroup* group, osgViewer::Viewer::ThreadingModel threading) {
    const int dimension = group->getDeformation()->getDimension();
    osgPliant::HeadlessOptions options;
    options.width = 120;
    options.height = 80;
    options.supersampling = 1;
    osgPliant::HeadlessViewer viewer(options);
    viewer.setScene(group);
    viewer.setCamera(osg::Vec3d(2.0, 6.0, 4.0), osg::Vec3d(2.0, 0.0, 1.0), osg::Vec3d(0.0, 1.0, 0.0));
    const auto set = [&](int state) {
        for (int i = 0; i < manyBodies; ++i) {
            const osg::Matrixd frame = osg::Matrixd::translate(0.8 * (i % 6), 0.3 * state, 0.8 * (i / 6));
            group->setBody(i, frame, makeCoordinates(dimension, 2 * i + state, 0.04).data());
        }
    };
    osg::ref_ptr<osg::Image> expected[2];
    for (int state = 0; state < 2; ++state) {
        set(state);
        expected[state] = new osg::Image(*viewer.render(0.0), osg::CopyOp::DEEP_COPY_ALL);
    }
    EXPECT_GT(countDifferentPixels(*expected[0], *expected[1], 8), 500);
    // Every frame is kept by the draw thread itself, while this one already writes the next.
    osg::ref_ptr<FrameKeeper> keeper = new FrameKeeper;
    viewer.getViewer().setThreadingModel(threading);
    viewer.getViewer().getCamera()->setFinalDrawCallback(keeper);
    for (int frame = 0; frame < 40; ++frame) {
        set(frame % 2);
        viewer.getViewer().frame();
    }
    viewer.getViewer().setThreadingModel(osgViewer::Viewer::SingleThreaded);
    EXPECT_GE(keeper->images.size(), 39u);
    int torn = 0;
    for (const auto& image : keeper->images) {
        torn += countDifferentPixels(*image, *expected[0], 2) > 0 && countDifferentPixels(*image, *expected[1], 2) > 0;
    }
    return torn;
}

}  // namespace

TEST(DrawThreads, NeverSeeAHalfWrittenBody) {
    PLIANT_NEEDS_OPENGL();
    const auto model = makeBrickTorus();
    const osg::ref_ptr<osg::Group> node = makeSkinNode(inMeshFrame(*model, std::vector<double>(7, 0.0)));
    for (const auto threading :
         {osgViewer::Viewer::DrawThreadPerContext, osgViewer::Viewer::CullThreadPerCameraDrawThreadPerContext}) {
        const osg::ref_ptr<BodyGroup> own = new BodyGroup(new ModelGeometry(makeTorus()), manyBodies);
        EXPECT_EQ(tornFrames(own, threading), 0);
        const osg::ref_ptr<BodyGroup> skinned = new BodyGroup(osgPliant::Skin::bind(node, model), manyBodies);
        EXPECT_EQ(tornFrames(skinned, threading), 0);
    }
}
