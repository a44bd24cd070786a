// SPDX-License-Identifier: Zlib
#include "terminal/Interrupt.h"

#include <atomic>
#include <csignal>
#include <ctime>

namespace pliant::program {
namespace {

constexpr long long kSameRequest = 1000;  ///< ms

std::atomic<long long> g_first{0};  ///< when the first signal came, ms; 0 = none did
static_assert(std::atomic<long long>::is_always_lock_free, "signal handlers may use it");

extern "C" void onSignal(int signal) {
    timespec time = {};
    clock_gettime(CLOCK_MONOTONIC, &time);
    const long long now = 1000LL * time.tv_sec + time.tv_nsec / 1000000 + 1;
    long long first = 0;  // any thread may run this, several at once
    if (g_first.compare_exchange_strong(first, now) || now - first < kSameRequest) return;
    std::signal(signal, SIG_DFL);
    std::raise(signal);  // blocked until this handler returns
}

}  // namespace

void watchForInterrupt() {
    struct sigaction action = {};
    action.sa_handler = onSignal;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() {
    return g_first != 0;
}

}  // namespace pliant::program
