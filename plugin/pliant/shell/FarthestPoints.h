// SPDX-License-Identifier: Zlib
// Farthest point selection: every next point is the one that the points so far cover worst. Internal to makeShell.
#pragma once

#include <cmath>
#include <vector>

#include "pliant/shell/SurfacePoints.h"

namespace pliant {

/// How far candidates are from what has been chosen. The distance is that of (x, w n): sides of a thin plate, and faces
/// of an edge, do not cover each other.
class FarthestPoints {
public:
    /// Keeps a reference. @param normalWeight w, m
    FarthestPoints(const SurfacePoints& candidates, double normalWeight);

    /// A point is chosen. @param number by which nearest() knows it
    void choose(const Vector3& x, const Vector3& normal, int number);

    /// The candidate that is farthest from all chosen ones, the first of equals. There is at least one.
    int farthest() const;
    /// Its distance, m; huge before the first choice, 0 without candidates.
    double distance() const;
    /// Distance of one candidate from the chosen points, m.
    double distanceOf(int candidate) const { return std::sqrt(m_distance2[candidate]); }
    /// The chosen point that is nearest to each candidate; -1 before the first choice.
    const std::vector<int>& nearest() const { return m_nearest; }

private:
    double m_weight;
    Matrix<double, Eigen::Dynamic, 6> m_places;  ///< a candidate a row: x, w n
    VectorX m_distance2;
    VectorX m_trial;
    std::vector<int> m_nearest;
};

}  // namespace pliant
