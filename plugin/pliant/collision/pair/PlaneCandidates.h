// SPDX-License-Identifier: Zlib
// Spheres of a body that are near enough to a half-space to touch it soon, as PairCandidates.h has segments of two
// bodies: the list is made for a larger distance than asked for and serves until the body has come down by the
// difference; along the plane it may go wherever it likes. It does not change which contacts are found.
#pragma once

#include <vector>

#include "pliant/collision/body/DeformedBody.h"
#include "pliant/math/CacheAligned.h"

namespace pliant {

class PlaneCandidates {
public:
    /// Whether the list holds every sphere within `margin` metres of the half-space normal . x <= offset now.
    bool cover(const DeformedBody& a, const Vector3& normal, double offset, double margin) const;
    /// Metres beyond the margin that a new list should reach.
    static double skin(const DeformedBody& a);
    /// Starts a new list of everything within `reach` metres. @param found ascending
    void keep(const DeformedBody& a, const Vector3& normal, double offset, double reach, const std::vector<int>& found);
    const CacheAlignedVector<int>& spheres() const { return m_spheres; }  ///< Spheres of the list, ascending.

private:
    CacheAlignedVector<int> m_spheres;
    Vector3 m_normal = Vector3::Zero();
    double m_offset = 0.0;
    double m_reach = -1.0;               ///< metres; negative: not made
    Vector3 m_origin = Vector3::Zero();  ///< the body's when it was made, world
    double m_relativeMotionBound = 0.0;  ///< DeformedBody::relativeMotionBound() then
};

}  // namespace pliant
