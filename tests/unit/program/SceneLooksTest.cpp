// SPDX-License-Identifier: Zlib
// What images do to surfaces and to the sky: normal maps, and a picture all around.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <osgDB/WriteFile>

#include "../bridge/BarModel.h"
#include "PaintedScene.h"
#include "PixelOf.h"
#include "models/ReduceReader.h"
#include "osgPliant/ModelGeometry.h"
#include "pliant/scene/SceneReader.h"

namespace pliant::test {
namespace {

class SceneLooks : public testing::Test {
protected:
    void SetUp() override {
        if (!osgPliant::HeadlessViewer().isValid()) GTEST_SKIP() << osgPliant::HeadlessViewer().getProblem();
        // Of this test alone: others of this suite run beside it.
        m_folder =
            testing::TempDir() + "pliant_looks_" + testing::UnitTest::GetInstance()->current_test_info()->name() + "/";
        std::filesystem::create_directories(m_folder);
        std::ofstream(m_folder + "bar.pliant") << "never read: the model is handed over";
    }
    void TearDown() override { std::filesystem::remove_all(m_folder); }

    /// An image of two colours, the upper half and the lower one.
    void write(const std::string& name, const osg::Vec3ub& upper, const osg::Vec3ub& lower) const {
        const osg::ref_ptr<osg::Image> image = new osg::Image;
        image->allocateImage(8, 8, 1, GL_RGB, GL_UNSIGNED_BYTE);
        for (int y = 0; y < 8; ++y)
            for (int x = 0; x < 8; ++x)
                for (int c = 0; c < 3; ++c)
                    pixelOf(*image, x, y)[c] =
                        y < 4 ? lower[static_cast<unsigned>(c)] : upper[static_cast<unsigned>(c)];
        ASSERT_TRUE(osgDB::writeImageFile(*image, m_folder + name));
    }

    /// A bar with texture coordinates along x and z, seen from the side below a wide sky.
    osg::ref_ptr<osg::Image> paint(const std::string& material, const std::string& rest = "") const {
        const auto model = std::make_shared<ReducedModel>(*makeBar());
        model->surface.materials[0].name = "skin";
        model->surface.texcoords.resize(2, model->surface.vertexCount());
        model->surface.texcoords.row(0) = model->surface.positions.row(0);
        model->surface.texcoords.row(1) = model->surface.positions.row(2);
        const scene::SceneDescription scene = scene::parseScene(
            "materials: {own: {colour: [0.6, 0.6, 0.6], roughness: 1" + material +
                "}}\nmodels: {bar: {file: bar.pliant, materials: {skin: own}}}\nbodies: [{model: bar}]\n"
                "cameras: {side: {from: [0, -1.6, 0], to: [0, 0, 0]}}\nlight: {direction: [0.6, 0.8, -0.3], shadow: "
                "false}\n" +
                rest,
            m_folder + "looks.yaml", program::sceneOptions());
        PaintedScene painted(scene, model, 160, 120);
        return new osg::Image(painted.paint(restPoses(*model, 1)), osg::CopyOp::DEEP_COPY_ALL);
    }

    /// The same bar of a material of its own, lit from the eye: what shines is the middle of its face.
    osg::ref_ptr<osg::Image> paintLit(const std::string& material) const {
        const auto model = std::make_shared<ReducedModel>(*makeBar());
        model->surface.materials[0].name = "skin";
        const scene::SceneDescription scene = scene::parseScene(
            "materials: {own: {colour: [0.3, 0, 0], " + material +
                "}}\nmodels: {bar: {file: bar.pliant, materials: {skin: own}}}\nbodies: [{model: bar}]\n"
                "cameras: {side: {from: [0, -0.7, 0], to: [0, 0, 0]}}\nlight: {direction: [0, 1, -0.2], shadow: "
                "false}\nenvironment: {background: [0, 0, 1], haze: 0}\n",
            m_folder + "lit.yaml", program::sceneOptions());
        PaintedScene painted(scene, model, 160, 120);
        return new osg::Image(painted.paint(restPoses(*model, 1)), osg::CopyOp::DEEP_COPY_ALL);
    }

    std::string m_folder;
};

/// The most of a channel in the middle column of a picture, where it lies on the bar: it is 8 pixels thick at least.
int mostOf(const osg::Image& image, int channel) {
    int most = 0;
    for (int y = 56; y < 64; ++y) most = std::max(most, static_cast<int>(pixelOf(image, 80, y)[channel]));
    return most;
}

/// The largest difference of two pictures, of 255.
int farthest(const osg::Image& a, const osg::Image& b) {
    int most = 0;
    for (unsigned i = 0; i < a.getTotalSizeInBytes(); ++i)
        most = std::max(most, std::abs(static_cast<int>(a.data()[i]) - static_cast<int>(b.data()[i])));
    return most;
}

TEST_F(SceneLooks, NormalMapsTurnTheLightAndLevelOnesDoNot) {
    write("level.png", {128, 128, 255}, {128, 128, 255});
    write("slanting.png", {230, 128, 200}, {230, 128, 200});
    const auto plain = paint("");
    EXPECT_LE(farthest(*plain, *paint(", normal_map: level.png")), 4) << "128 is not quite the middle of 255";
    EXPECT_GT(farthest(*plain, *paint(", normal_map: slanting.png")), 25);
}

// A red body has a white highlight, the wider and fainter the rougher it is; a metal's is red.
TEST_F(SceneLooks, HighlightsAreThoseOfTheMaterial) {
    const auto smooth = paintLit("roughness: 0.2"), rough = paintLit("roughness: 1");
    const auto metal = paintLit("roughness: 0.2, metal: 1");
    EXPECT_GT(mostOf(*smooth, 1), 100);
    EXPECT_LT(mostOf(*rough, 1), mostOf(*smooth, 1) - 50);
    EXPECT_LT(mostOf(*metal, 1), 10) << "no green in what is mirrored";
    EXPECT_GT(mostOf(*metal, 0), mostOf(*smooth, 0)) << "metals mirror more";
}

// The same of a rigid shape.
TEST_F(SceneLooks, HighlightsOfRigidShapesAreThoseOfTheirMaterial) {
    const auto ball = [&](const std::string& material) {
        const scene::SceneDescription scene = scene::parseScene(
            "materials: {own: {colour: [0.3, 0, 0], " + material +
                "}}\nmodels: {bar: {file: bar.pliant}}\nbodies: [{model: bar, position: [0, 0, -30]}]\nrigid: [{shape: "
                "sphere, radius: 0.2, position: [0, 0, 0], kinematic: true, material: own}]\n"
                "cameras: {side: {from: [0, -0.9, 0], to: [0, 0, 0]}}\nlight: {direction: [0, 1, -0.2], shadow: "
                "false}\nenvironment: {background: [0, 0, 1], haze: 0}\n",
            m_folder + "ball.yaml", program::sceneOptions());
        PaintedScene painted(scene, makeBar(), 160, 120);
        scene::ScenePoses poses = restPoses(*makeBar(), 1);
        poses.models[0].worldFromBody[0].translation = Vector3(0, 0, -30);
        poses.rigid.resize(1);
        poses.isRigidShown = {1};
        return osg::ref_ptr<osg::Image>(new osg::Image(painted.paint(poses), osg::CopyOp::DEEP_COPY_ALL));
    };
    const auto mostOfBall = [](const osg::Image& image, int channel) {
        int most = 0;
        for (int y = 40; y < 80; ++y)
            for (int x = 60; x < 100; ++x) most = std::max(most, static_cast<int>(pixelOf(image, x, y)[channel]));
        return most;
    };
    const auto smooth = ball("roughness: 0.2"), metal = ball("roughness: 0.2, metal: 1");
    EXPECT_GT(mostOfBall(*smooth, 1), 100);
    EXPECT_LT(mostOfBall(*metal, 1), 10) << "no green in what is mirrored";
    EXPECT_GT(mostOfBall(*metal, 0), 150);
}

TEST_F(SceneLooks, TheSkyIsSeenThroughWhatIsNotOpaque) {
    const auto opaque = paintLit("roughness: 1, opacity: 1"), half = paintLit("roughness: 1, opacity: 0.5");
    EXPECT_LT(mostOf(*opaque, 2), 60);
    EXPECT_GT(mostOf(*half, 2), mostOf(*opaque, 2) + 30);
    EXPECT_GT(mostOf(*half, 0), 30) << "and the body is there";
}

TEST_F(SceneLooks, GroupsMayHaveMaterialsOfTheirOwn) {
    const auto model = std::make_shared<ReducedModel>(*makeBar());
    model->surface.materials[0].name = "skin";
    const scene::SceneDescription scene = scene::parseScene(
        "materials: {red: {colour: [0.7, 0.02, 0.02]}, blue: {colour: [0.02, 0.02, 0.7]}}\n"
        "models: {bar: {file: bar.pliant, materials: {skin: red}}}\n"
        "bodies:\n  - {name: one, model: bar, position: [0, 0, 0.5]}\n"
        "  - {name: other, model: bar, position: [0, 0, -0.5], materials: {skin: blue}}\n"
        "cameras: {side: {from: [0, -4, 0], to: [0, 0, 0]}}\nlight: {direction: [0.6, 0.8, -0.3], shadow: false}\n",
        m_folder + "looks.yaml", program::sceneOptions());
    PaintedScene painted(scene, model, 160, 120);
    scene::ScenePoses poses = restPoses(*model, 2);
    poses.models[0].worldFromBody[0].translation = Vector3(0, 0, 0.5);
    poses.models[0].worldFromBody[1].translation = Vector3(0, 0, -0.5);
    const auto count = [&](int strong, int weak, bool isUpper) {
        const osg::Image& image = painted.paint(poses);
        int pixels = 0;
        for (int y = isUpper ? 60 : 0; y < (isUpper ? 120 : 60); ++y)
            for (int x = 0; x < 160; ++x) pixels += pixelOf(image, x, y)[strong] > 3 * pixelOf(image, x, y)[weak] + 20;
        return pixels;
    };
    EXPECT_GT(count(0, 2, true), 100) << "red above";
    EXPECT_GT(count(2, 0, false), 100) << "blue below";
    EXPECT_EQ(count(2, 0, true) + count(0, 2, false), 0) << "each is drawn once";
    poses.isShown = {{1, 0}};
    EXPECT_EQ(count(2, 0, false), 0) << "who is not there is not drawn";
    EXPECT_GT(count(0, 2, true), 100);
}

// From above, a ground whose texture is half black and half white, in squares of two metres, and the light of the sun
// that goes out.
TEST_F(SceneLooks, TheGroundHasATextureAndTheSunIsLed) {
    const std::string file = m_folder + "stripes.png";
    osg::ref_ptr<osg::Image> stripes = new osg::Image;
    stripes->allocateImage(64, 64, 1, GL_RGB, GL_UNSIGNED_BYTE);
    for (int t = 0; t < 64; ++t)
        for (int s = 0; s < 64; ++s) std::memset(pixelOf(*stripes, s, t), s < 32 ? 0 : 255, 3);
    ASSERT_TRUE(osgDB::writeImageFile(*stripes, file));
    const auto paint = [&](const std::string& ground, double time) {
        const auto scene = scene::parseScene(
            "materials: {stripes: {texture: " + file +
                "}}\nrigid: [{shape: sphere, radius: 0.01, position: [0, 0, -5]}]\nground: " + ground +
                "\nlights: [{kind: sun, direction: [0, 0, -1], shadow: false}]\n"
                "animate: [{what: sun.brightness, keys: [[0, 1], [1, 0]]}]\n"
                "camera: {from: [0, 0, 4], to: [0, 0, 0], field_of_view: 50}\n",
            m_folder + "stripes.yaml", program::sceneOptions());
        program::SceneView view(scene, {}, aboutTheOrigin());
        program::ScenePainter painter(view, 128, 128);
        scene::ViewPoint point;
        point.eye = scene.camera->from;
        point.centre = scene.camera->to;
        point.fieldOfView = scene.camera->fieldOfView;
        scene::SceneCameras cameras(scene, point);
        scene::ScenePoses poses;
        poses.time = time;
        poses.rigid.resize(1);
        poses.isRigidShown = {1};
        cameras.follow(poses);
        view.show(poses);
        return osg::ref_ptr<osg::Image>(new osg::Image(painter.paint(cameras.views(), time)));
    };
    const auto brightness = [](const osg::Image& image, int s, int t) {
        return static_cast<int>(pixelOf(image, s, t)[1]);
    };
    const osg::ref_ptr<osg::Image> striped = paint("{material: stripes, tile: 2}", 0.0);
    // 3.73 m are 128 pixels: a stripe of 1 m is 34 of them, along one axis of the plane.
    int changesAcross = 0, changesUp = 0;
    for (int i = 1; i < 128; ++i) {
        changesAcross += (brightness(*striped, i, 70) > 128) != (brightness(*striped, i - 1, 70) > 128);
        changesUp += (brightness(*striped, 70, i) > 128) != (brightness(*striped, 70, i - 1) > 128);
    }
    EXPECT_EQ(std::min(changesAcross, changesUp), 0);
    EXPECT_GE(std::max(changesAcross, changesUp), 3);
    EXPECT_LE(std::max(changesAcross, changesUp), 4);
    const int lit = brightness(*paint("{}", 0.0), 70, 70), dark = brightness(*paint("{}", 1.0), 70, 70);
    EXPECT_GT(lit, dark + 40) << "the sun has gone out";
    if (const char* keep = std::getenv("PLIANT_TEST_PICTURES"))
        osgDB::writeImageFile(*striped, std::string(keep) + "/ground.png");
}

TEST_F(SceneLooks, APictureTakesThePlaceOfTheSky) {
    write("sky.png", {250, 20, 20}, {20, 250, 20});
    const auto sky = paint("", "environment: {image: sky.png}\n");
    const unsigned char *above = sky->data(80, 115), *below = sky->data(80, 5);
    EXPECT_GT(above[0], above[1] + 100) << "red above the horizon";
    EXPECT_GT(below[1], below[0] + 100) << "green below it";
}

TEST_F(SceneLooks, TwoSidedMaterialsAreDrawnFromBehindToo) {
    const auto model = makeBar();
    const auto culls = [&](bool isTwoSided) {
        const osg::ref_ptr<osgPliant::ModelGeometry> geometry = new osgPliant::ModelGeometry(model);
        geometry->dressMaterial(0, "", isTwoSided);
        return geometry->createParts(0)[0]->getStateSet()->getMode(GL_CULL_FACE) == osg::StateAttribute::ON;
    };
    EXPECT_TRUE(culls(false));
    EXPECT_FALSE(culls(true));
}

}  // namespace
}  // namespace pliant::test
