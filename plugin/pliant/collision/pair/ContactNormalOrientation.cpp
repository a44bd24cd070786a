// SPDX-License-Identifier: Zlib
#include "pliant/collision/pair/ContactNormalOrientation.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {

namespace {

constexpr double kMeeting = 1e-4;  ///< axes closer than this share of the radii have no direction of their own
constexpr double kDeep = 0.5;      ///< axes closer than this share: the present direction is doubtful without a past
constexpr double kSteady = 0.25;   ///< below this share an end point may swing round the other axis in one substep
/// The offset of axes that pass across each other lies along their common perpendicular, but for the lean of tapers:
/// this cosine. Side by side it is any perpendicular of theirs (at the end of their common stretch, or of tapered
/// ones), and the common one turns by a right angle when an axis turns by a hair.
constexpr double kAcross = 0.97;
constexpr double kAside = 0.1;  ///< sine of the angle up to which axes are side by side (sideBySide())

/// Cosine of the angle to the side it came from, from which on what has passed wholly through is straight behind: what
/// has slid off the end of a strand is beside it.
constexpr double kBehind = 0.7;

/// Unit vector perpendicular to both axes, or to A's and as near to `towards` as can be where they are parallel.
Vector3 perpendicular(const ContactAxes& axes, const Vector3& towards) {
    Vector3 n = axes.extentA.cross(axes.extentB);
    if (n.squaredNorm() > 1e-6 * axes.extentA.squaredNorm() * axes.extentB.squaredNorm() && n.squaredNorm() > 0.0)
        return n.dot(towards) < 0.0 ? -n.normalized() : n.normalized();
    const Vector3& axis = axes.extentA.squaredNorm() > 0.0 ? axes.extentA : axes.extentB;
    const double length2 = axis.squaredNorm();
    n = length2 > 0.0 ? Vector3(towards - (towards.dot(axis) / length2) * axis) : towards;
    if (n.squaredNorm() > 1e-12 * towards.squaredNorm() && n.squaredNorm() > 0.0) return n.normalized();
    // Nothing tells: the coordinate axis that leans least along the segment.
    int least = 0;
    axis.cwiseAbs().minCoeff(&least);
    n = Vector3::Unit(least);
    if (length2 > 0.0) n -= (n.dot(axis) / length2) * axis;
    return n.normalized();
}

OrientedNormal sideByOffset(const ContactAxes& axes) {
    const double length = axes.offset.norm();
    if (length > kMeeting * axes.radii) return {axes.offset / length, length, false};
    const Vector3 normal = perpendicular(axes, axes.centres);
    return {normal, axes.offset.dot(normal), false};
}

/// Keeps to the remembered side `past` (unit).
OrientedNormal sideByPast(const ContactAxes& axes, const Vector3& past) {
    const double length = axes.offset.norm();
    OrientedNormal side;
    if (axes.interior) {
        const Vector3 product = axes.extentA.cross(axes.extentB);
        const double size = product.norm();
        const Vector3 common = size > 0.0 ? Vector3(product / size) : Vector3::Zero();
        const double along = common.dot(past);
        // What is too short to have a direction goes by the angle of the axes.
        const bool passAcross = length > kSteady * axes.radii
                                    ? std::abs(axes.offset.dot(common)) >= kAcross * length
                                    : size > kAside * axes.extentA.norm() * axes.extentB.norm();
        if (std::abs(along) > 0.2 && passAcross) {
            side.normal = along > 0.0 ? common : Vector3(-common);
            side.separation = axes.offset.dot(side.normal);
            side.crossed = side.separation < 0.0;
            return side;
        }
    }
    if (length > kSteady * axes.radii && axes.offset.dot(past) >= 0.0) return {axes.offset / length, length, false};
    side.normal = past;
    side.separation = axes.offset.dot(past);
    side.crossed = side.separation < 0.0;
    return side;
}

/// Whether what is known to have passed through is behind the other, no longer in touch and not far yet.
bool isBehind(const ContactAxes& axes, const Matrix3& rotation, const ContactHistory::Entry* known) {
    if (!axes.comesBack || !known || !known->crossed) return false;
    const double length = axes.offset.norm();
    return length < kReachBehind * axes.radii && axes.offset.dot(rotation * known->normal) < -kBehind * length;
}

/// Entries from which on a pair's are looked for by their segments: fewer are gone through sooner than searched in.
constexpr std::size_t kManyEntries = 256;

/// What nearbyEntry() is, of the entries of the segments beside A's alone. Bodies that have been pressed through each
/// other remember thousands, and each of their pairs of segments would go through all of them.
const ContactHistory::Entry* nearbyOfMany(const ContactHistory& history, const CollisionModel& a, int segmentA,
                                          const CollisionModel& b, int segmentB, const ContactAxes& axes) {
    const auto& entries = history.entries();
    const ContactHistory::Entry* nearest = nullptr;
    double least = 4.0 * axes.radii * axes.radii;
    for (int i = 0; i < 2; ++i) {
        const int sphere = a.skeleton().segments(i, segmentA);
        for (int k = 0; k < a.segmentCountAt(sphere); ++k) {
            const int beside = a.segmentsAt(sphere)[k];
            const std::uint64_t end = contactFeature(beside + 1, -1, 0);
            auto at = std::lower_bound(
                entries.begin(), entries.end(), contactFeature(beside, -1, 0),
                [](const ContactHistory::Entry& entry, std::uint64_t key) { return entry.feature < key; });
            for (; at != entries.end() && at->feature < end; ++at) {
                const double distance2 = (at->point - axes.midpoint).squaredNorm();
                // Of several at one distance the first, in whatever order the segments come.
                if (distance2 > least || (distance2 == least && (!nearest || &*at >= nearest))) continue;
                if (!a.adjacent(segmentA, at->segmentA) || !b.adjacent(segmentB, at->segmentB)) continue;
                least = distance2;
                nearest = &*at;
            }
        }
    }
    return nearest;
}

}  // namespace

bool comeBack(const DeformedBody& a, const DeformedBody& b) {
    return &a != &b && !a.skin() && !b.skin();
}

OrientedNormal orientContactNormal(const ContactAxes& axes, const Matrix3& rotation, const ContactHistory::Entry* own,
                                   const ContactHistory::Entry* nearby) {
    const double length = axes.offset.norm();
    // Apart again: nothing overlaps that a side could be kept in, unless it went through and out at the back.
    if (length >= axes.radii && !isBehind(axes, rotation, own ? own : nearby)) return sideByOffset(axes);
    if (own) return sideByPast(axes, rotation * own->normal);
    if (nearby && (nearby->crossed || length < kDeep * axes.radii)) return sideByPast(axes, rotation * nearby->normal);
    return sideByOffset(axes);
}

const ContactHistory::Entry* nearbyEntry(const ContactHistory& history, const CollisionModel& a, int segmentA,
                                         const CollisionModel& b, int segmentB, const ContactAxes& axes) {
    if (history.entries().size() >= kManyEntries) return nearbyOfMany(history, a, segmentA, b, segmentB, axes);
    const ContactHistory::Entry* nearest = nullptr;
    double least = 4.0 * axes.radii * axes.radii;
    for (const ContactHistory::Entry& entry : history.entries()) {
        const double distance2 = (entry.point - axes.midpoint).squaredNorm();
        if (distance2 >= least) continue;
        if (!a.adjacent(segmentA, entry.segmentA) || !b.adjacent(segmentB, entry.segmentB)) continue;
        least = distance2;
        nearest = &entry;
    }
    return nearest;
}

const ContactHistory::Entry* crossedEntry(const ContactHistory& history, const CollisionModel& a, int segmentA,
                                          const CollisionModel& b, int segmentB, const Vector3& point) {
    if (!history.anyCrossed()) return nullptr;
    const ContactHistory::Entry* nearest = nullptr;
    double least = std::numeric_limits<double>::infinity();
    for (const ContactHistory::Entry& entry : history.entries()) {
        if (!entry.crossed || !a.adjacent(segmentA, entry.segmentA) || !b.adjacent(segmentB, entry.segmentB)) continue;
        if (entry.segmentA == segmentA && entry.segmentB == segmentB) return &entry;
        const double distance2 = (entry.point - point).squaredNorm();
        if (distance2 >= least) continue;
        least = distance2;
        nearest = &entry;
    }
    return nearest;
}

}  // namespace pliant
