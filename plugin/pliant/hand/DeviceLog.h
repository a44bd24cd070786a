// SPDX-License-Identifier: Zlib
/// @file
/// What a device has done wrong so far, for whoever tells people of it.
#pragma once

#include <string>

#include "pliant/hand/DeviceGuard.h"

namespace pliant {

/// Counts the failures of a device: times it vanished, sent what is no number for the time of silence, or stuttered and
/// came back.
class PLIANT_API DeviceLog {
public:
    /// Of a device that a guard with these limits watches.
    explicit DeviceLog(const HandLimits& limits) : m_silence(limits.silence) {}

    /// @param status of the guard after its step  @param dt s, > 0
    void step(DeviceStatus status, double dt);
    /// A line with causes and cures, without a full stop: what it did worst, how often, when first, in seconds of all
    /// steps so far, and whether it is there now. Empty where it did nothing wrong.
    std::string message() const;

private:
    struct Fault {
        int count = 0;
        double first = 0.0;  ///< s
        void add(double time) {
            if (count == 0) first = time;
            ++count;
        }
    };

    double m_silence, m_time = 0.0;
    double m_late = 0.0;  ///< When the stuttering began that goes on, s.
    DeviceStatus m_last = DeviceStatus::Ready;
    Fault m_vanished, m_notFinite, m_stuttered;
};

}  // namespace pliant
