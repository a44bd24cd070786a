// SPDX-License-Identifier: Zlib
// benchmark_solids [--models FOLDER] [NAME...]: what solid bodies in contact cost beside strands. CPU time of the whole
// process in each step, since other work on a machine only adds to wall time. NAMES choose among the lines:
//
// - basket, cow, cube, jelly, cup, plate, tyre, torus, apple: 27 bodies that fall into a box of their size, the first
//   2 s in steps of 1/120 s, one worker;
// - cows: 100 cows down a slope into a box, 8 s in steps of 1/120 s, two workers; impacts are the first 4 s, the last
//   second is settled;
// - ellipsoid: grids of 1, 8, 64 and 512 ellipsoids of 0.38 m, 3 kg and 19 Hz that fall and settle, 3 s in steps of
//   1/60 s, one worker; ms of CPU a simulated second.
//
// A FOLDER keeps the reduced models for the next time. The table on standard output has the columns of results/.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <numeric>
#include <string>
#include <vector>

#include "SolidModels.h"
#include "SolidWorld.h"

namespace {

using pliant::Vector3;
using pliant::benchmarks::SolidModels;
using pliant::benchmarks::SolidWorld;

/// Milliseconds of each step.
struct Costs {
    std::vector<double> cpu;
    double collision = 0, deformation = 0, solve = 0;  ///< wall, all steps
    double contacts = 0;                               ///< mean

    double mean(std::size_t from, std::size_t to) const {
        return std::accumulate(cpu.begin() + static_cast<std::ptrdiff_t>(from),
                               cpu.begin() + static_cast<std::ptrdiff_t>(to), 0.0) /
               static_cast<double>(to - from);
    }
    double worst() const { return *std::max_element(cpu.begin(), cpu.end()); }
};

double cpuMilliseconds() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_nsec);
}

Costs run(SolidWorld& world, int steps, double h) {
    Costs costs;
    for (int i = 0; i < steps; ++i) {
        const double start = cpuMilliseconds();
        world.m_world.stepSimulation(static_cast<btScalar>(h), 0);
        costs.cpu.push_back(cpuMilliseconds() - start);
        costs.contacts += world.m_system->getStats().m_contacts / static_cast<double>(steps);
    }
    const btPliantStats& sums = world.m_system->getAccumulatedStats();
    costs.collision = 1e3 * sums.m_collisionSeconds / steps;
    costs.deformation = 1e3 * sums.m_deformationSeconds / steps;
    costs.solve = 1e3 * sums.m_contactSolveSeconds / steps;
    return costs;
}

void tell(const char* name, int bodies, int r, int workers, const char* quantity, double value, const Costs& costs) {
    std::printf(
        "\"%s\",%d,%d,%d,\"%s\",ms,%.3g,%.3g,,,\"process CPU; %.0f contacts; wall of a step: collision %.3g, "
        "deformation %.3g, solve %.3g\"\n",
        name, bodies, r, workers, quantity, value, value, costs.contacts, costs.collision, costs.deformation,
        costs.solve);
    std::fflush(stdout);
}

void box(const std::string& name, const std::shared_ptr<const pliant::ReducedModel>& model) {
    const Vector3 extent = pliant::benchmarks::extentOf(*model);
    const Vector3 spacing = extent + Vector3::Constant(0.25 * extent.maxCoeff());
    SolidWorld world(1);
    world.addWalls(1.5 * spacing.x(), 1.5 * spacing.y(), 6 * spacing.z());
    world.addGrid(model, 3, 3, 3, spacing, Vector3(0, 0, 0.7 * spacing.z()), 0.17);
    const Costs costs = run(world, 240, 1.0 / 120);
    const std::string line = "27 in a box, " + name;
    tell(line.c_str(), 27, model->dimension(), 1, "step, mean", costs.mean(0, costs.cpu.size()), costs);
    tell(line.c_str(), 27, model->dimension(), 1, "step, worst", costs.worst(), costs);
}

void cows(const std::shared_ptr<const pliant::ReducedModel>& model) {
    SolidWorld world(2);
    world.addWalls(2.4, 2.4, 3);
    world.addSlope();
    world.addGrid(model, 5, 5, 4, Vector3(0.9, 0.6, 0.75), Vector3(-2.3, 0, 4.4), 0.3);
    const Costs costs = run(world, 960, 1.0 / 120);
    const int r = model->dimension();
    tell("100 cows down a slope", 100, r, 2, "impacts, mean", costs.mean(0, 480), costs);
    tell("100 cows down a slope", 100, r, 2, "impacts, worst", costs.worst(), costs);
    tell("100 cows down a slope", 100, r, 2, "settled", costs.mean(840, 960), costs);
}

void ellipsoids(const std::shared_ptr<const pliant::ReducedModel>& model) {
    const Vector3 spacing = pliant::benchmarks::extentOf(*model) * 1.15;
    for (const int side : {1, 2, 4, 8}) {
        SolidWorld world(1);
        world.addGrid(model, side, side, side, spacing, Vector3(0, 0, 0.8 * spacing.z()), 0.2);
        const Costs costs = run(world, 180, 1.0 / 60);
        const int bodies = side * side * side;
        tell("ellipsoids", bodies, model->dimension(), 1, "simulated second", 60 * costs.mean(0, 180), costs);
        tell("ellipsoids", bodies, model->dimension(), 1, "step, worst", costs.worst(), costs);
    }
}

}  // namespace

int main(int argc, char** argv) {
    std::string folder;
    std::vector<std::string> names;
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--models") == 0 && i + 1 < argc)
            folder = argv[++i];
        else
            names.emplace_back(argv[i]);
    }
    const SolidModels models(folder);
    const auto asked = [&](const std::string& name) {
        return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
    };
    std::printf("case,bodies,r,workers,quantity,unit,low,high,commit,recorded,conditions\n");
    for (const std::string& name : SolidModels::inTheBox())
        if (asked(name)) box(name, models.get(name));
    if (asked("cows")) cows(models.get("cow"));
    if (asked("ellipsoid")) ellipsoids(models.get("ellipsoid"));
    return 0;
}
