// SPDX-License-Identifier: Zlib
#include "pliant/rig/SkinWeights.h"

#include <algorithm>
#include <cmath>

#include "pliant/math/Error.h"

namespace pliant {

namespace {

/// Bones with a weight above zero, each once, largest first. @param where file and point
std::vector<Influence> sorted(const Skeleton& skeleton, const std::vector<Influence>& given, const std::string& where) {
    std::vector<Influence> all;
    for (const Influence& one : given) {
        if (one.bone < 0 || one.bone >= skeleton.boneCount())
            throw Error(where,
                        "follows bone " + std::to_string(one.bone) + " of " + std::to_string(skeleton.boneCount()));
        const std::string& name = skeleton.bones[static_cast<std::size_t>(one.bone)].name;
        if (!std::isfinite(one.weight) || one.weight < 0.0)
            throw Error(where, "follows bone \"" + name + "\" with the weight " + std::to_string(one.weight),
                        "weights are finite and not negative");
        if (one.weight == 0.0) continue;
        const auto same = std::find_if(all.begin(), all.end(), [&](const Influence& i) { return i.bone == one.bone; });
        if (same == all.end())
            all.push_back(one);
        else
            same->weight += one.weight;
    }
    std::sort(all.begin(), all.end(), [](const Influence& a, const Influence& b) {
        return a.weight != b.weight ? a.weight > b.weight : a.bone < b.bone;
    });
    return all;
}

double sum(const std::vector<Influence>& influences) {
    double total = 0.0;
    for (const Influence& one : influences) total += one.weight;
    return total;
}

}  // namespace

SkinWeights limitWeights(const Skeleton& skeleton, const std::vector<std::vector<Influence>>& influences,
                         const std::string& where, WeightChanges& changes) {
    SkinWeights skin;
    skin.bones.setZero(4, static_cast<Eigen::Index>(influences.size()));
    skin.weights.setZero(4, static_cast<Eigen::Index>(influences.size()));
    for (std::size_t v = 0; v < influences.size(); ++v) {
        const std::string point = where + ": vertex " + std::to_string(v);
        std::vector<Influence> all = sorted(skeleton, influences[v], point);
        const double whole = sum(all);
        if (!(whole > 1e-12) || !std::isfinite(whole))
            throw Error(point, "follows no bone", "give every vertex of the skin a weight");
        if (std::abs(whole - 1.0) > 0.01) ++changes.scaledPoints;
        if (all.size() > 4) {
            all.resize(4);
            ++changes.cutPoints;
            changes.largestCut = std::max(changes.largestCut, 1.0 - sum(all) / whole);
        }
        const double kept = sum(all);
        for (std::size_t i = 0; i < all.size(); ++i) {
            skin.bones(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(v)) = all[i].bone;
            skin.weights(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(v)) = all[i].weight / kept;
        }
    }
    return skin;
}

void skinPoints(const SkinWeights& weights, const std::vector<Similarity>& maps, const Points& rest, Points& now) {
    now.resize(3, rest.cols());
    for (Eigen::Index v = 0; v < rest.cols(); ++v) {
        Vector3 sum = Vector3::Zero();
        for (Eigen::Index i = 0; i < 4; ++i)
            if (weights.weights(i, v) > 0.0)
                sum += weights.weights(i, v) * maps[static_cast<std::size_t>(weights.bones(i, v))].point(rest.col(v));
        now.col(v) = sum;
    }
}

}  // namespace pliant
