// SPDX-License-Identifier: Zlib
// The main function of the tests. CTest runs many tests in one process (run_tests.sh), and each of them has its own
// time limit all the same: PLIANT_TEST_SECONDS, after which the alarm ends the process in the middle of the test that
// hangs. PLIANT_TEST_INSTRUCTIONS (sse2, avx2 or avx512) runs the kernels with that instruction set; a processor that
// does not have it is a failure, not a narrower set.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "pliant/math/InstructionSet.h"

// Weak: programs without kernels have nothing to limit.
namespace pliant {
__attribute__((weak)) bool processorHas(InstructionSet set);
__attribute__((weak)) void limitInstructions(InstructionSet widest);
}  // namespace pliant

namespace {

class TimeLimit : public testing::EmptyTestEventListener {
public:
    explicit TimeLimit(unsigned seconds) : m_seconds(seconds) {}
    void OnTestStart(const testing::TestInfo&) override { alarm(m_seconds); }
    void OnTestEnd(const testing::TestInfo&) override { alarm(0); }

private:
    unsigned m_seconds;
};

/// @return whether the kernels of this program run with the set of that name
bool forceInstructions(const std::string& name) {
    using pliant::InstructionSet;
    if (name != "sse2" && name != "avx2" && name != "avx512") return false;
    const InstructionSet set = name == "sse2"   ? InstructionSet::Sse2
                               : name == "avx2" ? InstructionSet::Avx2
                                                : InstructionSet::Avx512;
    if (!pliant::limitInstructions) return true;
    if (!pliant::processorHas(set)) return false;
    pliant::limitInstructions(set);
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    testing::InitGoogleMock(&argc, argv);
    const char* instructions = std::getenv("PLIANT_TEST_INSTRUCTIONS");
    if (instructions && !forceInstructions(instructions)) {
        std::fprintf(stderr, "PLIANT_TEST_INSTRUCTIONS=%s: no set of this processor\n", instructions);
        return 2;
    }
    if (const char* seconds = std::getenv("PLIANT_TEST_SECONDS"))
        testing::UnitTest::GetInstance()->listeners().Append(
            new TimeLimit(static_cast<unsigned>(std::strtoul(seconds, nullptr, 10))));
    return RUN_ALL_TESTS();
}
