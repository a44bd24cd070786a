// SPDX-License-Identifier: Zlib
// Contacts of two reduced bodies one way round: points of one surface, or capsule segments of strands, in the field of
// a solid [B07 ch. 3].
#pragma once

#include <vector>

#include "pliant/collision/body/DeformedBody.h"
#include "pliant/collision/pair/SkeletonContact.h"
#include "pliant/touch/SurfaceCandidates.h"
#include "pliant/touch/SurfaceSides.h"
#include "pliant/touch/TouchingBody.h"

namespace pliant {

/// Segments of one body in the field of another. Made for one call of find(); refers to both bodies.
class PointsInField {
public:
    PointsInField(const TouchingBody& points, const TouchingBody& solid, bool pointsAreFirst);

    /// @param touching that contacts are within @param apart m, that the bodies are from each other at least
    void find(const SurfaceReach& touching, double way, double apart, SurfaceSides& sides,
              SurfaceCandidates& candidates, std::vector<SkeletonContact>& out);

private:
    /// Contacts of one pass over the points.
    struct PassContacts {
        std::vector<SkeletonContact> sharp;  ///< of sharp points, not in the result as yet
        std::vector<SkeletonContact> faces;  ///< of smooth points on a face of the other body
    };
    struct Touching;

    /// Where a segment comes nearest to the solid: a lone sphere at its centre, a capsule where the lowest of a few
    /// points of its axis is.
    struct Nearest {
        int segment = -1;
        Vector3 point = Vector3::Zero();  ///< Point on the axis, world, m.
        double parameter = 0.0, radius = 0.0;
        FieldSample sample;
        double distance() const { return sample.distance - radius; }
    };

    /// Of several segments. Most stand for points of a surface, without length, which are asked for side by side.
    /// @param surfacePoints the solid's nearest ones to the segments' starts where they are known already, or null
    void nearestOf(const CapsuleSegment* segments, const NearestPoint* surfacePoints, int count,
                   std::vector<Nearest>& out) const;

    Nearest at(const CapsuleSegment& s, double parameter) const;

    /// @param first at the start of the axis
    Nearest alongAxis(const CapsuleSegment& s, const Nearest& first) const;

    /// Metres that a place outside of the solid is from its surface at least; no bound inside and close to it. With p
    /// the surface point nearest to the place, at distance d, y the nearest place of the surface, at distance s, and
    /// h = |p - y|: the surface does not fall away from y by more than 120 degrees, so that d^2 <= s^2 + s h + h^2.
    /// Which side the place is on costs more than the rest of the bound: it is looked at where that is above `needed`
    /// metres alone, and else the bound may be one of a place outside.
    double distanceBound(const Vector3& place, const NearestPoint& nearest, double needed) const;

    bool mayTouch(const Vector3& centre, double radius) const;

    /// Segments of the points that may be within `around` metres of the solid, ascending; none of those is missed.
    /// @param ahead the same along the front, m
    void collect(double around, double ahead, std::vector<int>& segments) const;

    /// The same where the solid has a front: by its front and its box.
    void collectPoints(double around, double ahead, std::vector<int>& segments) const;

    int sphereOf(int segment) const { return m_points.body->model().skeleton().segments(0, segment); }

    /// Distance less what the cap stands out, m. A cap reaches farther than that only beside its own directions, where
    /// the caps of its neighbours are nearer.
    double clearanceOf(const Nearest& nearest) const { return nearest.distance() - capOf(nearest.segment); }

    double capOf(int segment) const;

    /// Whether a point may be within the margin as far as the solid's box and front tell. Beyond its own box a field
    /// tells less than the distance, and so it may of a body that is bent: without this, which points count would
    /// depend on when a list was made, because what makes it leaves out what is far from box and front.
    /// Segments of strands are few, and always in the list when they are near.
    bool isNearSolid(const Vector3& point, double radius, double margin) const;

    /// Finds the solid's front, where both bodies are nothing but points of their surfaces.
    void findFront();

    void addListed(double margin, SurfaceSides& sides, SurfaceCandidates& candidates, std::vector<SkeletonContact>& out,
                   PassContacts& pass);

    /// Makes a new list on the way. Of points that are too far to touch, a bound of the clearance is all that is asked
    /// for: it costs a third of the clearance. Where no list will last, all that were collected are measured: few of
    /// them are that far.
    void addAndList(double margin, SurfaceSides& sides, SurfaceCandidates& candidates,
                    std::vector<SkeletonContact>& out, PassContacts& pass);

    /// At most the clearance of a segment where it is above the margin.
    double clearanceBound(const CapsuleSegment& s, const NearestPoint& nearest, double margin) const;

    /// Puts clearances that were measured in the place of their bounds, and drops what is beyond the reach. Both
    /// ascending by segment.
    void takeMeasured(const std::vector<Nearest>& found, double reach, std::vector<SurfaceCandidate>& listed) const;

    void add(std::vector<Nearest>& found, double margin, SurfaceSides& sides, std::vector<SkeletonContact>& out,
             PassContacts& pass) const;

    /// Whether a segment may touch the solid as far as it is known without its cap.
    bool admit(const Nearest& found, double margin, SurfaceSides& sides, Touching& touching) const;

    /// Goes over to the points of the caps that are nearest to the solid. Where the solid is round, too, its surface
    /// falls away from the plane below the point itself, so it is asked at the point of the cap.
    void reachWithCaps(std::vector<Touching>& touching) const;

    /// What is to be asked for next of the caps that are still followed, of the others none of it.
    void listCapPoints(std::vector<Touching>& touching, std::vector<Vector3>& points, std::vector<FieldSample>& beside,
                       std::vector<Vector3>& ways) const;

    SkeletonContact contact(const Nearest& nearest) const;

    const TouchingBody &m_points, &m_solid;
    bool m_pointsAreFirst;
    bool m_hasFront = false;            ///< Whether the solid has a front.
    Vector3 m_front = Vector3::Zero();  ///< Unit, from the solid's origin to that of the points, or zero, world.
    double m_frontAt = 0.0;             ///< How far its points reach along it from the solid's origin, m.
    Aabb m_solidBounds;                 ///< Box of the solid, world, m.
    double m_largestCap;  ///< Largest caps of the points and of the solid, whose box its own points bound, added, m.
    bool m_hasSheet;      ///< Whether one of the two is thinner than points are apart: edges are everywhere.
    double m_touching = 0.0;  ///< SurfaceReach::margin of the call of find() that is under way, m.
    double m_ahead = 0.0;     ///< What lookedAhead() says of the same, m.
};

}  // namespace pliant
