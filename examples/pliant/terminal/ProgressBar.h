// SPDX-License-Identifier: Zlib
#pragma once

#include <chrono>
#include <string>

namespace pliant::program {

/// A progress bar on standard error when that is a terminal, else a plain line when a stage begins and every ten
/// seconds. Watches for Ctrl-C: the call then returns false, which asks the work to stop.
class ProgressBar {
public:
    ProgressBar();
    ~ProgressBar();  ///< Clears the bar.
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    /// @param stage what is being done; @param fraction of that stage, 0..1; @return false after Ctrl-C
    bool operator()(const std::string& stage, double fraction);
    /// Removes the bar from the terminal, so that other lines can be printed.
    void clear();
    double seconds() const;  ///< Time since this object was made, s.

private:
    using Clock = std::chrono::steady_clock;
    void draw(const std::string& stage, double fraction);
    void print(const std::string& stage, double fraction);

    bool m_terminal;
    bool m_drawn = false;
    Clock::time_point m_start;
    Clock::time_point m_shown;
    std::string m_stage;
};

/// "12.3 s", "4 min 05 s", "0.25 ms".
std::string duration(double seconds);

}  // namespace pliant::program
