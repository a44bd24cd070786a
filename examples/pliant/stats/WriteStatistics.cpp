// SPDX-License-Identifier: Zlib
#include "stats/RunStatistics.h"
#include "stats/WriteJson.h"

namespace pliant::program {
namespace {

using Json = nlohmann::ordered_json;

Json stages(const StageSeconds& seconds, double perSecond) {
    return {{"deformation", perSecond * seconds.deformation},
            {"collision", perSecond * seconds.collision},
            {"contact_solve", perSecond * seconds.contactSolve},
            {"rigid_integration", perSecond * seconds.rigidIntegration},
            {"drawing", perSecond * seconds.drawing}};
}

Json frameJson(const FrameRecord& record) {
    return {{"time", record.time},
            {"kinetic_energy", record.kinetic},
            {"elastic_energy", record.elastic},
            {"potential_energy", record.potential},
            {"largest_step_gain", record.largestStepGain},
            {"largest_depth", record.largestDepth},
            {"largest_penetration", record.largestPenetration},
            {"penetration_99", record.penetration99},
            {"contacts", record.contacts},
            {"awake", record.awake},
            {"restored", record.restored},
            {"limited", record.limited},
            {"broken_joints", record.brokenJoints},
            {"workers", record.workers},
            {"milliseconds", stages(record.seconds, 1000.0)}};
}

Json summaryJson(const RunSummary& summary) {
    return {{"bodies", summary.bodies},
            {"lost_bodies", summary.lost},
            {"lost", summary.lostNames},
            {"warnings", summary.warnings},
            {"not_finite_bodies", summary.notFinite},
            {"restored_bodies", summary.restored},
            {"limited_bodies", summary.limited},
            {"settled", summary.settled},
            {"kinetic_energy_per_kg", summary.kineticPerKg},
            {"start_energy", summary.startEnergy},
            {"largest_step_gain", summary.largestGain},
            {"largest_depth", summary.largestDepth},
            {"last_depth", summary.lastDepth},
            {"largest_penetration", summary.largestPenetration},
            {"penetration_99", summary.penetration99},
            {"last_penetration", summary.lastPenetration},
            {"last_penetration_99", summary.lastPenetration99},
            {"workers", summary.workers},
            {"state_hash", summary.hash},
            {"seconds", stages(summary.seconds, 1.0)}};
}

}  // namespace

void writeStatistics(const std::string& path, const SceneWorld& world, const RunStatistics& statistics) {
    Json json;
    json["scene"] = world.scene().file;
    json["step"] = world.scene().time.step();
    json["summary"] = summaryJson(statistics.summary(world));
    json["frames"] = Json::array();
    for (const FrameRecord& record : statistics.frames()) json["frames"].push_back(frameJson(record));
    writeJson(path, json);
}

}  // namespace pliant::program
