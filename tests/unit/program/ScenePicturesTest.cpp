// SPDX-License-Identifier: Zlib
// Lights, pictures and files of a scene: what they come to, and every mistake.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "PicturedScene.h"
#include "PixelOf.h"
#include "draw/ScenePainter.h"
#include "loop/OutputFiles.h"
#include "loop/SceneLog.h"

namespace pliant::program {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

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
        for (int x = left * 3; x < (left + width) * 3; ++x) sum += test::pixelOf(image, 0, y)[x];
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
    const auto pixel = [](const osg::Image& image, int t) { return test::pixelOf(image, 5, t); };
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

/// How much darker the first of two pictures is, pixel by pixel.
std::vector<int> darkening(const osg::Image& dark, const osg::Image& light) {
    std::vector<int> all;
    for (unsigned i = 1; i < dark.getTotalSizeInBytes(); i += 3) all.push_back(light.data()[i] - dark.data()[i]);
    return all;
}

// A penumbra has neither the shadow's brightness nor the light's.
TEST(SceneLights, ShadowsAreAsSoftAsTheySay) {
    if (!osgPliant::HeadlessViewer().isValid()) GTEST_SKIP() << osgPliant::HeadlessViewer().getProblem();
    const auto with = [&](const std::string& shadow) {
        return paint(kDown + "lights: [{kind: sun, direction: [0.5, 0, -1], shadow: " + shadow + "}]\n");
    };
    const auto none = with("false");
    const auto penumbra = [&](const std::string& softness) {
        const std::vector<int> dark = darkening(*with("{size: 64, softness: " + softness + "}"), *none);
        const int most = *std::max_element(dark.begin(), dark.end());
        EXPECT_GT(most, 40) << "there is a shadow";
        return std::count_if(dark.begin(), dark.end(), [&](int d) { return d > most / 5 && d < 4 * most / 5; });
    };
    EXPECT_GT(penumbra("12"), 2 * penumbra("0.5"));
}

// Of a row of boxes that leads away from the eye the near ones alone have shadows.
TEST(SceneLights, ShadowsReachAsFarAsTheySay) {
    if (!osgPliant::HeadlessViewer().isValid()) GTEST_SKIP() << osgPliant::HeadlessViewer().getProblem();
    const auto with = [&](const std::string& shadow) {
        const scene::SceneDescription scene = parse(
            "ground: {}\nrigid: [{repeat: {i: 12}, shape: box, size: [0.5, 0.5, 1], position: [0, = 2*i, 0.5]}]\n"
            "cameras: {along: {from: [1, -4, 2], to: [0.3, 4, 0]}}\nenvironment: {haze: 0}\n"
            "lights: [{kind: sun, direction: [1, 0, -1], shadow: " +
            shadow + "}]\n");
        scene::Bounds bounds;
        bounds.add(Vector3(-1, -1, 0));
        bounds.add(Vector3(1, 23, 1));
        SceneView view(scene, {}, bounds);
        ScenePainter painter(view, 160, 120);
        scene::ScenePoses poses;
        for (int i = 0; i < 12; ++i) poses.rigid.push_back({Matrix3::Identity(), Vector3(0, 2 * i, 0.5)});
        poses.isRigidShown.assign(12, 1);
        scene::SceneCameras cameras(scene, {});
        cameras.follow(poses);
        view.show(poses);
        return osg::ref_ptr<osg::Image>(
            new osg::Image(painter.paint(cameras.views(), 0.0), osg::CopyOp::DEEP_COPY_ALL));
    };
    const auto none = with("false");
    const auto topOf = [&](const std::string& shadow) {
        const std::vector<int> dark = darkening(*with(shadow), *none);
        int top = -1;
        for (int i = 0; i < static_cast<int>(dark.size()); ++i)
            if (dark[static_cast<std::size_t>(i)] > 40) top = i / 160;
        return top;
    };
    const int six = topOf("{distance: 6}"), twelve = topOf("{distance: 12}"), all = topOf("true");
    EXPECT_GT(six, 0);
    EXPECT_GT(twelve, six + 8);
    EXPECT_GT(all, twelve + 8);
}

TEST(SceneLights, SunAndLampsHaveColours) {
    if (!osgPliant::HeadlessViewer().isValid()) GTEST_SKIP() << osgPliant::HeadlessViewer().getProblem();
    const std::string dark = kDown + "environment: {light: {above: [0, 0, 0], below: [0, 0, 0]}, haze: 0}\nlights: [";
    for (const char* light : {"{kind: sun, direction: [0, 0, -1], ",
                              "{kind: sun, brightness: 0}, {kind: point, at: [0, 0, 3], brightness: 5, "})
        for (const int channel : {0, 1, 2}) {
            const char* const colours[] = {"[1, 0, 0]", "[0, 1, 0]", "[0, 0, 1]"};
            const auto lit = paint(dark + light + "colour: " + colours[channel] + "}]\n");
            const unsigned char* ground = lit->data(30, 60);
            for (int c = 0; c < 3; ++c) EXPECT_EQ(ground[c] > 60, c == channel) << light << c;
            EXPECT_LT(ground[(channel + 1) % 3] + ground[(channel + 2) % 3], 10) << light;
        }
}

// Haze of a red horizon: more of it far away, and more where it is denser.
TEST(SceneLights, HazeHidesWhatIsFarAway) {
    if (!osgPliant::HeadlessViewer().isValid()) GTEST_SKIP() << osgPliant::HeadlessViewer().getProblem();
    const auto redness = [&](const std::string& haze, int row) {
        const auto image = paint(kBall +
                                 "cameras: {side: {from: [0, -4, 0.5], to: [0, 0, 0.5]}}\nenvironment: "
                                 "{background: [0.8, 0, 0], haze: " +
                                 haze + "}\n");
        const unsigned char* pixel = test::pixelOf(*image, 10, row);
        return static_cast<int>(pixel[0]) - pixel[1];
    };
    const int near = 5, far = 54;  // rows of the ground, 1.7 and some 17 m away
    EXPECT_LT(std::abs(redness("0", far) - redness("0", near)), 30) << "clear air";
    EXPECT_GT(redness("0.1", far), redness("0.1", near) + 40);
    EXPECT_GT(redness("1", near), redness("0.1", near) + 40);
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
    const auto isRed = [](const osg::Image& image, int s, int t) {
        return test::pixelOf(image, s, t)[0] > test::pixelOf(image, s, t)[2];
    };
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
