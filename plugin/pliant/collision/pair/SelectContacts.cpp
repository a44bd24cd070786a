// SPDX-License-Identifier: Zlib
#include "pliant/collision/pair/SelectContacts.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "pliant/collision/pair/ContactIslands.h"

namespace pliant {

namespace {

constexpr double kKeptShare = 3.0;  ///< of what counts for a contact, where it was kept before

double depthAtEnd(const SkeletonContact& c) {
    return c.distance - c.closing;
}

/// Contacts [first, last) of one patch, the deepest first; brings those that are kept to the front.
class Patch {
public:
    Patch(std::vector<SkeletonContact>& contacts, std::size_t first, std::size_t last, const SelectOptions& options)
        : m_contacts(contacts), m_first(first), m_last(last), m_options(options) {
        m_nearest.assign(last, std::numeric_limits<double>::max());
        m_depth.assign(last, 0.0);
        const int islands = findIslands(contacts, first, last, options.islandGap, m_island);
        m_size.assign(static_cast<std::size_t>(islands), islands > 1 ? options.islandGap : 0.0);
        m_isOpen.assign(static_cast<std::size_t>(islands), 0);
    }

    /// @return the end of the contacts that are kept
    std::size_t select(std::size_t most) {
        std::size_t end = m_first + 1;
        keep(m_first);
        const auto least = static_cast<std::size_t>(std::max(0, m_options.minimumPerPatch));
        while (end < m_last && end - m_first < most) {
            std::size_t best = m_last;
            double largest = -std::numeric_limits<double>::max();
            const bool mayBeCovered = end - m_first < least;
            for (std::size_t i = end; i < m_last; ++i) {
                const double worth = this->worth(i);
                if (worth <= largest || (!mayBeCovered && isCovered(i, worth))) continue;
                largest = worth;
                best = i;
            }
            if (best == m_last) break;
            swap(end, best);
            keep(end++);
        }
        return end;
    }

private:
    double worth(std::size_t i) const {
        const SkeletonContact& c = m_contacts[i];
        const double deeper = std::max(0.0, m_depth[i] - depthAtEnd(c));
        const double gap = std::max(0.0, depthAtEnd(c) - std::max(0.0, depthAtEnd(m_contacts[m_first])));
        const double spread = m_nearest[i] + m_options.depthWeight * deeper - m_options.gapWeight * gap;
        return c.kept && spread > 0.0 ? kKeptShare * spread : spread;
    }

    std::size_t islandOf(std::size_t i) const { return static_cast<std::size_t>(m_island[i - m_first]); }

    /// Whether the contacts that are kept hold what this one would.
    bool isCovered(std::size_t i, double worth) const {
        return !(worth > m_options.coverage * m_size[islandOf(i)]) || !(worth > 0.0);
    }

    /// Notes what a contact that is kept does for the others; the first one of an island measures it.
    void keep(std::size_t kept) {
        const std::size_t island = islandOf(kept);
        if (m_isOpen[island] == 0) {
            m_isOpen[island] = 1;
            m_size[island] = 0.0;
            for (std::size_t i = m_first; i < m_last; ++i)
                if (islandOf(i) == island)
                    m_size[island] = std::max(m_size[island], (m_contacts[i].pointA - m_contacts[kept].pointA).norm());
        }
        for (std::size_t i = m_first; i < m_last; ++i) {
            const double distance = (m_contacts[i].pointA - m_contacts[kept].pointA).norm();
            if (distance >= m_nearest[i]) continue;
            m_nearest[i] = distance;
            m_depth[i] = depthAtEnd(m_contacts[kept]);
        }
    }

    void swap(std::size_t i, std::size_t j) {
        std::swap(m_contacts[i], m_contacts[j]);
        std::swap(m_nearest[i], m_nearest[j]);
        std::swap(m_depth[i], m_depth[j]);
        std::swap(m_island[i - m_first], m_island[j - m_first]);
    }

    std::vector<SkeletonContact>& m_contacts;
    std::size_t m_first, m_last;
    const SelectOptions& m_options;
    static thread_local std::vector<double> m_nearest;  ///< metres to the nearest contact that is kept
    static thread_local std::vector<double> m_depth;    ///< and its distance at the end of the step, m
    static thread_local std::vector<int> m_island;      ///< of each contact from m_first on
    static thread_local std::vector<double> m_size;     ///< of each island, m
    static thread_local std::vector<char> m_isOpen;     ///< whether a contact of it is kept
};

thread_local std::vector<double> Patch::m_nearest;
thread_local std::vector<double> Patch::m_depth;
thread_local std::vector<int> Patch::m_island;
thread_local std::vector<double> Patch::m_size;
thread_local std::vector<char> Patch::m_isOpen;

}  // namespace

void selectContacts(std::vector<SkeletonContact>& contacts, const SelectOptions& options) {
    std::sort(contacts.begin(), contacts.end(), [](const SkeletonContact& x, const SkeletonContact& y) {
        return depthAtEnd(x) != depthAtEnd(y) ? depthAtEnd(x) < depthAtEnd(y) : x.feature < y.feature;
    });
    const auto limit = static_cast<std::size_t>(std::max(1, options.maximum));
    const auto perPatch = static_cast<std::size_t>(std::max(1, options.maximumPerPatch));
    std::size_t done = 0, left = 0;  // kept are [0, done), not yet looked at [left, end)
    while (left < contacts.size() && done < limit) {
        const Vector3 normal = contacts[left].normal;
        const auto begin = contacts.begin() + static_cast<std::ptrdiff_t>(left);
        // The first one belongs to its patch whatever its normal is: without a direction it is like none, not even
        // itself.
        const auto end = std::stable_partition(begin + 1, contacts.end(), [&](const SkeletonContact& c) {
            return c.normal.dot(normal) >= options.normalCosine;
        });
        const auto last = static_cast<std::size_t>(end - contacts.begin());
        const std::size_t kept = Patch(contacts, left, last, options).select(std::min(perPatch, limit - done));
        for (std::size_t i = left; i < kept; ++i) contacts[done++] = contacts[i];
        left = last;
    }
    contacts.resize(done);
    std::sort(contacts.begin(), contacts.end(),
              [](const SkeletonContact& x, const SkeletonContact& y) { return x.feature < y.feature; });
}

}  // namespace pliant
