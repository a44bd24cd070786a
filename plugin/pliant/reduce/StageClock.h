// SPDX-License-Identifier: Zlib
#pragma once

#include <chrono>

#include "pliant/math/Progress.h"
#include "pliant/reduce/ReductionReport.h"

namespace pliant {

/// Listens to progress on its way to the caller and writes down how long each stage took. A stage lasts until another
/// one is told; stages that come back are added up.
class StageClock {
public:
    StageClock(const ProgressCallback& next, ReductionReport& report);
    ProgressCallback callback();
    void finish();  ///< Closes the last stage and fills the totals.

private:
    using Clock = std::chrono::steady_clock;
    void close(Clock::time_point now);

    const ProgressCallback& m_next;
    ReductionReport& m_report;
    Clock::time_point m_start, m_stageStart;
    std::string m_stage;
};

}  // namespace pliant
