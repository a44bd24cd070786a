// SPDX-License-Identifier: Zlib
// How far a reduced motion is from the full one, in the papers' terms: amplitude and frequency.
#pragma once

#include "pliant/reduce/ImpulseExperiment.h"

namespace pliant {

/// Of a signal that swings about zero.
struct Oscillation {
    double amplitude = 0.0;  ///< largest absolute value
    double frequency = 0.0;  ///< 1 / s; 0 where fewer than three crossings of zero are seen
};

/// Zero crossings are interpolated between samples, and count when the signal has been beyond a fifth of its amplitude
/// since the last one, so that ripples of other modes do not. @param signal at equal steps of `timeStep` s
Oscillation measureOscillation(const VectorX& signal, double timeStep);

struct TrajectoryComparison {
    Oscillation full, reduced;    ///< of the displacement along `direction`, m
    double amplitudeError = 0.0;  ///< reduced / full - 1; NaN where either does not move
    double frequencyError = 0.0;  ///< reduced / full - 1; NaN where either is unknown
    double distance = 0.0;  ///< root mean square of the distance between the two, relative to that of the full one
    double fullEnergyDrift = 0.0;     ///< largest |E - work| / work after the push: damping, and the error of the steps
    double reducedEnergyDrift = 0.0;  ///< the same
};

/// @param direction of the displacement that is measured, need not be of length one
TrajectoryComparison compareTrajectories(const Trajectory& full, const Trajectory& reduced,
                                         const ImpulseExperiment& experiment, const Vector3& direction);

}  // namespace pliant
