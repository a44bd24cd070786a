// SPDX-License-Identifier: Zlib
#include "pliant/hand/PassivityObserver.h"

#include <algorithm>

namespace pliant {

Wrench PassivityObserver::step(const Wrench& wrench, const Vector6& motion, double dt) {
    const double r2 = m_settings.gyrationRadius * m_settings.gyrationRadius;
    const Vector3 way = motion.head<3>(), turn = motion.tail<3>();
    const auto gained = [&](const Wrench& sent) { return -sent.force.dot(way) - sent.torque.dot(turn); };

    Wrench sent = clampedWrench(m_settings.limits, wrench);
    const double squares = way.squaredNorm() + r2 * turn.squaredNorm();
    const double energy = m_energy + gained(sent);
    // A damping that was set may be above the most there is, of which a part goes in each step: it would stay.
    const double most = m_settings.limits.deviceDamping;
    const double left = std::max(0.0, std::min(most, m_damping) - most * dt / kRelease);
    m_damping = energy < 0.0 && squares > 0.0 ? std::max(left, std::min(most, -energy * dt / squares)) : left;
    if (m_damping > 0.0 && squares > 0.0) {
        sent.force -= m_damping / dt * way;
        sent.torque -= m_damping * r2 / dt * turn;
        sent = clampedWrench(m_settings.limits, sent);
    }
    m_energy = std::min(m_energy + gained(sent), m_settings.limits.energyCredit);
    return sent;
}

}  // namespace pliant
