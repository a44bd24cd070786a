// SPDX-License-Identifier: Zlib
// Drives the program with input that it must refuse: one line that says what is wrong and where, exit code 1, and
// nothing half-written.
#pragma once

#include <gmock/gmock.h>

#include "ProgramRun.h"

namespace pliant::test {

/// The unit cube as one brick, with a material; `vertices` and `elements` may be replaced to break it.
inline std::string cube(
    const std::string& vertices = "1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 0 0 1\n6 1 0 1\n7 1 1 1\n8 0 1 1\n",
    const std::string& elements = "1 1 2 3 4 5 6 7 8\n", const std::string& nu = "0.3") {
    const auto count = [](const std::string& lines) {
        return std::to_string(std::count(lines.begin(), lines.end(), '\n'));
    };
    return "*VERTICES\n" + count(vertices) + " 3 0 0\n" + vertices + "*ELEMENTS\nCUBIC\n" + count(elements) + " 8 0\n" +
           elements + "*MATERIAL wood\nENU, 700, 1e6, " + nu + "\n*REGION\nallElements, wood\n";
}

/// Tetrahedra of the same material.
inline std::string tetrahedra(const std::string& vertices, const std::string& elements) {
    const auto count = [](const std::string& lines) {
        return std::to_string(std::count(lines.begin(), lines.end(), '\n'));
    };
    return "*VERTICES\n" + count(vertices) + " 3 0 0\n" + vertices + "*ELEMENTS\nTET\n" + count(elements) + " 4 0\n" +
           elements + "*MATERIAL wood\nENU, 700, 1e6, 0.3\n*REGION\nallElements, wood\n";
}

inline const std::string kReduce = " -o made.pliant --modes 2 --dim 2";

class BadInput : public ProgramTest {
protected:
    /// @param words that the one line of error must hold
    void expectRefused(const std::string& arguments, const std::vector<std::string>& words,
                       const std::string& prefix = "") const {
        const std::vector<std::string> before = listing();
        const Outcome outcome = run(arguments, prefix);
        EXPECT_EQ(outcome.code, 1) << outcome.problems;
        EXPECT_THAT(outcome.errors, ::testing::ElementsAre(::testing::StartsWith("pliant: error: ")))
            << outcome.problems;
        for (const std::string& word : words) EXPECT_THAT(outcome.problems, ::testing::HasSubstr(word));
        EXPECT_EQ(listing(), before) << "something was left behind";
    }
};

}  // namespace pliant::test
