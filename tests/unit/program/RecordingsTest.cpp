// SPDX-License-Identifier: Zlib
// Recorded forces in YAML: what they become, and every mistake by file:line:column.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "models/Recordings.h"
#include "pliant/math/Error.h"

namespace pliant::program {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Recordings : public ::testing::Test {
protected:
    void TearDown() override { std::filesystem::remove(m_path); }
    void write(const std::string& text) const { std::ofstream(m_path) << text; }
    template <typename Read>
    std::string complaint(const std::string& text, const Read& read) {
        write(text);
        try {
            read(m_path, m_options);
        } catch (const Error& problem) {
            return problem.what();
        }
        return "no error";
    }
    std::string m_path =
        ::testing::TempDir() + "recording_" + ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".yaml";
    ReduceOptions m_options;
};

TEST_F(Recordings, SketchBecomesForcesInNewtons) {
    write(
        "separation: 0.1\nload_steps: 6\nforces:\n"
        "  - {vertex: 12, direction: [0, 0, 2], magnitude: 20}\n"
        "  - {position: [0.1, 0.2, 0.3], direction: [3, 4, 0], magnitude: -5}\n");
    readSketch(m_path, m_options);
    EXPECT_EQ(m_options.sketchOptions.separation, 0.1);
    EXPECT_EQ(m_options.sketchOptions.loadSteps, 6);
    ASSERT_EQ(m_options.sketch.size(), 2u);
    EXPECT_EQ(m_options.sketch[0].vertex, 11) << "files count from 1";
    EXPECT_LT((m_options.sketch[0].force - Vector3(0.0, 0.0, 20.0)).norm(), 1e-12);
    EXPECT_EQ(m_options.sketch[1].vertex, -1);
    EXPECT_LT((m_options.sketch[1].position - Vector3(0.1, 0.2, 0.3)).norm(), 1e-12);
    EXPECT_LT((m_options.sketch[1].force - Vector3(-3.0, -4.0, 0.0)).norm(), 1e-12);
}

TEST_F(Recordings, SnapshotsBecomeARun) {
    write(
        "duration: 2\ntime_step: 0.01\ncount: 20\ndamping: {mass: 0.5, stiffness: 0.001}\nforces:\n"
        "  - {vertex: 1, direction: [1, 0, 0], magnitude: 4, start: 0.1, duration: 0.3}\n");
    readSnapshots(m_path, m_options);
    ASSERT_TRUE(m_options.snapshots);
    EXPECT_EQ(m_options.snapshots->duration, 2.0);
    EXPECT_EQ(m_options.snapshots->timeStep, 0.01);
    EXPECT_EQ(m_options.snapshots->count, 20);
    EXPECT_EQ(m_options.snapshots->massDamping, 0.5);
    EXPECT_EQ(m_options.snapshots->stiffnessDamping, 0.001);
    ASSERT_EQ(m_options.snapshots->forces.size(), 1u);
    EXPECT_EQ(m_options.snapshots->forces[0].start, 0.1);
    EXPECT_EQ(m_options.snapshots->forces[0].duration, 0.3);
    EXPECT_EQ(m_options.snapshots->forces[0].force.vertex, 0);
}

TEST_F(Recordings, MistakesAreNamedWithTheirPlace) {
    const auto sketch = [this](const std::string& text) { return complaint(text, readSketch); };
    const auto snapshots = [this](const std::string& text) { return complaint(text, readSnapshots); };
    EXPECT_THAT(sketch("forces:\n  - {vertex: 1, position: [0, 0, 0], direction: [1, 0, 0], magnitude: 1}\n"),
                AllOf(StartsWith(m_path + ":2:"), HasSubstr("give one of")));
    EXPECT_THAT(sketch("forces:\n  - {direction: [1, 0, 0], magnitude: 1}\n"), HasSubstr("give one of"));
    EXPECT_THAT(sketch("forces:\n  - {vertex: 0, direction: [1, 0, 0], magnitude: 1}\n"), StartsWith(m_path + ":2:"));
    EXPECT_THAT(sketch("forces:\n  - {vertex: 1, direction: [0, 0, 0], magnitude: 1}\n"), HasSubstr("zero vector"));
    EXPECT_THAT(sketch("forces: []\n"), HasSubstr("no force"));
    EXPECT_THAT(sketch("force: []\n"), StartsWith(m_path + ":1:"));
    EXPECT_THAT(snapshots("forces:\n  - {vertex: 1, direction: [1, 0, 0], magnitude: 1, duration: 1}\n"),
                HasSubstr("duration"));
    EXPECT_THAT(snapshots("duration: 1\nforces:\n  - {vertex: 1, direction: [1, 0, 0], magnitude: 1}\n"),
                AllOf(StartsWith(m_path + ":3:"), HasSubstr("duration")));
    std::filesystem::remove(m_path);
    EXPECT_THROW(readSketch(m_path, m_options), Error);
}

/// Both readers have the guard that scenes have (HostileYamlTest.cpp).
TEST_F(Recordings, HostileYamlIsRefusedByBothReaders) {
    std::string aliases = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
    for (int i = 1; i < 12; ++i) {
        const std::string name = "a" + std::to_string(i), last = "*a" + std::to_string(i - 1);
        aliases += name + ": &" + name + " [" + last;
        for (int k = 1; k < 9; ++k) aliases += ", " + last;
        aliases += "]\n";
    }
    const auto expectRefused = [&](const auto& read, const std::string& name) {
        const auto start = std::chrono::steady_clock::now();
        EXPECT_THAT(complaint(",", read), HasSubstr("YAML finds nothing in this " + name));
        EXPECT_THAT(complaint(aliases, read), HasSubstr("values, those of aliases counted"));
        EXPECT_THAT(complaint("forces: " + std::string(100000, '['), read), HasSubstr("within each other"));
        EXPECT_THAT(complaint("# " + std::string(std::size_t{65} << 20, 'x'), read), HasSubstr("longer than 64 MiB"));
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
        EXPECT_LT(taken.count(), 20.0);
    };
    expectRefused(readSketch, "sketch of forces");
    expectRefused(readSnapshots, "recording of pushes");
}

}  // namespace
}  // namespace pliant::program
