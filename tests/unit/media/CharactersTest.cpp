// SPDX-License-Identifier: Zlib
// The generated characters: closed surfaces with smooth weights, and files that are what the generator makes.
#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "Characters.h"
#include "pliant/rig/gltf/ReadRig.h"

namespace {

using pliant::Rig;
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

TEST(Characters, AreOneClosedSurface) {
    for (const Expected& one : all()) {
        const SurfaceMesh& mesh = one.rig.surface;
        const auto edges = directedEdges(mesh);
        for (const auto& [edge, count] : edges) {
            ASSERT_EQ(count, 1) << one.name;
            ASSERT_EQ(edges.count({edge.second, edge.first}), 1U) << one.name;
        }
        EXPECT_EQ(mesh.vertexCount() - static_cast<int>(edges.size()) / 2 + mesh.triangleCount(), 2) << one.name;
        EXPECT_GE(mesh.triangleCount(), one.leastTriangles) << one.name;
        EXPECT_EQ(one.rig.skeleton.boneCount(), one.bones) << one.name;
    }
}

TEST(Characters, WeightsAreSmoothAndEachBoneHasSkin) {
    for (const Expected& one : all()) {
        pliant::MatrixX weights = pliant::MatrixX::Zero(one.rig.skeleton.boneCount(), one.rig.surface.vertexCount());
        for (Eigen::Index v = 0; v < weights.cols(); ++v)
            for (int i = 0; i < 4; ++i) weights(one.rig.weights.bones(i, v), v) += one.rig.weights.weights(i, v);
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
        const pliant::RigFile file = pliant::readRig(std::string(PLIANT_MEDIA_DIR "/characters/") + one.name + ".glb");
        EXPECT_TRUE(file.notes.empty()) << file.notes.front();
        ASSERT_EQ(file.rig.surface.triangles.cols(), one.rig.surface.triangles.cols()) << one.name;
        EXPECT_LT((file.rig.surface.positions - one.rig.surface.positions).cwiseAbs().maxCoeff(), 1e-6) << one.name;
        EXPECT_LT((file.rig.weights.weights - one.rig.weights.weights).cwiseAbs().maxCoeff(), 1e-5) << one.name;
        for (const std::string& clip : one.clips) EXPECT_NO_THROW(pliant::findClip(file.rig, clip, one.name));
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
