// SPDX-License-Identifier: Zlib
// The instruction set that a run of the tests asks for (TestMain.cpp) is the one that kernels run with.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "pliant/math/InstructionSet.h"
#include "pliant/math/Lanes.h"
#include "pliant/runtime/kernels/Kernels.h"

namespace pliant {
namespace {

std::string nameOf(InstructionSet set) {
    return set == InstructionSet::Sse2 ? "sse2" : set == InstructionSet::Avx2 ? "avx2" : "avx512";
}

std::string widestOfTheProcessor() {
    if (processorHas(InstructionSet::Avx512)) return "avx512";
    return processorHas(InstructionSet::Avx2) ? "avx2" : "sse2";
}

TEST(InstructionSetTest, IsTheOneThatTheTestsAskFor) {
    const char* asked = std::getenv("PLIANT_TEST_INSTRUCTIONS");
    const std::string expected = asked ? asked : widestOfTheProcessor();
    EXPECT_EQ(nameOf(widestInstructions()), expected);
    EXPECT_EQ(nameOf(kernels::active().set), expected);
    EXPECT_EQ(lanesInUse(), expected == "sse2" ? 4 : expected == "avx2" ? 8 : 16) << "floats in a register";
}

}  // namespace
}  // namespace pliant
