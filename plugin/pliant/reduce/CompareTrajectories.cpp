// SPDX-License-Identifier: Zlib
#include "pliant/reduce/CompareTrajectories.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pliant {
namespace {

double energyDrift(const Trajectory& t, int forceSteps) {
    double drift = 0.0;
    for (Eigen::Index i = forceSteps + 1; i < t.strainEnergy.size(); ++i)
        drift = std::max(drift, std::abs(t.strainEnergy[i] + t.kineticEnergy[i] - t.work));
    return t.work > 0.0 ? drift / t.work : drift;
}

/// NaN where one of the two was not measured.
double relative(double value, double reference) {
    if (!(value > 0.0 && reference > 0.0)) return std::numeric_limits<double>::quiet_NaN();
    return value / reference - 1.0;
}

}  // namespace

Oscillation measureOscillation(const VectorX& signal, double timeStep) {
    Oscillation result;
    result.amplitude = signal.cwiseAbs().maxCoeff();
    const double far = 0.2 * result.amplitude;
    double first = 0.0, last = 0.0, candidate = 0.0;
    int crossings = 0, side = 0;  // side: sign of the last value beyond `far`
    for (Eigen::Index i = 0; i < signal.size(); ++i) {
        if (i > 0 && signal[i - 1] * signal[i] <= 0.0 && signal[i - 1] != signal[i])
            candidate = timeStep * (static_cast<double>(i - 1) + signal[i - 1] / (signal[i - 1] - signal[i]));
        if (std::abs(signal[i]) < far || far == 0.0) continue;
        const int now = signal[i] > 0.0 ? 1 : -1;
        if (side != 0 && now != side) {
            last = candidate;
            if (crossings++ == 0) first = candidate;
        }
        side = now;
    }
    if (crossings >= 3) result.frequency = 0.5 * (crossings - 1) / (last - first);
    return result;
}

TrajectoryComparison compareTrajectories(const Trajectory& full, const Trajectory& reduced,
                                         const ImpulseExperiment& experiment, const Vector3& direction) {
    TrajectoryComparison result;
    const Vector3 along = direction.normalized();
    result.full = measureOscillation(full.observed.transpose() * along, full.timeStep);
    result.reduced = measureOscillation(reduced.observed.transpose() * along, reduced.timeStep);
    result.amplitudeError = relative(result.reduced.amplitude, result.full.amplitude);
    result.frequencyError = relative(result.reduced.frequency, result.full.frequency);
    result.distance = (reduced.observed - full.observed).norm() / full.observed.norm();
    result.fullEnergyDrift = energyDrift(full, experiment.forceSteps);
    result.reducedEnergyDrift = energyDrift(reduced, experiment.forceSteps);
    return result;
}

}  // namespace pliant
