// SPDX-License-Identifier: Zlib
// `mpirun -np 2 pliant reduce --mpi`: one model, one voice, one end.
#include <gmock/gmock.h>

#include "ProgramRun.h"

namespace pliant::test {
namespace {

using ::testing::HasSubstr;

std::size_t countOf(const std::string& text, const std::string& what) {
    std::size_t count = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
    return count;
}

class RanksProgram : public ProgramTest {
protected:
    Outcome onTwo(const std::string& arguments) const {
        return run(arguments,
                   "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 "
                   "timeout 100 '" PLIANT_MPIEXEC "' -np 2");
    }

    /// A bar of 8 x 1 x 1 bricks of 5 cm, held at one end by bar.bou, and pushes at its other end.
    void SetUp() override {
        ProgramTest::SetUp();
        std::string text = "*VERTICES\n36 3\n";
        for (int i = 0; i <= 8; ++i)
            for (int c = 0; c < 4; ++c)
                text += std::to_string(4 * i + c + 1) + " " + std::to_string(0.05 * i) + " " +
                        std::to_string(0.05 * (c / 2)) + " " + std::to_string(0.05 * (c % 2)) + "\n";
        text += "*ELEMENTS\nCUBIC\n8 8\n";
        for (int i = 0; i < 8; ++i) {
            text += std::to_string(i + 1);
            for (const int c : {1, 5, 7, 3, 2, 6, 8, 4}) text += " " + std::to_string(4 * i + c);
            text += "\n";
        }
        write("bar.veg", text + "*MATERIAL rubber\nENU, 1000, 1e6, 0.4\n*REGION\nallElements, rubber\n");
        write("bar.bou", "1,2,3,4\n");
        const std::string push = "  - {vertex: 36, direction: [0, 0, 1], magnitude: 1}\n";
        write("good.yaml", "forces:\n" + push + "  - {vertex: 36, direction: [0, 1, 0], magnitude: 1}\n");
        write("bad.yaml", "forces:\n" + push + "  - {vertex: 36, direction: [-1, 0, 0], magnitude: 300}\n");
    }
};

TEST_F(RanksProgram, MakeOneModelAndOneReport) {
    const std::string arguments =
        "reduce bar.veg -o bar.pliant --modes 4 --fixed bar.bou --mpi --sketch good.yaml --dim ";
    const Outcome made = onTwo(arguments + "8");
    ASSERT_EQ(made.code, 0) << made.problems;
    EXPECT_EQ(countOf(made.output, "bar.pliant made in"), 1u) << made.output;
    EXPECT_EQ(run("info bar.pliant").code, 0);
    const std::vector<std::string> files = listing();
    const Outcome again = onTwo(arguments + "8");
    EXPECT_EQ(again.code, 0) << again.problems;
    EXPECT_EQ(countOf(again.output, "is up to date"), 1u);
    const Outcome smaller = onTwo(arguments + "6");
    EXPECT_EQ(smaller.code, 0) << smaller.problems;
    EXPECT_GE(countOf(smaller.output, "(from the cache)"), 2u) << smaller.output;
    EXPECT_EQ(listing().size(), files.size());
}

TEST_F(RanksProgram, WhatGoesWrongIsSaidOnce) {
    const std::vector<std::string> files = listing();
    for (const char* arguments :
         {"reduce none.veg -o bar.pliant --mpi", "reduce bar.veg -o bar.pliant --modes 4 --dim 800 --mpi --no-cache",
          "reduce bar.veg -o bar.pliant --modes 4 --dim 6 --fixed bar.bou --sketch bad.yaml --mpi --no-cache",
          "reduce bar.veg -o /proc/none/bar.pliant --mpi --no-cache --modes 4 --dim 6"}) {
        const Outcome outcome = onTwo(arguments);
        EXPECT_NE(outcome.code, 0) << arguments;
        EXPECT_NE(outcome.code, 124) << "the ranks wait for each other: " << arguments;
        EXPECT_EQ(countOf(outcome.problems, "pliant: error:"), 1u) << arguments << "\n" << outcome.problems;
    }
    EXPECT_EQ(listing(), files);
}

TEST_F(RanksProgram, AForceOfTheSecondRankIsNamed) {
    const Outcome outcome =
        onTwo("reduce bar.veg -o bar.pliant --modes 4 --dim 6 --fixed bar.bou --sketch bad.yaml --mpi");
    EXPECT_THAT(outcome.problems, HasSubstr("sketch, force 2"));
}

}  // namespace
}  // namespace pliant::test
