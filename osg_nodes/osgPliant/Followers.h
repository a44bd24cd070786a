// SPDX-License-Identifier: Zlib
/// @file
/// Who has to know that something changes.
#pragma once

#include <mutex>
#include <vector>

#include "pliant/math/Api.h"

namespace osgPliant {

/// Somebody who has to know that something changes.
class PLIANT_API Follower {
public:
    virtual ~Follower() = default;
    /// What is followed has changed.
    virtual void followChange() = 0;
};

/// Everybody who has to know that one thing changes. They take themselves out before they go.
class PLIANT_API Followers {
public:
    Followers() = default;
    /// Nobody follows a copy.
    Followers(const Followers&) {}
    /// Followers stay with what they follow.
    Followers& operator=(const Followers&) { return *this; }

    /// Adds one; not owned.
    void add(Follower& follower);
    /// Takes one out; nothing is done where it is not there.
    void remove(Follower& follower);
    /// Tells them all. They may neither come nor go meanwhile.
    void tell() const;

private:
    mutable std::mutex _mutex;
    std::vector<Follower*> _all;
};

}  // namespace osgPliant
