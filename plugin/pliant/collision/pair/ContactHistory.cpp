// SPDX-License-Identifier: Zlib
#include "pliant/collision/pair/ContactHistory.h"

#include <algorithm>

#include "pliant/collision/pair/ReserveRounded.h"

namespace pliant {

namespace {

constexpr std::size_t kEntryRoom = 16;  ///< entries

}  // namespace

void ContactHistory::remember(const DeformedBody& a, const std::vector<SkeletonContact>& contacts) {
    const RigidTransform& frame = a.worldFromBody();
    reserveRounded(m_entries, contacts.size(), kEntryRoom);
    m_entries.clear();
    m_anyCrossed = false;
    for (const SkeletonContact& c : contacts) {
        Entry entry;
        entry.feature = c.feature;
        entry.segmentA = c.segmentA;
        entry.segmentB = c.segmentB;
        entry.normal = frame.rotation.transpose() * c.normal;
        entry.point = frame.inversePoint(0.5 * (c.pointA + c.pointB));
        entry.crossed = c.crossed;
        m_anyCrossed = m_anyCrossed || c.crossed;
        m_entries.push_back(entry);
    }
}

void ContactHistory::assign(const std::vector<Entry>& entries) {
    reserveRounded(m_entries, entries.size(), kEntryRoom);
    m_entries.assign(entries.begin(), entries.end());
    m_anyCrossed = std::any_of(m_entries.begin(), m_entries.end(), [](const Entry& entry) { return entry.crossed; });
}

void ContactHistory::addPassed(const std::vector<Entry>& passed) {
    growRounded(m_entries, m_entries.size() + passed.size(), kEntryRoom);
    for (const Entry& entry : passed) {
        const auto at = std::lower_bound(m_entries.begin(), m_entries.end(), entry.feature,
                                         [](const Entry& known, std::uint64_t key) { return known.feature < key; });
        if (at == m_entries.end() || at->feature != entry.feature)
            m_entries.insert(at, entry);
        else if (!at->crossed)
            *at = entry;
        m_anyCrossed = true;
    }
}

void ContactHistory::markKept(const std::vector<SkeletonContact>& contacts) {
    for (const SkeletonContact& c : contacts)
        if (const Entry* entry = find(c.feature))
            m_entries[static_cast<std::size_t>(entry - m_entries.data())].kept = true;
}

const ContactHistory::Entry* ContactHistory::find(std::uint64_t feature) const {
    const auto at = std::lower_bound(m_entries.begin(), m_entries.end(), feature,
                                     [](const Entry& entry, std::uint64_t key) { return entry.feature < key; });
    return at != m_entries.end() && at->feature == feature ? &*at : nullptr;
}

}  // namespace pliant
