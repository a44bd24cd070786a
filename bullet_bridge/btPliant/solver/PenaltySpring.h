// SPDX-License-Identifier: Zlib
// Internal: the law of a penalty contact of solids, a one-sided spring with the potential
// W(d) = k max(d, 0)^2 / 2 of its depth d and a damper.
//
// Modes move by the mean of their velocities before and after a step, frames by the velocity after it. Taken half a
// step of their velocity back, frames move by the mean, too: x_1 - h v_1 / 2 = (x_0 - h v_0 / 2) + h (v_0 + v_1) / 2.
// With d the depth there the force
//     P / h = [W(d_1) - W(d_0)] / (d_1 - d_0)
// does the work W(d_0) - W(d_1) on frames and modes together, whatever the step and the stiffness are: what a spring
// has taken it gives back, and no more (the discrete gradient of W [G96]). P is monotone in d_1, so that the
// springs of all contacts and the rows beside them are the minimum of a convex function, as rigid contacts are.
#pragma once

namespace btPliantInternal {

/// Of one contact and one step. Depths are those half a step back, m, positive where bodies are in each other.
struct PenaltySpring {
    double stiffness = 0;  ///< Stiffness k, N/m.
    double damping = 0;    ///< Damping, N s/m; 0 of what does not touch yet.
    double step = 0;       ///< Length h of the step, s.
    double start = 0;      ///< Depth d_0 at the start of the step, m.
    double freeEnd = 0;    ///< Depth d_1 at its end without impulses of the solver, m.
    double cut = 0;        ///< By which both depths are less than where the points are (SpringEnergy.h), m.

    /// Potential W of a depth, J.
    double energy(double depth) const { return depth > 0.0 ? 0.5 * stiffness * depth * depth : 0.0; }
    /// The impulse of the contact alone, all others given, N s, not negative.
    /// @param impulse that it has now, N s @param added velocity along the normal that all impulses so far, this one
    /// included, have added, m/s @param response of that velocity to an impulse, 1/kg
    double solve(double impulse, double added, double response) const;
};

}  // namespace btPliantInternal
