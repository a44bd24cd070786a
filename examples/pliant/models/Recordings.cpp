// SPDX-License-Identifier: Zlib
#include "models/Recordings.h"

#include <limits>

#include "pliant/scene/CheckedYaml.h"

namespace pliant::program {
namespace {

using scene::CheckedYaml;

constexpr CheckedYaml::Kind kSketch{"sketch of forces", "docs/reduction.md has an example"};
constexpr CheckedYaml::Kind kSnapshots{"recording of pushes", "docs/reduction.md has an example"};
constexpr double kNever = 1.0e-12;  // s, shorter than any step

/// `vertex` (from 1, as in .bou files) or `position`; `force`, N, or `direction` and `magnitude`.
PointForce readForce(const CheckedYaml& block) {
    PointForce f;
    if (block.has("vertex") == block.has("position"))
        block.fail("a force acts at a vertex or at a position", "give one of \"vertex\" and \"position\"");
    if (const auto vertex = block.find("vertex")) f.vertex = vertex->integer(1, std::numeric_limits<int>::max()) - 1;
    if (const auto position = block.find("position")) f.position = position->vector();
    if (const auto force = block.find("force")) {
        if (block.has("direction") || block.has("magnitude"))
            block.fail("a force has \"force\", or \"direction\" and \"magnitude\"", "leave one of the two out");
        f.force = force->vector();
        if (!(f.force.norm() > 0.0)) force->fail("is the zero vector", "give newtons along x, y and z");
        return f;
    }
    const CheckedYaml direction = block.at("direction");
    const Vector3 d = direction.vector();
    if (!(d.norm() > 0.0)) direction.fail("is the zero vector", "give where the force points to; its length is free");
    f.force = block.at("magnitude").number() * d.normalized();
    return f;
}

std::vector<CheckedYaml> forcesOf(const CheckedYaml& file) {
    const CheckedYaml list = file.at("forces");
    std::vector<CheckedYaml> forces = list.items();
    if (forces.empty()) list.fail("there is no force", "record at least one");
    return forces;
}

}  // namespace

void readSketch(const std::string& path, ReduceOptions& options) {
    const CheckedYaml file = CheckedYaml::readFile(path, kSketch);
    file.expectKeys({"separation", "load_steps", "forces"});
    if (const auto value = file.find("separation")) options.sketchOptions.separation = value->number({0.0, 0.99});
    if (const auto value = file.find("load_steps")) options.sketchOptions.loadSteps = value->integer(1, 1000);
    options.sketch.clear();
    for (const CheckedYaml& force : forcesOf(file)) {
        force.expectKeys({"vertex", "position", "force", "direction", "magnitude"});
        options.sketch.push_back(readForce(force));
    }
}

void readSnapshots(const std::string& path, ReduceOptions& options) {
    const CheckedYaml file = CheckedYaml::readFile(path, kSnapshots);
    file.expectKeys({"duration", "time_step", "count", "damping", "forces"});
    SnapshotRun run;
    run.duration = file.at("duration").number({kNever, 1.0e6});
    if (const auto value = file.find("time_step")) run.timeStep = value->number({kNever, 1.0e3});
    if (const auto value = file.find("count")) run.count = value->integer(1, 10000);
    if (const auto damping = file.find("damping")) {
        damping->expectKeys({"mass", "stiffness"});
        if (const auto value = damping->find("mass")) run.massDamping = value->number({0.0, 1.0e6});
        if (const auto value = damping->find("stiffness")) run.stiffnessDamping = value->number({0.0, 1.0e3});
    }
    for (const CheckedYaml& force : forcesOf(file)) {
        force.expectKeys({"vertex", "position", "force", "direction", "magnitude", "start", "duration"});
        TimedForce timed;
        timed.force = readForce(force);
        if (const auto value = force.find("start")) timed.start = value->number({0.0, 1.0e6});
        timed.duration = force.at("duration").number({kNever, 1.0e6});
        run.forces.push_back(timed);
    }
    options.snapshots = run;
}

}  // namespace pliant::program
