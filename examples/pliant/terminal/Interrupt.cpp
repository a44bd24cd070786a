// SPDX-License-Identifier: Zlib
#include "terminal/Interrupt.h"

#include <csignal>

namespace pliant::program {
namespace {

volatile std::sig_atomic_t g_interrupted = 0;

extern "C" void raiseFlag(int) {
    g_interrupted = 1;
}

}  // namespace

void watchForInterrupt() {
    struct sigaction action = {};
    action.sa_handler = raiseFlag;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

bool interrupted() {
    return g_interrupted != 0;
}

}  // namespace pliant::program
