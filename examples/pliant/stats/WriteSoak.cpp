// SPDX-License-Identifier: Zlib
#include "stats/SoakStatistics.h"
#include "stats/WriteJson.h"

namespace pliant::program {
namespace {

using Json = nlohmann::ordered_json;

Json dropJson(const DropRecord& drop) {
    return {{"time", drop.time},
            {"seconds", drop.seconds},
            {"new_bodies", drop.newBodies},
            {"resident", drop.memory.resident},
            {"allocated", drop.memory.allocated},
            {"start_energy", drop.startEnergy},
            {"largest_step_gain", drop.largestGain},
            {"kinetic_energy_per_kg", drop.kineticPerKg},
            {"largest_penetration", drop.largestPenetration},
            {"penetration_99", drop.penetration99},
            {"contacts", drop.contacts},
            {"awake", drop.awake},
            {"lost_bodies", drop.lost},
            {"not_finite_bodies", drop.notFinite},
            {"restored_bodies", drop.restored},
            {"limited_bodies", drop.limited}};
}

Json summaryJson(const SoakSummary& summary) {
    const Json flat = summary.knowsMemory ? Json(summary.flat) : Json();
    return {{"bodies", summary.bodies},
            {"drops", summary.drops},
            {"simulated", summary.simulated},
            {"seconds", summary.seconds},
            {"lost_bodies", summary.lost},
            {"not_finite_bodies", summary.notFinite},
            {"restored_bodies", summary.restored},
            {"limited_bodies", summary.limited},
            {"largest_step_gain", summary.largestGain},
            {"largest_penetration", summary.largestPenetration},
            {"penetration_99", summary.penetration99},
            {"resident_first", summary.first.resident},
            {"resident_last", summary.last.resident},
            {"resident_slope", summary.residentSlope},
            {"allocated_first", summary.first.allocated},
            {"allocated_last", summary.last.allocated},
            {"allocated_slope", summary.allocatedSlope},
            {"memory_flat", flat}};
}

}  // namespace

void writeSoak(const std::string& path, const SceneWorld& world, const SoakStatistics& statistics) {
    Json json;
    json["scene"] = world.scene().file;
    json["step"] = world.scene().time.step();
    json["summary"] = summaryJson(statistics.summary());
    json["drops"] = Json::array();
    for (const DropRecord& drop : statistics.drops()) json["drops"].push_back(dropJson(drop));
    writeJson(path, json);
}

}  // namespace pliant::program
