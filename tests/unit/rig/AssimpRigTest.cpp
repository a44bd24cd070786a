// SPDX-License-Identifier: Zlib
// The same character through Assimp, where it is right: weights in single precision, bind matrices, values of keys.
#include <assimp/scene.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <limits>
#include <set>

#include "TwoBones.h"
#include "pliant/rig/gltf/ReadRig.h"

namespace pliant::test {
namespace {

const char* const quadruped = PLIANT_MEDIA_DIR "/characters/quadruped.glb";

/// Weights of a bone by vertex position, which Assimp may have put in another order. Each asks every vertex, by plain
/// numbers: tests are compiled unoptimised, and Eigen's sums take a minute so.
double weightAt(const Rig& rig, int bone, const Vector3& place) {
    Eigen::Index nearest = 0;
    double least = std::numeric_limits<double>::infinity();
    const double *x = rig.surface.positions.data(), *p = place.data();
    for (Eigen::Index v = 0; v < rig.surface.positions.cols(); ++v, x += 3) {
        const double dx = x[0] - p[0], dy = x[1] - p[1], dz = x[2] - p[2];
        const double distance2 = dx * dx + dy * dy + dz * dz;
        if (!(distance2 < least)) continue;
        least = distance2;
        nearest = v;
    }
    for (int i = 0; i < 4; ++i)
        if (rig.weights.bones(i, nearest) == bone) return rig.weights.weights(i, nearest);
    return 0.0;
}

TEST(AssimpRig, WeightsAndBindMatricesAgree) {
    const Rig rig = readRig(quadruped).rig;
    Assimp::Importer importer;
    const aiScene* scene = importer.ReadFile(quadruped, 0);
    ASSERT_NE(scene, nullptr) << importer.GetErrorString();
    std::set<std::string> seen;
    int compared = 0;
    for (unsigned m = 0; m < scene->mNumMeshes; ++m)
        for (unsigned b = 0; b < scene->mMeshes[m]->mNumBones; ++b) {
            const aiMesh& mesh = *scene->mMeshes[m];
            const aiBone& bone = *mesh.mBones[b];
            const int number = findBone(rig.skeleton, bone.mName.C_Str());
            ASSERT_GE(number, 0) << bone.mName.C_Str();
            seen.insert(bone.mName.C_Str());
            const Similarity inverse = rig.skeleton.bones[static_cast<std::size_t>(number)].bind.inverse();
            const aiMatrix4x4& offset = bone.mOffsetMatrix;
            EXPECT_LT((inverse.translation - Vector3(offset.a4, offset.b4, offset.c4)).norm(), 1e-6);
            for (unsigned w = 0; w < bone.mNumWeights; w += 7) {
                const aiVector3D& x = mesh.mVertices[bone.mWeights[w].mVertexId];
                EXPECT_NEAR(weightAt(rig, number, Vector3(x.x, x.y, x.z)), bone.mWeights[w].mWeight, 1e-5);
                ++compared;
            }
        }
    EXPECT_EQ(seen.size(), rig.skeleton.bones.size());
    EXPECT_GT(compared, 1000);
}

TEST(AssimpRig, BonesStandAlike) {
    const Rig rig = readRig(quadruped).rig;
    Assimp::Importer importer;
    const aiScene* scene = importer.ReadFile(quadruped, 0);
    ASSERT_NE(scene, nullptr);
    EXPECT_EQ(scene->mNumAnimations, rig.clips.size());
    for (const Bone& bone : rig.skeleton.bones) {
        const aiNode* node = scene->mRootNode->FindNode(bone.name.c_str());
        ASSERT_NE(node, nullptr) << bone.name;
        const Vector3 place(node->mTransformation.a4, node->mTransformation.b4, node->mTransformation.c4);
        EXPECT_LT((bone.stance.translation - place).norm(), 1e-6) << bone.name;
        if (bone.parent >= 0) {
            EXPECT_EQ(std::string(node->mParent->mName.C_Str()),
                      rig.skeleton.bones[static_cast<std::size_t>(bone.parent)].name);
        }
    }
}

// Assimp drops the tangents of splines, and keeps what stands at the keys.
TEST(AssimpRig, ValuesOfKeysAgree) {
    const Rig rig = readRig(quadruped).rig;
    Assimp::Importer importer;
    const aiScene* scene = importer.ReadFile(quadruped, 0);
    ASSERT_NE(scene, nullptr);
    int compared = 0;
    for (unsigned a = 0; a < scene->mNumAnimations; ++a) {
        const aiAnimation& animation = *scene->mAnimations[a];
        const Clip& clip = findClip(rig, animation.mName.C_Str(), "Assimp");
        for (unsigned c = 0; c < animation.mNumChannels; ++c) {
            const aiNodeAnim& channel = *animation.mChannels[c];
            const int bone = findBone(rig.skeleton, channel.mNodeName.C_Str());
            const auto motion = std::find_if(clip.motions.begin(), clip.motions.end(),
                                             [&](const BoneMotion& one) { return one.bone == bone; });
            ASSERT_NE(motion, clip.motions.end()) << channel.mNodeName.C_Str();
            if (motion->rotation.times.empty()) continue;
            ASSERT_EQ(channel.mNumRotationKeys, motion->rotation.times.size());
            for (unsigned k = 0; k < channel.mNumRotationKeys; ++k) {
                const aiQuatKey& key = channel.mRotationKeys[k];
                const Eigen::Vector4d theirs(key.mValue.x, key.mValue.y, key.mValue.z, key.mValue.w);
                EXPECT_NEAR(key.mTime / animation.mTicksPerSecond, motion->rotation.times[k], 1e-6);
                EXPECT_LT((theirs - motion->rotation.values.col(k)).norm(), 1e-6) << channel.mNodeName.C_Str();
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 300);
}

}  // namespace
}  // namespace pliant::test
