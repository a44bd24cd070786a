// SPDX-License-Identifier: Zlib
// A run as glTF, opened again by another program's reader.
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <assimp/Importer.hpp>
#include <filesystem>
#include <fstream>
#include <osg/Geode>
#include <osg/Geometry>

#include "../bridge/BarModel.h"
#include "PaintedScene.h"
#include "loop/GltfFile.h"
#include "models/ReduceReader.h"
#include "osgPliant/HeadlessViewer.h"
#include "pliant/scene/SceneReader.h"

namespace pliant::test {
namespace {

const std::string kScene =
    std::string("models: {bar: {file: ") + PLIANT_MEDIA_DIR +
    "/solids/jelly.obj}}\nbodies: [{name: bar, model: bar, grid: {count: [2, 1, 1], spacing: 1}}]\n"
    "rigid: [{name: box, shape: box, size: [1, 2, 3]}]\n";

TEST(Gltf, AssimpReadsTheModelOnceAndEveryBodysCoordinates) {
    const scene::SceneDescription scene = scene::parseScene(kScene, "bars.yaml", program::sceneOptions());
    const auto model = makeBarWithTurningNormals();
    const int r = model->dimension();
    const std::string path = ::testing::TempDir() + "pliant_run.glb";
    program::GltfFile file(path, scene, {model});
    scene::ScenePoses poses = restPoses(*model, 2);
    poses.rigid.resize(1);
    poses.isRigidShown = {1};
    for (int frame = 0; frame < 3; ++frame) {
        poses.time = 0.5 * frame;
        RigidTransform place;
        place.translation = Vector3(frame, 2, 3);
        place.rotation = Eigen::AngleAxisd(0.3 * frame, Vector3::UnitZ()).toRotationMatrix();
        for (int j = 0; j < r; ++j) poses.models[0].qOf(1)[j] = 0.125 * (j + 1) * frame;
        poses.models[0].worldFromBody[1] = place;
        poses.isShown[0][0] = frame > 0;
        file.add(poses);
    }
    file.close();

    Assimp::Importer importer;
    const aiScene* read = importer.ReadFile(path, 0);
    ASSERT_NE(read, nullptr) << importer.GetErrorString();
    ASSERT_EQ(read->mNumMeshes, 2u) << "a model and a box, however many bodies there are";
    const aiMesh& mesh = *read->mMeshes[0];
    ASSERT_EQ(static_cast<int>(mesh.mNumAnimMeshes), r) << "a morph target a coordinate";
    ASSERT_EQ(static_cast<int>(mesh.mNumVertices), model->surfaceVertexCount());
    for (int v : {0, model->surfaceVertexCount() / 2, model->surfaceVertexCount() - 1}) {
        const auto i = static_cast<unsigned int>(v);
        for (int k = 0; k < 3; ++k) {
            EXPECT_FLOAT_EQ(mesh.mVertices[i][static_cast<unsigned int>(k)],
                            static_cast<float>(model->surface.positions(k, v)));
            EXPECT_FLOAT_EQ(mesh.mNormals[i][static_cast<unsigned int>(k)],
                            static_cast<float>(model->surface.normals(k, v)));
            for (int j = 0; j < r; ++j) {
                EXPECT_NEAR(static_cast<double>(mesh.mAnimMeshes[j]->mVertices[i][static_cast<unsigned int>(k)]),
                            model->surface.positions(k, v) + static_cast<double>(model->surfaceBasis(3 * v + k, j)),
                            1e-6)
                    << "Assimp has targets as whole shapes";
                EXPECT_NEAR(static_cast<double>(mesh.mAnimMeshes[j]->mNormals[i][static_cast<unsigned int>(k)]),
                            model->surface.normals(k, v) + static_cast<double>(model->surfaceNormalBasis(3 * v + k, j)),
                            1e-6);
            }
        }
    }
    ASSERT_EQ(read->mNumAnimations, 1u);
    const aiAnimation& run = *read->mAnimations[0];
    ASSERT_EQ(run.mNumMorphMeshChannels, 2u) << "one a body";
    const bool isSecond = run.mMorphMeshChannels[1]->mName == aiString("bar[1]");
    const aiMeshMorphAnim& weights = *run.mMorphMeshChannels[isSecond ? 1 : 0];
    ASSERT_STREQ(weights.mName.C_Str(), "bar[1]");
    ASSERT_EQ(weights.mNumKeys, 3u);
    for (int j = 0; j < r; ++j)
        EXPECT_NEAR(weights.mKeys[2].mWeights[j], 0.25 * (j + 1), 1e-6) << "q of the last frame";
    EXPECT_EQ(run.mNumChannels, 3u) << "two bodies and the box";
    std::filesystem::remove(path);
}

/// The last frame of a file as another program shows it: targets by their weights, nodes by their tracks.
osg::ref_ptr<osg::Node> lastFrame(const aiScene& read) {
    osg::ref_ptr<osg::Geode> all = new osg::Geode;
    all->getOrCreateStateSet()->setMode(GL_LIGHTING, osg::StateAttribute::OFF);
    const aiNode& root = *read.mRootNode;
    const aiAnimation& run = *read.mAnimations[0];
    const auto toOsg = [](const aiVector3D& v) { return osg::Vec3(v.x, v.y, v.z); };
    for (unsigned int c = 0; c < run.mNumChannels; ++c) {
        const aiNodeAnim& track = *run.mChannels[c];
        const aiNode* node = root.FindNode(track.mNodeName);
        const aiMesh& mesh = *read.mMeshes[node->mMeshes[0]];
        const aiMeshMorphAnim* weights = nullptr;
        for (unsigned int m = 0; m < run.mNumMorphMeshChannels; ++m)
            if (run.mMorphMeshChannels[m]->mName == track.mNodeName) weights = run.mMorphMeshChannels[m];
        const aiMatrix4x4 place =
            root.mTransformation * aiMatrix4x4(aiVector3D(1, 1, 1),
                                               track.mRotationKeys[track.mNumRotationKeys - 1].mValue,
                                               track.mPositionKeys[track.mNumPositionKeys - 1].mValue);
        osg::ref_ptr<osg::Vec3Array> points = new osg::Vec3Array;
        for (unsigned int v = 0; v < mesh.mNumVertices; ++v) {
            aiVector3D x = mesh.mVertices[v];
            for (unsigned int j = 0; weights && j < mesh.mNumAnimMeshes; ++j)
                x += static_cast<float>(weights->mKeys[weights->mNumKeys - 1].mWeights[j]) *
                     (mesh.mAnimMeshes[j]->mVertices[v] - mesh.mVertices[v]);
            points->push_back(toOsg(place * x));
        }
        osg::ref_ptr<osg::DrawElementsUInt> triangles = new osg::DrawElementsUInt(GL_TRIANGLES);
        for (unsigned int f = 0; f < mesh.mNumFaces; ++f)
            for (unsigned int k = 0; k < 3; ++k) triangles->push_back(mesh.mFaces[f].mIndices[k]);
        osg::ref_ptr<osg::Vec4Array> colour = new osg::Vec4Array;
        aiColor4D base;
        read.mMaterials[mesh.mMaterialIndex]->Get(AI_MATKEY_COLOR_DIFFUSE, base);
        colour->push_back(osg::Vec4(base.r, base.g, base.b, 1.0f));
        osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
        geometry->setVertexArray(points);
        geometry->setColorArray(colour, osg::Array::BIND_OVERALL);
        geometry->addPrimitiveSet(triangles);
        all->addDrawable(geometry);
    }
    return all;
}

bool isRed(const osg::Image& image, int x, int y) {
    const unsigned char* p = image.data(static_cast<unsigned int>(x), static_cast<unsigned int>(y));
    return p[0] > 2 * p[1] && p[0] > 2 * p[2] && p[0] > 40;
}

// The file, opened again and drawn without a line of ours, covers the pixels that the scene's own picture covers.
TEST(Gltf, TheFileDrawnAgainIsTheScene) {
    osgPliant::HeadlessOptions options;
    options.width = 320;
    options.height = 240;
    osgPliant::HeadlessViewer viewer(options);
    if (!viewer.isValid()) GTEST_SKIP() << viewer.getProblem();
    const auto model = std::make_shared<ReducedModel>(*makeBar());
    for (SurfaceMaterial& material : model->surface.materials) {
        material.diffuse = Vector3(0.8, 0.02, 0.02);
        material.diffuseTexture.clear();
    }
    const scene::SceneDescription scene =
        scene::parseScene(kScene + "cameras: {side: {from: [0, -4, 1.5], to: [0, 0, 0]}}\nlight: {shadow: false}\n",
                          "bars.yaml", program::sceneOptions());
    scene::ScenePoses poses = restPoses(*model, 2);
    poses.rigid.resize(1);
    poses.rigid[0].translation = Vector3(0, 40, -20);  // out of the picture
    poses.isRigidShown = {1};
    for (std::size_t i = 0; i < 2; ++i) {
        RigidTransform& place = poses.models[0].worldFromBody[i];
        place.translation = Vector3(0, 0, i == 0 ? 0.5 : -0.5);
        place.rotation = Eigen::AngleAxisd(0.4, Vector3(1, 1, 2).normalized()).toRotationMatrix();
        for (int j = 0; j < model->dimension(); ++j)
            poses.models[0].qOf(static_cast<int>(i))[j] = i == 0 ? -0.125 : 0.3;
    }
    const std::string path = ::testing::TempDir() + "pliant_drawn.glb";
    program::GltfFile file(path, scene, {model});
    file.add(poses);
    poses.time = 0.5;
    for (int j = 0; j < model->dimension(); ++j) poses.models[0].qOf(0)[j] = 0.25;
    file.add(poses);
    file.close();
    // Weights may be negative in glTF. Assimp 5 cuts them off at zero, so that its last frame has none here, and the
    // first one is looked for in the file.
    std::ifstream stream(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    std::string negative;
    const float weight = -0.125f;
    for (int j = 0; j < model->dimension(); ++j) negative.append(reinterpret_cast<const char*>(&weight), sizeof weight);
    EXPECT_NE(bytes.find(negative), std::string::npos);
    Assimp::Importer importer;
    const aiScene* read = importer.ReadFile(path, 0);
    ASSERT_NE(read, nullptr) << importer.GetErrorString();
    viewer.setScene(lastFrame(*read));
    viewer.setCamera(osg::Vec3d(0, 1.5, 4), osg::Vec3d(0, 0, 0), osg::Vec3d(0, 1, 0));
    const osg::ref_ptr<osg::Image> again = new osg::Image(*viewer.render(0.0), osg::CopyOp::DEEP_COPY_ALL);
    EXPECT_EQ(osgPliant::saveImage(*again, ::testing::TempDir() + "pliant_drawn_gltf.png"), "");

    PaintedScene painted(scene, model, 320, 240);
    const osg::Image& own = painted.paint(poses);
    EXPECT_EQ(osgPliant::saveImage(own, ::testing::TempDir() + "pliant_drawn_scene.png"), "");
    int both = 0, either = 0;
    for (int y = 0; y < 240; ++y)
        for (int x = 0; x < 320; ++x) {
            both += isRed(*again, x, y) && isRed(own, x, y);
            either += isRed(*again, x, y) || isRed(own, x, y);
        }
    EXPECT_GT(either, 1500);
    // The bars are ten pixels thick, and one of both pictures has smooth borders; a body that is not bent leaves a
    // half.
    EXPECT_GT(both, 0.88 * either) << both << " of " << either << " pixels";
    std::filesystem::remove(path);
}

TEST(Gltf, TheSceneStandsUpright) {
    const scene::SceneDescription scene = scene::parseScene(kScene, "bars.yaml", program::sceneOptions());
    const std::string path = ::testing::TempDir() + "pliant_upright.glb";
    program::GltfFile file(path, scene, {makeBar()});
    file.close();
    Assimp::Importer importer;
    const aiScene* read = importer.ReadFile(path, 0);
    ASSERT_NE(read, nullptr) << importer.GetErrorString();
    const aiVector3D up = read->mRootNode->mTransformation * aiVector3D(0, 0, 1);
    EXPECT_NEAR(static_cast<double>(up.y), 1.0, 1e-6) << "z of the scene is y of glTF";
    std::filesystem::remove(path);
}

}  // namespace
}  // namespace pliant::test
