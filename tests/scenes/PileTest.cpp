// SPDX-License-Identifier: Zlib
// The basket drop with fewer baskets and otherwise the very same scene: it settles, gains no energy, loses nobody, and
// any number of workers gives the same bits after 600 steps.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "ProgramRun.h"

namespace pliant::test {
namespace {

class Pile : public ProgramTest {
protected:
    std::string m_scene;

    void replace(const std::string& pattern, const std::string& text) {
        const std::string changed = std::regex_replace(m_scene, std::regex(pattern), text);
        ASSERT_NE(changed, m_scene) << pattern;
        m_scene = changed;
    }

    void SetUp() override {
        ProgramTest::SetUp();
        m_scene = readWhole(PLIANT_MEDIA_DIR "/scenes/basket_drop.yaml");
        replace("count: \\[8, 8, 8\\]", "count: [2, 2, 4]");
        replace("position: \\[0, 0, 1.90\\]", "position: [0, 0, 0.9]");
        replace("\\.\\./basket/basket.obj", PLIANT_MEDIA_DIR "/basket/basket.obj");
        replace("\\.\\./\\.\\./out/basket.pliant", "basket.pliant");
        write("pile.yaml", m_scene);
    }

    nlohmann::json simulate(const std::string& options) const {
        const Outcome outcome = run("run pile.yaml --no-draw --stats stats.json " + options);
        EXPECT_EQ(outcome.code, 0) << outcome.problems;
        return outcome.code == 0 ? nlohmann::json::parse(readWhole(m_folder / "stats.json")) : nlohmann::json();
    }
};

TEST_F(Pile, SettlesWithoutGainOrLoss) {
    const nlohmann::json stats = simulate("--frames 180");
    ASSERT_FALSE(stats.is_null());
    const nlohmann::json& summary = stats["summary"];
    EXPECT_EQ(summary["bodies"], 16);
    EXPECT_EQ(summary["lost_bodies"], 0);
    EXPECT_EQ(summary["not_finite_bodies"], 0);
    EXPECT_EQ(summary["restored_bodies"], 0);
    EXPECT_EQ(summary["limited_bodies"], 0) << "these steps resolve the impacts";
    EXPECT_LT(summary["largest_step_gain"], 1.0e-3);
    EXPECT_LT(summary["kinetic_energy_per_kg"], 0.1);
    const nlohmann::json &first = stats["frames"].front(), &last = stats["frames"].back();
    EXPECT_LT(last["potential_energy"].get<double>(), 0.5 * first["potential_energy"].get<double>());
    EXPECT_GT(last["potential_energy"].get<double>(), 0.0) << "through the ground";
    EXPECT_LT(summary["last_penetration"], 0.5) << "strands have crossed";
    EXPECT_EQ(summary["last_penetration_99"], last["penetration_99"]);
    double bent = 0.0;
    for (const nlohmann::json& frame : stats["frames"]) bent = std::max(bent, frame["elastic_energy"].get<double>());
    EXPECT_GT(bent, 1.0e-3 * summary["start_energy"].get<double>()) << "baskets bend when they land";
}

TEST_F(Pile, HasTheSameBitsAfter600StepsForAnyNumberOfWorkers) {
    const nlohmann::json one = simulate("--frames 75 --threads 1"), two = simulate("--frames 75 --threads 2");
    ASSERT_FALSE(one.is_null() || two.is_null());
    EXPECT_EQ(one["summary"]["workers"], 1);
    EXPECT_EQ(one["summary"]["state_hash"], two["summary"]["state_hash"]);
}

// Steps four times too long for these impacts, with every coupling term: nothing blows up. (Without the account of
// energy and with an indefinite system taken at its word, this pile gained millions of joules.)
TEST_F(Pile, SurvivesStepsThatAreTooLong) {
    replace("coupling: inertia", "coupling: full");
    replace("substeps: 8", "substeps: 1");
    write("pile.yaml", m_scene);
    const nlohmann::json stats = simulate("--frames 90");
    ASSERT_FALSE(stats.is_null());
    const nlohmann::json& summary = stats["summary"];
    EXPECT_EQ(summary["lost_bodies"], 0);
    EXPECT_EQ(summary["not_finite_bodies"], 0);
    EXPECT_EQ(summary["restored_bodies"], 0);
    EXPECT_GT(summary["limited_bodies"], 0);
    // What a step has gained is seen until the next one begins.
    EXPECT_LT(summary["largest_step_gain"], 2.0);
    EXPECT_LT(summary["kinetic_energy_per_kg"], 1.0);
    EXPECT_GT(stats["frames"].back()["potential_energy"].get<double>(), 0.0) << "through the ground";
}

}  // namespace
}  // namespace pliant::test
