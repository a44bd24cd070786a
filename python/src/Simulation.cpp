// SPDX-License-Identifier: Zlib
#include "Simulation.h"

#include <chrono>

#include "Progress.h"
#include "btPliant/btPliantSystem.h"
#include "pliant/math/Error.h"

namespace pliant::python {
namespace {

/// Ctrl+C is looked for this often, s: to take the interpreter's lock for every step would slow short ones down.
constexpr double kSignalSeconds = 0.05;

py::dict statisticsOf(Simulation& simulation) {
    simulation.expectIdle();
    const btPliantStats& stats = simulation.system().getStats();
    py::dict numbers;
    numbers["bodies"] = stats.m_bodies;
    numbers["awake"] = stats.m_awakeBodies;
    numbers["contacts"] = stats.m_contacts;
    numbers["largest_depth"] = stats.m_largestDepth;
    numbers["largest_penetration"] = stats.m_largestPenetration;
    numbers["kinetic_energy"] = stats.m_kineticEnergy;
    numbers["elastic_energy"] = stats.m_elasticEnergy;
    numbers["potential_energy"] = stats.m_potentialEnergy;
    numbers["deformation_seconds"] = stats.m_deformationSeconds;
    numbers["collision_seconds"] = stats.m_collisionSeconds;
    numbers["contact_seconds"] = stats.m_contactSolveSeconds;
    return numbers;
}

}  // namespace

void Simulation::expectIdle() const {
    if (m_isStepping) throw Error("world", "another thread is stepping it", "wait for that step");
}

void Simulation::refresh() {
    for (const auto& arrays : m_arrays) arrays->refresh();
}

void Simulation::advance(int count, const std::function<void()>& one) {
    using Clock = std::chrono::steady_clock;
    if (m_isStepping.exchange(true)) throw Error("world", "another thread is stepping it", "wait for that step");
    struct Done {
        Simulation& self;
        ~Done() {
            self.m_isStepping = false;
            self.refresh();
        }
    } const done{*this};
    for (int i = 0; i < count;) {
        {
            const py::gil_scoped_release unlocked;
            const Clock::time_point start = Clock::now();
            do one();
            while (++i < count && std::chrono::duration<double>(Clock::now() - start).count() < kSignalSeconds);
        }
        expectNoSignal();
    }
}

void addSimulation(py::module_& module) {
    py::class_<Simulation, std::shared_ptr<Simulation>>(module, "Simulation", "What World and Scene have in common.")
        .def_property_readonly("statistics", &statisticsOf,
                               "Counts, energies (J) and times (s) of the last step, a dict.")
        .def_property_readonly(
            "status",
            [](Simulation& self) {
                self.expectIdle();
                return self.system().getStatus();
            },
            "Empty, or a sentence that says what does not work and what to do.");
}

}  // namespace pliant::python
