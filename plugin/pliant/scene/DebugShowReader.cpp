// SPDX-License-Identifier: Zlib
// What cannot be seen of a scene and is drawn all the same.
#include <iterator>

#include "pliant/scene/SceneParts.h"

namespace pliant::scene {

DebugShow readDebugShow(const CheckedYaml& block) {
    // In the order of DebugLayer.
    static constexpr const char* keys[] = {"segments", "contacts", "joints",  "frames",  "activity",
                                           "energies", "spheres",  "objects", "pressure"};
    static_assert(std::size(keys) == debugLayerCount, "a layer without a key");
    block.expectBlock("show");
    DebugShow show;
    for (std::size_t layer = 0; layer < show.layers.size(); ++layer)
        if (const auto value = block.find(keys[layer])) show.layers[layer] = value->boolean();
    if (const auto value = block.find("largest_pressure")) show.largestPressure = value->number();
    if (const auto value = block.find("impulse_time")) show.impulseTime = value->number();
    if (const auto value = block.find("hidden")) show.hidden = value->number();
    return show;
}

}  // namespace pliant::scene
