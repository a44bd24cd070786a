// SPDX-License-Identifier: Zlib
// Cameras, views, shots and what leads them: what they come to, and every mistake.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "PicturedScene.h"
#include "draw/ScenePainter.h"

namespace pliant::program {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

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

}  // namespace
}  // namespace pliant::program
