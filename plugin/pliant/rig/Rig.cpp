// SPDX-License-Identifier: Zlib
#include "pliant/rig/Rig.h"

#include <algorithm>
#include <cmath>

#include "pliant/math/Error.h"
#include "pliant/rig/CarriesSkin.h"

namespace pliant {

namespace {

/// Points that follow each bone more than any other.
std::vector<std::vector<Vector3>> ownSkins(const Rig& rig) {
    std::vector<std::vector<Vector3>> points(rig.skeleton.bones.size());
    for (Eigen::Index v = 0; v < rig.weights.bones.cols(); ++v)
        points[static_cast<std::size_t>(rig.weights.bones(0, v))].emplace_back(rig.surface.positions.col(v));
    return points;
}

/// Where the last bone of a chain ends: it goes on from its parent through its head, or, where its skin lies more than
/// 45 degrees away from there (a tail that hangs from hips, a snout), from its head to the middle of its skin. The head
/// itself where it has no skin of its own.
/// @param skin the points of its own
Vector3 lastEnd(const Rig& rig, const Bone& bone, const std::vector<Vector3>& skin) {
    if (skin.empty()) return bone.head();
    Vector3 middle = Vector3::Zero();
    for (const Vector3& x : skin) middle += x / static_cast<double>(skin.size());
    const auto farthest = [&](const Vector3& along) {
        double length = 0.0;
        for (const Vector3& x : skin) length = std::max(length, (x - bone.head()).dot(along));
        return length;
    };
    if (bone.parent >= 0) {
        const Vector3 along = bone.head() - rig.skeleton.bones[static_cast<std::size_t>(bone.parent)].head();
        constexpr double near = 0.7;  // the cosine
        if (along.norm() > 0.0 && along.dot(middle - bone.head()) > near * along.norm() * (middle - bone.head()).norm())
            return bone.head() + farthest(along.normalized()) * along.normalized();
    }
    const Vector3 along = middle - bone.head();
    if (!(along.norm() > 0.0)) return bone.head();
    return bone.head() + farthest(along.normalized()) * along.normalized();
}

}  // namespace

std::vector<bool> carriesSkin(const Rig& rig) {
    std::vector<bool> carries(rig.skeleton.bones.size(), false);
    for (Eigen::Index v = 0; v < rig.weights.bones.cols(); ++v)
        for (Eigen::Index i = 0; i < 4; ++i)
            if (rig.weights.weights(i, v) > 0.0) carries[static_cast<std::size_t>(rig.weights.bones(i, v))] = true;
    return carries;
}

const Clip& findClip(const Rig& rig, const std::string& name, const std::string& where) {
    std::string known;
    for (const Clip& clip : rig.clips) {
        if (clip.name == name) return clip;
        known += (known.empty() ? "\"" : ", \"") + clip.name + "\"";
    }
    throw Error(where, "has no clip \"" + name + "\"", known.empty() ? "it has none at all" : "it has " + known);
}

void findBoneEnds(Rig& rig, const std::string& where) {
    const std::vector<bool> carries = carriesSkin(rig);
    const double size =
        (rig.surface.positions.rowwise().maxCoeff() - rig.surface.positions.rowwise().minCoeff()).norm();
    for (Bone& bone : rig.skeleton.bones) bone.ends.clear();
    for (const Bone& child : rig.skeleton.bones) {
        if (child.parent < 0 || !carries[static_cast<std::size_t>(child.parent)]) continue;
        Bone& parent = rig.skeleton.bones[static_cast<std::size_t>(child.parent)];
        if ((child.head() - parent.head()).norm() > 1e-6 * size) parent.ends.push_back(child.head());
    }
    const std::vector<std::vector<Vector3>> skins = ownSkins(rig);
    for (std::size_t b = 0; b < skins.size(); ++b) {
        Bone& bone = rig.skeleton.bones[b];
        if (!carries[b] || !bone.ends.empty()) continue;
        const Vector3 end = lastEnd(rig, bone, skins[b]);
        if ((end - bone.head()).norm() > 1e-6 * size)
            bone.ends.push_back(end);
        else if (!skins[b].empty())
            throw Error(where, "bone \"" + bone.name + "\" carries skin and has no length",
                        "give it a child that is not at the same place, or let its skin follow another bone");
    }
}

}  // namespace pliant
