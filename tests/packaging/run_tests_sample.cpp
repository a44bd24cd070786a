// SPDX-License-Identifier: Zlib
// Tests that end in every way: run_tests_tells.sh looks at what run_tests.sh makes of them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace {

TEST(Sample, Passes) {}
TEST(Sample, Skips) {
    GTEST_SKIP() << "it lacks a reason";
}
TEST(Sample, Crashes) {
    std::raise(SIGSEGV);
}
TEST(Sample, Fails) {
    EXPECT_EQ(1, 2) << "one is not two";
}
TEST(Sample, Hangs) {
    sleep(60);
}
TEST(Sample, Exits) {
    std::exit(3);
}
TEST(Sample, DISABLED_IsLeftOut) {
    std::raise(SIGSEGV);
}
TEST(Sample, IsTheLast) {}

}  // namespace
