// SPDX-License-Identifier: Zlib
// Bodies that go into a file of OpenSceneGraph and come back.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <osgDB/ReadFile>
#include <osgDB/WriteFile>
#include <sstream>

#include "../bridge/BarModel.h"
#include "SkinModels.h"
#include "TestModels.h"
#include "osgPliant/BodyGroup.h"
#include "osgPliant/BodyPoint.h"
#include "osgPliant/CharacterGroup.h"
#include "osgPliant/DebugDrawing.h"
#include "osgPliant/HeadlessViewer.h"
#include "osgPliant/Links.h"
#include "osgPliant/Primitives.h"
#include "osgPliant/SoftwareDeformation.h"
#include "osgPliant/Stage.h"

using namespace pliant::test;
using osgPliant::BodyGroup;
using osgPliant::Skin;

namespace {

constexpr int dimension = 3;  // of the bar

void storeModel(const std::string& path) {
    pliant::ReducedModel bar = *makeBar();
    bar.surfaceEmbedding = pliant::embed(bar.mesh, inMeshFrame(bar, std::vector<double>(dimension, 0.0)).positions);
    pliant::saveModel(bar, path);
}

class SceneFile : public ::testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        _folder = std::filesystem::temp_directory_path() / (std::string("pliant_scene_file_") + GetParam());
        std::filesystem::create_directories(_folder);
    }
    void TearDown() override { std::filesystem::remove_all(_folder); }

    osg::ref_ptr<osg::Node> throughAFile(const osg::Node& node) const {
        const std::string path = (_folder / "scene.").string() + GetParam();
        EXPECT_TRUE(osgDB::writeNodeFile(node, path));
        return osgDB::readRefNodeFile(path);
    }
    /// A model with a mesh, from a file.
    std::shared_ptr<const pliant::ReducedModel> storedModel(const std::string& path) const {
        pliant::ReducedModel bar = *makeBar();
        bar.surfaceEmbedding = pliant::embed(bar.mesh, inMeshFrame(bar, std::vector<double>(dimension, 0.0)).positions);
        pliant::saveModel(bar, path);
        return pliant::loadModel(path);
    }

    std::filesystem::path _folder;
};

void place(BodyGroup& group) {
    for (int i = 0; i < 3; ++i)
        group.setBody(
            i, osg::Matrixd::rotate(0.3 * i, osg::Vec3d(1.0, 2.0, 3.0)) * osg::Matrixd::translate(0.7 * i, 0.0, 0.0),
            makeCoordinates(dimension, i, 0.04).data());
    group.setColour(1, osg::Vec4(1.0f, 0.3f, 0.2f, 1.0f));
    group.setBodyVisible(2, false);
}

/// What OpenSceneGraph's own plugin for .obj files writes of a bar at rest is the bar's surface in its file's frame.
void expectMesh(const osg::Node& node) {
    const std::string path = (std::filesystem::temp_directory_path() / "pliant_exported.obj").string();
    ASSERT_TRUE(osgDB::writeNodeFile(node, path));
    std::ifstream file(path);
    osg::BoundingBoxd written, expected;
    int vertices = 0;
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string kind;
        osg::Vec3d x;
        if (words >> kind >> x.x() >> x.y() >> x.z() && kind == "v") {
            written.expandBy(x);
            ++vertices;
        }
    }
    std::filesystem::remove(path);
    const pliant::SurfaceMesh surface = inMeshFrame(*makeBar(), std::vector<double>(dimension, 0.0));
    for (int v = 0; v < surface.vertexCount(); ++v)
        expected.expandBy(osg::Vec3d(surface.positions(0, v), surface.positions(1, v), surface.positions(2, v)));
    EXPECT_EQ(vertices, surface.vertexCount());
    EXPECT_LT((written._min - expected._min).length(), 1e-5);
    EXPECT_LT((written._max - expected._max).length(), 1e-5);
}

void expectTheSame(const BodyGroup& expected, osg::Node* read) {
    auto* group = dynamic_cast<BodyGroup*>(read->asGroup()->getChild(0));
    ASSERT_NE(group, nullptr);
    ASSERT_EQ(group->getBodyCount(), expected.getBodyCount());
    for (int i = 0; i < expected.getBodyCount(); ++i) {
        EXPECT_EQ(group->getQ(i), expected.getQ(i)) << "to the bit";
        EXPECT_EQ(group->getWorldFromBody(i), expected.getWorldFromBody(i));
        EXPECT_EQ(group->getColour(i), expected.getColour(i));
        EXPECT_EQ(group->getBodyVisible(i), expected.getBodyVisible(i));
    }
    EXPECT_EQ(group->getNumChildren(), expected.getNumChildren());
    EXPECT_EQ(group->getPixelError(), expected.getPixelError());
    EXPECT_EQ(group->getPositionName(), expected.getPositionName());
    EXPECT_EQ(group->getNormalName(), expected.getNormalName());
    const osg::Vec3d eye(1.0, 1.0, 3.0), centre(0.5, 0.0, 0.0);
    osg::ref_ptr<osg::Group> before = new osg::Group;
    before->addChild(const_cast<BodyGroup*>(&expected));
    const auto first = renderPicture(before, "written", eye, centre), second = renderPicture(read, "read", eye, centre);
    if (!first) return;  // no OpenGL here
    EXPECT_EQ(countDifferentPixels(*first, *second, 1), 0);
}

}  // namespace

TEST_P(SceneFile, ABodyOfAModelFileComesBack) {
    const std::string path = (_folder / "torus.pliant").string();
    const auto model = storedModel(path);
    osg::ref_ptr<osgPliant::ModelGeometry> geometry = new osgPliant::ModelGeometry(model);
    geometry->setModelFile(path);
    osg::ref_ptr<BodyGroup> group = new BodyGroup(geometry, 3);
    group->setPixelError(0.5);
    group->addChild(new osg::Group);
    place(*group);
    osg::ref_ptr<osg::Group> root = new osg::Group;
    root->addChild(group);
    const osg::ref_ptr<osg::Node> read = throughAFile(*root);
    ASSERT_TRUE(read.valid());
    expectTheSame(*group, read);
    EXPECT_LT(std::filesystem::file_size((_folder / "scene.").string() + GetParam()), 10000u)
        << "the model is only named";
}

TEST_P(SceneFile, ASkinComesBackWithItsModel) {
    const auto model = storedModel((_folder / "torus.pliant").string());
    osg::ref_ptr<BodyGroup> group =
        new BodyGroup(Skin::bind(makeSkinNode(inMeshFrame(*model, std::vector<double>(dimension, 0.0))), model,
                                 osgPliant::Deformation::Float),
                      3);
    place(*group);
    group->setAttributeNames("place", "");
    osg::ref_ptr<osg::Group> root = new osg::Group;
    root->addChild(group);
    std::filesystem::remove(_folder / "torus.pliant");
    const osg::ref_ptr<osg::Node> read = throughAFile(*root);
    ASSERT_TRUE(read.valid());
    expectTheSame(*group, read);
    group->setPixelError(1.0);  // what other looks have without being told
    const osg::ref_ptr<osg::Node> again = throughAFile(*root);
    ASSERT_TRUE(again.valid());
    expectTheSame(*group, again);
}

TEST_P(SceneFile, NumbersThatAreNoneComeBack) {
    const std::string path = (_folder / "torus.pliant").string();
    osg::ref_ptr<osgPliant::ModelGeometry> geometry = new osgPliant::ModelGeometry(storedModel(path));
    geometry->setModelFile(path);
    osg::ref_ptr<BodyGroup> group = new BodyGroup(geometry, 2);
    const double q[dimension] = {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity(),
                                 0.25};
    group->setBody(0, osg::Matrixd(), q);
    ::testing::internal::CaptureStderr();
    const osg::ref_ptr<osg::Node> node = throughAFile(*group);
    EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
    const auto* read = dynamic_cast<BodyGroup*>(node.get());
    ASSERT_NE(read, nullptr);
    const std::vector<double> back = read->getQ(0);
    ASSERT_EQ(back.size(), static_cast<std::size_t>(dimension));
    EXPECT_TRUE(std::isnan(back[0]));
    EXPECT_EQ(back[1], q[1]);
    EXPECT_EQ(back[2], q[2]);
}

TEST_P(SceneFile, AModelThatIsGoneIsNamed) {
    const std::string path = (_folder / "torus.pliant").string();
    osg::ref_ptr<osgPliant::ModelGeometry> geometry = new osgPliant::ModelGeometry(storedModel(path));
    geometry->setModelFile(path);
    osg::ref_ptr<BodyGroup> group = new BodyGroup(geometry, 3);
    place(*group);
    const std::string scene = (_folder / "scene.").string() + GetParam();
    ASSERT_TRUE(osgDB::writeNodeFile(*group, scene));
    std::filesystem::remove(path);
    ::testing::internal::CaptureStderr();
    const osg::ref_ptr<osg::Node> read = osgDB::readRefNodeFile(scene);
    EXPECT_NE(::testing::internal::GetCapturedStderr().find("torus.pliant"), std::string::npos);
    const auto* empty = dynamic_cast<BodyGroup*>(read.get());
    EXPECT_TRUE(!empty || !empty->getBound().valid());
}

// As the node itself and anywhere in a graph. SceneNode: tests/unit/program/SceneViewTest.cpp.
TEST_P(SceneFile, NodesThatDoNotGoIntoFilesFailThem) {
    const osg::ref_ptr<osg::Node> nodes[] = {new osgPliant::CharacterGroup, new osgPliant::DebugDrawing,
                                             new osgPliant::Links, new osgPliant::SoftwareDeformation,
                                             new osgPliant::Stage};
    const std::string path = (_folder / "scene.").string() + GetParam();
    for (const osg::ref_ptr<osg::Node>& node : nodes) {
        const osg::ref_ptr<osg::Group> root = new osg::Group, middle = new osg::Group;
        root->addChild(middle);
        EXPECT_TRUE(osgDB::writeNodeFile(*root, path));
        middle->addChild(node);
        middle->addChild(new osg::Group);
        for (const osg::Node* written : {node.get(), static_cast<osg::Node*>(root.get())}) {
            ::testing::internal::CaptureStderr();
            EXPECT_FALSE(osgDB::writeNodeFile(*written, path)) << node->className();
            EXPECT_NE(::testing::internal::GetCapturedStderr().find(node->className()), std::string::npos)
                << node->className();
        }
    }
}

// Shapes and what a stage has adopted keep the program that its light is in.
TEST_P(SceneFile, ShapesOfAStageComeBackWithItsProgram) {
    PLIANT_NEEDS_OPENGL();
    osgPliant::PrimitiveLook look;
    look.colour = osg::Vec4f(0.8f, 0.2f, 0.1f, 1.0f);
    // OpenSceneGraph does not read the defines of state sets that it has written as XML.
    look.grid = std::string(GetParam()) == "osgx" ? 0.0f : 0.2f;
    const osg::ref_ptr<osg::Group> shapes = new osg::Group;
    shapes->addChild(osgPliant::createBox(osg::Vec3f(0.3f, 0.3f, 0.3f), look));
    const osg::ref_ptr<osg::Node> read = throughAFile(*shapes);
    ASSERT_TRUE(read.valid());
    const auto below = [](osg::Node* node) {
        const osg::ref_ptr<osgPliant::Stage> stage = new osgPliant::Stage;
        stage->addChild(node);
        return stage;
    };
    const osg::Vec3d eye(0.8, 0.9, 1.4), centre(0.0, 0.0, 0.0);
    const auto expected = renderPicture(below(shapes), "shapes", eye, centre),
               drawn = renderPicture(below(read), "shapes_read", eye, centre),
               nothing = renderPicture(below(new osg::Group), "shapes_none", eye, centre);
    EXPECT_GT(countDifferentPixels(*expected, *nothing, 8), 2000);
    EXPECT_EQ(countDifferentPixels(*expected, *drawn, 1), 0);
}

TEST(Plugin, ReadsAModelAndPlaysItsShapes) {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "pliant_plugin";
    std::filesystem::create_directories(folder);
    const std::string path = (folder / "bar.pliant").string();
    storeModel(path);
    osgDB::Registry::instance()->getLibraryFilePathList().push_front(PLIANT_PLUGIN_FOLDER);
    const osg::ref_ptr<osg::Node> read = osgDB::readRefNodeFile(path);
    const osg::ref_ptr<osg::Node> still = osgDB::readRefNodeFile(path, new osgDB::Options("still"));
    const osg::ref_ptr<osg::Object> object = osgDB::readRefObjectFile(path);
    const auto written = std::filesystem::last_write_time(path);
    std::filesystem::last_write_time(path, written + std::chrono::seconds(1));
    const osg::ref_ptr<osg::Node> later = osgDB::readRefNodeFile(path);
    ::testing::internal::CaptureStderr();
    const osg::ref_ptr<osg::Node> none = osgDB::readRefNodeFile((folder / "none.pliant").string());
    ::testing::internal::GetCapturedStderr();
    std::filesystem::remove_all(folder);
    ASSERT_TRUE(read.valid() && still.valid());
    ASSERT_TRUE(object.valid()) << "osgconv reads objects";
    EXPECT_STREQ(object->className(), "BodyGroup");
    EXPECT_FALSE(none.valid());
    expectMesh(*still);
    EXPECT_STREQ(read->className(), "BodyGroup");
    const auto modelOf = [](osg::Object* node) {
        return static_cast<BodyGroup*>(node)->getModelGeometry()->getModel().get();
    };
    EXPECT_EQ(modelOf(read), modelOf(still)) << "one model for all tiles that have it";
    ASSERT_TRUE(later.valid());
    EXPECT_NE(modelOf(read), modelOf(later)) << "a file that has been written anew";
    PLIANT_NEEDS_OPENGL();
    osgPliant::HeadlessOptions options;
    options.width = options.height = 120;
    for (const auto& [node, moves] : {std::pair(read, true), std::pair(still, false)}) {
        osgPliant::HeadlessViewer viewer(options);
        viewer.setScene(node);
        viewer.setCamera(osg::Vec3d(0.3, -2.0, 0.8), osg::Vec3d(0.3, -0.2, 0.1), osg::Vec3d(0.0, 0.0, 1.0));
        const osg::ref_ptr<osg::Image> rest = new osg::Image(*viewer.render(0.0), osg::CopyOp::DEEP_COPY_ALL);
        viewer.render(0.1);
        const int changed = countDifferentPixels(*rest, *viewer.render(0.45), 8);
        EXPECT_EQ(changed > 50, moves) << changed;
    }
}

TEST_P(SceneFile, PointsThatRideOnBodiesComeBack) {
    const osg::ref_ptr<BodyGroup> group =
        new BodyGroup(new osgPliant::ModelGeometry(storedModel((_folder / "bar.pliant").string())), 3);
    place(*group);
    const osg::ref_ptr<osgPliant::BodyPoint> point =
        new osgPliant::BodyPoint(group, 1, osg::Vec3d(0.4 + 1e-9, -0.2, 0.1));
    point->addChild(new osg::Group);
    group->addChild(point);
    const osg::ref_ptr<osg::Group> scene = new osg::Group;
    scene->addChild(group);
    const osg::ref_ptr<osg::Node> read = throughAFile(*scene);
    ASSERT_TRUE(read.valid());
    auto* readGroup = dynamic_cast<BodyGroup*>(read->asGroup()->getChild(0));
    ASSERT_NE(readGroup, nullptr);
    ASSERT_EQ(readGroup->getNumChildren(), 1u);
    auto* readPoint = dynamic_cast<osgPliant::BodyPoint*>(readGroup->getChild(0));
    ASSERT_NE(readPoint, nullptr);
    EXPECT_EQ(readPoint->getBodyGroup(), readGroup);
    EXPECT_EQ(readPoint->getRestPoint(), point->getRestPoint()) << "to the bit";
    EXPECT_EQ(readPoint->getNumChildren(), 1u);
    updateOnce(*scene);
    updateOnce(*read);
    EXPECT_EQ(readPoint->getMatrix(), point->getMatrix());
    EXPECT_FALSE(point->getMatrix().isIdentity());
}

INSTANTIATE_TEST_SUITE_P(Formats, SceneFile, ::testing::Values("osgt", "osgb", "osgx"));
