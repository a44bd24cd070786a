// SPDX-License-Identifier: Zlib
#include "pliant/runtime/Workers.h"

#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <thread>
#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
#endif

namespace pliant {
namespace {

// oneTBB is not built for the thread sanitizer, which therefore does not see that blocks begin after the call and end
// before it returns. These two tell it so, and nothing more: races between blocks of one call are still found.
#ifdef __SANITIZE_THREAD__
char g_begun, g_ended;  // their addresses are what is passed on
void passOn(char& order) {
    __tsan_release(&order);
}
void takeOver(char& order) {
    __tsan_acquire(&order);
}
#define PLIANT_PASS_ON(order) passOn(order)
#define PLIANT_TAKE_OVER(order) takeOver(order)
#else
#define PLIANT_PASS_ON(order)
#define PLIANT_TAKE_OVER(order)
#endif

/// How many processors the process may use. oneTBB reads the affinity of the main thread when it is asked first, and
/// OpenSceneGraph's realize() leaves that thread on one processor: asked while the library is loaded, it knows them
/// all, and its workers may run on any of them.
const int g_processors = tbb::info::default_concurrency();

/// As many of them as oneTBB has threads for: of more it warns on the terminal, and they would not come.
int threadsFor(int count) {
    const std::size_t most = tbb::global_control::active_value(tbb::global_control::max_allowed_parallelism);
    return std::max(1, static_cast<int>(std::min<std::size_t>(most, static_cast<std::size_t>(count))));
}

}  // namespace

struct Workers::Arena {
    explicit Arena(int threads) : count(threads), arena(threadsFor(threads)) {}

    /// Notes the calling thread without a lock: an id is put once into the first free place.
    void noteThread() {
        const std::size_t id = std::hash<std::thread::id>{}(std::this_thread::get_id()) | 1u;
        for (std::atomic<std::size_t>& place : seen) {
            std::size_t present = place.load(std::memory_order_relaxed);
            if (present == id) return;
            if (present == 0 && place.compare_exchange_strong(present, id)) return;
            if (present == id) return;
        }
    }

    const int count;
    tbb::task_arena arena;
    std::array<std::atomic<std::size_t>, 256> seen{};
};

Workers::Workers(int count) : m_arena(std::make_unique<Arena>(count > 0 ? count : std::max(1, g_processors))) {}

Workers::~Workers() = default;

int Workers::count() const {
    return m_arena->count;
}

int Workers::observed() const {
    return static_cast<int>(std::count_if(m_arena->seen.begin(), m_arena->seen.end(),
                                          [](const std::atomic<std::size_t>& id) { return id.load() != 0; }));
}

void Workers::forBlocks(int items, int blockSize, const std::function<void(int begin, int end)>& body) const {
    if (items <= 0) return;
    const int size = std::max(1, blockSize);
    const int blocks = (items + size - 1) / size;
    const auto runBlock = [&](int block) {
        m_arena->noteThread();
        body(block * size, std::min(items, (block + 1) * size));
    };
    if (m_arena->count == 1 || blocks == 1) {
        for (int block = 0; block < blocks; ++block) runBlock(block);
        return;
    }
    const auto runInOrder = [&runBlock](int block) {
        PLIANT_TAKE_OVER(g_begun);
        runBlock(block);
        PLIANT_PASS_ON(g_ended);
    };
    PLIANT_PASS_ON(g_begun);
    m_arena->arena.execute([&] { tbb::parallel_for(0, blocks, runInOrder, tbb::simple_partitioner()); });
    PLIANT_TAKE_OVER(g_ended);
}

}  // namespace pliant
