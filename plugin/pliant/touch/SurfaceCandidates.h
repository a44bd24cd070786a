// SPDX-License-Identifier: Zlib
// Neighbour lists of solids: which segments of one body may come near the field of the other soon.
#pragma once

#include <vector>

#include "pliant/collision/body/RelativeMotion.h"
#include "pliant/math/Api.h"
#include "pliant/math/CacheAligned.h"

namespace pliant {

/// A segment that may come near a field.
struct SurfaceCandidate {
    int segment = -1;
    float clearance = 0.0f;  ///< Least distance from the field's surface, less what its cap stands out, m.
};

/// What of one body may touch the other soon: a neighbour list as PairCandidates, of single segments of one body.
///
/// Every segment has a lower bound of its clearance: measured once, lowered by what the bodies may have come nearer in
/// each step since, and measured again when the bound has come down to the margin.
class PLIANT_INTERNAL_API SurfaceCandidates {
public:
    /// Whether the list holds every segment of `points` whose clearance is at most `margin` metres now, and not many
    /// more: one that was made for a fast approach holds all the body.
    /// @param thickness m, of the thinner body
    bool cover(const DeformedBody& points, const DeformedBody& field, double margin, double thickness) const;
    /// Metres that a list made now should reach beyond the margin: a share of the thickness, more where bodies move so
    /// fast that it would not last for some steps, and nothing where no list would.
    double skin(double thickness) const;
    /// @param segments ascending, all with a clearance of at most `reach` metres
    void keep(const DeformedBody& points, const DeformedBody& field, double reach,
              const std::vector<SurfaceCandidate>& segments);
    CacheAlignedVector<SurfaceCandidate>& segments() { return m_segments; }
    const CacheAlignedVector<SurfaceCandidate>& segments() const { return m_segments; }

    /// Lowers all clearances by what a segment may have come nearer to the field since the last call.
    void advance(const DeformedBody& points, const DeformedBody& field);

private:
    CacheAlignedVector<SurfaceCandidate> m_segments;
    double m_reach = -1.0;  ///< m; negative: nothing is kept
    double m_step = 0.0;    ///< m, that segments may have come nearer between the last two calls
    bool m_known = false;   ///< where the bodies were when advance() was called last
    RelativePlacement m_start, m_last;
};

/// The next number of single precision that is not above a clearance.
inline float roundedDown(double distance) {
    return static_cast<float>(distance - 1e-7 * (distance < 0.0 ? -distance : distance));
}

}  // namespace pliant
