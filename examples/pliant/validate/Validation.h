// SPDX-License-Identifier: Zlib
// A reduced model against the full one that it was made of: the same push on both, and on fewer coordinates.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pliant/math/Progress.h"
#include "pliant/model/ReducedModel.h"
#include "pliant/reduce/CompareTrajectories.h"

namespace pliant::program {

struct ValidationOptions {
    std::string mesh;  ///< Simulation mesh to take as the full model; empty: the one in the model.
    /// 0-based, about which the body is pushed and which is watched; -1 = where the first mode moves most.
    int vertex = -1;
    /// N, about the vertex; none = as large as `amplitude` asks, along the whole first mode where no vertex is given.
    std::optional<Vector3> force;
    double amplitude = 0.2;  ///< Amplitude of the linear answer to the push that is chosen, in radii of the body.
    double periods = 2.5;    ///< Periods of the first mode that are simulated.
    int stepsPerPeriod = 60;
    double damping = 0.0;  ///< Stiffness damping, in periods of the first mode.
    /// Told how many seconds the full simulation will take, before it begins; may be empty.
    std::function<void(double)> tellEstimate;
};

/// One reduced motion beside the full one.
struct ReducedRun {
    std::string name;
    int dimension = 0;
    Trajectory trajectory;
    TrajectoryComparison comparison;
    /// Problem of the run; where it is not empty, Newton's method did not converge, and there is nothing to compare.
    std::string problem;
};

struct Validation {
    ImpulseExperiment experiment;
    Vector3 direction = Vector3::UnitX();  ///< Direction of the push, length one.
    double force = 0.0;                    ///< Force of the push, all vertices together, N.
    std::string push;                      ///< Where the push acts, in words.
    double radius = 0.0;                   ///< Half the diagonal of the simulation mesh, m.
    double firstFrequency = 0.0;           ///< Frequency of the first mode, Hz.
    int vertices = 0, elements = 0;
    Trajectory full;
    ReducedRun linear;             ///< Motion by modal analysis in the whole basis.
    std::vector<ReducedRun> runs;  ///< Reduced motions with growing r; the last is the whole model.

    const ReducedRun& whole() const { return runs.back(); }
};

/// @throws Error where mesh and model do not belong together, or a step does not converge; Cancelled
Validation validate(const ReducedModel& model, const ValidationOptions& options, const ProgressCallback& progress);

/// What a good result is, and whether this is one: a sentence.
std::string verdict(const Validation& validation);

/// "+1.2 %", or "not measured".
std::string percentText(double share);

/// Self-contained page.
std::string toHtml(const ReducedModel& model, const Validation& validation);

}  // namespace pliant::program
