// SPDX-License-Identifier: Zlib
// A saved world whose numbers can be changed; sealed again, as whoever writes a blob on purpose does.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <vector>

#include "TestWorld.h"
#include "btPliant/data/SensorData.h"
#include "btPliant/snapshot/WorldState.h"

namespace pliant::test {

struct OpenedState {
    explicit OpenedState(TestWorld& scene) {
        std::vector<std::byte> whole;
        scene.system->saveState(whole);
        payload.assign(whole.begin() + envelope, whole.end());
    }
    /// Where a part begins that a StateWriter has written.
    std::size_t find(const std::vector<std::byte>& part) const {
        return static_cast<std::size_t>(
            std::search(payload.begin(), payload.end(), part.begin() + envelope, part.end()) - payload.begin());
    }
    template <class Number>
    void put(std::size_t at, Number value) {
        std::memcpy(payload.data() + at, &value, sizeof value);
    }
    StateStatus restore(TestWorld& scene) const {
        std::vector<std::byte> blob;
        StateWriter writer(StateKind::World, blob);
        for (const std::byte b : payload) writer.put(static_cast<std::uint8_t>(b));
        writer.seal();
        return scene.system->restoreState(blob.data(), blob.size());
    }
    static constexpr std::ptrdiff_t envelope = 40;
    std::vector<std::byte> payload;
};

}  // namespace pliant::test
