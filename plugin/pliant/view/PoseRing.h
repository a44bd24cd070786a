// SPDX-License-Identifier: Zlib
// Internal: poses from one thread that writes to one that shows, without waiting on either side.
#pragma once

#include <array>
#include <atomic>
#include <vector>

#include "pliant/view/Poses.h"

namespace pliant {

/// Four buffers: one is written, two are shown between, one is ready and changes hands by one atomic exchange. What was
/// not taken in time is written over.
class PoseRing {
public:
    /// The writer's buffer. What is in it is of an earlier step.
    std::vector<Poses>& written() { return m_buffers[m_written]; }
    /// The writer hands its buffer over and gets another one.
    void publish() { m_written = m_ready.exchange(m_written | fresh, std::memory_order_acq_rel) & ~fresh; }

    /// The reader takes what was handed over last, where that is new. @return whether it was
    bool take() {
        if (!(m_ready.load(std::memory_order_relaxed) & fresh)) return false;
        const unsigned int taken = m_ready.exchange(m_before, std::memory_order_acq_rel) & ~fresh;
        m_before = m_after;
        m_after = taken;
        return true;
    }
    const std::vector<Poses>& before() const { return m_buffers[m_before]; }
    const std::vector<Poses>& after() const { return m_buffers[m_after]; }

private:
    static constexpr unsigned int fresh = 8;
    std::array<std::vector<Poses>, 4> m_buffers;
    unsigned int m_written = 0;              ///< the writer's
    std::atomic<unsigned int> m_ready{1};    ///< and whether it is new
    unsigned int m_before = 2, m_after = 3;  ///< the reader's
};

}  // namespace pliant
