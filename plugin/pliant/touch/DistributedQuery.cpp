// SPDX-License-Identifier: Zlib
#include "pliant/touch/DistributedQuery.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "pliant/touch/DistributedLaw.h"

namespace pliant {

namespace {

constexpr std::size_t kHeldRoom = 256;
constexpr double kShortestAdvance = 2e-4;  ///< of a point's way, that it is followed in at most
// What rests was far enough for a reach. One that varies a little from frame to frame has to look at nothing anew.
constexpr double kMore = 1.5, kMuchLess = 0.25;
/// Of the way behind the surface where a point went in, that the place above it may lie beside the field's body.
constexpr double kBesideEntry = 0.5;
constexpr double kNever = std::numeric_limits<double>::lowest(), kAlways = std::numeric_limits<double>::max();
constexpr double kHasNear = -1.0;  ///< of a cell, in place of a sum of motions: some cluster of it is near
constexpr double kNearFor = 0.5;   ///< of a cluster's radius, that it may come until it is looked at as a whole again
/// Metres that sums of motions begin anew from. They get there by a jump, or after minutes; a point's float beside them
/// would tell nothing of how far away it is.
constexpr double kLongestSum = 100.0;
/// A slack is used up to this share: sums of motions are rounded.
constexpr double kSafety = 1.0 - 1e-9;
constexpr float kPointNever = -std::numeric_limits<float>::infinity();

/// A float that is not above x: more is taken off than rounding to the nearest adds.
float roundedDownTo(double x) {
    return static_cast<float>(x - 1.2e-7 * std::abs(x));
}

}  // namespace

DistributedQuery::DistributedQuery(std::shared_ptr<const DistributedShell> shell, const ContactLattice* lattice)
    : m_placed(std::move(shell), lattice) {
    m_near.reserve(m_placed.shell().clusters().size());
    m_held.reserve(kHeldRoom);
    reset();
}

void DistributedQuery::reset() {
    m_rests.assign(m_placed.shell().clusters().size(), kNever);
    m_nearUntil.assign(m_rests.size(), kNever);
    m_cellRests.assign(m_placed.shell().cells().size(), kNever);
    m_pointRests.resize(static_cast<std::size_t>(m_placed.shell().pointCount()));
    m_pointsOf.resize(m_rests.size());
    ++m_beginning;
    m_weights.fill(0.0);
    m_held.clear();
    m_listReach = -1.0;
}

DistributedQuery::State DistributedQuery::state() const {
    State state;
    if (m_placed.wasPlaced()) state.places = m_placed.polynomials();
    state.weights = m_weights;
    state.listReach = m_listReach;
    state.held = m_held;
    if (!m_hadBudget) return state;
    state.travelled = m_placed.travelledSums();
    state.cellRests = m_cellRests;
    state.clusterRests = m_rests;
    state.fieldTravelled = m_fieldTravelled;
    return state;
}

bool DistributedQuery::setState(const State& state) {
    const DistributedShell& shell = m_placed.shell();
    if (!state.places.empty() && state.places.size() != shell.cells().size()) return false;
    const auto levels = static_cast<std::size_t>(shell.levelCount());
    if (std::any_of(state.weights.begin() + static_cast<std::ptrdiff_t>(levels), state.weights.end(),
                    [](double w) { return w != 0.0; }))
        return false;
    for (const Held& held : state.held)
        if (held.point < 0 || held.point >= shell.pointCount()) return false;
    const bool hasRests = !state.travelled.empty() || !state.cellRests.empty() || !state.clusterRests.empty();
    if (hasRests && (state.travelled.size() != m_cellRests.size() || state.cellRests.size() != m_cellRests.size() ||
                     state.clusterRests.size() != m_rests.size()))
        return false;
    reset();
    if (!state.places.empty()) m_placed.assign(state.places);
    m_weights = state.weights;
    m_listReach = state.listReach;
    m_held = state.held;
    if (!hasRests) return true;
    m_placed.assignTravelled(state.travelled);
    m_cellRests = state.cellRests;
    m_rests = state.clusterRests;
    m_fieldTravelled = state.fieldTravelled;
    return true;
}

void DistributedQuery::forgetRests() {
    std::fill(m_rests.begin(), m_rests.end(), kNever);
    std::fill(m_nearUntil.begin(), m_nearUntil.end(), kNever);
    std::fill(m_cellRests.begin(), m_cellRests.end(), kNever);
    ++m_beginning;
}

/// @param fieldMotion since the last frame, m; of an unknown one, as of a jump, nothing rests
void DistributedQuery::sumMotions(double fieldMotion) {
    const bool isKnown = fieldMotion < kAnywhere;
    if (isKnown) m_fieldTravelled += fieldMotion;
    if (isKnown && m_fieldTravelled + m_placed.mostTravelled() < kLongestSum) return;
    m_placed.forgetTravelled();
    m_fieldTravelled = 0.0;
    forgetRests();
}

// A cluster has to be looked at where any of its points may lie within reach, or may have come past the field in the
// last frame: the whole way then lies within one step of where it ended.
void DistributedQuery::listClusters(const TouchField& field, const DistributedQueryOptions& options) {
    const DistributedShell& shell = m_placed.shell();
    m_hadBudget = options.budget > 0;
    sumMotions(options.fieldMotion);
    if (options.reach > m_listReach || options.reach < kMuchLess * m_listReach) {
        m_listReach = kMore * options.reach;
        forgetRests();
    }
    m_near.clear();
    for (std::size_t c = 0; c < shell.cells().size(); ++c) {
        const DistributedShell::Cell& cell = shell.cells()[c];
        const auto number = static_cast<int>(c);
        const double moved = m_placed.travelled(number) + m_fieldTravelled;
        if (moved <= m_cellRests[c]) continue;
        const double step = options.followsFastPoints ? m_placed.lastStep(number) + options.fieldMotion : 0.0;
        if (m_cellRests[c] != kHasNear || options.budget > 0) {
            ++m_counts.cells;
            const PlacedShell::Sphere sphere = m_placed.boundingSphere(number, cell.low, cell.high);
            const double slack = field.clearance(sphere.centre) - sphere.radius - m_listReach;
            if (slack > step) {
                m_cellRests[c] = moved + kSafety * (slack - step);
                continue;
            }
        }
        m_cellRests[c] = kAlways;
        for (int i = cell.firstCluster; i < cell.firstCluster + cell.clusterCount; ++i)
            m_cellRests[c] = std::min(m_cellRests[c], listCluster(field, options, i, moved, step));
    }
}

/// @return up to which sum of motions its cell may rest for it
double DistributedQuery::listCluster(const TouchField& field, const DistributedQueryOptions& options, int cluster,
                                     double moved, double step) {
    const auto at = static_cast<std::size_t>(cluster);
    if (moved <= m_rests[at]) return m_rests[at];
    // One that was near is not asked every time whether it still is: its points rest on their own. Where a budget is
    // compared with how many there are, it is.
    if (moved <= m_nearUntil[at] && options.budget == 0) {
        m_near.push_back(cluster);
        return kHasNear;
    }
    ++m_counts.clusters;
    const DistributedShell::Cluster& of = m_placed.shell().clusters()[at];
    const PlacedShell::Sphere sphere = m_placed.boundingSphere(of.cell, of.low, of.high);
    const double slack = field.clearance(sphere.centre) - sphere.radius - m_listReach, free = slack - step;
    m_rests[at] = free > 0.0 ? moved + kSafety * free : kNever;
    // What is looked at for the way that it has come alone may be free in the next frame.
    m_nearUntil[at] = slack > 0.0 ? kNever : moved + kNearFor * sphere.radius;
    if (free > 0.0) return m_rests[at];
    m_near.push_back(cluster);
    return kHasNear;
}

int DistributedQuery::deepestLevel() const {
    int level = m_placed.shell().levelCount() - 1;
    while (level > 0 && m_weights[static_cast<std::size_t>(level)] == 0.0) --level;
    return level;
}

void DistributedQuery::chooseLevel(const DistributedQueryOptions& options) {
    const int levels = m_placed.shell().levelCount();
    std::array<int, DistributedShell::kMostLevels> counts{};
    for (const int i : m_near)
        for (int level = 0; level < levels; ++level)
            counts[static_cast<std::size_t>(level)] +=
                m_placed.shell().clusters()[static_cast<std::size_t>(i)].prefix[level];
    int wanted = levels - 1;
    while (options.budget > 0 && wanted > 0 && counts[static_cast<std::size_t>(wanted)] > options.budget) --wanted;
    const auto at = static_cast<std::size_t>(wanted);
    const bool starts = std::all_of(m_weights.begin(), m_weights.end(), [](double w) { return w == 0.0; });
    const double change = starts ? 1.0 : std::min(1.0, options.step / kBlendTime);
    double others = 0.0;
    for (std::size_t level = 0; level < m_weights.size(); ++level) {
        if (level == at) continue;
        const bool tooMany = options.budget > 0 && counts[level] > 2 * options.budget && level > at;
        m_weights[level] = tooMany ? 0.0 : std::max(0.0, m_weights[level] - change);
        others += m_weights[level];
    }
    m_weights[at] = 1.0 - others;
}

Vector3 DistributedQuery::areaOf(int point) const {
    const DistributedShell& shell = m_placed.shell();
    Vector3 rest = Vector3::Zero();
    for (int level = shell.levelOf(point); level < shell.levelCount(); ++level)
        if (m_weights[static_cast<std::size_t>(level)] > 0.0)
            rest += m_weights[static_cast<std::size_t>(level)] * shell.area(point, level);
    return areaVector(m_placed.gradient(point), rest, 1.0);
}

bool DistributedQuery::isHeld(int point) const {
    const auto found = std::lower_bound(m_held.begin(), m_held.end(), point,
                                        [](const Held& held, int number) { return held.point < number; });
    return found != m_held.end() && found->point == point;
}

/// Follows a point, which is outside now, along its way through the last frame.
bool DistributedQuery::holdIfPassed(const TouchField& field, int point, const Vector3& place) {
    const Vector3 start = m_placed.lastPoint(point), way = place - start;
    const double length = way.norm();
    ++m_counts.traced;
    double at = 0.0;
    for (double distance = field.distance(start); at < length; distance = field.distance(start + at / length * way)) {
        if (!(distance > 0.0)) {
            if (at == 0.0) return false;  // it was inside, and has come out
            Held held{point, start + at / length * way, Vector3::Zero()};
            Vector3 rest;
            held.normal = field.normal(held.entry, rest);
            if (held.normal.dot(way) >= 0.0) return false;
            m_held.insert(std::lower_bound(m_held.begin(), m_held.end(), point,
                                           [](const Held& h, int number) { return h.point < number; }),
                          held);
            return true;
        }
        at += std::max(field.freeWay(distance), kShortestAdvance * length);
    }
    return false;
}

/// Nothing is known of the points of a cluster that is looked at for the first time since forgetRests().
void DistributedQuery::beginPoints(int cluster) {
    const auto at = static_cast<std::size_t>(cluster);
    if (m_pointsOf[at] == m_beginning) return;
    m_pointsOf[at] = m_beginning;
    const DistributedShell& shell = m_placed.shell();
    const DistributedShell::Cluster& of = shell.clusters()[at];
    std::fill_n(m_pointRests.begin() + of.first, of.prefix[shell.levelCount() - 1], kPointNever);
}

/// Places the points of a cluster that do not rest. @return how many
int DistributedQuery::listDue(int cluster, int level, double moved) {
    beginPoints(cluster);
    const DistributedShell::Cluster& of = m_placed.shell().clusters()[static_cast<std::size_t>(cluster)];
    std::size_t due = 0;
    for (int point = of.first; point < of.first + of.prefix[level]; ++point) {
        if (moved <= static_cast<double>(m_pointRests[static_cast<std::size_t>(point)])) continue;
        m_due[due] = point;
        m_places[due++] = m_placed.point(point);
    }
    return static_cast<int>(due);
}

void DistributedQuery::findInCluster(const TouchField& field, const DistributedQueryOptions& options, int cluster,
                                     int level, std::vector<DistributedPoint>& out) {
    const int cell = m_placed.shell().clusters()[static_cast<std::size_t>(cluster)].cell;
    const double moved = m_placed.travelled(cell) + m_fieldTravelled, step = m_placed.lastStep(cell);
    const int count = listDue(cluster, level, moved);
    if (count == 0) return;
    // Farther off a point is neither told nor has it passed anything.
    const double followed = options.followsFastPoints ? step / field.freeWay(1.0) : 0.0;
    field.distancesUpTo(std::max(options.reach, followed), m_places.data(), count, m_distances.data(), m_clear.data());
    m_counts.points += count;
    for (std::size_t at = 0; at < static_cast<std::size_t>(count); ++at) {
        const int point = m_due[at];
        if (!m_held.empty() && isHeld(point)) continue;
        // Its way through a frame that ends while it rests begins farther away than it is long.
        const double free = m_clear[at] - m_listReach;
        if (free > 0.0) m_pointRests[static_cast<std::size_t>(point)] = roundedDownTo(moved + kSafety * free);
        if (options.followsFastPoints && m_distances[at] > 0.0 && field.freeWay(m_distances[at]) <= step &&
            holdIfPassed(field, point, m_places[at]))
            continue;
        if (m_distances[at] <= options.reach)
            out.push_back({point, m_places[at], areaOf(point), m_distances[at], false});
    }
}

// As long as a point that passed through has not come back it is as deep as it is behind the plane where it went in.
// One that has gone round the body's edge since is let go: there is no surface above it any more.
void DistributedQuery::addHeld(const TouchField& field, double reach, std::vector<DistributedPoint>& out) {
    std::size_t kept = 0;
    for (const Held& held : m_held) {
        const Vector3 place = m_placed.point(held.point);
        const double distance = field.distance(place), behind = -held.normal.dot(place - held.entry);
        const bool stays = behind > 0.0 && field.distance(place + behind * held.normal) <= kBesideEntry * behind;
        const double depth = stays ? std::max(behind, -distance) : -distance;
        if (-depth <= reach) out.push_back({held.point, place, areaOf(held.point), -depth, stays});
        if (stays) m_held[kept++] = held;
    }
    m_held.erase(m_held.begin() + static_cast<std::ptrdiff_t>(kept), m_held.end());
}

void DistributedQuery::find(const TouchField& field, const DistributedQueryOptions& options,
                            std::vector<DistributedPoint>& out) {
    m_counts = {};
    listClusters(field, options);
    chooseLevel(options);
    const int level = deepestLevel();
    for (const int cluster : m_near) {
        m_counts.listed += m_placed.shell().clusters()[static_cast<std::size_t>(cluster)].prefix[level];
        findInCluster(field, options, cluster, level, out);
    }
    if (!m_held.empty()) addHeld(field, options.reach, out);
}

void DistributedQuery::findAll(const TouchField& field, int level, double reach,
                               std::vector<DistributedPoint>& out) const {
    const DistributedShell& shell = m_placed.shell();
    for (const DistributedShell::Cluster& cluster : shell.clusters())
        for (int i = 0; i < cluster.prefix[level]; ++i) {
            const int point = cluster.first + i;
            const Vector3 place = m_placed.point(point);
            const double distance = field.distance(place);
            if (distance > reach) continue;
            out.push_back(
                {point, place, areaVector(m_placed.gradient(point), shell.area(point, level), 1.0), distance, false});
        }
}

}  // namespace pliant
