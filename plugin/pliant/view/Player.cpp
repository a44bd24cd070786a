// SPDX-License-Identifier: Zlib
#include "pliant/view/Player.h"

#include <algorithm>
#include <utility>

#include "pliant/view/InterpolatePoses.h"

namespace pliant {

Player::Player(StateLog log) : m_log(std::move(log)) {}

double Player::start() const {
    return m_log.frameCount() > 0 ? m_log.time(0) : 0.0;
}

double Player::end() const {
    return m_log.frameCount() > 0 ? m_log.time(m_log.frameCount() - 1) : 0.0;
}

int Player::frameAt(double time) const {
    int first = 0, behind = m_log.frameCount();  // the frame is before `behind`
    while (behind - first > 1) {
        const int middle = first + (behind - first) / 2;
        (m_log.time(middle) <= time ? first : behind) = middle;
    }
    return behind == 0 ? -1 : first;
}

void Player::hold(int frame) {
    if (m_held == frame) return;
    if (m_held + 1 == frame && m_held >= 0)
        std::swap(m_before, m_after);
    else
        m_log.read(frame, m_before);
    m_log.read(std::min(frame + 1, m_log.frameCount() - 1), m_after);
    m_held = frame;
}

void Player::at(double time, std::vector<Poses>& poses) {
    const int frame = frameAt(time);
    if (frame < 0) return poses.clear();
    hold(frame);
    const double from = m_log.time(frame);
    const double length = frame + 1 < m_log.frameCount() ? m_log.time(frame + 1) - from : 0.0;
    interpolatePoses(m_before, m_after, length > 0.0 ? (time - from) / length : 0.0, poses);
}

}  // namespace pliant
