// SPDX-License-Identifier: Zlib
// A run as glTF, opened again by another program's reader.
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <assimp/Importer.hpp>
#include <filesystem>

#include "../bridge/BarModel.h"
#include "loop/GltfFile.h"
#include "models/ReduceReader.h"
#include "pliant/scene/SceneReader.h"

namespace pliant::test {
namespace {

const std::string kScene =
    std::string("models: {bar: {file: ") + PLIANT_MEDIA_DIR +
    "/solids/jelly.obj}}\nbodies: [{name: bar, model: bar, grid: {count: [2, 1, 1], spacing: 1}}]\n"
    "rigid: [{name: box, shape: box, size: [1, 2, 3]}]\n";

TEST(Gltf, AssimpReadsTheModelOnceAndEveryBodysCoordinates) {
    const scene::SceneDescription scene = scene::parseScene(kScene, "bars.yaml", program::sceneOptions());
    const auto model = makeBar();
    const int r = model->dimension();
    const std::string path = ::testing::TempDir() + "pliant_run.glb";
    program::GltfFile file(path, scene, {model});
    scene::ScenePoses poses;
    poses.models.resize(1);
    poses.models[0].resize(2, r);
    poses.isShown = {{1, 1}};
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
            for (int j = 0; j < r; ++j)
                EXPECT_NEAR(static_cast<double>(mesh.mAnimMeshes[j]->mVertices[i][static_cast<unsigned int>(k)]),
                            model->surface.positions(k, v) + static_cast<double>(model->surfaceBasis(3 * v + k, j)),
                            1e-6)
                    << "Assimp has targets as whole shapes";
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
