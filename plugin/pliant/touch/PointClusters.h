// SPDX-License-Identifier: Zlib
// The points of a solid's surface in groups of neighbours, so that the one nearest to a place is found by looking at
// whole groups at once.
#pragma once

#include <vector>

#include "pliant/collision/body/CollisionModel.h"
#include "pliant/collision/body/FunctionRef.h"
#include "pliant/math/Api.h"

namespace pliant {

/// Which points stand together; the same for all bodies of a model.
class PLIANT_INTERNAL_API PointClusters {
public:
    static constexpr int kPoints = 16;  ///< Points in a cluster.

    PointClusters() = default;
    /// Clusters are the largest nodes of the skeleton's tree with at most sixteen segments; a segment counts as the
    /// sphere it starts with.
    explicit PointClusters(const CollisionModel& model);

    int count() const { return static_cast<int>(m_spheres.size()) / kPoints; }
    /// Sixteen a cluster: first the one in the middle, which fills the cluster up, too.
    const std::vector<int>& spheres() const { return m_spheres; }

private:
    void add(const CollisionModel& model, std::vector<int> spheres);

    std::vector<int> m_spheres;
};

/// The point nearest to a place.
struct NearestPoint {
    int sphere = -1;        ///< Number of the sphere there; -1: there are no points.
    double distance = 0.0;  ///< Distance, m.
};

/// A part of space in front of a plane and within a box, m.
struct PlaneAndBox {
    Eigen::Vector3f direction = Eigen::Vector3f::Zero();  ///< Unit normal of the plane, or zero: there is none.
    float most = 0.0f;                                    ///< Farthest that places are along the direction, m.
    Eigen::Vector3f lower, upper;                         ///< Corners of the box, m.
};

/// The clusters of one body where they are now. Along any axes about any origin: those of the spheres it was given.
class PLIANT_INTERNAL_API PlacedClusters {
public:
    /// @param clusters to live as long as this
    explicit PlacedClusters(const PointClusters& clusters);

    /// @param spheres x, y, z and anything, m, of all spheres of the body
    void place(const float* spheres);
    /// Of several points that are as near the first one in the order of the clusters. No other is nearer by more than
    /// single precision tells.
    NearestPoint nearest(const Vector3& place) const;
    /// How far the point that lies farthest along a unit direction is along it, m, to single precision; the least
    /// number without points.
    float farthestAlong(const Vector3& direction) const;
    /// Appends the spheres of the points in a part of space, in the order of the clusters; the one in the middle of a
    /// cluster may come more than once. Of clusters with several such points those alone for which `mayMatter` is true:
    /// it is asked with a ball, centre and radius, m, that holds the cluster.
    void collect(const PlaneAndBox& space, FunctionRef<bool(const Vector3&, double)> mayMatter,
                 std::vector<int>& spheres) const;

private:
    const PointClusters* m_clusters;
    std::vector<float> m_middles;  ///< x, y, z, radius of 16 clusters each, whole groups
    std::vector<float> m_points;   ///< x[16], y[16], z[16] of every cluster
};

}  // namespace pliant
