// SPDX-License-Identifier: Zlib
// Physics in a thread of its own, pictures by the viewer's threads: every frame shows one moment. PLIANT_SOAK_FRAMES
// frames, 300 where it is not set.
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdlib>

#include "PixelOf.h"
#include "SkinModels.h"
#include "TestModels.h"
#include "osgPliant/BodyGroup.h"
#include "osgPliant/HeadlessViewer.h"
#include "osgPliant/Skin.h"
#include "osgPliant/Stage.h"
#include "pliant/view/PhysicsThread.h"

using namespace pliant::test;
using osgPliant::BodyGroup;

namespace {

constexpr int soakPixels = 64;
constexpr int soakBodies = 8;  // in two columns of four, the same on either side

int soakFrames() {
    const char* text = std::getenv("PLIANT_SOAK_FRAMES");
    return text ? std::max(1, std::atoi(text)) : 300;
}

/// Where body i is at a step: both columns move in the same way, by a good part of the picture in every step.
void placeAt(double step, int dimension, pliant::Poses& poses) {
    poses.resize(soakBodies, dimension);
    for (int i = 0; i < soakBodies; ++i) {
        pliant::RigidTransform frame;
        const int row = i / 2;
        frame.translation =
            pliant::Vector3(i % 2 == 0 ? -1.0 : 1.0, 0.9 * row - 1.35 + 0.4 * std::sin(2.1 * step + row), 0.0);
        std::vector<double> q = makeCoordinates(dimension, row, 0.02);
        for (double& value : q) value *= std::sin(1.3 * step);
        poses.set(i, frame, q.data());
    }
}

/// Pixels of the left half of a picture that differ from those of the right one.
int differentHalves(const osg::Image& image) {
    int count = 0;
    for (int y = 0; y < image.t(); ++y)
        for (int x = 0; x < image.s() / 2; ++x)
            for (int c = 0; c < 3; ++c)
                if (std::abs(pixelOf(image, x, y)[c] - pixelOf(image, x + image.s() / 2, y)[c]) > 24) {
                    ++count;
                    break;
                }
    return count;
}

constexpr int allowedByRounding = 12;  // pixels at silhouettes, of 2,048

/// Looks at every frame, in the thread that has drawn it.
class HalvesChecker : public osg::Camera::DrawCallback {
public:
    void operator()(osg::RenderInfo&) const override {
        image->readPixels(0, 0, soakPixels, soakPixels, GL_RGB, GL_UNSIGNED_BYTE);
        worst = std::max(worst.load(), differentHalves(*image));
        ++frames;
        int lit = 0;
        for (int y = 0; y < soakPixels; ++y)
            for (int x = 0; x < soakPixels; ++x) lit += pixelOf(*image, x, y)[0] != image->data(0, 0)[0];
        seen += lit > 200;
    }
    osg::ref_ptr<osg::Image> image = new osg::Image;
    mutable std::atomic<int> worst{0}, frames{0}, seen{0};
};

/// What the bodies look like, and what is drawn beside: each has passes and buffers of its own.
enum class Looks { Plain, Skinned, SkinnedByShader, Shadowed };

osg::ref_ptr<BodyGroup> bodiesOf(Looks looks) {
    if (looks == Looks::Plain || looks == Looks::Shadowed)
        return new BodyGroup(new osgPliant::ModelGeometry(makeTorus()), soakBodies);
    const auto model = makeBrickTorus();
    const std::vector<double> rest(brickTorusDimension, 0.0);
    const osg::ref_ptr<BodyGroup> group =
        new BodyGroup(osgPliant::Skin::bind(makeSkinNode(inMeshFrame(*model, rest)), model), soakBodies);
    group->setSumPlace(looks == Looks::Skinned ? osgPliant::SumsOnProcessor : osgPliant::SumsInVertexShader);
    return group;
}

/// Below a sun in the camera's back, whose shadows fall out of the picture.
osg::ref_ptr<osg::Node> sceneOf(BodyGroup* group, Looks looks) {
    if (looks != Looks::Shadowed) return group;
    osgPliant::StageSettings settings;
    settings.towardsSun = osg::Vec3f(0.0f, 0.0f, 1.0f);
    const osg::ref_ptr<osgPliant::Stage> stage = new osgPliant::Stage(settings);
    stage->addChild(group);
    return stage;
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
