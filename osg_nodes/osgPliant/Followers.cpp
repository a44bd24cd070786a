// SPDX-License-Identifier: Zlib
#include "osgPliant/Followers.h"

#include <algorithm>

namespace osgPliant {

void Followers::add(Follower& follower) {
    const std::lock_guard<std::mutex> lock(_mutex);
    _all.push_back(&follower);
}

void Followers::remove(Follower& follower) {
    const std::lock_guard<std::mutex> lock(_mutex);
    _all.erase(std::remove(_all.begin(), _all.end(), &follower), _all.end());
}

void Followers::tell() const {
    const std::lock_guard<std::mutex> lock(_mutex);
    for (Follower* follower : _all) follower->followChange();
}

}  // namespace osgPliant
