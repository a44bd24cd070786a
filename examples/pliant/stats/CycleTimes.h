// SPDX-License-Identifier: Zlib
// Times of many short cycles, in wall-clock time and in CPU time of the thread that makes them.
#pragma once

#include <string>
#include <vector>

namespace pliant::program {

/// CPU time that this thread has used, s.
double threadSeconds();

class CycleTimes {
public:
    explicit CycleTimes(std::size_t cycles) {
        m_thread.reserve(cycles);
        m_wall.reserve(cycles);
    }
    void add(double threadSeconds, double wallSeconds) {
        m_thread.push_back(threadSeconds);
        m_wall.push_back(wallSeconds);
    }

    struct Summary {
        /// Mean and longest time of a cycle, s; 99.9 % of the cycles take no longer than most999.
        double mean = 0.0, most999 = 0.0, longest = 0.0;
        double within = 0.0;  ///< Share of the cycles that take no longer than asked.
    };
    /// @param limit s
    Summary thread(double limit) const { return summary(m_thread, limit); }
    Summary wall(double limit) const { return summary(m_wall, limit); }

    /// A table of both. @param limit of a cycle, s
    std::string table(double limit) const;

    static Summary summary(std::vector<double> seconds, double limit);

private:
    std::vector<double> m_thread, m_wall;
};

}  // namespace pliant::program
