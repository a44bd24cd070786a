// SPDX-License-Identifier: Zlib
// Internal: the energy that a hand of its own thread may give to bodies.
#pragma once

#include <algorithm>
#include <cmath>

namespace btPliantInternal {

/// What the device has put into the coupling, and bodies into the tool, less what the tool has given to bodies. Tool
/// and springs have no energy of their own to give, so that a hand is passive as long as this is not negative.
///
/// What a body gets in a step is the force F over the step h times the mean of its velocities before and after. Of a
/// body that falls freely in Bullet's steps (V' = V + h (g + F / M), x' = x + h V') that is the exact change of M V^2 /
/// 2 - M g . x + h M g . V / 2, which nothing else changes; of one that is held by others it is what F has done.
class EnergyLedger {
public:
    /// What is no number changes nothing: a body that has none would leave the ledger without one for ever.
    /// @param given by the device since the last step, J  @param taken by bodies in that step, J
    void book(double given, double taken) {
        const double energy = m_energy + (given - taken);
        if (std::isfinite(energy)) m_energy = energy;
    }
    /// What friction and damping have taken until now, of whatever touches, is not to be given to anybody.
    /// @param stored most that coupling and surface can still give back, J
    void forgetLosses(double stored) { m_energy = std::min(m_energy, stored); }
    /// Nothing touches the tool: who is owed nothing is asked for nothing. A push is no more than there is by what its
    /// body does alone. Where another impulse P comes to it in the step, the force F is booked with h F . P / 2 M more;
    /// but by steps of Bullet's, in which forces act before impulses, that is a part of the work of P, which its giver
    /// has lost. What is driven gets all, and who drives it has that.
    void forgetDebts() { m_energy = std::max(m_energy, 0.0); }
    /// What bodies may be given in the next step, J, >= 0.
    double available() const { return m_energy > 0.0 ? m_energy : 0.0; }

private:
    double m_energy = 0.0;
};

}  // namespace btPliantInternal
