// SPDX-License-Identifier: Zlib
#include "terminal/Interrupt.h"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <ctime>

namespace pliant::program {
namespace {

constexpr long long kSameRequest = 1000;  ///< ms

std::atomic<long long> g_first{0};   ///< when the first signal came, ms; 0 = none did
std::atomic<int> g_signal{0};        ///< which one
std::atomic<bool> g_isHeard{false};  ///< somebody asks
std::atomic<unsigned> g_patience{5};
static_assert(std::atomic<long long>::is_always_lock_free, "signal handlers may use it");

void endBy(int signal) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);  // blocked until this handler returns
}

extern "C" void onSignal(int signal) {
    timespec time = {};
    clock_gettime(CLOCK_MONOTONIC, &time);
    const long long now = 1000LL * time.tv_sec + time.tv_nsec / 1000000 + 1;
    long long first = 0;  // any thread may run this, several at once
    if (g_first.compare_exchange_strong(first, now)) {
        g_signal = signal;
        alarm(g_patience);
    } else if (now - first >= kSameRequest) {
        endBy(signal);
    }
}

extern "C" void onAlarm(int) {
    if (!g_isHeard) endBy(g_signal);
}

}  // namespace

void watchForInterrupt() {
    watchForInterrupt(g_patience);
}

void watchForInterrupt(unsigned patience) {
    g_patience = patience;
    g_isHeard = false;  // whatever was watched for before
    struct sigaction action = {};
    action.sa_handler = onAlarm;
    sigaction(SIGALRM, &action, nullptr);
    action.sa_handler = onSignal;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() {
    g_isHeard = true;  // who asks once goes on to ask, however long a frame takes
    return g_first != 0;
}

}  // namespace pliant::program
