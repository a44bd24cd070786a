// SPDX-License-Identifier: Zlib
// A bound on what contacts take: bodies that all stand in each other have contacts by the square of their number, each
// with rows and responses in the solver (about 2 kB).
//
// Every pair keeps its deepest contacts, as many as its share is. Where there are more pairs than contacts may be, the
// pairs have theirs in turns: each substep goes on where the last one has stopped.
#include "btPliant/narrowphase/ContactLimit.h"

#include <algorithm>
#include <string>

#include "btPliant/data/ContactPair.h"

namespace btPliantInternal {

namespace {

using Contacts = pliant::CacheAlignedVector<pliant::SkeletonContact>;

/// Of as deep ones the first; in their order.
void keepDeepest(std::size_t count, Contacts& contacts) {
    if (contacts.size() <= count) return;
    std::vector<double> distances;
    for (const auto& contact : contacts) distances.push_back(contact.distance);
    const auto nth = distances.begin() + static_cast<std::ptrdiff_t>(count) - 1;
    std::nth_element(distances.begin(), nth, distances.end());
    std::size_t ofThatDepth = static_cast<std::size_t>(std::count(distances.begin(), nth + 1, *nth)), kept = 0;
    for (const auto& contact : contacts) {
        const bool isKept = contact.distance < *nth || (contact.distance == *nth && ofThatDepth > 0);
        if (contact.distance == *nth && isKept) --ofThatDepth;
        if (isKept) contacts[kept++] = contact;
    }
    contacts.resize(kept);
}

std::string sentence(int most) {
    return "Bodies stand in each other with more contacts than a world may make (m_maxContacts, " +
           std::to_string(most) + "): the others come in later steps; place the bodies apart. ";
}

}  // namespace

void limitContacts(SystemData& system) {
    std::vector<ContactPair*>& pairs = system.parallelPairs;
    const auto whole = static_cast<std::size_t>(std::max(system.info.m_maxContacts, 1));
    // What is found afterwards, floors of boxes and meshes among it, has as many as it had last, up to a half.
    const std::size_t later = std::min(system.laterContacts, whole / 2), most = whole - later;
    system.laterContacts = 0;
    std::size_t all = 0, touching = 0;
    for (const ContactPair* pair : pairs) {
        all += pair->contacts.size();
        touching += pair->contacts.empty() ? 0 : 1;
    }
    system.contactsLeft = later + (all <= most ? most - all : 0);
    if (all <= most) return;
    system.say(sentence(system.info.m_maxContacts));
    const std::size_t share = std::max<std::size_t>(most / touching, 1);
    std::size_t left = most;
    const auto first = static_cast<std::size_t>(system.nextLimitedPair) % pairs.size();
    bool isFirstLeftOut = true;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const std::size_t at = (first + i) % pairs.size();
        Contacts& contacts = pairs[at]->contacts;
        if (left == 0 && !contacts.empty() && isFirstLeftOut) {
            system.nextLimitedPair = static_cast<int>(at);
            isFirstLeftOut = false;
        }
        keepDeepest(std::max<std::size_t>(std::min(share, left), 1), contacts);
        if (left == 0) contacts.clear();
        left -= contacts.size();
    }
    system.contactsLeft = later + left;
    system.substepStats.m_contactsLeftOut = static_cast<int>(all - (most - left));
}

void limitContacts(ContactPair& pair) {
    SystemData& system = pair.system;
    system.laterContacts += pair.contacts.size();
    if (pair.contacts.size() > system.contactsLeft) {
        system.say(sentence(system.info.m_maxContacts));
        system.substepStats.m_contactsLeftOut += static_cast<int>(pair.contacts.size() - system.contactsLeft);
        if (system.contactsLeft > 0)
            keepDeepest(system.contactsLeft, pair.contacts);
        else
            pair.contacts.clear();
    }
    system.contactsLeft -= pair.contacts.size();
}

}  // namespace btPliantInternal
