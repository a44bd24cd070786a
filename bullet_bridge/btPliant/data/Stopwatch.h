// SPDX-License-Identifier: Zlib
// Internal: wall-clock time of a scope.
#pragma once

#include <chrono>

namespace btPliantInternal {

/// Adds the seconds of its lifetime to a counter.
class Stopwatch {
public:
    explicit Stopwatch(double& seconds) : m_seconds(seconds), m_start(std::chrono::steady_clock::now()) {}
    ~Stopwatch() { m_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count(); }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

private:
    double& m_seconds;
    std::chrono::steady_clock::time_point m_start;
};

}  // namespace btPliantInternal
