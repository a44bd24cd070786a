// SPDX-License-Identifier: Zlib
#include "pliant/collision/pair/SelectContacts.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

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
    }

    /// @return the end of the contacts that are kept
    std::size_t select(std::size_t most) {
        std::size_t end = m_first + 1;
        cover(m_first);
        const auto least = static_cast<std::size_t>(std::max(0, m_options.minimumPerPatch));
        const double size = *std::max_element(m_nearest.begin() + static_cast<std::ptrdiff_t>(m_first),
                                              m_nearest.begin() + static_cast<std::ptrdiff_t>(m_last));
        while (end < m_last && end - m_first < most) {
            std::size_t best = end;
            double largest = -std::numeric_limits<double>::max();
            for (std::size_t i = end; i < m_last; ++i) {
                const double worth = this->worth(i);
                if (worth <= largest) continue;
                largest = worth;
                best = i;
            }
            const bool isCovered = !(largest > m_options.coverage * size) || !(largest > 0.0);
            if (isCovered && end - m_first >= least) break;
            swap(end, best);
            cover(end++);
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

    /// Notes what a contact that is kept does for the others.
    void cover(std::size_t kept) {
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
    }

    std::vector<SkeletonContact>& m_contacts;
    std::size_t m_first, m_last;
    const SelectOptions& m_options;
    static thread_local std::vector<double> m_nearest;  ///< metres to the nearest contact that is kept
    static thread_local std::vector<double> m_depth;    ///< and its distance at the end of the step, m
};

thread_local std::vector<double> Patch::m_nearest;
thread_local std::vector<double> Patch::m_depth;

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
