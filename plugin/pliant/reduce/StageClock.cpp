// SPDX-License-Identifier: Zlib
#include "pliant/reduce/StageClock.h"

#include <sys/resource.h>

#include <algorithm>

namespace pliant {

std::size_t peakMemory() {
    struct rusage usage = {};
    ::getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::size_t>(usage.ru_maxrss) * 1024;  // told in KiB
}

StageClock::StageClock(const ProgressCallback& next, ReductionReport& report)
    : m_next(next), m_report(report), m_start(Clock::now()), m_stageStart(m_start) {}

ProgressCallback StageClock::callback() {
    return [this](const std::string& stage, double fraction) {
        if (stage != m_stage) {
            const Clock::time_point now = Clock::now();
            close(now);
            m_stage = stage;
            m_stageStart = now;
        }
        return !m_next || m_next(stage, fraction);
    };
}

void StageClock::close(Clock::time_point now) {
    if (m_stage.empty()) return;
    auto entry = std::find_if(m_report.stages.begin(), m_report.stages.end(),
                              [this](const StageCost& stage) { return stage.name == m_stage; });
    if (entry == m_report.stages.end()) entry = m_report.stages.insert(entry, StageCost{m_stage, 0.0, 0});
    entry->seconds += std::chrono::duration<double>(now - m_stageStart).count();
    entry->peakBytes = peakMemory();
}

void StageClock::finish() {
    const Clock::time_point now = Clock::now();
    close(now);
    m_stage.clear();
    m_report.seconds = std::chrono::duration<double>(now - m_start).count();
    m_report.peakBytes = peakMemory();
}

}  // namespace pliant
