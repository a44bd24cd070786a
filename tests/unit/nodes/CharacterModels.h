// SPDX-License-Identifier: Zlib
// A character made in memory: the torus with bones around its ring.
#pragma once

#include <memory>
#include <osg/Matrixd>
#include <vector>

#include "TestModels.h"
#include "pliant/model/CharacterModel.h"
#include "pliant/rig/PoseMotion.h"

namespace pliant::test {

constexpr int torusBones = 5;

/// Bones that stand around the ring of the torus, each with the weight max(0, cos(angle from it))^2 over their sum.
std::shared_ptr<CharacterModel> makeTorusCharacter(const TorusOptions& options = {});
/// The same on flesh of another making. @param bodyFromMesh see ReducedModel::meshFromBody
std::shared_ptr<CharacterModel> onBones(std::shared_ptr<const ReducedModel> flesh);
/// Weight of a bone at a point of the rest space.
double torusWeight(int bone, const Vector3& x);

/// B maps: each bone turned about its place, scaled and moved, different for every seed.
/// @param place where the character stands  @param size of turns (rad), of moves (m, a tenth of it) and scales
std::vector<AffineMap> makeBones(int seed, const Vector3& place, double size = 0.5, bool scaled = true);

/// The drawn surface as bones and q have it, by the CPU reference of the core (CharacterShape.h) with normals of the
/// nodes' own: a model that does not move.
std::shared_ptr<ReducedModel> freezeCharacter(const CharacterModel& character, const std::vector<AffineMap>& bones,
                                              const std::vector<double>& q);

}  // namespace pliant::test
