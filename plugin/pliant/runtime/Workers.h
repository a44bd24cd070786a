// SPDX-License-Identifier: Zlib
/// @file
/// The threads of the run time: oneTBB behind a small fence, which reads the process's global settings
/// of oneTBB (a limit of threads, the processors) and changes none.
#pragma once

#include <functional>
#include <memory>

#include "pliant/math/Api.h"

namespace pliant {

/// A bounded set of worker threads. Work is cut into blocks whose borders depend on the problem only, never on the
/// number of workers, so results have the same bits for any number of them.
class PLIANT_API Workers {
public:
    /// @param count threads to use, >= 1; 0 = all processors that the process could use when it began
    explicit Workers(int count = 0);
    ~Workers();
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    /// The number of threads that were asked for. No more work than oneTBB has processors for (observed()).
    int count() const;
    /// The number of distinct threads that have run at least one block so far.
    int observed() const;

    /// Calls body(begin, end) for consecutive blocks of `blockSize` items that cover [0, items), in any order, and
    /// waits.
    void forBlocks(int items, int blockSize, const std::function<void(int begin, int end)>& body) const;

private:
    struct PLIANT_HIDDEN Arena;
    std::unique_ptr<Arena> m_arena;
};

}  // namespace pliant
