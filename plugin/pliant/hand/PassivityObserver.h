// SPDX-License-Identifier: Zlib
/// @file
/// Keeps a device from giving a hand energy that the hand has not put in.
#pragma once

#include "pliant/hand/VirtualCoupling.h"

namespace pliant {

/// Sums the energy that flows from the hand into what it feels, E += -F . dx, and damps while more would have come back
/// than went in (E < 0). At most `limits.energyCredit` is remembered, so that what was put in long ago does not pay for
/// a vibration now. Damping that is needed no longer goes within kRelease, not at once: a hand would feel it fall.
class PLIANT_API PassivityObserver {
public:
    static constexpr double kRelease = 0.05;  ///< Time in which the largest damping goes to none, s.

    /// @param settings have passed checkHandSettings()
    explicit PassivityObserver(const HandSettings& settings) : m_settings(settings) {}

    /// What may be sent to the device: within its limits, damped where E would be negative.
    /// @param wrench that is to be sent  @param motion of the device since the last step, m and rad  @param dt s, > 0
    Wrench step(const Wrench& wrench, const Vector6& motion, double dt);

    /// E, J: what the hand has put in and not got back.
    double energy() const { return m_energy; }
    /// Damping in the last step, N s/m.
    double damping() const { return m_damping; }
    /// Goes on from an energy that was kept, J.
    void setEnergy(double energy) { m_energy = energy; }
    /// Goes on from a damping that was kept, N s/m.
    void setDamping(double damping) { m_damping = damping; }

private:
    HandSettings m_settings;
    double m_energy = 0.0;
    double m_damping = 0.0;
};

}  // namespace pliant
