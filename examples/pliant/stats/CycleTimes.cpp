// SPDX-License-Identifier: Zlib
#include "stats/CycleTimes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>

namespace pliant::program {

double threadSeconds() {
    std::timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

CycleTimes::Summary CycleTimes::summary(std::vector<double> seconds, double limit) {
    Summary all;
    if (seconds.empty()) return all;
    std::sort(seconds.begin(), seconds.end());
    const auto count = static_cast<double>(seconds.size());
    for (const double s : seconds) all.mean += s / count;
    const auto rank = static_cast<std::size_t>(std::ceil(0.999 * count));
    all.most999 = seconds[std::max<std::size_t>(rank, 1) - 1];
    all.longest = seconds.back();
    all.within = static_cast<double>(std::upper_bound(seconds.begin(), seconds.end(), limit) - seconds.begin()) / count;
    return all;
}

std::string CycleTimes::table(double limit) const {
    std::string text = fmt::format("{:<12}{:>12}{:>12}{:>12}{:>18}\n", "cycle", "mean", "99.9 %", "longest",
                                   fmt::format("within {:.3g} ms", 1e3 * limit));
    const auto row = [&text](const char* name, const Summary& s) {
        text += fmt::format("{:<12}{:>9.3f} ms{:>9.3f} ms{:>9.3f} ms{:>16.2f} %\n", name, 1e3 * s.mean, 1e3 * s.most999,
                            1e3 * s.longest, 100.0 * s.within);
    };
    row("thread CPU", thread(limit));
    row("wall", wall(limit));
    return text;
}

}  // namespace pliant::program
