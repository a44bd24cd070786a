// SPDX-License-Identifier: Zlib
#include "pliant/scene/SceneDescription.h"

#include <algorithm>
#include <cmath>

namespace pliant::scene {

int TimeSettings::frames() const {
    return std::max(1, static_cast<int>(std::lround(duration * framesPerSecond)));
}

Vector3 SceneDescription::up() const {
    const double g = gravity.norm();
    return g > 0.0 ? Vector3(-gravity / g) : Vector3(Vector3::UnitZ());
}

const Material* SceneDescription::material(const std::string& name) const {
    const auto found =
        std::find_if(materials.begin(), materials.end(), [&](const Material& m) { return m.name == name; });
    return found == materials.end() ? nullptr : &*found;
}

int SceneDescription::cameraIndex(const std::string& name) const {
    for (std::size_t i = 0; i < cameras.size(); ++i)
        if (cameras[i].name == name) return static_cast<int>(i);
    return -1;
}

int SceneDescription::bodyCount() const {
    int sum = 0;
    for (const BodyGroup& group : bodies) {
        const auto& n = group.placement.count;
        sum += n[0] * n[1] * n[2];
    }
    return sum;
}

Placement Path::at(double t, Placement placement) const {
    for (int k = 0; k < 3; ++k) {
        placement.position[k] = position[static_cast<std::size_t>(k)].at(t);
        placement.rotation[k] = rotation[static_cast<std::size_t>(k)].at(t);
    }
    return placement;
}

double ClipSettings::phaseOf(std::uint64_t seed, int copy) const {
    if (!isRandom) return phase;
    // SplitMix64 [SLF14]: the same on every machine.
    std::uint64_t z = seed * 0x9e3779b97f4a7c15u + (static_cast<std::uint64_t>(copy) + 1) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return static_cast<double>(z >> 11) * 0x1.0p-53;
}

}  // namespace pliant::scene
