// SPDX-License-Identifier: Zlib
// Ctrl-C: asks first, and ends the program when it comes again after a while.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "terminal/Interrupt.h"

namespace pliant::program {
namespace {

TEST(Interrupt, SignalsOfOneMomentAreOneRequest) {
    const auto asked = [] {
        watchForInterrupt();
        const bool before = interrupted();
        for (int i = 0; i < 3; ++i) std::raise(SIGINT);
        kill(getpid(), SIGTERM);
        std::_Exit(!before && interrupted() ? 0 : 1);
    };
    EXPECT_EXIT(asked(), ::testing::ExitedWithCode(0), "");
}

TEST(Interrupt, AnotherOneLaterEndsTheProgram) {
    const auto asked = [](int signal) {
        watchForInterrupt();
        std::raise(SIGINT);
        std::this_thread::sleep_for(std::chrono::milliseconds(1100));
        std::raise(signal);
        std::_Exit(0);
    };
    for (const int signal : {SIGINT, SIGTERM}) EXPECT_EXIT(asked(signal), ::testing::KilledBySignal(signal), "");
}

// As while a file is read that takes long: nobody asks.
TEST(Interrupt, ARequestThatNobodyHearsEndsTheProgram) {
    const auto asked = [](int signal, bool isHeard) {
        watchForInterrupt(1);
        std::raise(signal);
        if (isHeard && !interrupted()) std::_Exit(1);
        for (int i = 0; i < 30; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(100));
        std::_Exit(0);
    };
    for (const int signal : {SIGINT, SIGTERM}) EXPECT_EXIT(asked(signal, false), ::testing::KilledBySignal(signal), "");
    EXPECT_EXIT(asked(SIGTERM, true), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace pliant::program
