// SPDX-License-Identifier: Zlib
#include "pliant/hand/DeviceLog.h"

#include <cmath>

namespace pliant {
namespace {

/// To a millisecond, with a point whatever the locale is.
std::string seconds(double time) {
    const auto milliseconds = static_cast<long long>(std::round(1e3 * time));
    std::string text = std::to_string(milliseconds / 1000), rest = std::to_string(1000 + milliseconds % 1000).substr(1);
    rest.erase(rest.find_last_not_of('0') + 1);
    if (!rest.empty()) text += "." + rest;
    return text + " s";
}

std::string howOften(int count, double first) {
    return count == 1 ? "at " + seconds(first) : std::to_string(count) + " times, first at " + seconds(first);
}

}  // namespace

void DeviceLog::step(DeviceStatus status, double dt) {
    m_time += dt;
    const bool isSilent = status == DeviceStatus::Vanished || status == DeviceStatus::NotFinite;
    const bool wasSilent = m_last == DeviceStatus::Vanished || m_last == DeviceStatus::NotFinite;
    if (status == DeviceStatus::Stuttering && m_last == DeviceStatus::Ready) m_late = m_time;
    if (status == DeviceStatus::Ready && m_last == DeviceStatus::Stuttering) m_stuttered.add(m_late);
    // Of one silence the first word counts: what sends no numbers any more may end with nothing at all.
    if (isSilent && !wasSilent) (status == DeviceStatus::Vanished ? m_vanished : m_notFinite).add(m_time);
    m_last = status;
}

std::string DeviceLog::message() const {
    const bool isThere = m_last == DeviceStatus::Ready || m_last == DeviceStatus::Stuttering;
    const std::string letGo = isThere ? ", and the hand let go until it was back" : ", and the hand let go for good";
    if (m_notFinite.count > 0)
        return "sent what is no number, or nothing after it, " + howOften(m_notFinite.count, m_notFinite.first) +
               letGo + "; mend the program that sends, or its calibration";
    if (m_vanished.count > 0)
        return "sent nothing for " + seconds(m_silence) + " " + howOften(m_vanished.count, m_vanished.first) + letGo +
               "; see that it is plugged in and that its program runs from the start";
    if (m_stuttered.count > 0)
        return "sent no pose for " + seconds(0.5 * m_silence) + " " + howOften(m_stuttered.count, m_stuttered.first) +
               ", and the hand nearly let go; leave its program and its network more room, and see that what it sends "
               "are numbers";
    return {};
}

}  // namespace pliant
