// SPDX-License-Identifier: Zlib
// Physics in a thread of its own, pictures by the viewer's threads: every frame shows one moment. PLIANT_SOAK_FRAMES
// frames, 300 where it is not set.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "AlikeHalves.h"
#include "TestModels.h"
#include "osgPliant/HeadlessViewer.h"
#include "pliant/view/PhysicsThread.h"

using namespace pliant::test;
using osgPliant::BodyGroup;

namespace {

int soakFrames() {
    const char* text = std::getenv("PLIANT_SOAK_FRAMES");
    return text ? std::max(1, std::atoi(text)) : 300;
}

struct SoakScene {
    explicit SoakScene(Looks looks = Looks::Plain)
        : group(bodiesOf(looks)), dimension(group->getDeformation()->getDimension()) {
        osgPliant::HeadlessOptions options;
        options.width = options.height = soakPixels;
        options.supersampling = 1;
        viewer = std::make_unique<osgPliant::HeadlessViewer>(options);
        viewer->setScene(sceneOf(group, looks));
        osg::Camera& camera = *viewer->getViewer().getCamera();
        camera.setViewMatrixAsLookAt(osg::Vec3d(0, 0, 10), osg::Vec3d(), osg::Vec3d(0, 1, 0));
        camera.setProjectionMatrixAsOrtho(-2, 2, -2, 2, 1, 20);
        camera.setFinalDrawCallback(checker);
    }
    osg::ref_ptr<BodyGroup> group;
    int dimension;
    osg::ref_ptr<HalvesChecker> checker = new HalvesChecker;
    std::unique_ptr<osgPliant::HeadlessViewer> viewer;
};

}  // namespace

TEST(TornFrames, WouldBeSeen) {
    PLIANT_NEEDS_OPENGL();
    for (const Looks looks : {Looks::Plain, Looks::Skinned, Looks::SkinnedByShader, Looks::Shadowed}) {
        SCOPED_TRACE(static_cast<int>(looks));
        SoakScene scene(looks);
        pliant::Poses now, next;
        placeAt(3.0, scene.dimension, now);
        placeAt(4.0, scene.dimension, next);
        scene.group->show(now);
        scene.viewer->getViewer().frame();
        EXPECT_LE(scene.checker->worst, allowedByRounding);
        for (const int body : {1, 6}) {
            pliant::Poses torn = now;
            torn.set(body, next.worldFromBody[static_cast<std::size_t>(body)], next.qOf(body));
            scene.group->show(torn);
            scene.viewer->getViewer().frame();
            EXPECT_GT(scene.checker->worst, 3 * allowedByRounding);
            scene.checker->worst = 0;
        }
    }
}

namespace {

void expectWholeFrames(Looks looks, osgViewer::Viewer::ThreadingModel threading, int frames) {
    SoakScene scene(looks);
    pliant::PhysicsThreadSettings settings;
    settings.step = 0.01;
    settings.mostBehind = 1000;
    int step = 0;
    pliant::PhysicsThread physics(settings, [&](std::vector<pliant::Poses>& poses) {
        poses.resize(1);
        placeAt(step++, scene.dimension, poses[0]);
    });
    scene.viewer->getViewer().setThreadingModel(threading);
    for (int frame = 0; frame < frames; ++frame) {
        const std::vector<pliant::Poses>& poses = physics.at(0.0137 * frame);
        ASSERT_TRUE(poses.empty() || scene.group->show(poses[0]));
        scene.viewer->getViewer().frame(0.0137 * frame);
    }
    scene.viewer->getViewer().setThreadingModel(osgViewer::Viewer::SingleThreaded);
    EXPECT_GE(scene.checker->frames, frames - 1);
    EXPECT_GT(scene.checker->seen, frames / 3) << "the frames show something";
    EXPECT_GT(physics.stepCount(), static_cast<std::uint64_t>(frames) / 2);
    EXPECT_LE(scene.checker->worst, allowedByRounding);
}

}  // namespace

TEST(TornFrames, ThereAreNone) {
    PLIANT_NEEDS_OPENGL();
    for (const Looks looks : {Looks::Plain, Looks::Skinned, Looks::SkinnedByShader, Looks::Shadowed})
        for (const auto threading :
             {osgViewer::Viewer::CullDrawThreadPerContext, osgViewer::Viewer::DrawThreadPerContext,
              osgViewer::Viewer::CullThreadPerCameraDrawThreadPerContext}) {
            SCOPED_TRACE(::testing::Message() << "looks " << static_cast<int>(looks) << ", threading " << threading);
            expectWholeFrames(looks, threading, looks == Looks::Plain ? soakFrames() : soakFrames() / 3);
        }
}
