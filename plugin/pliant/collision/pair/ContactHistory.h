// SPDX-License-Identifier: Zlib
// What one pair of bodies remembers of its contacts from substep to substep, so that segments do not pass through each
// other: a contact that was there keeps its side even when the axes have crossed. The caller keeps one per pair:
//
//     collideBodies(a, b, margin, contacts, &history);
//     history.remember(a, contacts);      // the raw ones: sides
//     clusterContacts(contacts, ...);
//     history.markKept(contacts);         // the reduced ones: preferred next time, so that the choice does not flicker
#pragma once

#include <vector>

#include "pliant/collision/body/DeformedBody.h"
#include "pliant/collision/pair/SkeletonContact.h"
#include "pliant/math/Api.h"
#include "pliant/math/CacheAligned.h"

namespace pliant {

class PLIANT_INTERNAL_API ContactHistory {
public:
    struct Entry {
        std::uint64_t feature = 0;
        int segmentA = -1, segmentB = -1;
        Vector3 normal = Vector3::Zero();  ///< Normal from B to A, in A's body frame (turns with the pair).
        Vector3 point = Vector3::Zero();   ///< Midpoint of pointA and pointB, A's body frame.
        bool crossed = false;
        bool kept = false;
    };

    /// Replaces what is remembered. `contacts` ascending by feature, as collideBodies writes them.
    void remember(const DeformedBody& a, const std::vector<SkeletonContact>& contacts);
    void markKept(const std::vector<SkeletonContact>& contacts);
    /// Adds contacts that have passed through each other, ascending by feature, in the place of those of the same
    /// feature that have not.
    void addPassed(const std::vector<Entry>& passed);
    void clear() {
        m_entries.clear();
        m_anyCrossed = false;
    }
    /// Goes on from entries() of another time, ascending by feature.
    void assign(const std::vector<Entry>& entries);

    const Entry* find(std::uint64_t feature) const;
    const CacheAlignedVector<Entry>& entries() const { return m_entries; }  ///< Contacts, ascending by feature.
    bool anyCrossed() const { return m_anyCrossed; }

private:
    CacheAlignedVector<Entry> m_entries;
    bool m_anyCrossed = false;
};

}  // namespace pliant
