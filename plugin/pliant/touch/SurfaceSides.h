// SPDX-License-Identifier: Zlib
// From which side the points of one body have come to the field of another. A field tells the nearest way out, and of a
// sheet that is the wrong one as soon as a point is deeper than half of the thickness: what has come in by one side
// is pushed out by it, however far it has got, until it has gone around the edge.
#pragma once

#include <vector>

#include "pliant/math/Api.h"
#include "pliant/math/CacheAligned.h"
#include "pliant/touch/DeformedField.h"

namespace pliant {

/// The side of one point.
struct SurfaceSide {
    int segment = -1;                                   ///< Segment that stands for the point.
    bool isThrough = false;                             ///< Whether the nearest way out is another than it came by.
    Eigen::Vector3f rest = Eigen::Vector3f::Zero();     ///< Place of the point at rest in the field, mesh frame, m.
    Eigen::Vector3f outward = Eigen::Vector3f::Zero();  ///< Normal at rest of the surface it is out of or came by.
};

/// The sides of the points that were near in the last step.
class PLIANT_INTERNAL_API SurfaceSides {
public:
    /// Whether what was remembered still says something: not where somebody has put a body elsewhere since.
    /// @param apart from the points' body to the field's, world, m @param way m, that the bodies may have moved towards
    /// each other since
    void begin(const Vector3& apart, double way);
    /// Takes over the sample of a point if that has gone through the body, and remembers its side. Points ascending by
    /// segment, each once between begin() and end().
    /// @param world of the point, m
    void keepSide(const DeformedField& field, const DeformedBody& body, int segment, const Vector3& world,
                  FieldSample& sample);
    void end();

    const CacheAlignedVector<SurfaceSide>& entries() const { return m_last; }  ///< Sides, ascending by segment.
    const Vector3& apart() const { return m_apart; }                           ///< `apart` of the last begin(), m.
    /// Goes on from entries() and apart() of another time.
    void assign(const std::vector<SurfaceSide>& entries, const Vector3& apart);
    void clear();
    bool anyIsThrough() const { return m_anyIsThrough; }

private:
    CacheAlignedVector<SurfaceSide> m_last;
    Vector3 m_apart = Vector3::Zero();
    bool m_anyIsThrough = false;
};

}  // namespace pliant
