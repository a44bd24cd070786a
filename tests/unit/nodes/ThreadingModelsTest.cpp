// SPDX-License-Identifier: Zlib
// Frames of every threading model of osgViewer against those of a single thread, with one view and with two; and that
// the next frame is made while this one is drawn.
#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <osgViewer/CompositeViewer>
#include <thread>

#include "SkinModels.h"
#include "TestModels.h"
#include "osgPliant/BodyGroup.h"
#include "osgPliant/EglWindows.h"
#include "osgPliant/HeadlessViewer.h"
#include "osgPliant/Stage.h"

using namespace pliant::test;
using osgPliant::BodyGroup;
using osgPliant::ModelGeometry;

namespace {

constexpr int bodyCount = 12, viewWidth = 120, viewHeight = 80;

/// Keeps what a camera has drawn, on the thread that has drawn it.
class FrameKeeper : public osg::Camera::DrawCallback {
public:
    mutable std::vector<osg::ref_ptr<osg::Image>> images;
    void operator()(osg::RenderInfo& info) const override {
        const osg::Viewport* viewport = info.getCurrentCamera()->getViewport();
        const osg::ref_ptr<osg::Image> image = new osg::Image;
        image->readPixels(static_cast<int>(viewport->x()), static_cast<int>(viewport->y()), viewWidth, viewHeight,
                          GL_RGB, GL_UNSIGNED_BYTE);
        images.push_back(image);
    }
};

/// Gives the other threads time to go on before a frame is drawn.
class LateDrawing : public osg::Camera::DrawCallback {
public:
    void operator()(osg::RenderInfo&) const override { std::this_thread::sleep_for(std::chrono::milliseconds(4)); }
};

/// Holds the drawing of a frame until it is opened; for three seconds at most.
class Gate : public osg::Camera::DrawCallback {
public:
    void operator()(osg::RenderInfo&) const override {
        std::unique_lock<std::mutex> lock(_mutex);
        ++_frames;
        if (!_change.wait_for(lock, std::chrono::seconds(3), [this] { return _open; })) _wasWaitedForInVain = true;
    }
    void setOpen(bool open) {
        const std::lock_guard<std::mutex> lock(_mutex);
        _open = open;
        _change.notify_all();
    }
    /// Waits until so many frames have come to it.
    void waitFor(int frames) const {
        for (int i = 0; i < 3000; ++i) {
            {
                const std::lock_guard<std::mutex> lock(_mutex);
                if (_frames >= frames) return;
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }
    bool wasWaitedForInVain() const {
        const std::lock_guard<std::mutex> lock(_mutex);
        return _wasWaitedForInVain;
    }

private:
    mutable std::mutex _mutex;
    mutable std::condition_variable _change;
    bool _open = true;
    mutable int _frames = 0;
    mutable bool _wasWaitedForInVain = false;
};

void setBodies(BodyGroup& group, int state) {
    for (int i = 0; i < bodyCount; ++i) {
        const osg::Matrixd frame = osg::Matrixd::translate(0.8 * (i % 4), 0.3 * state, 0.8 * (i / 4));
        group.setBody(i, frame, makeCoordinates(group.getDeformation()->getDimension(), 2 * i + state, 0.04).data());
    }
}

/// A group drawn by osgPliant's shaders, and two with a skin under fixed function, whose sums the processor and vertex
/// shaders make.
std::vector<osg::ref_ptr<BodyGroup>> allKinds() {
    const auto model = makeBrickTorus();
    const osg::ref_ptr<osg::Group> node = makeSkinNode(inMeshFrame(*model, std::vector<double>(7, 0.0)));
    std::vector<osg::ref_ptr<BodyGroup>> groups = {new BodyGroup(new ModelGeometry(makeTorus()), bodyCount)};
    for (const auto place : {osgPliant::SumsOnProcessor, osgPliant::SumsInVertexShader}) {
        groups.push_back(new BodyGroup(osgPliant::Skin::bind(node, model), bodyCount));
        groups.back()->setSumPlace(place);
    }
    return groups;
}

/// One window with as many views of one scene, side by side, each from its own place.
struct Views {
    Views(osg::Node* scene, int count, osgViewer::ViewerBase::ThreadingModel threading) {
        viewer.setThreadingModel(threading);
        const osg::ref_ptr<osg::GraphicsContext::Traits> traits = new osg::GraphicsContext::Traits;
        traits->width = viewWidth * count;
        traits->height = viewHeight;
        traits->doubleBuffer = true;
        window = osg::GraphicsContext::createGraphicsContext(traits);
        for (int i = 0; i < count; ++i) {
            const osg::ref_ptr<osgViewer::View> view = new osgViewer::View;
            osg::Camera& camera = *view->getCamera();
            camera.setGraphicsContext(window);
            camera.setViewport(viewWidth * i, 0, viewWidth, viewHeight);
            camera.setProjectionMatrixAsPerspective(35.0, 1.5, 0.1, 50.0);
            camera.setViewMatrixAsLookAt(osg::Vec3d(1.2 - 2.0 * i, 6.0, 3.0), osg::Vec3d(1.2, 0.0, 0.8),
                                         osg::Vec3d(0.0, 1.0, 0.0));
            camera.setInitialDrawCallback(new LateDrawing);
            keepers.push_back(new FrameKeeper);
            camera.setFinalDrawCallback(keepers.back());
            view->setSceneData(scene);
            viewer.addView(view);
        }
        viewer.realize();
    }
    osgViewer::CompositeViewer viewer;
    osg::ref_ptr<osg::GraphicsContext> window;
    std::vector<osg::ref_ptr<FrameKeeper>> keepers;
};

/// The last frame of each view of a scene that stands in a state, drawn by one thread.
std::vector<osg::ref_ptr<osg::Image>> expectedFrames(BodyGroup& group, osg::Node* scene, int count, int state) {
    Views views(scene, count, osgViewer::ViewerBase::SingleThreaded);
    setBodies(group, state);
    for (int i = 0; i < 3; ++i) views.viewer.frame();
    std::vector<osg::ref_ptr<osg::Image>> frames;
    for (const auto& keeper : views.keepers) frames.push_back(keeper->images.back());
    return frames;
}

class ThreadingModels : public ::testing::TestWithParam<osgViewer::ViewerBase::ThreadingModel> {
protected:
    ThreadingModels() { osgPliant::EglWindows::install(viewWidth, viewHeight); }
    ~ThreadingModels() override { osgPliant::EglWindows::uninstall(); }

    /// Every frame of every view shows one of the two states between which the bodies go to and fro.
    static void expectWholeFrames(BodyGroup& group, osg::Node* scene, int count) {
        const std::vector<osg::ref_ptr<osg::Image>> expected[2] = {expectedFrames(group, scene, count, 0),
                                                                   expectedFrames(group, scene, count, 1)};
        for (int v = 0; v < count; ++v)
            ASSERT_GT(countDifferentPixels(*expected[0][static_cast<std::size_t>(v)],
                                           *expected[1][static_cast<std::size_t>(v)], 8),
                      300);
        Views views(scene, count, GetParam());
        constexpr int frames = 24;
        for (int frame = 0; frame < frames; ++frame) {
            setBodies(group, frame % 2);
            views.viewer.frame();
        }
        views.viewer.stopThreading();
        for (int v = 0; v < count; ++v) {
            const auto& images = views.keepers[static_cast<std::size_t>(v)]->images;
            EXPECT_GE(static_cast<int>(images.size()), frames - 1);
            int torn = 0, ofState[2] = {0, 0};
            for (const auto& image : images) {
                bool shows[2];
                for (int s = 0; s < 2; ++s) {
                    shows[s] = countDifferentPixels(*image, *expected[s][static_cast<std::size_t>(v)], 2) == 0;
                    ofState[s] += shows[s];
                }
                torn += !shows[0] && !shows[1];
            }
            EXPECT_EQ(torn, 0) << "view " << v;
            EXPECT_GE(ofState[0], frames / 2 - 1);
            EXPECT_GE(ofState[1], frames / 2 - 1);
        }
    }
};

TEST_P(ThreadingModels, OneViewDrawsWholeFrames) {
    PLIANT_NEEDS_OPENGL();
    for (const auto& group : allKinds()) expectWholeFrames(*group, group, 1);
}

TEST_P(ThreadingModels, TwoViewsOfACompositeViewerDrawWholeFrames) {
    PLIANT_NEEDS_OPENGL();
    for (const auto& group : allKinds()) expectWholeFrames(*group, group, 2);
}

TEST_P(ThreadingModels, ShadowsAreThoseOfTheirFrame) {
    PLIANT_NEEDS_OPENGL();
    const osg::ref_ptr<osgPliant::Stage> stage = new osgPliant::Stage;
    const osg::ref_ptr<BodyGroup> group = allKinds()[0];
    stage->addChild(group);
    expectWholeFrames(*group, stage, 1);
}

std::string nameOf(const ::testing::TestParamInfo<osgViewer::ViewerBase::ThreadingModel>& info) {
    switch (info.param) {
        case osgViewer::ViewerBase::SingleThreaded:
            return "SingleThreaded";
        case osgViewer::ViewerBase::CullDrawThreadPerContext:
            return "CullDrawThreadPerContext";
        case osgViewer::ViewerBase::DrawThreadPerContext:
            return "DrawThreadPerContext";
        default:
            return "CullThreadPerCameraDrawThreadPerContext";
    }
}

INSTANTIATE_TEST_SUITE_P(All, ThreadingModels,
                         ::testing::Values(osgViewer::ViewerBase::SingleThreaded,
                                           osgViewer::ViewerBase::CullDrawThreadPerContext,
                                           osgViewer::ViewerBase::DrawThreadPerContext,
                                           osgViewer::ViewerBase::CullThreadPerCameraDrawThreadPerContext),
                         nameOf);

/// A viewer without a window, which looks at a scene and draws its frames while a gate is open.
struct GatedViewer {
    GatedViewer(osg::Node* scene, osgViewer::ViewerBase::ThreadingModel threading) : headless(options()) {
        headless.setScene(scene);
        headless.setCamera(osg::Vec3d(1.2, 6.0, 3.0), osg::Vec3d(1.2, 0.0, 0.8), osg::Vec3d(0.0, 1.0, 0.0));
        viewer.setThreadingModel(threading);
        viewer.getCamera()->setInitialDrawCallback(gate);
    }
    static osgPliant::HeadlessOptions options() {
        osgPliant::HeadlessOptions options;
        options.width = viewWidth;
        options.height = viewHeight;
        options.supersampling = 1;
        return options;
    }
    osgPliant::HeadlessViewer headless;
    osgViewer::Viewer& viewer = headless.getViewer();
    osg::ref_ptr<Gate> gate = new Gate;
};

/// Whether frame() comes back while what it has handed over waits to be drawn.
bool overlaps(BodyGroup& group, osg::Node* scene, osgViewer::ViewerBase::ThreadingModel threading,
              const std::function<void()>& change) {
    GatedViewer gated(scene, threading);
    for (int frame = 0; frame < 4; ++frame) {
        setBodies(group, frame % 2);
        if (frame > 0) change();
        gated.viewer.frame();
    }
    gated.gate->waitFor(4);  // those before are drawn
    gated.gate->setOpen(false);
    setBodies(group, 0);
    change();
    gated.viewer.frame();
    gated.gate->setOpen(true);
    gated.viewer.setThreadingModel(osgViewer::Viewer::SingleThreaded);
    return !gated.gate->wasWaitedForInVain();
}

/// Frames of a group that is taken out of its scene, and is gone, before the last of them is drawn.
std::vector<osg::ref_ptr<osg::Image>> framesOfAGroupThatGoes(std::size_t kind,
                                                             osgViewer::ViewerBase::ThreadingModel threading) {
    osg::ref_ptr<BodyGroup> group = allKinds()[kind];
    const osg::ref_ptr<osg::Group> scene = new osg::Group;
    scene->addChild(group);
    GatedViewer gated(scene, threading);
    const osg::ref_ptr<FrameKeeper> keeper = new FrameKeeper;
    gated.viewer.getCamera()->setPostDrawCallback(keeper);
    for (int frame = 0; frame < 5; ++frame) {
        if (frame == 4) {
            gated.gate->waitFor(frame);
            gated.gate->setOpen(false);
        }
        setBodies(*group, frame / 2 % 2);  // each of the renderer's two buffers has the other state before
        gated.viewer.frame();
    }
    scene->removeChild(group);
    group = nullptr;
    gated.gate->setOpen(true);
    gated.viewer.setThreadingModel(osgViewer::Viewer::SingleThreaded);
    return keeper->images;
}

// Viewers have draw threads unless they are told otherwise.
TEST(DrawThreads, WhatHasBeenHandedOverIsDrawnThoughItsGroupIsGone) {
    PLIANT_NEEDS_OPENGL();
    for (const auto threading :
         {osgViewer::Viewer::DrawThreadPerContext, osgViewer::Viewer::CullThreadPerCameraDrawThreadPerContext}) {
        for (std::size_t kind = 0; kind < 3; ++kind) {
            const auto images = framesOfAGroupThatGoes(kind, threading);
            ASSERT_EQ(images.size(), 5u);
            EXPECT_EQ(countDifferentPixels(*images[4], *images[1], 3), 0) << "kind " << kind;
            EXPECT_GT(countDifferentPixels(*images[4], *images[3], 8), 300);
        }
    }
}

TEST(DrawThreads, TheNextFrameIsMadeWhileThisOneIsDrawn) {
    PLIANT_NEEDS_OPENGL();
    const auto nothing = [] {};
    for (const auto threading :
         {osgViewer::Viewer::DrawThreadPerContext, osgViewer::Viewer::CullThreadPerCameraDrawThreadPerContext}) {
        for (const auto& group : allKinds()) EXPECT_TRUE(overlaps(*group, group, threading, nothing));
        const osg::ref_ptr<osgPliant::Stage> stage = new osgPliant::Stage;
        const osg::ref_ptr<BodyGroup> group = allKinds()[0];
        stage->addChild(group);
        EXPECT_TRUE(overlaps(*group, stage, threading, nothing)) << "with shadows";
        float brightness = 1.0f;
        const auto fade = [&] {
            brightness *= 0.9f;
            stage->setSunColour(osg::Vec3f(1, 1, 1) * brightness);
            osgPliant::Lamp lamp;
            lamp.colour *= brightness;
            stage->setLamps({lamp});
        };
        EXPECT_TRUE(overlaps(*group, stage, threading, fade)) << "with lights that change";
        stage->getOrCreateStateSet()->setDataVariance(osg::Object::DYNAMIC);
        EXPECT_FALSE(overlaps(*group, stage, threading, nothing)) << "this would be seen";
    }
}

}  // namespace
