// SPDX-License-Identifier: Zlib
// How far a reduced motion is from the full one, in the papers' terms: amplitude and frequency.
#pragma once

#include "pliant/reduce/ImpulseExperiment.h"

namespace pliant {

/// Of a signal that swings about zero.
struct Oscillation {
    double amplitude = 0.0;  ///< Largest absolute value of the signal.
    double frequency = 0.0;  ///< Frequency, 1/s; 0 where fewer than three crossings of zero are seen.
};

/// Zero crossings are interpolated between samples, and count when the signal has been beyond a fifth of its amplitude
/// since the last one, so that ripples of other modes do not. @param signal at equal steps of `timeStep` s
Oscillation measureOscillation(const VectorX& signal, double timeStep);

struct TrajectoryComparison {
    Oscillation full, reduced;    ///< Oscillations of the displacement along `direction`, m.
    double amplitudeError = 0.0;  ///< Error of the amplitude, reduced / full - 1; NaN where either does not move.
    double frequencyError = 0.0;  ///< Error of the frequency, reduced / full - 1; NaN where either is unknown.
    /// Root mean square of the distance between the two motions, relative to that of the full one.
    double distance = 0.0;
    /// Largest |E - work| / work of the full body after the push: damping, and the error of the steps.
    double fullEnergyDrift = 0.0;
    /// Largest |E - work| / work of the reduced body after the push: damping, and the error of the steps.
    double reducedEnergyDrift = 0.0;
};

/// @param direction of the displacement that is measured, need not be of length one
TrajectoryComparison compareTrajectories(const Trajectory& full, const Trajectory& reduced,
                                         const ImpulseExperiment& experiment, const Vector3& direction);

}  // namespace pliant
