// SPDX-License-Identifier: Zlib
#include "pliant/character/BindSkin.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "pliant/mesh/Embedding.h"

namespace pliant {
namespace {

using Place = std::array<float, 3>;

Place placeOf(const Vector3& x) {
    return {static_cast<float>(x[0]), static_cast<float>(x[1]), static_cast<float>(x[2])};
}

SkinWeights sphereWeights(const Rig& rig, const ReducedModel& flesh, const SkinWeights& nodes) {
    std::map<Place, Eigen::Index> drawnAt;  // contact spheres are drawn vertices in single precision
    for (Eigen::Index v = 0; v < flesh.surface.positions.cols(); ++v)
        drawnAt.emplace(placeOf(flesh.surface.positions.col(v)), v);
    const PointLocator locator(flesh.mesh);
    SkinWeights skin;
    const Eigen::Index count = flesh.skeleton.restCentres.cols();
    skin.bones.setZero(4, count);
    skin.weights.setZero(4, count);
    for (Eigen::Index s = 0; s < count; ++s) {
        const Vector3 centre = flesh.skeleton.restCentres.col(s).cast<double>();
        if (const auto drawn = drawnAt.find(placeOf(centre)); drawn != drawnAt.end()) {
            skin.bones.col(s) = rig.weights.bones.col(drawn->second);
            skin.weights.col(s) = rig.weights.weights.col(drawn->second);
        } else {
            weightsAt(nodes, locator.locate(flesh.meshFromBody.point(centre)), skin.bones.col(s).data(),
                      skin.weights.col(s).data());
        }
    }
    return skin;
}

void addBones(const SkinWeights& skin, int point, std::set<int>& bones) {
    for (Eigen::Index i = 0; i < 4; ++i)
        if (skin.weights(i, point) > 0.0) bones.insert(skin.bones(i, point));
}

/// @param corners points of each item, one a row
BoneLists listsOf(const BDTree& tree, const Matrix<int, Eigen::Dynamic, Eigen::Dynamic>& corners,
                  const SkinWeights& skin) {
    BoneLists lists;
    lists.first.push_back(0);
    for (const BDTreeNode& node : tree.nodes) {
        std::set<int> bones;
        for (int i = node.firstItem; i < node.firstItem + node.itemCount; ++i)
            for (Eigen::Index c = 0; c < corners.rows(); ++c)
                addBones(skin, corners(c, tree.items[static_cast<std::size_t>(i)]), bones);
        lists.bones.insert(lists.bones.end(), bones.begin(), bones.end());
        lists.first.push_back(static_cast<int>(lists.bones.size()));
    }
    return lists;
}

}  // namespace

BodySkin bindSkin(const Rig& rig, const ReducedModel& flesh, const SkinWeights& nodes) {
    BodySkin skin;
    skin.vertices = rig.weights;
    skin.nodes = nodes;
    skin.spheres = sphereWeights(rig, flesh, nodes);
    skin.segmentNodes = listsOf(flesh.skeletonTree, flesh.skeleton.segments, skin.spheres);
    skin.triangleNodes = listsOf(flesh.triangleTree, flesh.surface.triangles, skin.vertices);
    return skin;
}

}  // namespace pliant
