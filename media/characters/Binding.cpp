// SPDX-License-Identifier: Zlib
#include "Binding.h"

#include <algorithm>
#include <map>

namespace characters {

using pliant::Vector3;

namespace {

double distanceTo(const Region& region, const Vector3& x) {
    const Vector3 along = region.to - region.from;
    const double t = std::clamp((x - region.from).dot(along) / along.squaredNorm(), 0.0, 1.0);
    return (x - region.from - t * along).norm() / region.radius;
}

int nearestBone(const std::vector<Region>& regions, const Vector3& x) {
    return std::min_element(regions.begin(), regions.end(),
                            [&](const Region& a, const Region& b) { return distanceTo(a, x) < distanceTo(b, x); })
        ->bone;
}

std::vector<std::vector<int>> neighbours(const pliant::SurfaceMesh& mesh) {
    std::vector<std::vector<int>> all(static_cast<std::size_t>(mesh.vertexCount()));
    for (int t = 0; t < mesh.triangleCount(); ++t)
        for (int c = 0; c < 3; ++c)  // each edge of a closed surface comes once in each direction
            all[static_cast<std::size_t>(mesh.triangles(c, t))].push_back(mesh.triangles((c + 1) % 3, t));
    return all;
}

}  // namespace

int addBone(pliant::Skeleton& skeleton, const std::string& name, int parent, const Vector3& head) {
    pliant::Bone bone;
    bone.name = name;
    bone.parent = parent;
    bone.bind.translation = head;
    bone.stance.translation =
        parent < 0 ? head : Vector3(head - skeleton.bones[static_cast<std::size_t>(parent)].head());
    skeleton.bones.push_back(bone);
    return skeleton.boneCount() - 1;
}

pliant::SurfaceMaterial matt(const std::string& name, const Vector3& diffuse, double shininess) {
    pliant::SurfaceMaterial made;
    made.name = name;
    made.diffuse = diffuse;
    made.specular = Vector3::Constant(0.04);
    made.shininess = shininess;
    return made;
}

void bindToRegions(pliant::Rig& rig, const std::vector<Region>& regions, int rounds) {
    const Eigen::Index n = rig.surface.positions.cols();
    pliant::MatrixX weights = pliant::MatrixX::Zero(rig.skeleton.boneCount(), n);
    for (Eigen::Index v = 0; v < n; ++v) weights(nearestBone(regions, rig.surface.positions.col(v)), v) = 1.0;
    const std::vector<std::vector<int>> around = neighbours(rig.surface);
    for (int round = 0; round < rounds; ++round) {
        pliant::MatrixX smoothed = 0.5 * weights;
        for (Eigen::Index v = 0; v < n; ++v) {
            const std::vector<int>& near = around[static_cast<std::size_t>(v)];
            for (const int other : near) smoothed.col(v) += 0.5 / static_cast<double>(near.size()) * weights.col(other);
        }
        weights = std::move(smoothed);
    }
    std::vector<std::vector<pliant::Influence>> influences(static_cast<std::size_t>(n));
    for (Eigen::Index v = 0; v < n; ++v)
        for (Eigen::Index b = 0; b < weights.rows(); ++b)
            if (weights(b, v) > 1e-3)
                influences[static_cast<std::size_t>(v)].push_back({static_cast<int>(b), weights(b, v)});
    pliant::WeightChanges changes;
    rig.weights = pliant::limitWeights(rig.skeleton, influences, "a generated character", changes);
}

pliant::Clip makeClip(const pliant::Rig& rig, const std::string& name, double period, int keys,
                      const std::vector<Swing>& swings, const std::function<double(double)>& rise) {
    std::vector<double> times;
    for (int k = 0; k <= keys; ++k) times.push_back(period * k / keys);
    pliant::Clip clip;
    clip.name = name;
    clip.end = period;
    std::map<int, pliant::BoneMotion> motions;
    for (const Swing& swing : swings) {
        const int bone = pliant::findBone(rig.skeleton, swing.bone);
        pliant::MatrixX turns(4, keys + 1);
        for (int k = 0; k <= keys; ++k)
            turns.col(k) = Eigen::Quaterniond(
                               Eigen::AngleAxisd(swing.angle(times[static_cast<std::size_t>(k)] / period), swing.axis))
                               .coeffs();
        motions[bone].bone = bone;
        motions[bone].rotation = pliant::smoothTrack(times, turns, true);
    }
    if (rise) {
        pliant::MatrixX places(3, keys + 1);
        for (int k = 0; k <= keys; ++k)
            places.col(k) = rig.skeleton.bones[0].stance.translation +
                            Vector3(0, 0, rise(times[static_cast<std::size_t>(k)] / period));
        motions[0].bone = 0;
        motions[0].translation = pliant::smoothTrack(times, places, false);
    }
    for (const auto& [bone, motion] : motions) clip.motions.push_back(motion);
    return clip;
}

}  // namespace characters
