// SPDX-License-Identifier: Zlib
/// @file
/// How much each point of a skin follows each bone.
#pragma once

#include <string>
#include <vector>

#include "pliant/math/Api.h"
#include "pliant/rig/Skeleton.h"

namespace pliant {

/// At most four bones a point; the weights of a point are >= 0, fall, and have the sum 1. Unused places: bone 0, weight
/// 0.
struct SkinWeights {
    Matrix<int, 4, Eigen::Dynamic> bones;       ///< Numbers of the bones that each point follows, 4 x n.
    Matrix<double, 4, Eigen::Dynamic> weights;  ///< Weights of these bones, 4 x n.

    /// The number n of points.
    int pointCount() const { return static_cast<int>(bones.cols()); }
};

/// A bone that a point follows, and by how much before the weights of the point are made to have the sum 1.
struct Influence {
    int bone = 0;         ///< Number of the bone.
    double weight = 0.0;  ///< Its weight, at least 0.
};

/// What limitWeights() has changed.
struct WeightChanges {
    int cutPoints = 0;        ///< Points that followed more than four bones.
    double largestCut = 0.0;  ///< The largest share of a point that was cut off.
    int scaledPoints = 0;     ///< Points whose weights did not have the sum 1 (by more than 1 %).
};

/// The four largest weights of each point, with the sum 1. A bone that is named twice counts once, with both weights.
/// Equal weights: the lower bone stays.
/// @param influences one list a point  @param where the file, for errors
/// @throws Error naming the point, for weights that are negative or not finite, and points that follow no bone
PLIANT_API SkinWeights limitWeights(const Skeleton& skeleton, const std::vector<std::vector<Influence>>& influences,
                                    const std::string& where, WeightChanges& changes);

/// Linear blend skinning: s(x) = sum_b w_b T_b x.
/// @param maps T_b, one a bone (restToNow)  @param rest 3 x n, m  @param now 3 x n, resized
PLIANT_API void skinPoints(const SkinWeights& weights, const std::vector<Similarity>& maps, const Points& rest,
                           Points& now);

}  // namespace pliant
