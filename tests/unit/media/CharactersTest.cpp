// SPDX-License-Identifier: Zlib
// The generated characters: closed surfaces with smooth weights, and files that are what the generator makes.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string>
#include <utility>

#include "Characters.h"
#include "pliant/rig/gltf/ReadRig.h"

namespace {

using pliant::Rig;
using pliant::Similarity;
using pliant::SurfaceMesh;

struct Expected {
    const char* name;
    Rig rig;
    int bones, leastTriangles;
    std::vector<std::string> clips;
};

const std::vector<Expected>& all() {
    static const std::vector<Expected> made = {
        {"bar", characters::bar(), 2, 2000, {"bend"}},
        {"worm", characters::worm(), 3, 2000, {"crawl"}},
        {"quadruped", characters::quadruped(), 17, 5000, {"walk", "run", "shake"}}};
    return made;
}

std::map<std::pair<int, int>, int> directedEdges(const SurfaceMesh& mesh) {
    std::map<std::pair<int, int>, int> edges;
    for (Eigen::Index t = 0; t < mesh.triangles.cols(); ++t)
        for (int k = 0; k < 3; ++k) ++edges[{mesh.triangles(k, t), mesh.triangles((k + 1) % 3, t)}];
    return edges;
}

const pliant::RigFile& fileOf(const Expected& one) {
    static std::map<std::string, pliant::RigFile> files;
    const auto known = files.find(one.name);
    if (known != files.end()) return known->second;
    return files[one.name] = pliant::readRig(std::string(PLIANT_MEDIA_DIR "/characters/") + one.name + ".glb");
}

void expectClosed(const SurfaceMesh& mesh, const char* name) {
    const auto edges = directedEdges(mesh);
    for (const auto& [edge, count] : edges) {
        ASSERT_EQ(count, 1) << name;
        ASSERT_EQ(edges.count({edge.second, edge.first}), 1U) << name;
    }
    EXPECT_EQ(mesh.vertexCount() - static_cast<int>(edges.size()) / 2 + mesh.triangleCount(), 2) << name;
}

/// Triangles by material, in the order in which they come: files keep them together.
std::map<int, std::vector<std::array<int, 3>>> byMaterial(const SurfaceMesh& mesh) {
    std::map<int, std::vector<std::array<int, 3>>> triangles;
    for (int t = 0; t < mesh.triangleCount(); ++t)
        triangles[mesh.triangleMaterial[static_cast<std::size_t>(t)]].push_back(
            {mesh.triangles(0, t), mesh.triangles(1, t), mesh.triangles(2, t)});
    return triangles;
}

void expectSameClips(const Rig& file, const Rig& made, const std::string& name) {
    ASSERT_EQ(file.clips.size(), made.clips.size()) << name;
    pliant::Pose first, second;
    for (const pliant::Clip& clip : made.clips)
        for (int i = 0; i < 10; ++i) {
            const double time = clip.start + (clip.end - clip.start) * i / 9.0;
            pliant::poseAt(made.skeleton, clip, time, first);
            pliant::poseAt(file.skeleton, pliant::findClip(file, clip.name, name), time, second);
            ASSERT_EQ(first.size(), second.size());
            for (std::size_t m = 0; m < first.size(); ++m) {
                const Similarity
                    &a = first[m],
                    &b = second[static_cast<std::size_t>(pliant::findBone(file.skeleton, made.skeleton.bones[m].name))];
                EXPECT_LT((a.translation - b.translation).norm(), 1e-6) << name << " " << clip.name;
                EXPECT_LT(a.rotation.angularDistance(b.rotation), 1e-5) << name << " " << clip.name;
                EXPECT_NEAR(a.scale, b.scale, 1e-6) << name << " " << clip.name;
            }
        }
}

std::string parentName(const pliant::Skeleton& skeleton, const pliant::Bone& bone) {
    return bone.parent < 0 ? "" : skeleton.bones[static_cast<std::size_t>(bone.parent)].name;
}

/// Files number the bones in another order.
void expectSameBones(const pliant::Skeleton& file, const pliant::Skeleton& made, const std::string& name) {
    ASSERT_EQ(file.boneCount(), made.boneCount()) << name;
    for (const pliant::Bone& bone : made.bones) {
        const int number = pliant::findBone(file, bone.name);
        ASSERT_GE(number, 0) << bone.name;
        const pliant::Bone& read = file.bones[static_cast<std::size_t>(number)];
        EXPECT_EQ(parentName(file, read), parentName(made, bone)) << bone.name;
        EXPECT_LT((read.head() - bone.head()).norm(), 1e-6) << bone.name;
        ASSERT_EQ(read.ends.size(), bone.ends.size()) << bone.name;
        for (std::size_t e = 0; e < bone.ends.size(); ++e)
            EXPECT_LT((read.ends[e] - bone.ends[e]).norm(), 1e-5) << bone.name;
    }
}

/// Weights of all bones, in the order of `skeleton`: bones x vertices.
pliant::MatrixX weightsOf(const Rig& rig, const pliant::Skeleton& skeleton) {
    pliant::MatrixX weights = pliant::MatrixX::Zero(skeleton.boneCount(), rig.weights.pointCount());
    for (Eigen::Index v = 0; v < weights.cols(); ++v)
        for (int i = 0; i < 4; ++i) {
            const auto bone = static_cast<std::size_t>(rig.weights.bones(i, v));
            weights(pliant::findBone(skeleton, rig.skeleton.bones[bone].name), v) += rig.weights.weights(i, v);
        }
    return weights;
}

TEST(Characters, AreOneClosedSurface) {
    for (const Expected& one : all()) {
        const SurfaceMesh& mesh = one.rig.surface;
        expectClosed(mesh, one.name);
        EXPECT_GE(mesh.triangleCount(), one.leastTriangles) << one.name;
        EXPECT_EQ(one.rig.skeleton.boneCount(), one.bones) << one.name;
    }
}

TEST(Characters, WeightsAreSmoothAndEachBoneHasSkin) {
    for (const Expected& one : all()) {
        const pliant::MatrixX weights = weightsOf(one.rig, one.rig.skeleton);
        for (Eigen::Index b = 0; b < weights.rows(); ++b)
            EXPECT_GT(weights.row(b).maxCoeff(), 0.8)
                << one.name << " " << one.rig.skeleton.bones[static_cast<std::size_t>(b)].name;
        double jump = 0.0;
        for (const auto& [edge, count] : directedEdges(one.rig.surface))
            jump = std::max(jump, (weights.col(edge.first) - weights.col(edge.second)).cwiseAbs().maxCoeff());
        EXPECT_LT(jump, 0.3) << one.name;
    }
}

TEST(Characters, FilesAreWhatTheGeneratorMakes) {
    for (const Expected& one : all()) {
        const pliant::RigFile& file = fileOf(one);
        EXPECT_TRUE(file.notes.empty()) << file.notes.front();
        const Rig &read = file.rig, &made = one.rig;
        ASSERT_EQ(read.surface.vertexCount(), made.surface.vertexCount()) << one.name;
        expectClosed(read.surface, one.name);
        EXPECT_LT((read.surface.positions - made.surface.positions).cwiseAbs().maxCoeff(), 1e-6) << one.name;
        EXPECT_EQ(byMaterial(read.surface), byMaterial(made.surface)) << one.name;
        ASSERT_EQ(read.weights.pointCount(), made.weights.pointCount()) << one.name;
        expectSameBones(read.skeleton, made.skeleton, one.name);
        EXPECT_LT((weightsOf(read, made.skeleton) - weightsOf(made, made.skeleton)).cwiseAbs().maxCoeff(), 1e-5)
            << one.name;
        expectSameClips(read, made, one.name);
        for (const std::string& clip : one.clips) EXPECT_NO_THROW(pliant::findClip(read, clip, one.name));
    }
}

// In each clip the surface stays in reach of its bones: nothing is bound to the wrong one.
TEST(Characters, ClipsStretchNoEdgeFarAndClose) {
    for (const Expected& one : all()) {
        const auto edges = directedEdges(one.rig.surface);
        for (const pliant::Clip& clip : one.rig.clips) {
            pliant::Pose pose;
            std::vector<pliant::Similarity> maps;
            pliant::Points now, first;
            for (int frame = 0; frame <= 16; ++frame) {
                pliant::poseAt(one.rig.skeleton, clip, clip.start + (clip.end - clip.start) * frame / 16.0, pose);
                pliant::restToNow(one.rig.skeleton, pose, maps);
                pliant::skinPoints(one.rig.weights, maps, one.rig.surface.positions, now);
                if (frame == 0) first = now;
                double longest = 0.0;
                for (const auto& [edge, count] : edges)
                    longest = std::max(longest, (now.col(edge.first) - now.col(edge.second)).norm());
                EXPECT_LT(longest, 0.06) << one.name << " " << clip.name << " " << frame;
            }
            EXPECT_LT((now - first).cwiseAbs().maxCoeff(), 1e-6) << one.name << " " << clip.name;
        }
    }
}

}  // namespace
