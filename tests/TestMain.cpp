// SPDX-License-Identifier: Zlib
// The main function of the tests. CTest runs many tests in one process (run_tests.sh), and each of them has its own
// time limit all the same: PLIANT_TEST_SECONDS, after which the alarm ends the process in the middle of the test that
// hangs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

namespace {

class TimeLimit : public testing::EmptyTestEventListener {
public:
    explicit TimeLimit(unsigned seconds) : m_seconds(seconds) {}
    void OnTestStart(const testing::TestInfo&) override { alarm(m_seconds); }
    void OnTestEnd(const testing::TestInfo&) override { alarm(0); }

private:
    unsigned m_seconds;
};

}  // namespace

int main(int argc, char** argv) {
    testing::InitGoogleMock(&argc, argv);
    if (const char* seconds = std::getenv("PLIANT_TEST_SECONDS"))
        testing::UnitTest::GetInstance()->listeners().Append(
            new TimeLimit(static_cast<unsigned>(std::strtoul(seconds, nullptr, 10))));
    return RUN_ALL_TESTS();
}
