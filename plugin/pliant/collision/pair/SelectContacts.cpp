// SPDX-License-Identifier: Zlib
#include "pliant/collision/pair/SelectContacts.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "pliant/collision/pair/ContactIslands.h"

namespace pliant {

namespace {

constexpr double kKeptShare = 3.0;  ///< of what counts for a contact, where it was kept before
/// Contacts of a tilted patch that are kept first, the deepest and those that are farthest apart, however deep these
/// are and whether or not they were kept before: when one side has struck, the other has to hold it in the same step.
constexpr std::size_t kPatchCorners = 4;
/// Of the squares of what the ends of contacts differ by, what may be no tilt of a body that comes down as a whole.
constexpr double kBentShare = 0.45;

/// Islands that are narrower than this share of their length are as wide as long for the choice: the one side would
/// cover the other even where both were kept before. What is as narrow as a line has no sides.
constexpr double kNarrow = 0.13, kLine = 1e-3;

double depthAtEnd(const SkeletonContact& c) {
    return c.distance - c.closing;
}

/// What the choice asks of a contact, in one place: contacts are some 200 bytes long.
struct Choosable {
    Vector3 point;
    double atEnd = 0;    ///< distance at the end of the step, m
    double nearest = 0;  ///< squared distance to the nearest contact that is kept, m^2
    double bend = 0;     ///< `atEnd`, of a tilted patch less the tilt (leaveOutTilt()), m
    double depth = 0;    ///< of the nearest contact that is kept, m: its `bend`
    int island = 0;
    bool wasKept = false;
};

/// Contacts that no gap parts, as its first contact that is kept measures them.
struct Island {
    double size = 0;                   ///< from that contact to the farthest one, m
    double stretch = 1;                ///< length over width where it is narrow
    Vector3 across = Vector3::Zero();  ///< by what distances grow there, for each metre
    bool isOpen = false;               ///< whether a contact of it is kept
};

/// Contacts [first, last) of one patch, the deepest first; brings those that are kept to the front.
class Patch {
public:
    Patch(std::vector<SkeletonContact>& contacts, std::size_t first, std::size_t last, const SelectOptions& options)
        : m_contacts(contacts), m_first(first), m_options(options) {
        const int islands = findIslands(contacts, first, last, options.islandGap, m_island);
        m_islands.assign(static_cast<std::size_t>(islands), Island{islands > 1 ? options.islandGap : 0.0});
        m_choosable.clear();
        for (std::size_t i = first; i < last; ++i) {
            const double atEnd = depthAtEnd(contacts[i]);
            m_choosable.push_back({contacts[i].pointA, atEnd, std::numeric_limits<double>::max(), atEnd, 0.0,
                                   m_island[i - first], contacts[i].kept});
            m_isTilted = m_isTilted || (options.minimumOfTilted > 0 && contacts[i].closing != 0.0);
        }
        m_isTilted = m_isTilted && leaveOutTilt();
    }

    /// @return the end of the contacts that are kept
    std::size_t select(std::size_t most) {
        const std::size_t count = m_choosable.size();
        const int uncovered = std::max(m_options.minimumPerPatch, m_isTilted ? m_options.minimumOfTilted : 0);
        std::size_t kept = 1;
        openIsland(0);
        while (kept < count && kept < most) {
            const int least = std::max(uncovered, m_isNarrow ? m_options.minimumOfNarrow : 0);
            const std::size_t best = findBest(kept, static_cast<int>(kept) < least);
            if (best == count) break;
            std::swap(m_contacts[m_first + kept], m_contacts[m_first + best]);
            std::swap(m_choosable[kept], m_choosable[best]);
            openIsland(kept++);
        }
        return m_first + kept;
    }

private:
    /// A body that swings down ends the step deeper on one side than on the other. That is held by its corners; how it
    /// is bent is what differs from the plane that lies closest to the ends of all contacts that end inside. Places
    /// count as seen along the normal: along it they differ by how the body is bent already.
    /// @return whether most of what they differ by is tilt
    bool leaveOutTilt() {
        const Vector3 normal = m_contacts[m_first].normal;
        Vector3 middle = Vector3::Zero();
        double mean = 0.0, count = 0.0;
        for (const Choosable& c : m_choosable) {
            if (c.atEnd > 0.0) continue;
            middle += c.point;
            mean += c.atEnd;
            count += 1.0;
        }
        if (count < kPatchCorners) return false;
        middle /= count;
        mean /= count;
        const auto arm = [&](const Choosable& c) {
            const Vector3 way = c.point - middle;
            return Vector3(way - normal.dot(way) * normal);
        };
        Matrix3 squares = Matrix3::Zero();
        Vector3 products = Vector3::Zero();
        double all = 0.0, left = 0.0;  // squares of what ends differ by, and of what is no tilt
        for (const Choosable& c : m_choosable) {
            if (c.atEnd > 0.0) continue;
            squares += arm(c) * arm(c).transpose();
            products += (c.atEnd - mean) * arm(c);
            all += (c.atEnd - mean) * (c.atEnd - mean);
        }
        // Arms say nothing about the way along the normal, nor those on a line about the way across it.
        squares.diagonal().array() += 1e-9 * squares.trace() + std::numeric_limits<double>::min();
        const Vector3 slope = squares.ldlt().solve(products);
        const auto tilted = [&](const Choosable& c) { return mean + slope.dot(arm(c)); };
        for (const Choosable& c : m_choosable)
            if (c.atEnd <= 0.0) left += (c.atEnd - tilted(c)) * (c.atEnd - tilted(c));
        if (!(left <= kBentShare * all)) return false;  // what is no number is no tilt
        for (Choosable& c : m_choosable) c.bend = c.atEnd - std::min(0.0, tilted(c));
        return true;
    }

    /// Notes what the contact that was kept last does for the others, and finds the one that is worth most beside them;
    /// the number of candidates where there is none.
    std::size_t findBest(std::size_t kept, bool mayBeCovered) {
        const Vector3 last = m_choosable[kept - 1].point;
        const double lastDepth = m_choosable[kept - 1].bend;
        const double deepest = std::max(0.0, m_choosable[0].atEnd);
        std::size_t best = m_choosable.size();
        double largest = -std::numeric_limits<double>::max();
        const bool isCorner = m_isTilted && kept < kPatchCorners;
        for (std::size_t i = kept; i < m_choosable.size(); ++i) {
            Choosable& c = m_choosable[i];
            const double squared = squaredDistance(c, last);
            if (squared < c.nearest) {
                c.nearest = squared;
                c.depth = lastDepth;
            }
            const double worth = worthOf(c, deepest, isCorner);
            if (worth <= largest || (!mayBeCovered && isCovered(c, worth))) continue;
            largest = worth;
            best = i;
        }
        return best;
    }

    double worthOf(const Choosable& c, double deepest, bool isCorner) const {
        const double deeper = isCorner ? 0.0 : std::max(0.0, c.depth - c.bend);
        const double gap = std::max(0.0, c.atEnd - deepest);
        const double spread =
            std::sqrt(c.nearest) + m_options.depthWeight * deeper - m_options.gapWeight * islandOf(c).stretch * gap;
        return c.wasKept && !isCorner && spread > 0.0 ? kKeptShare * spread : spread;
    }

    /// Whether the contacts that are kept hold what this one would.
    bool isCovered(const Choosable& c, double worth) const {
        return !(worth > m_options.coverage * islandOf(c).size) || !(worth > 0.0);
    }

    Island& islandOf(const Choosable& c) const { return m_islands[static_cast<std::size_t>(c.island)]; }

    double squaredDistance(const Choosable& c, const Vector3& from) const {
        const Vector3 way = c.point - from;
        const double across = islandOf(c).across.dot(way);
        return way.squaredNorm() + across * across;
    }

    /// The first contact of an island that is kept measures it.
    void openIsland(std::size_t kept) {
        const Choosable& first = m_choosable[kept];
        Island& island = islandOf(first);
        if (island.isOpen) return;
        island.isOpen = true;
        double squared = 0.0;
        Vector3 along = Vector3::Zero();
        for (const Choosable& c : m_choosable) {
            if (c.island != first.island || !((c.point - first.point).squaredNorm() > squared)) continue;
            along = c.point - first.point;
            squared = along.squaredNorm();
        }
        island.size = std::sqrt(squared);
        if (squared > 0.0) stretch(first, along, island);
    }

    /// @param to the contact of the island that is farthest from its first one
    void stretch(const Choosable& first, const Vector3& to, Island& island) {
        const Vector3 along = to / island.size, beside = m_contacts[m_first].normal.cross(along);
        // The farthest contact may be at the corner across: the line that lies closest to all of them is the length.
        double count = 0.0, sumX = 0.0, sumY = 0.0, sumXX = 0.0, sumXY = 0.0;
        const auto forAll = [&](const auto& visit) {
            for (const Choosable& c : m_choosable)
                if (c.island == first.island) visit(Vector3(c.point - first.point));
        };
        forAll([&](const Vector3& way) {
            const double x = along.dot(way), y = beside.dot(way);
            count += 1.0, sumX += x, sumY += y, sumXX += x * x, sumXY += x * y;
        });
        const double slope = (count * sumXY - sumX * sumY) / (count * sumXX - sumX * sumX);
        const Vector3 across = (beside - slope * along) / std::sqrt(1.0 + slope * slope);
        double least = 0.0, most = 0.0;
        forAll([&](const Vector3& way) {
            least = std::min(least, across.dot(way));
            most = std::max(most, across.dot(way));
        });
        const double width = most - least;
        if (!(width < kNarrow * island.size && width > kLine * island.size)) return;  // what is no number is none
        m_isNarrow = true;
        island.stretch = island.size / width;
        island.across = island.stretch * across;
    }

    std::vector<SkeletonContact>& m_contacts;
    std::size_t m_first;
    const SelectOptions& m_options;
    bool m_isTilted = false;  ///< Whether one of them closes, and what their ends differ by is tilt.
    bool m_isNarrow = false;  ///< Whether an island is.
    static thread_local std::vector<Choosable> m_choosable;  ///< the contacts from m_first on, in their order
    static thread_local std::vector<int> m_island;           ///< of each of them
    static thread_local std::vector<Island> m_islands;
};

thread_local std::vector<Choosable> Patch::m_choosable;
thread_local std::vector<int> Patch::m_island;
thread_local std::vector<Island> Patch::m_islands;

/// Brings the contacts with a normal like that of the first of [left, end) behind it; returns where they end.
std::size_t partPatch(std::vector<SkeletonContact>& contacts, std::size_t left, double normalCosine) {
    const Vector3 normal = contacts[left].normal;
    const auto begin = contacts.begin() + static_cast<std::ptrdiff_t>(left);
    // The first one belongs to its patch whatever its normal is: without a direction it is like none, not even
    // itself.
    const auto end = std::stable_partition(
        begin + 1, contacts.end(), [&](const SkeletonContact& c) { return c.normal.dot(normal) >= normalCosine; });
    return static_cast<std::size_t>(end - contacts.begin());
}

/// Contacts from `first` on that a patch would keep, the most important first, and how many of them it may.
struct Choice {
    std::size_t first = 0, asked = 0, given = 0;
};

/// Gives every patch its share of what all of them ask for, one contact at least, and what is left to the deepest.
void share(std::vector<Choice>& choices, std::size_t limit) {
    std::size_t asked = 0, given = 0;
    for (const Choice& choice : choices) asked += choice.asked;
    for (Choice& choice : choices) {
        choice.given = asked <= limit ? choice.asked : std::max<std::size_t>(1, choice.asked * limit / asked);
        choice.given = std::min(choice.given, limit - given);
        given += choice.given;
    }
    for (Choice& choice : choices) {
        const std::size_t more = std::min(choice.asked - choice.given, limit - given);
        choice.given += more;
        given += more;
    }
}

}  // namespace

void selectContacts(std::vector<SkeletonContact>& contacts, const SelectOptions& options) {
    std::sort(contacts.begin(), contacts.end(), [](const SkeletonContact& x, const SkeletonContact& y) {
        return depthAtEnd(x) != depthAtEnd(y) ? depthAtEnd(x) < depthAtEnd(y) : x.feature < y.feature;
    });
    const auto perPatch = static_cast<std::size_t>(std::max(1, options.maximumPerPatch));
    static thread_local std::vector<Choice> choices;
    choices.clear();
    for (std::size_t left = 0; left < contacts.size();) {
        const std::size_t last = partPatch(contacts, left, options.normalCosine);
        choices.push_back({left, Patch(contacts, left, last, options).select(perPatch) - left});
        left = last;
    }
    share(choices, static_cast<std::size_t>(std::max(1, options.maximum)));
    std::size_t done = 0;
    for (const Choice& choice : choices)
        for (std::size_t i = 0; i < choice.given; ++i) contacts[done++] = contacts[choice.first + i];
    contacts.resize(done);
    std::sort(contacts.begin(), contacts.end(),
              [](const SkeletonContact& x, const SkeletonContact& y) { return x.feature < y.feature; });
}

}  // namespace pliant
