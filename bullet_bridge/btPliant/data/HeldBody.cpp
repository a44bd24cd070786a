// SPDX-License-Identifier: Zlib
#include "btPliant/data/HeldBody.h"

#include <map>
#include <mutex>

#include "pliant/math/Error.h"

namespace btPliantInternal {

namespace {

struct Holders {
    int count = 0;
    bool isAlone = false;
};

/// Bullet's bodies list constraints of a world only: tools that are made and not added yet would not be found there.
struct HeldBodies {
    std::mutex mutex;
    std::map<const btRigidBody*, Holders> holders;
};

HeldBodies& heldBodies() {
    static HeldBodies bodies;
    return bodies;
}

}  // namespace

HeldBody::HeldBody(const btRigidBody& body, bool alone) : m_body(&body) {
    HeldBodies& held = heldBodies();
    const std::lock_guard<std::mutex> lock(held.mutex);
    Holders& holders = held.holders[m_body];
    if (holders.count > 0 && (alone || holders.isAlone))
        throw pliant::Error("btPliantTool", "the body is in the hand of a tool without mass already",
                            "let both be dynamic, or give each a body of its own");
    ++holders.count;
    holders.isAlone = alone;
}

HeldBody::~HeldBody() {
    HeldBodies& held = heldBodies();
    const std::lock_guard<std::mutex> lock(held.mutex);
    const auto found = held.holders.find(m_body);
    if (--found->second.count == 0) held.holders.erase(found);
}

}  // namespace btPliantInternal
