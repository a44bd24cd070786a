// SPDX-License-Identifier: Zlib
#include "Basket.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "pliant/math/Error.h"

namespace basket {
namespace {

using pliant::Vector3;

Vector3 cylindrical(double radius, double angle, double z) {
    return Vector3(radius * std::cos(angle), radius * std::sin(angle), z);
}

/// Amplitude with which a weaver must swing around stakes `spacing` apart so that its chords keep `distance` from their
/// axes. Chords fall from A at the stake to A cos(pi / samples) at the next sample: A / sqrt(1 + slope^2) = distance.
double swing(double distance, double spacing, int samples) {
    const double drop = 1.0 - std::cos(pi / samples);
    const double slopePerAmplitude = drop * samples / spacing;
    const double rest = 1.0 - distance * distance * slopePerAmplitude * slopePerAmplitude;
    if (rest <= 0.2)
        throw pliant::Error("basket",
                            "stakes " + std::to_string(spacing) + " m apart leave no room for a weaver between them",
                            "use fewer stakes, thinner strands or a larger hub");
    return distance / std::sqrt(rest);
}

double weaveDistance(const Options& o) {
    return o.weaverRadius + o.stakeRadius + o.clearance;
}

double floorSwing(const Options& o, double radius) {
    return swing(weaveDistance(o), 2.0 * radius * std::sin(pi / o.stakes), o.samplesPerStake);
}

double floorRingRadius(const Options& o, int ring) {
    const double inner = o.hubRadius + o.weaverRadius + 4.0 * o.clearance + 0.012;
    const double outer = o.baseRadius - 0.4 * o.bendRadius;
    return o.baseRings == 1 ? outer : inner + (outer - inner) * ring / (o.baseRings - 1);
}

/// The stakes' profile in the (radius, z) plane is floor, arc, wall; the wall is tangent to the arc.
Wall makeWall(const Options& o) {
    double lowest = 0.0;
    for (int ring = 0; ring < o.baseRings; ++ring) lowest = std::max(lowest, floorSwing(o, floorRingRadius(o, ring)));
    Wall wall;
    wall.floorHeight = lowest + o.weaverRadius;
    wall.topRadius = o.rimRadius;
    wall.topHeight = wall.floorHeight + o.height;
    // Turning angle t of the arc for which its end continues straight to the rim (fixed point; converges in a few
    // rounds).
    double turn = 0.5 * pi;
    for (int round = 0; round < 60; ++round) {
        wall.bottomRadius = o.baseRadius + o.bendRadius * std::sin(turn);
        wall.bottomHeight = wall.floorHeight + o.bendRadius * (1.0 - std::cos(turn));
        turn = std::atan2(wall.topHeight - wall.bottomHeight, wall.topRadius - wall.bottomRadius);
    }
    return wall;
}

Strand makeStake(const Options& o, const Wall& wall, int number) {
    Strand stake;
    stake.part = Part::Stake;
    stake.number = number;
    stake.radius = o.stakeRadius;
    const double angle = 2.0 * pi * number / o.stakes;
    stake.reference = cylindrical(1.0, angle + 0.5 * pi, 0.0);
    const auto add = [&](double radius, double z) { stake.centreline.push_back(cylindrical(radius, angle, z)); };

    const double start = o.hubRadius + o.clearance + 0.002;
    const int floorSteps = 4, arcSteps = 4;
    for (int i = 0; i < floorSteps; ++i) add(start + (o.baseRadius - start) * i / floorSteps, wall.floorHeight);
    const double turn = std::atan2(wall.topHeight - wall.bottomHeight, wall.topRadius - wall.bottomRadius);
    for (int i = 0; i < arcSteps; ++i) {
        const double t = turn * i / arcSteps;
        add(o.baseRadius + o.bendRadius * std::sin(t), wall.floorHeight + o.bendRadius * (1.0 - std::cos(t)));
    }
    // The rope of the rim lies on the stakes' ends.
    const double top = wall.topHeight - 2.0 * o.rimStrandRadius - o.stakeRadius - 2.0 * o.clearance;
    for (int i = 0; i <= o.rows; ++i) {
        const double z = wall.bottomHeight + (top - wall.bottomHeight) * i / o.rows;
        add(wall.radiusAt(z), z);
    }
    return stake;
}

Strand makeWeaver(const Options& o, const Wall& wall, int row) {
    Strand weaver;
    weaver.part = Part::Weaver;
    weaver.number = row;
    weaver.radius = o.weaverRadius;
    weaver.closed = true;
    weaver.reference = Vector3::UnitZ();
    const double low = wall.bottomHeight;
    const double high = wall.topHeight - 2.0 * o.rimStrandRadius - o.weaverRadius - o.rimStrandRadius;
    const double z = low + (high - low) * row / std::max(1, o.rows - 1);
    const double radius = wall.radiusAt(z);
    // The wall leans, so the distance in its plane is the horizontal one times the cosine of the lean.
    const double lean = std::atan2(wall.topRadius - wall.bottomRadius, wall.topHeight - wall.bottomHeight);
    const double amplitude =
        swing(weaveDistance(o) / std::cos(lean), 2.0 * radius * std::sin(pi / o.stakes), o.samplesPerStake);
    const int samples = o.stakes * o.samplesPerStake;
    const double side = row % 2 == 0 ? 1.0 : -1.0;
    for (int i = 0; i < samples; ++i) {
        const double swingNow = side * amplitude * std::cos(pi * i / o.samplesPerStake);
        weaver.centreline.push_back(cylindrical(radius + swingNow, 2.0 * pi * i / samples, z));
    }
    return weaver;
}

Strand makeBaseRing(const Options& o, const Wall& wall, int ring) {
    Strand strand;
    strand.part = Part::BaseRing;
    strand.number = ring;
    strand.radius = o.weaverRadius;
    strand.closed = true;
    strand.reference = Vector3::UnitZ();
    const double radius = floorRingRadius(o, ring);
    const double amplitude = floorSwing(o, radius);
    const int samples = o.stakes * o.samplesPerStake;
    const double side = ring % 2 == 0 ? 1.0 : -1.0;
    for (int i = 0; i < samples; ++i) {
        const double lift = side * amplitude * std::cos(pi * i / o.samplesPerStake);
        strand.centreline.push_back(cylindrical(radius, 2.0 * pi * i / samples, wall.floorHeight + lift));
    }
    return strand;
}

/// Two strands twisted around the rim's circle.
Strand makeRimStrand(const Options& o, const Wall& wall, int number) {
    Strand strand;
    strand.part = Part::Rim;
    strand.number = number;
    strand.radius = o.rimStrandRadius;
    strand.closed = true;
    strand.reference = Vector3::UnitZ();
    const int samples = o.stakes * o.samplesPerStake;
    const int twists = o.stakes / 2;
    // Chords of the helix cut towards its axis: 1 / cos of half the turn between samples, and the pitch, bring them
    // back.
    const double pitch = 2.0 * pi * o.rimRadius / twists;
    const double half = pi * twists / samples;
    const double reach = (o.rimStrandRadius + 0.5 * o.clearance) / std::cos(half) *
                         std::hypot(1.0, 2.0 * pi * o.rimStrandRadius / pitch);
    const double z = wall.topHeight + (reach - o.rimStrandRadius);
    for (int i = 0; i < samples; ++i) {
        const double phase = 2.0 * pi * twists * i / samples + pi * number;
        strand.centreline.push_back(
            cylindrical(o.rimRadius + reach * std::cos(phase), 2.0 * pi * i / samples, z + reach * std::sin(phase)));
    }
    return strand;
}

/// An arch over the basket in the xz plane; its ends run down inside the wall.
Strand makeHandle(const Options& o, const Wall& wall) {
    Strand handle;
    handle.part = Part::Handle;
    handle.radius = o.handleRadius;
    handle.reference = Vector3::UnitY();
    const double low = wall.topHeight - 0.045;
    const double inwards = 1.25 * weaveDistance(o) + o.weaverRadius + o.handleRadius + o.clearance;
    const double x = wall.radiusAt(low) - inwards;
    const double springing = wall.topHeight + 0.02;
    for (int i = 0; i < 3; ++i) handle.centreline.push_back(Vector3(x, 0.0, low + (springing - low) * i / 3));
    const int arc = 20;
    for (int i = 0; i <= arc; ++i) {
        const double t = pi * i / arc;
        handle.centreline.push_back(Vector3(x * std::cos(t), 0.0, springing + (o.handleHeight - 0.02) * std::sin(t)));
    }
    for (int i = 2; i >= 0; --i) handle.centreline.push_back(Vector3(-x, 0.0, low + (springing - low) * i / 3));
    return handle;
}

/// Smallest distance between segments ab and cd (clamped closest points; [Ericson 2005, 5.1.9] as the general scheme).
double segmentDistance(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d) {
    const Vector3 u = b - a, v = d - c, w = a - c;
    const double uu = u.squaredNorm(), vv = v.squaredNorm(), uv = u.dot(v), uw = u.dot(w), vw = v.dot(w);
    const double det = uu * vv - uv * uv;
    double s = det > 1e-12 * uu * vv ? std::clamp((uv * vw - vv * uw) / det, 0.0, 1.0) : 0.0;
    const double t = std::clamp((uv * s + vw) / vv, 0.0, 1.0);
    s = std::clamp((uv * t - uw) / uu, 0.0, 1.0);
    return (w + s * u - t * v).norm();
}

std::size_t segmentCount(const Strand& s) {
    return s.closed ? s.centreline.size() : s.centreline.size() - 1;
}

}  // namespace

Basket makeBasket(const Options& options) {
    if (options.stakes < 4 || options.stakes % 2 != 0)
        throw pliant::Error("basket",
                            std::to_string(options.stakes) + " stakes: a closed weaver cannot alternate around them",
                            "use an even number, at least 4");
    if (options.rows < 1 || options.baseRings < 1 || options.samplesPerStake < 2 || options.sides < 3)
        throw pliant::Error("basket", "rows and base rings must be at least 1, samples per stake 2, sides 3");
    Basket result;
    result.options = options;
    result.wall = makeWall(options);
    for (int i = 0; i < options.stakes; ++i) result.strands.push_back(makeStake(options, result.wall, i));
    for (int i = 0; i < options.baseRings; ++i) result.strands.push_back(makeBaseRing(options, result.wall, i));
    for (int i = 0; i < options.rows; ++i) result.strands.push_back(makeWeaver(options, result.wall, i));
    for (int i = 0; i < 2; ++i) result.strands.push_back(makeRimStrand(options, result.wall, i));
    result.strands.push_back(makeHandle(options, result.wall));
    return result;
}

double clearance(const Strand& a, const Strand& b) {
    double smallest = 1e300;
    const auto point = [](const Strand& s, std::size_t i) { return s.centreline[i % s.centreline.size()]; };
    for (std::size_t i = 0; i < segmentCount(a); ++i)
        for (std::size_t j = 0; j < segmentCount(b); ++j)
            smallest = std::min(smallest, segmentDistance(point(a, i), point(a, i + 1), point(b, j), point(b, j + 1)));
    return smallest - a.radius - b.radius;
}

}  // namespace basket
