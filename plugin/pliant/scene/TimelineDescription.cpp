// SPDX-License-Identifier: Zlib
#include "pliant/scene/TimelineDescription.h"

#include <cmath>

#include "pliant/scene/SceneParts.h"
#include "pliant/scene/Timeline.h"

namespace pliant::scene {

const std::vector<SensorQuantity>& quantitiesOf(SensorKind kind) {
    static const std::vector<SensorQuantity> all[] = {
        {{"count", "1", 1},
         {"impulse", "N s", 1},
         {"force", "N", 3},
         {"torque", "N m", 3},
         {"friction", "N", 3},
         {"filtered", "N", 3},
         {"split", "kg m/s", 1},
         {"depth", "m", 1}},
        {{"count", "1", 1}, {"mass", "kg", 1}},
        {{"position", "m", 3}, {"velocity", "m/s", 3}, {"speed", "m/s", 1}},
        {{"force", "N", 1}, {"impulse", "N s", 1}, {"broken", "1", 1}, {"gap", "m", 1}, {"given_up", "1", 1}},
        {{"kinetic", "J", 1}, {"elastic", "J", 1}, {"potential", "J", 1}, {"total", "J", 1}, {"growth", "1", 1}},
        {{"force", "N", 3},
         {"torque", "N m", 3},
         {"felt", "N", 3},
         {"felt_torque", "N m", 3},
         {"position", "m", 3},
         {"gap", "m", 1},
         {"hold", "1", 1}},
        {{"xx", "1", 1},
         {"yy", "1", 1},
         {"zz", "1", 1},
         {"xy", "1", 1},
         {"yz", "1", 1},
         {"zx", "1", 1},
         {"largest", "1", 1},
         {"least", "1", 1},
         {"volume", "1", 1}},
        {{"count", "1", 1},
         {"lost", "1", 1},
         {"mass", "kg", 1},
         {"position", "m", 3},
         {"velocity", "m/s", 3},
         {"speed", "m/s", 1},
         {"kinetic_energy", "J", 1},
         {"strain_energy", "J", 1}},
    };
    return all[static_cast<std::size_t>(kind)];
}

double Animation::at(double t) const {
    const double first = keys.front().first, length = keys.back().first - first;
    if (repeat && length > 0.0 && t > first) t = first + std::fmod(t - first, length);
    if (t <= first) return keys.front().second;
    for (std::size_t i = 1; i < keys.size(); ++i) {
        const auto& [before, a] = keys[i - 1];
        const auto& [after, b] = keys[i];
        if (t >= after) continue;
        double share = (t - before) / (after - before);
        if (between == Between::Smooth) share *= share * (3.0 - 2.0 * share);
        return between == Between::Steps ? a : a + share * (b - a);
    }
    return keys.back().second;
}

std::optional<double> TimelineDescription::ofPicture(LivePath::Kind kind, const std::string& name, int axis,
                                                     double t) const {
    std::optional<double> value;
    for (const Animation& animation : animations) {
        const LivePath& path = animation.path;
        if (path.kind == kind && path.of.name == name && path.axis == axis) value = animation.at(t);
    }
    return value;
}

std::vector<std::string> sensorNames(const std::vector<Sensor>& sensors) {
    std::vector<std::string> names;
    for (const Sensor& sensor : sensors)
        for (const SensorQuantity& quantity : quantitiesOf(sensor.kind)) {
            const std::string name = sensor.name + "." + quantity.name;
            if (quantity.components == 1) names.push_back(name);
            for (int k = 0; quantity.components > 1 && k < quantity.components; ++k)
                names.push_back(componentOf(name, k));
        }
    return names;
}

std::vector<std::string> quantityNames(const std::vector<Sensor>& sensors) {
    std::vector<std::string> names;
    for (const Sensor& sensor : sensors)
        for (const SensorQuantity& quantity : quantitiesOf(sensor.kind)) {
            names.push_back(sensor.name + "." + quantity.name);
            for (int k = 0; quantity.components > 1 && k < quantity.components; ++k)
                names.push_back(componentOf(sensor.name + "." + quantity.name, k));
        }
    return names;
}

}  // namespace pliant::scene
