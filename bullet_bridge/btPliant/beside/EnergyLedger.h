// SPDX-License-Identifier: Zlib
// Internal: the energy that a hand of its own thread may give to bodies.
#pragma once

#include <algorithm>

namespace btPliantInternal {

/// What the device has put into the coupling, and bodies into the tool, less what the tool has given to bodies. Tool
/// and springs have no energy of their own to give, so that a hand is passive as long as this is not negative.
///
/// What a body gets in a step is the force F over the step h times the mean of its velocities before and after. Of a
/// body that falls freely in Bullet's steps (V' = V + h (g + F / M), x' = x + h V') that is the exact change of M V^2 /
/// 2 - M g . x + h M g . V / 2, which nothing else changes; of one that is held by others it is what F has done.
class EnergyLedger {
public:
    /// @param given by the device since the last step, J  @param taken by bodies in that step, J
    void book(double given, double taken) { m_energy += given - taken; }
    /// Nothing touches the tool: what friction and damping have taken until now is not to be given to anybody.
    /// @param stored most that the coupling can still give back, J
    void forgetLosses(double stored) { m_energy = std::min(m_energy, stored); }
    /// What bodies may be given in the next step, J, >= 0.
    double available() const { return std::max(m_energy, 0.0); }

private:
    double m_energy = 0.0;
};

}  // namespace btPliantInternal
