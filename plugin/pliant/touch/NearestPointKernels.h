// SPDX-License-Identifier: Zlib
// The nearest of points that stand in clusters of sixteen, for the widest vectors that the machine has. Internal to
// touch/. Products and sums are separate and in one order everywhere, so every instruction set finds the same point.
#pragma once

#include "pliant/math/Api.h"

namespace pliant {

constexpr int kClustersOfGroup = 16;  ///< Number of clusters whose middles stand side by side.

/// Clusters as PlacedClusters keeps them.
struct ClusterView {
    const float* middles;  ///< Numbers x[16], y[16], z[16], radius[16] of sixteen clusters each, m.
    const float* points;   ///< Numbers x[16], y[16], z[16] of each cluster, m; the first point is its middle.
    int count;             ///< Number of clusters, > 0; their last group is filled up with ones that are far away.
};

struct ClusteredPoint {
    int index = 0;                 ///< Number of the point: 16 times the cluster, and the point in it.
    float squaredDistance = 0.0f;  ///< Square of the distance, m^2.
};

/// @param place x, y, z, m; where it is not finite the first point
PLIANT_INTERNAL_API ClusteredPoint nearestClusteredPoint(const ClusterView& clusters, const float* place);

/// The same in registers of 4, 8 or 16 floats. @return false where the processor has none of that width
PLIANT_INTERNAL_API bool nearestClusteredPointBy(int laneCount, const ClusterView& clusters, const float* place,
                                                 ClusteredPoint& found);

}  // namespace pliant
