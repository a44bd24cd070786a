// SPDX-License-Identifier: Zlib
#include <cmath>
#include <set>

#include "pliant/model/EncodeCharacter.h"
#include "pliant/model/ModelChecks.h"

namespace pliant {
namespace {

void checkWeights(const SkinWeights& skin, Eigen::Index points, int bones, const ModelChecks& check) {
    check.sized(skin.bones, 4, points, "the bones of points have a wrong size");
    check.sized(skin.weights, 4, points, "the weights of points have a wrong size");
    check.indices(skin.bones, bones, "a bone is out of range");
    check.require((skin.weights.array() >= 0.0).all(), "a weight is negative");
    check.require(points == 0 || ((skin.weights.colwise().sum().array() - 1.0).abs() < 1e-6).all(),
                  "weights do not have the sum 1");
}

void checkLists(const BoneLists& lists, const BDTree& tree, int bones, const ModelChecks& check) {
    const auto nodes = static_cast<std::size_t>(tree.nodeCount());
    check.require(lists.first.size() == nodes + 1, "not one list of bones per node of a tree");
    check.require(lists.first.front() == 0 && lists.first.back() == static_cast<int>(lists.bones.size()),
                  "lists of bones do not cover all that there are");
    for (std::size_t i = 0; i < nodes; ++i)
        check.require(lists.first[i] <= lists.first[i + 1], "a list of bones ends before it begins");
    check.indices(lists.bones, bones, "a bone is out of range");
}

void checkForcing(const SkinForcing& forcing, Eigen::Index r, int bones, const ModelChecks& check) {
    const Eigen::Index P = forcing.pairs.cols();
    check.indices(forcing.pairs, bones, "a bone of a pair is out of range");
    check.sized(forcing.inertia, r, 12 * P, "A has a wrong size");
    check.sized(forcing.pose, r, 12 * P, "G has a wrong size");
    std::set<std::pair<int, int>> seen;
    for (Eigen::Index p = 0; p < P; ++p)
        check.require(seen.emplace(forcing.pairs(0, p), forcing.pairs(1, p)).second, "a pair appears twice");
}

void checkClips(const CharacterModel& c, const std::string& where) {
    const ModelChecks check{where, "clips"};
    for (const Clip& clip : c.clips) {
        check.require(std::isfinite(clip.start) && std::isfinite(clip.end) && clip.start <= clip.end,
                      "a clip ends before it starts");
        checkClip(c.skeleton, clip, where + ": section 'clips'");
    }
}

}  // namespace

void checkCharacter(const CharacterModel& c, const std::string& where) {
    checkSkeleton(c.skeleton, where + ": section 'rig'");
    const ModelChecks rig{where, "rig"}, skin{where, "skin"};
    const int B = c.skeleton.boneCount();
    rig.sized(c.coreRadii, B, 1, "not one core radius per bone");
    rig.require((c.coreRadii.array() >= 0.0).all(), "a core radius is negative");
    rig.require(c.flesh->anchored, "no vertex of the flesh is held by a bone");
    const ReducedModel& flesh = *c.flesh;
    checkWeights(c.skin.vertices, flesh.surfaceVertexCount(), B, skin);
    checkWeights(c.skin.spheres, flesh.skeleton.restCentres.cols(), B, skin);
    checkWeights(c.skin.nodes, flesh.simulationVertexCount(), B, skin);
    checkLists(c.skin.segmentNodes, flesh.skeletonTree, B, skin);
    checkLists(c.skin.triangleNodes, flesh.triangleTree, B, skin);
    checkForcing(c.forcing, flesh.dimension(), B, {where, "forcing"});
    checkClips(c, where);
}

}  // namespace pliant
