// SPDX-License-Identifier: Zlib
#include "StrandCrossings.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "btPliant/btPliantBody.h"
#include "pliant/collision/pair/CollideBodies.h"

namespace pliant::test {
namespace {

constexpr double kRoom = 1e-6;   // m, for the rounding of boxes
constexpr double kBeside = 3.0;  // radii

double spannedVolume(const SegmentAxes& x) {
    return (x[2] - x[0]).dot((x[1] - x[0]).cross(x[3] - x[2]));
}

SegmentAxes axesAt(const SegmentAxes& before, const SegmentAxes& after, double time) {
    SegmentAxes x;
    for (std::size_t k = 0; k < 4; ++k) x[k] = (1 - time) * before[k] + time * after[k];
    return x;
}

/// Whether the nearest points of the two lines lie within the segments.
bool meetWithin(const SegmentAxes& x) {
    const Vector3 u = x[1] - x[0], v = x[3] - x[2], w = x[0] - x[2];
    const double uu = u.dot(u), uv = u.dot(v), vv = v.dot(v), uw = u.dot(w), vw = v.dot(w), size = uu * vv - uv * uv;
    if (size <= 1e-12 * uu * vv) return false;
    const double s = (uv * vw - vv * uw) / size, t = (uu * vw - uv * uw) / size;
    return s >= 0 && s <= 1 && t >= 0 && t <= 1;
}

/// Where a cubic that has these values at 0, 1/3, 2/3 and 1 turns within (0, 1).
std::vector<double> turningPoints(const std::array<double, 4>& y) {
    const double c3 = 4.5 * (y[3] - 3 * y[2] + 3 * y[1] - y[0]);
    const double c2 = 4.5 * (2 * y[0] - 5 * y[1] + 4 * y[2] - y[3]);
    const double c1 = y[3] - y[0] - c2 - c3;
    std::vector<double> found;
    const double root = c2 * c2 - 3 * c3 * c1;
    if (root < 0) return found;
    const double q = -(c2 + std::copysign(std::sqrt(root), c2));
    for (const double t : {q / (3 * c3), c1 / q})
        if (t > 0 && t < 1) found.push_back(t);
    std::sort(found.begin(), found.end());
    return found;
}

double rootBetween(const SegmentAxes& before, const SegmentAxes& after, double low, double high) {
    const bool rises = spannedVolume(axesAt(before, after, low)) < 0;
    for (int i = 0; i < 50; ++i) {
        const double middle = 0.5 * (low + high);
        ((spannedVolume(axesAt(before, after, middle)) < 0) == rises ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

}  // namespace

SkeletonStrands::SkeletonStrands(const ContactSkeleton& skeleton) {
    const auto& ends = skeleton.segments;
    const auto segments = static_cast<std::size_t>(ends.cols());
    std::vector<std::vector<int>> at(static_cast<std::size_t>(skeleton.radii.size()));
    for (int i = 0; i < static_cast<int>(segments); ++i)
        for (int end = 0; end < 2; ++end) at[static_cast<std::size_t>(ends(end, i))].push_back(i);
    ofSegment.assign(segments, -1);
    direction.assign(segments, 1);
    const auto walk = [&](int segment, int end, int sign) {
        while (true) {
            const std::vector<int>& here = at[static_cast<std::size_t>(ends(end, segment))];
            if (here.size() != 2) return;
            const int next = here[0] == segment ? here[1] : here[0], start = ends(end, segment);
            const auto k = static_cast<std::size_t>(next);
            if (ofSegment[k] >= 0) return;
            const bool forward = ends(0, next) == start;
            ofSegment[k] = count;
            direction[k] = forward ? sign : -sign;
            segment = next;
            end = forward ? 1 : 0;
        }
    };
    for (int i = 0; i < static_cast<int>(segments); ++i) {
        if (ofSegment[static_cast<std::size_t>(i)] >= 0) continue;
        ofSegment[static_cast<std::size_t>(i)] = count;
        walk(i, 1, 1);
        walk(i, 0, -1);
        ++count;
    }
}

AxesPasses passesOf(const SegmentAxes& before, const SegmentAxes& after) {
    std::array<double, 4> y{};
    for (std::size_t k = 0; k < 4; ++k) y[k] = spannedVolume(axesAt(before, after, static_cast<double>(k) / 3.0));
    std::vector<double> times = turningPoints(y);
    times.insert(times.begin(), 0.0);
    times.push_back(1.0);
    AxesPasses passes;
    for (std::size_t i = 0; i + 1 < times.size(); ++i) {
        const double start = spannedVolume(axesAt(before, after, times[i])),
                     end = spannedVolume(axesAt(before, after, times[i + 1]));
        if ((start < 0) == (end < 0)) continue;
        if (!meetWithin(axesAt(before, after, rootBetween(before, after, times[i], times[i + 1])))) continue;
        ++passes.count;
        passes.net += start < 0 ? 1 : -1;
    }
    return passes;
}

StrandCrossings::StrandCrossings(const btPliantSystem& system)
    : m_system(system), m_skeleton(system.getBody(0)->getModel().skeleton), m_strands(m_skeleton) {
    const auto model = std::make_shared<CollisionModel>(system.getBody(0)->getSharedModel());
    m_bodies.resize(static_cast<std::size_t>(system.getNumBodies()));
    for (int i = 0; i < system.getNumBodies(); ++i) m_deformed.emplace_back(model);
    for (std::size_t i = 0; i < m_bodies.size(); ++i)
        place(m_bodies[i], m_deformed[i], *system.getBody(static_cast<int>(i)));
}

void StrandCrossings::place(Body& body, DeformedBody& deformed, const btPliantBody& bullet) const {
    std::swap(body.before, body.after);
    body.after.clear();
    const btTransform& frame = bullet.getWorldTransform();
    RigidTransform world;
    for (int row = 0; row < 3; ++row) {
        world.translation[row] = static_cast<double>(frame.getOrigin()[row]);
        for (int k = 0; k < 3; ++k) world.rotation(row, k) = static_cast<double>(frame.getBasis()[row][k]);
    }
    deformed.update(bullet.getReducedCoordinates().data(), world);
    const float* spheres = deformed.rotatedSpheres();
    for (Eigen::Index i = 0; i < m_skeleton.radii.size(); ++i)
        body.after.push_back(Eigen::Map<const Eigen::Vector3f>(spheres + 4 * i).cast<double>() + world.translation);
    if (body.before.empty()) body.before = body.after;
    body.lower = body.upper = body.after.front();
    body.motion.setZero();
    for (std::size_t i = 0; i < body.after.size(); ++i) {
        body.lower = body.lower.cwiseMin(body.before[i]).cwiseMin(body.after[i]);
        body.upper = body.upper.cwiseMax(body.before[i]).cwiseMax(body.after[i]);
        body.motion += (body.after[i] - body.before[i]) / static_cast<double>(body.after.size());
    }
}

SegmentAxes StrandCrossings::axes(const Body& a, int segmentA, const Body& b, int segmentB, bool after) const {
    const auto at = [&](const Body& body, int segment, int end) {
        return (after ? body.after : body.before)[static_cast<std::size_t>(m_skeleton.segments(end, segment))];
    };
    return {at(a, segmentA, 0), at(a, segmentA, 1), at(b, segmentB, 0), at(b, segmentB, 1)};
}

/// Segments whose ways may meet the other body's, as seen by what goes along with the other.
void StrandCrossings::listNear(const Body& body, const Body& other, std::vector<int>& found) const {
    Vector3 lower = other.before.front(), upper = lower;
    for (std::size_t i = 0; i < other.before.size(); ++i) {
        const Vector3 then = other.after[i] - other.motion;
        lower = lower.cwiseMin(other.before[i]).cwiseMin(then);
        upper = upper.cwiseMax(other.before[i]).cwiseMax(then);
    }
    lower.array() -= kRoom;
    upper.array() += kRoom;
    found.clear();
    for (int i = 0; i < static_cast<int>(m_skeleton.segments.cols()); ++i) {
        const auto p = static_cast<std::size_t>(m_skeleton.segments(0, i)),
                   q = static_cast<std::size_t>(m_skeleton.segments(1, i));
        const Vector3 pThen = body.after[p] - other.motion, qThen = body.after[q] - other.motion;
        const Vector3 least = body.before[p].cwiseMin(body.before[q]).cwiseMin(pThen).cwiseMin(qThen);
        const Vector3 most = body.before[p].cwiseMax(body.before[q]).cwiseMax(pThen).cwiseMax(qThen);
        if ((least.array() <= upper.array()).all() && (most.array() >= lower.array()).all()) found.push_back(i);
    }
}

int StrandCrossings::passesOfBodies(int a, int b) {
    const Body &first = m_bodies[static_cast<std::size_t>(a)], &second = m_bodies[static_cast<std::size_t>(b)];
    if (((first.lower - second.upper).array() > kRoom).any() || ((second.lower - first.upper).array() > kRoom).any())
        return 0;
    listNear(first, second, m_nearA);
    if (m_nearA.empty()) return 0;
    listNear(second, first, m_nearB);
    struct Way {
        Eigen::Array3f least, most;
        int segment;
    };
    static thread_local std::vector<Way> ways;
    ways.clear();
    const auto wayOf = [&](const Body& body, int segment) {
        const auto p = static_cast<std::size_t>(m_skeleton.segments(0, segment)),
                   q = static_cast<std::size_t>(m_skeleton.segments(1, segment));
        const Vector3 pThen = body.after[p] - second.motion, qThen = body.after[q] - second.motion;
        const Vector3 least = body.before[p].cwiseMin(body.before[q]).cwiseMin(pThen).cwiseMin(qThen);
        const Vector3 most = body.before[p].cwiseMax(body.before[q]).cwiseMax(pThen).cwiseMax(qThen);
        return Way{least.cast<float>().array() - 1e-5F, most.cast<float>().array() + 1e-5F, segment};
    };
    for (const int segment : m_nearB) ways.push_back(wayOf(second, segment));
    std::sort(ways.begin(), ways.end(), [](const Way& x, const Way& y) { return x.least[0] < y.least[0]; });
    int count = 0;
    for (const int segment : m_nearA) {
        const Way ours = wayOf(first, segment);
        for (const Way& theirs : ways) {
            if (theirs.least[0] > ours.most[0]) break;
            if ((theirs.least > ours.most).any() || (theirs.most < ours.least).any()) continue;
            const AxesPasses passes = passesOf(axes(first, segment, second, theirs.segment, false),
                                               axes(first, segment, second, theirs.segment, true));
            if (passes.count == 0) continue;
            count += passes.count;
            const auto i = static_cast<std::size_t>(segment), j = static_cast<std::size_t>(theirs.segment);
            m_ledger[{{a, m_strands.ofSegment[i]}, {b, m_strands.ofSegment[j]}}].push_back(
                {m_step, passes.net * m_strands.direction[i] * m_strands.direction[j], segment, theirs.segment});
        }
    }
    return count;
}

int StrandCrossings::look() {
    ++m_step;
    for (std::size_t i = 0; i < m_bodies.size(); ++i)
        place(m_bodies[i], m_deformed[i], *m_system.getBody(static_cast<int>(i)));
    int count = 0;
    for (int a = 0; a < static_cast<int>(m_bodies.size()); ++a)
        for (int b = a + 1; b < static_cast<int>(m_bodies.size()); ++b) count += passesOfBodies(a, b);
    return count;
}

int StrandCrossings::netPasses(const Passes& passes) {
    return std::accumulate(passes.begin(), passes.end(), 0, [](int sum, const Pass& pass) { return sum + pass.net; });
}

int StrandCrossings::netPairs() const {
    return static_cast<int>(std::count_if(m_ledger.begin(), m_ledger.end(),
                                          [](const auto& entry) { return netPasses(entry.second) != 0; }));
}

int StrandCrossings::hookedPairs() const {
    return static_cast<int>(std::count_if(m_ledger.begin(), m_ledger.end(), [this](const auto& entry) {
        return netPasses(entry.second) != 0 && distance(entry.first.first, entry.first.second, 2 * kBeside) < kBeside;
    }));
}

double StrandCrossings::distance(const Strand& a, const Strand& b, double anywhere) const {
    const auto segments = static_cast<int>(m_strands.ofSegment.size());
    const double reach = anywhere * static_cast<double>(m_skeleton.radii.maxCoeff());
    double least = anywhere;
    for (int i = 0; i < segments; ++i)
        for (int j = 0; j < segments; ++j) {
            if (m_strands.ofSegment[static_cast<std::size_t>(i)] != a.strand ||
                m_strands.ofSegment[static_cast<std::size_t>(j)] != b.strand)
                continue;
            SkeletonContact contacts[2];
            if (collideSegments(m_deformed[static_cast<std::size_t>(a.body)], i,
                                m_deformed[static_cast<std::size_t>(b.body)], j, reach, contacts) > 0)
                least = std::min(least, contacts[0].distance / (0.5 * (contacts[0].radiusA + contacts[0].radiusB)));
        }
    return least;
}

}  // namespace pliant::test
