// SPDX-License-Identifier: Zlib
// Cameras, views, shots, lights and files of a scene: what they come to, and every mistake.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "draw/ScenePainter.h"
#include "loop/OutputFiles.h"
#include "loop/SceneLog.h"
#include "models/ReduceReader.h"
#include "pliant/math/Error.h"
#include "pliant/scene/SceneReader.h"

namespace pliant::program {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

const std::string kBall =
    "ground: {}\nrigid: [{name: ball, shape: sphere, radius: 0.2, mass: 1, position: [0, 0, 1], velocity: [2, 0, 0]}]\n"
    "gravity: [0, 0, 0]\n";

scene::SceneDescription parse(const std::string& text) {
    return scene::parseScene(text, "pictures.yaml", sceneOptions());
}

std::string complaint(const std::string& text) {
    try {
        parse(text);
    } catch (const Error& problem) {
        return problem.what();
    }
    return "no error";
}

scene::ScenePoses ballAt(double t, const Vector3& x) {
    scene::ScenePoses poses;
    poses.time = t;
    poses.rigid.resize(1);
    poses.rigid[0].translation = x;
    poses.isRigidShown = {1};
    return poses;
}

TEST(SceneAnimations, LeadCamerasAndLamps) {
    const scene::SceneDescription description = parse(
        kBall +
        "cameras: {near: {from: [9, 0, 0], to: [0, 0, 0]}}\nlights: [{kind: point, name: lamp, at: [0, 0, 3]}]\n"
        "animate:\n  - {what: near.from.x, keys: [[0, 9], [2, 5]]}\n  - {what: near.to.z, keys: [[0, 0], [2, 1]]}\n"
        "  - {what: near.field_of_view, keys: [[0, 20], [2, 40]]}\n  - {what: lamp.at.z, keys: [[0, 3], [2, 1]]}\n"
        "  - {what: lamp.brightness, keys: [[0, 0], [2, 8]]}\n");
    scene::SceneCameras cameras(description, {});
    cameras.follow(ballAt(1.0, Vector3::Zero()));
    const scene::ViewPoint point = cameras.views().front().point;
    EXPECT_EQ(point.eye, Vector3(7, 0, 0));
    EXPECT_EQ(point.centre, Vector3(0, 0, 0.5));
    EXPECT_EQ(point.fieldOfView, 30.0);
    using Kind = scene::LivePath::Kind;
    EXPECT_EQ(description.timeline.ofPicture(Kind::LampPosition, "lamp", 2, 1.0), 2.0);
    EXPECT_EQ(description.timeline.ofPicture(Kind::LampBrightness, "lamp", 0, 0.5), 2.0);
    EXPECT_EQ(description.timeline.ofPicture(Kind::LampPosition, "lamp", 0, 1.0), std::nullopt);
    EXPECT_THAT(complaint(kBall + "cameras: {near: {orbit: {around: [0, 0, 0], radius: 3}}}\n"
                                  "animate: [{what: near.from.x, keys: [[0, 1]]}]\n"),
                HasSubstr("the camera \"near\" does not stand still"));
}

TEST(SceneShow, LayersAndScales) {
    const scene::DebugShow show =
        parse(kBall +
              "show: {contacts: true, pressure: true, largest_pressure: 2e5, impulse_time: 0.5, hidden: 0.75}\n")
            .show;
    for (int layer = 0; layer < debugLayerCount; ++layer)
        EXPECT_EQ(show.layers[static_cast<std::size_t>(layer)],
                  layer == static_cast<int>(DebugLayer::Contacts) || layer == static_cast<int>(DebugLayer::Pressure))
            << nameOf(static_cast<DebugLayer>(layer));
    EXPECT_EQ(show.largestPressure, 2e5);
    EXPECT_EQ(show.impulseTime, 0.5);
    EXPECT_EQ(show.hidden, 0.75);
    EXPECT_THAT(complaint(kBall + "show: {presure: true}\n"), HasSubstr("did you mean \"pressure\"?"));
    EXPECT_THAT(complaint(kBall + "show: {hidden: 2}\n"), HasSubstr("it must be at most 1"));
    EXPECT_THAT(complaint(kBall + "show: {pressure: 1}\n"), HasSubstr("pictures.yaml:4:"));
}

TEST(SceneCameras, FollowOrbitAndPath) {
    const scene::SceneDescription scene = parse(kBall + R"(
cameras:
  chase: {follow: ball, offset: [0, -3, 1], lag: 0.5, field_of_view: 50}
  round: {orbit: {around: [1, 0, 0], radius: 4, height: 2, period: 8}}
  ride: {path: [{at: 0, from: [0, 0, 5], to: [0, 0, 0]}, {at: 2, from: [4, 0, 5], to: [2, 0, 0]}]}
)");
    scene::SceneCameras cameras(scene, {});
    cameras.follow(ballAt(0.0, Vector3(0, 0, 1)));
    EXPECT_LT((cameras.views("chase")[0].point.eye - Vector3(0, -3, 2)).norm(), 1e-12);
    EXPECT_EQ(cameras.views("chase")[0].point.fieldOfView, 50.0);
    EXPECT_LT((cameras.views("round")[0].point.eye - Vector3(5, 0, 2)).norm(), 1e-12);
    cameras.follow(ballAt(0.5, Vector3(1, 0, 1)));
    EXPECT_NEAR(cameras.views("chase")[0].point.centre.x(), 1.0 - std::exp(-1.0), 1e-12) << "a lag of 0.5 s";
    cameras.follow(ballAt(2.0, Vector3(1, 0, 1)));
    EXPECT_LT((cameras.views("round")[0].point.eye - Vector3(1, 4, 2)).norm(), 1e-12) << "a quarter of a turn";
    EXPECT_LT((cameras.views("ride")[0].point.eye - Vector3(4, 0, 5)).norm(), 1e-12);
    cameras.follow(ballAt(0.0, Vector3(0, 0, 1)));
    cameras.follow(ballAt(1.0, Vector3(0, 0, 1)));
    EXPECT_LT((cameras.views("ride")[0].point.eye - Vector3(2, 0, 5)).norm(), 1e-12);
    EXPECT_LT((cameras.views("ride")[0].point.centre - Vector3(1, 0, 0)).norm(), 1e-12);
}

TEST(SceneCameras, ShotsAndCutsOfEventsChangeTheFirstView) {
    const scene::SceneDescription scene = parse(kBall + R"(
cameras: {a: {from: [1, 0, 0], to: [0, 0, 0]}, b: {from: [2, 0, 0], to: [0, 0, 0]}, c: {from: [3, 0, 0], to: [0, 0, 0]}}
views: [{camera: a}, {camera: c, area: [0.7, 0.7, 0.3, 0.3]}]
shots: [{camera: b, from: 1}, {camera: a, from: 3}]
)");
    scene::SceneCameras cameras(scene, {});
    const auto first = [&](double t, int cut = -1, double since = 0.0) {
        scene::ScenePoses poses = ballAt(t, Vector3::Zero());
        poses.camera = cut;
        poses.cutTime = since;
        cameras.follow(poses);
        EXPECT_THAT(cameras.views(), SizeIs(2));
        EXPECT_EQ(cameras.views()[1].point.eye.x(), 3.0);
        return cameras.views()[0].point.eye.x();
    };
    EXPECT_EQ(first(0.5), 1.0);
    EXPECT_EQ(first(1.0), 2.0);
    EXPECT_EQ(first(2.0, 2, 1.5), 3.0) << "an event cuts to c";
    EXPECT_EQ(first(3.0, 2, 1.5), 1.0) << "until the next shot";
    EXPECT_EQ(first(3.5, 2, 3.2), 3.0);
}

// A path as osgViewer's RecordCameraPathHandler writes it: from above, then turned about the line of sight, then from
// the side.
TEST(SceneCameras, RecordedPathsAreFollowed) {
    const std::string file = ::testing::TempDir() + "pliant_camera.path";
    const auto write = [&](const std::string& text) { std::ofstream(file) << text; };
    const std::string text = kBall + "cameras: {ride: {file: " + file + ", field_of_view: 50}}\n";
    write("0 0 0 5 0 0 0 1\n1 0 0 5 0 0 0.707106781 0.707106781\n3 0 -4 1 0.707106781 0 0 0.707106781\n\n");
    const scene::SceneDescription scene = parse(text);
    scene::SceneCameras cameras(scene, {});
    const auto at = [&](double t) {
        cameras.follow(ballAt(t, Vector3::Zero()));
        return cameras.views("ride")[0].point;
    };
    EXPECT_LT((at(0.0).eye - Vector3(0, 0, 5)).norm() + (at(0.0).centre - Vector3(0, 0, 4)).norm(), 1e-9);
    EXPECT_LT((at(0.0).up - Vector3(0, 1, 0)).norm(), 1e-9);
    EXPECT_LT((at(1.0).up - Vector3(-1, 0, 0)).norm(), 1e-6) << "a quarter of a turn of the picture";
    EXPECT_LT((at(3.0).eye - Vector3(0, -4, 1)).norm(), 1e-9);
    EXPECT_LT((at(3.0).centre - at(3.0).eye - Vector3(0, 1, 0)).norm(), 1e-6) << "it looks along y";
    EXPECT_LT((at(3.0).up - Vector3(0, 0, 1)).norm(), 1e-6);
    EXPECT_EQ(at(3.0).fieldOfView, 50.0);
    write("0 0 0 5 0 0 0 1\n0 0 0 5 0 0 0 1\n");
    EXPECT_THAT(complaint(text), HasSubstr("camera.path:2: the places of a camera path stand in the order"));
    write("0 0 0 5 0 0 0\n");
    EXPECT_THAT(complaint(text), HasSubstr("camera.path:1: a line of a camera path has eight finite numbers"));
    write("0 0 0 5 0 0 0 1 2\n");
    EXPECT_THAT(complaint(text), HasSubstr("has eight finite numbers"));
    write("0 0 0 nan 0 0 0 1\n");
    EXPECT_THAT(complaint(text), HasSubstr("has eight finite numbers"));
    write("0 0 0 1 0 0 0 0\n");
    EXPECT_THAT(complaint(text), HasSubstr("its quaternion is zero"));
    write("-1 0 0 1 0 0 0 1\n");
    EXPECT_THAT(complaint(text), HasSubstr("a time is within"));
    write("\n");
    EXPECT_THAT(complaint(text), HasSubstr("has no places"));
    std::filesystem::remove(file);
    EXPECT_THAT(complaint(text), HasSubstr("pictures.yaml:4:24: cannot read"));
}

TEST(SceneCameras, Mistakes) {
    const auto camera = [](const std::string& text) { return complaint(kBall + "cameras: {a: {" + text + "}}\n"); };
    EXPECT_THAT(camera("follow: bal, offset: [0, 0, 1]"),
                HasSubstr("no body is called \"bal\"; did you mean \"ball\"?"));
    EXPECT_THAT(camera("follow: ball"), HasSubstr("needs the key \"offset\""));
    EXPECT_THAT(camera("follow: ball, offset: [0, 0, 0]"), HasSubstr("would be in what it looks at"));
    EXPECT_THAT(camera("field_of_view: 40"), HasSubstr("a camera stands"));
    EXPECT_THAT(camera("from: [0, 0, 1], to: [0, 0, 0], lag: 1"),
                HasSubstr("\"lag\" means nothing without \"follow\""));
    EXPECT_THAT(camera("from: [0, 0, 1], to: [0, 0, 1]"), HasSubstr("the same point"));
    EXPECT_THAT(camera("orbit: {around: [0, 0, 0], radius: 2, perod: 3}"), HasSubstr("did you mean \"period\"?"));
    EXPECT_THAT(camera("path: []"), HasSubstr("the path has no places"));
    EXPECT_THAT(camera("path: [{at: 1, from: [0, 0, 1], to: [0, 0, 0]}, {at: 1, from: [0, 0, 1], to: [0, 0, 0]}]"),
                HasSubstr("in the order of their times"));
    const std::string one = kBall + "cameras: {close: {from: [1, 0, 0], to: [0, 0, 0]}}\n";
    EXPECT_THAT(complaint(one + "views: [{camera: clos}]\n"), HasSubstr("no camera is called \"clos\"; did you mean"));
    EXPECT_THAT(complaint(one + "views: [{camera: close, area: [0.5, 0, 0.6, 1]}]\n"), HasSubstr("out of the picture"));
    EXPECT_THAT(complaint(one + "shots: [{camera: close, from: 2}, {camera: close, from: 1}]\n"),
                HasSubstr("in the order of their times"));
    EXPECT_THAT(complaint(one + "events: [{at: 1, do: [{cut: closs}]}]\n"), HasSubstr("no camera is called \"closs\""));
}

TEST(SceneLights, Mistakes) {
    const auto light = [](const std::string& text) { return complaint(kBall + "lights: [" + text + "]\n"); };
    EXPECT_THAT(light("{kind: sun}, {kind: sun}"), HasSubstr("there is another sun"));
    EXPECT_THAT(light("{kind: lamp}"), HasSubstr("kind cannot be \"lamp\""));
    EXPECT_THAT(light("{kind: point, at: [0, 0, 1], cone: 30}"), HasSubstr("\"cone\" means nothing for this light"));
    EXPECT_THAT(light("{kind: spot, at: [0, 0, 1]}"), HasSubstr("needs the key \"to\""));
    EXPECT_THAT(light("{kind: point, at: [0, 0, 1], shadow: true}"), HasSubstr("\"shadow\" means nothing"));
    EXPECT_THAT(complaint(kBall + "light: {}\nlights: [{kind: sun}]\n"), HasSubstr("\"light\" and \"lights\""));
    std::string nine;
    for (int i = 0; i < 9; ++i) nine += "{kind: point, at: [0, 0, 1]},";
    EXPECT_THAT(light(nine), HasSubstr("more than 8 lamps"));
    EXPECT_THAT(complaint(kBall + "environment: {sky: {zenit: [0, 0, 0]}}\n"), HasSubstr("did you mean \"zenith\"?"));
    EXPECT_THAT(complaint(kBall + "environment: {background: [0, 0, 0], sky: {zenith: [0, 0, 0]}}\n"),
                HasSubstr("there are \"background\" and \"sky\""));
    EXPECT_THAT(complaint(kBall + "environment: {background: [0, 2, 0]}\n"), HasSubstr("it must be at most 1"));
    EXPECT_THAT(light("{kind: sun, shadow: {size: 8}}"), HasSubstr("it must be at least 16"));
    EXPECT_THAT(light("{kind: sun, shadow: {siez: 64}}"), HasSubstr("did you mean \"size\"?"));
}

TEST(SceneOutputs, Mistakes) {
    const auto output = [](const std::string& text) { return complaint(kBall + "output: [" + text + "]\n"); };
    EXPECT_THAT(output("{film: {file: a.png}}"), HasSubstr("\"a.png\" does not end in .mp4"));
    EXPECT_THAT(output("{pictures: {file: a.png}}"), HasSubstr("name_%05d.png"));
    EXPECT_THAT(output("{pictures: {file: \"a_%s.png\"}}"), HasSubstr("name_%05d.png"));
    EXPECT_THAT(output("{picture: {file: \"a_%03d.png\"}}"), HasSubstr("only pictures have numbers"));
    EXPECT_THAT(output("{states: {file: ../a.states}}"), HasSubstr("into the output folder"));
    EXPECT_THAT(output("{states: {file: a.states, camera: b}}"), HasSubstr("\"camera\" means nothing for this file"));
    EXPECT_THAT(output("{film: {file: a.mp4, at: 1}}"), HasSubstr("\"at\" means nothing for this file"));
    EXPECT_THAT(output("{film: {file: a.mp4}}, {film: {file: a.mp4}}"), HasSubstr("written twice"));
    EXPECT_THAT(output("{film: {file: a.mp4}, trace: {file: a.json}}"), HasSubstr("make several entries"));
    EXPECT_THAT(output("{flim: {file: a.mp4}}"), HasSubstr("did you mean \"film\"?"));
    EXPECT_THAT(output(""), HasSubstr("there are no files"));
    EXPECT_THAT(output("{film: {file: a.mp4, camera: main}}"), HasSubstr("no camera is called \"main\""));
}

/// The mean of all numbers of a rectangle of a picture, in pixels.
double meanOf(const osg::Image& image, int left, int bottom, int width, int height) {
    double sum = 0.0;
    for (int y = bottom; y < bottom + height; ++y)
        for (int x = left * 3; x < (left + width) * 3; ++x) sum += image.data(0, y)[x];
    return sum / (3.0 * width * height);
}

osg::ref_ptr<osg::Image> paint(const std::string& text, double time = 0.0, const Matrix3& turn = Matrix3::Identity()) {
    const scene::SceneDescription scene = parse(text);
    scene::Bounds bounds;
    bounds.add(Vector3(-1, -1, 0));
    bounds.add(Vector3(1, 1, 1.5));
    SceneView view(scene, {}, bounds);
    ScenePainter painter(view, 160, 120);
    scene::SceneCameras cameras(scene, {});
    scene::ScenePoses poses = ballAt(time, Vector3(0, 0, 0.5));
    poses.rigid[0].rotation = turn;
    cameras.follow(poses);
    view.show(poses);
    return new osg::Image(painter.paint(cameras.views(), time), osg::CopyOp::DEEP_COPY_ALL);
}

const std::string kDown =
    kBall + "cameras: {down: {from: [0, -0.1, 6], to: [0, 0, 0]}, side: {from: [0, -4, 0.5], to: [0, 0, 0.5]}}\n";

TEST(SceneLights, LampsShineWhereTheySay) {
    if (!osgPliant::HeadlessViewer().isValid()) GTEST_SKIP() << osgPliant::HeadlessViewer().getProblem();
    const std::string dark = kDown + "environment: {light: {above: [0, 0, 0], below: [0, 0, 0]}, haze: 0}\nlights: [";
    const auto none = paint(dark + "{kind: sun, brightness: 0}]\n");
    const auto lamp = paint(dark + "{kind: point, at: [-1, 0, 1], brightness: 1}]\n");
    EXPECT_LT(meanOf(*none, 0, 0, 160, 120), 1.0) << "no light at all";
    EXPECT_GT(meanOf(*lamp, 20, 50, 40, 20), 50.0);
    EXPECT_GT(meanOf(*lamp, 20, 50, 40, 20), 1.5 * meanOf(*lamp, 110, 50, 40, 20)) << "brighter near the lamp";
    const auto spot = paint(dark + "{kind: spot, at: [1, 0, 3], to: [1, 0, 0], cone: 20, brightness: 5}]\n");
    EXPECT_LT(meanOf(*spot, 0, 0, 60, 120), 1.0) << "nothing beside the cone";
    EXPECT_GT(meanOf(*spot, 105, 50, 15, 20), 40.0);
    const std::string blinking = dark + "{kind: point, at: [-1, 0, 1], brightness: \"= t > 1\"}]\n";
    EXPECT_LT(meanOf(*paint(blinking, 0.5), 0, 0, 160, 120), 1.0);
    EXPECT_GT(meanOf(*paint(blinking, 1.5), 20, 50, 40, 20), 50.0) << "brightness is an expression of time";
}

TEST(SceneLights, ExposureAndSkyAreThoseOfTheEnvironment) {
    if (!osgPliant::HeadlessViewer().isValid()) GTEST_SKIP() << osgPliant::HeadlessViewer().getProblem();
    const std::string side = kBall + "cameras: {side: {from: [0, -4, 1], to: [0, 0, 2]}}\n";
    const auto plain = paint(side), dim = paint(side + "environment: {exposure: 0.25}\n");
    EXPECT_LT(meanOf(*dim, 0, 0, 160, 120), 0.7 * meanOf(*plain, 0, 0, 160, 120));
    const auto red = paint(side + "environment: {sky: {zenith: [1, 0, 0], horizon: [1, 0, 0]}}\n");
    const unsigned char* sky = red->data(80, 115);
    EXPECT_GT(sky[0], 150);
    EXPECT_LT(sky[1], 30);
}

// Looked at upwards, one colour is everywhere, of the horizon as of the zenith.
TEST(SceneLights, ABackgroundIsOneColour) {
    if (!osgPliant::HeadlessViewer().isValid()) GTEST_SKIP() << osgPliant::HeadlessViewer().getProblem();
    const std::string text =
        "rigid: [{shape: sphere, radius: 0.2, position: [0, 0, 1]}]\ncameras: {up: {from: [0, -4, 1], to: [0, 0, "
        "3]}}\n";
    const auto blue = paint(text + "environment: {background: [0, 0, 0.5]}\n"), sky = paint(text);
    const auto pixel = [](const osg::Image& image, int t) { return image.data(5, t); };
    for (int t = 0; t < 120; t += 10)
        for (int c = 0; c < 3; ++c) EXPECT_NEAR(pixel(*blue, t)[c], pixel(*blue, 60)[c], 1) << "row " << t;
    EXPECT_GT(pixel(*blue, 60)[2], pixel(*blue, 60)[0] + 60);
    EXPECT_GT(std::abs(pixel(*sky, 5)[0] - pixel(*sky, 115)[0]), 5) << "a sky is not";
}

// The edge of a ball's shadow goes in steps of the map's texels.
TEST(SceneLights, ShadowsAreAsSharpAsTheirMap) {
    if (!osgPliant::HeadlessViewer().isValid()) GTEST_SKIP() << osgPliant::HeadlessViewer().getProblem();
    const auto shadowed = [&](int size) {
        return paint(kDown + "lights: [{kind: sun, direction: [0.5, 0, -1], shadow: {size: " + std::to_string(size) +
                     ", softness: 1}}]\n");
    };
    const auto coarse = shadowed(16), fine = shadowed(1024), finer = shadowed(2048);
    const auto differences = [](const osg::Image& a, const osg::Image& b) {
        int count = 0;
        for (unsigned i = 0; i < a.getTotalSizeInBytes(); i += 3) count += std::abs(a.data()[i] - b.data()[i]) > 12;
        return count;
    };
    EXPECT_GT(differences(*coarse, *finer), 40);
    EXPECT_LT(differences(*fine, *finer), differences(*coarse, *finer) / 4);
}

// Of a tilted plane the upper half of the picture has none, and the lower one is filled.
TEST(SceneViews, APlaneIsDrawnWhereItLies) {
    if (!osgPliant::HeadlessViewer().isValid()) GTEST_SKIP() << osgPliant::HeadlessViewer().getProblem();
    const auto plane = [&](const Matrix3& turn) {
        return paint(
            "rigid: [{shape: plane, colour: [0.9, 0.1, 0.1]}]\ncameras: {side: {from: [0, -4, 1.5], to: [0, 0, 1.5]}}\n"
            "environment: {background: [0, 0, 0.5], haze: 0}\n",
            0.0, turn);
    };
    const auto isRed = [](const osg::Image& image, int s, int t) { return image.data(s, t)[0] > image.data(s, t)[2]; };
    const auto level = plane(Matrix3::Identity());
    EXPECT_TRUE(isRed(*level, 20, 10) && isRed(*level, 140, 10));
    EXPECT_FALSE(isRed(*level, 20, 110) || isRed(*level, 140, 110));
    const auto tilted = plane(Eigen::AngleAxisd(M_PI / 3, Vector3::UnitY()).toRotationMatrix());  // its left is up
    EXPECT_TRUE(isRed(*tilted, 5, 100));
    EXPECT_FALSE(isRed(*tilted, 155, 20));
}

TEST(SceneViews, RectanglesShowTheirCameras) {
    if (!osgPliant::HeadlessViewer().isValid()) GTEST_SKIP() << osgPliant::HeadlessViewer().getProblem();
    const auto whole = paint(kDown + "views: [{camera: down}]\n");
    const auto both = paint(kDown + "views: [{camera: down}, {camera: side, area: [0.5, 0.5, 0.5, 0.5]}]\n");
    EXPECT_EQ(std::memcmp(whole->data(0, 10), both->data(0, 10), 3 * 160), 0) << "the first view below the second";
    EXPECT_EQ(std::memcmp(whole->data(0, 100), both->data(0, 100), 3 * 79), 0) << "and beside it";
    EXPECT_NE(std::memcmp(whole->data(81, 100), both->data(81, 100), 3 * 79), 0);
}

TEST(SceneLog, HoldsEverythingThatAPictureNeeds) {
    const scene::SceneDescription scene = parse(kBall + "cameras: {a: {from: [1, 0, 0], to: [0, 0, 0]}}\n");
    const std::string path = ::testing::TempDir() + "pliant_scene_log.states";
    SceneLogWriter writer(path, scene, {});
    scene::ScenePoses poses = ballAt(0.25, Vector3(1, 2, 3));
    writer.add(poses);
    poses.time = 0.5;
    poses.isRigidShown = {0};
    poses.camera = 0;
    poses.cutTime = 0.375;
    writer.add(poses);
    writer.close();
    SceneLogReader reader(path);
    EXPECT_THAT(reader.sceneFile(), HasSubstr("pictures.yaml"));
    ASSERT_EQ(reader.frameCount(), 2);
    reader.expectScene(scene, {});
    scene::ScenePoses read;
    reader.read(0, read);
    EXPECT_EQ(read.rigid[0].translation, Vector3(1, 2, 3));
    EXPECT_EQ(read.isRigidShown[0], 1);
    EXPECT_EQ(read.camera, -1);
    reader.read(1, read);
    EXPECT_EQ(read.time, 0.5);
    EXPECT_EQ(read.isRigidShown[0], 0);
    EXPECT_EQ(read.camera, 0);
    EXPECT_EQ(read.cutTime, 0.375);
    EXPECT_THROW(reader.expectScene(parse("rigid: [{shape: box}, {shape: box}]\n"), {}), Error);
    std::filesystem::remove(path);
}

TEST(SceneOutputs, EveryFileIsWritten) {
    if (!osgPliant::HeadlessViewer().isValid()) GTEST_SKIP() << osgPliant::HeadlessViewer().getProblem();
    const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "pliant_outputs";
    std::filesystem::remove_all(folder);
    const scene::SceneDescription scene = parse(kDown + R"(
time: {frames_per_second: 10}
output:
  - pictures: {file: "p/a_%03d.png", every: 0.2, size: [64, 48], camera: side}
  - picture: {file: still.png, at: 0.3, size: [64, 48]}
  - states: {file: run.states, every: 0.5}
)");
    OutputPlan plan;
    plan.folder = folder.string();
    plan.bounds.add(Vector3(-1, -1, 0));
    plan.bounds.add(Vector3(1, 1, 1.5));
    plan.frames = 10;
    OutputFiles files(scene, {}, plan);
    for (int frame = 0; frame < 10; ++frame) {
        files.add(ballAt(0.1 * (frame + 1), Vector3(0.1 * frame, 0, 0.5)), frame, frame == 9);
        if (frame == 4) files.addPicture("of_an_event.png");
    }
    EXPECT_THAT(files.close(), SizeIs(8));
    for (const char* name : {"p/a_000.png", "p/a_004.png", "still.png", "of_an_event.png"})
        EXPECT_TRUE(std::filesystem::is_regular_file(folder / name)) << name;
    EXPECT_FALSE(std::filesystem::exists(folder / "p/a_005.png"));
    EXPECT_EQ(StateLog((folder / "run.states").string()).frameCount(), 2);
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace pliant::program
