// SPDX-License-Identifier: Zlib
// Internal: the manifold points of a pair in the last substep, among which those of this one find what they continue.
#pragma once

#include <BulletCollision/NarrowPhaseCollision/btManifoldPoint.h>

#include <cstddef>
#include <vector>

namespace btPliantInternal {

/// Points of the last substep, each to be taken up by one point of this one: those of the same feature first, then,
/// behind endFeatures(), those that are near. Both are found by order, features in n log n steps for n points and near
/// ones among those whose x is within reach: penalty contact of solids has thousands of points in a pair.
class OldPoints {
public:
    void clear() { m_points.clear(); }
    void add(const btManifoldPoint& point) { m_points.push_back(point); }
    /// Begins the search for features, once all points have been added.
    void beginFeatures();
    /// Takes up the point of the same feature: same indices, nearest along the segments. Null: none.
    const btManifoldPoint* matchFeature(const btManifoldPoint& point);
    /// Ends the search for features, and begins that for places.
    void endFeatures();
    /// Takes up a contact that has slid from one segment on to the next: the nearest within `reach` metres. Null: none.
    const btManifoldPoint* matchNearest(const btManifoldPoint& point, double reach);
    /// The nearest one with much the same normal, taken up or not; null: none.
    const btManifoldPoint* nearest(const btManifoldPoint& point) const;
    /// The normal impulses of points that none has taken up go to the nearest new points with much the same normal: a
    /// patch is held by a choice of its points, and another choice carries the same load.
    void handOn(btManifoldPoint* points, std::size_t count) const;

private:
    /// A point of m_points by its feature.
    struct Feature {
        int index0 = 0, index1 = 0, at = 0;
        bool operator<(const Feature& o) const {
            return index0 != o.index0 ? index0 < o.index0 : index1 != o.index1 ? index1 < o.index1 : at < o.at;
        }
    };
    /// One that no feature has taken up, by its place along x.
    struct Place {
        btScalar x = 0;
        int at = 0;
        bool operator<(const Place& o) const { return x != o.x ? x < o.x : at < o.at; }
    };

    bool isTaken(int at) const;
    const btManifoldPoint* take(int at);

    std::vector<btManifoldPoint> m_points;
    std::vector<Feature> m_features;  ///< Ascending.
    std::vector<Place> m_places;      ///< Ascending.
    btManifoldPoint m_match;
};

}  // namespace btPliantInternal
