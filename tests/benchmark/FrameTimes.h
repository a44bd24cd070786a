// SPDX-License-Identifier: Zlib
// Times of many frames, in microseconds of thread CPU time and of wall time.
#pragma once

#include <algorithm>
#include <ctime>
#include <vector>

namespace pliant::benchmarks {

struct Clock {
    static double now(clockid_t id) {
        timespec t{};
        clock_gettime(id, &t);
        return 1e6 * static_cast<double>(t.tv_sec) + 1e-3 * static_cast<double>(t.tv_nsec);
    }
    double cpu = now(CLOCK_THREAD_CPUTIME_ID), process = now(CLOCK_PROCESS_CPUTIME_ID), wall = now(CLOCK_MONOTONIC);
};

/// Microseconds of many frames.
struct Times {
    std::vector<double> cpu, wall;
    void add(const Clock& from) {
        const Clock now;
        cpu.push_back(now.cpu - from.cpu);
        wall.push_back(now.wall - from.wall);
    }
    /// Leaves out the frames that are not among `which`.
    void keep(const std::vector<bool>& which) {
        for (std::vector<double>* all : {&cpu, &wall}) {
            std::vector<double> kept;
            for (std::size_t i = 0; i < which.size(); ++i)
                if (which[i]) kept.push_back((*all)[i]);
            *all = kept;
        }
    }
    static double median(std::vector<double> all) {
        if (all.empty()) return 0;
        std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end());
        return all[all.size() / 2];
    }
};

}  // namespace pliant::benchmarks
