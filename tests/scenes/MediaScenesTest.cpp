// SPDX-License-Identifier: Zlib
// Every scene that the project ships, run as a user runs it, whole and without drawing: it must hold what it expects,
// and nobody may be lost. For ./nightly.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "ProgramRun.h"

namespace pliant::test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> scenes() {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(fs::path(PLIANT_MEDIA_DIR) / "scenes"))
        if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

class MediaScenes : public ProgramTest, public ::testing::WithParamInterface<std::string> {};

TEST_P(MediaScenes, HoldWhatTheyExpect) {
    const Outcome outcome = run("run '" PLIANT_MEDIA_DIR "/scenes/" + GetParam() +
                                ".yaml' --no-draw --models models --output out --stats stats.json");
    ASSERT_EQ(outcome.code, 0) << outcome.problems;
    const nlohmann::json summary = nlohmann::json::parse(readWhole(m_folder / "stats.json"))["summary"];
    EXPECT_EQ(summary["lost_bodies"], 0);
    EXPECT_EQ(summary["not_finite_bodies"], 0);
    EXPECT_EQ(summary["restored_bodies"], 0);
    EXPECT_LT(summary["largest_step_gain"].get<double>(), 1e-2);
}

INSTANTIATE_TEST_SUITE_P(Of, MediaScenes, ::testing::ValuesIn(scenes()), [](const auto& scene) { return scene.param; });

}  // namespace
}  // namespace pliant::test
