// SPDX-License-Identifier: Zlib
// Rough scenes: baskets from twenty metres, on a platform that drives away, under a ball a thousand times as heavy;
// characters among them and alone; solids of all kinds in a box.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "ProgramRun.h"

namespace pliant::test {
namespace {

using testing::HasSubstr;

class RobustScene : public ProgramTest {
protected:
    static constexpr const char* kBasket = "  basket:\n    file: " PLIANT_MEDIA_DIR
                                           "/basket/basket.obj\n    reduce: {modes: 12, dimension: 16, solid: false, "
                                           "young: 1.0e7, poisson: 0.3, density: 400}\n    "
                                           "keep: basket.pliant\n    damping: {mass: 0.2, stiffness: 0.002}\n";

    nlohmann::json simulate(const std::string& scene) const {
        write("scene.yaml", scene);
        const Outcome outcome = run("run scene.yaml --no-draw --stats stats.json");
        EXPECT_EQ(outcome.code, 0) << outcome.problems;
        return outcome.code == 0 ? nlohmann::json::parse(readWhole(m_folder / "stats.json")) : nlohmann::json();
    }
    static double number(const nlohmann::json& json) { return json.get<double>(); }
};

// These paths are chaotic, and one of them proves nothing: three seeds.
constexpr int kSeeds[] = {3, 4, 5};

TEST_F(RobustScene, BasketsFallFromTwentyMetres) {
    for (const int seed : kSeeds) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const nlohmann::json stats =
            simulate("time: {duration: 4.5, substeps: 8}\nmodels:\n" + std::string(kBasket) +
                     "bodies:\n  - model: basket\n    grid: {count: [2, 1, 3], spacing: [0.45, 0.45, 0.45]}\n    "
                     "position: [0, 0, "
                     "20.9]\n    jitter: {position: 0.02, rotation: 30, seed: " +
                     std::to_string(seed) + "}\n    rolling_friction: 0.01\nground: {friction: 0.8}\n");
        ASSERT_FALSE(stats.is_null());
        const nlohmann::json& summary = stats["summary"];
        EXPECT_EQ(summary["lost_bodies"], 0);
        EXPECT_EQ(summary["not_finite_bodies"], 0);
        EXPECT_EQ(summary["restored_bodies"], 0);
        EXPECT_LT(summary["largest_step_gain"], 1.0e-3);
        EXPECT_LT(summary["last_penetration"], 1.0) << "strands are on the wrong side of each other";
        double fastest = 0.0;
        for (const nlohmann::json& frame : stats["frames"])
            fastest = std::max(fastest, number(frame["kinetic_energy"]) / number(summary["start_energy"]));
        EXPECT_GT(fastest, 0.8) << "it has not fallen from there";
        EXPECT_LT(number(stats["frames"].back()["potential_energy"]), 0.05 * number(summary["start_energy"]));
        EXPECT_GT(number(stats["frames"].back()["potential_energy"]), 0.0) << "through the ground";
    }
}

/// Four baskets on a slab of 2.4 x 2.4 x 0.2 m under the origin, which drives away, rises and turns.
std::string rideOn(const std::string& basket, int seed) {
    return "time: {duration: 3, substeps: 8}\nmodels:\n" + basket +
           "  slab:\n    file: slab.obj\n    reduce: {modes: 4, dimension: 4, voxels: 12, solid: true, young: 1.0e9, "
           "density: 1000}\n    keep: slab.pliant\nbodies:\n  - model: slab\n    motion: kinematic\n    velocity: "
           "[0.4, "
           "0, 0.1]\n    angular_velocity: [0, 0, 0.2]\n    friction: 1\n  - model: basket\n    grid: {count: [2, 2, "
           "1], "
           "spacing: [0.45, 0.45, 0.45]}\n    position: [0, 0, 0.4]\n    jitter: {position: 0.02, rotation: 20, "
           "seed: " +
           std::to_string(seed) + "}\n    friction: 1\n    rolling_friction: 0.02\nground: {height: -2}\n";
}

TEST_F(RobustScene, BasketsRideOnAPlatform) {
    std::string slab;
    for (const char* corner : {"-1.2 -1.2", "1.2 -1.2", "1.2 1.2", "-1.2 1.2"})
        for (const char* z : {"-0.2", "0"}) slab += std::string("v ") + corner + " " + z + "\n";
    slab += "f 1 7 5 3\nf 2 4 6 8\nf 1 3 4 2\nf 3 5 6 4\nf 5 7 8 6\nf 7 1 2 8\n";
    write("slab.obj", slab);
    for (const int seed : kSeeds) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        const nlohmann::json stats = simulate(rideOn(kBasket, seed));
        ASSERT_FALSE(stats.is_null());
        const nlohmann::json& summary = stats["summary"];
        EXPECT_EQ(summary["not_finite_bodies"], 0);
        EXPECT_EQ(summary["restored_bodies"], 0);
        EXPECT_EQ(summary["lost_bodies"], 0);
        const nlohmann::json& last = stats["frames"].back();
        // The platform has risen by 0.3 m, from 2 m above the ground, and who rides on it has its speed.
        EXPECT_GT(number(last["potential_energy"]), 0.9 * number(summary["start_energy"])) << "they have fallen off";
        EXPECT_LT(number(last["kinetic_energy"]), 0.05 * number(summary["start_energy"]));
        EXPECT_GT(last["contacts"], 8);
    }
}

TEST_F(RobustScene, ABallOfAThousandBasketsMass) {
    ASSERT_EQ(
        run("reduce " PLIANT_MEDIA_DIR
            "/basket/basket.obj -o basket.pliant --shell --modes 12 --dim 16 --young 1e7 --poisson 0.3 --density 400")
            .code,
        0);
    const double mass = nlohmann::json::parse(run("info basket.pliant --json").output)["total_mass"];
    for (const int seed : {3, 6, 8}) {
        const nlohmann::json stats = simulate(
            "time: {duration: 2.5, substeps: 8}\nmodels:\n  basket: {file: basket.pliant, damping: {mass: 0.2, "
            "stiffness: "
            "0.002}}\nbodies:\n  - model: basket\n    grid: {count: [2, 2, 2], spacing: [0.4, 0.4, 0.4]}\n    "
            "position: "
            "[0, 0, 0.4]\n    jitter: {position: 0.02, rotation: 20, seed: " +
            std::to_string(seed) +
            "}\nrigid:\n  - {shape: sphere, radius: 0.5, "
            "mass: " +
            std::to_string(1000.0 * mass) + ", position: [0.05, 0, 1.6]}\nground: {friction: 0.8}\n");
        ASSERT_FALSE(stats.is_null()) << seed;
        const nlohmann::json& summary = stats["summary"];
        EXPECT_EQ(summary["not_finite_bodies"], 0);
        EXPECT_LT(summary["largest_step_gain"], 1.0e-2) << seed;
        const nlohmann::json& last = stats["frames"].back();
        EXPECT_LT(number(last["kinetic_energy"]), 0.02 * number(summary["start_energy"]));
        EXPECT_LT(number(last["elastic_energy"]), 0.1 * number(summary["start_energy"]));
    }
}

class RobustCrowd : public RobustScene {
protected:
    /// The crowd of media/scenes, six of two hundred, for two seconds. Flesh that runs over the ground moves with less
    /// than 2 J a body (docs/internals/character-contact.md), so all motion together has no more than what the baskets
    /// have fallen by: m g h = 1.282 kg x 9.81 m/s^2 x 2.8 m with the jitter. Hooves on the ground threw it about with
    /// thousands of J, and a basket between two legs got 450 J in a step.
    void staysCalm(int seed) {
        constexpr double bodies = 6.0;
        const Outcome outcome = run("run " PLIANT_MEDIA_DIR
                                    "/scenes/crowd.yaml --no-draw --set rows=2 --set columns=3 "
                                    "--set seed=" +
                                    std::to_string(seed) + " --frames 60 --stats stats.json");
        ASSERT_EQ(outcome.code, 0) << outcome.problems;
        const nlohmann::json stats = nlohmann::json::parse(readWhole(m_folder / "stats.json"));
        double most = 0.0;
        int contacts = 0;
        for (const nlohmann::json& frame : stats["frames"]) {
            most = std::max(most, number(frame["kinetic_energy"]));
            contacts = std::max(contacts, frame["contacts"].get<int>());
        }
        EXPECT_LT(most, bodies * (1.282 * 9.81 * 2.8 + 2.0)) << "seed " << seed;
        EXPECT_GT(contacts, 12) << "nobody has touched anybody; seed " << seed;
        EXPECT_EQ(stats["summary"]["lost_bodies"], 0) << "seed " << seed;
    }
};

TEST_F(RobustCrowd, StaysCalm) {
    for (const int seed : {1, 2, 3}) staysCalm(seed);
}

// One seed in sixty had a basket thrown between two legs; which one depends on the processor. So these seeds would miss
// the defect with a chance of two in five.
TEST_F(RobustCrowd, StaysCalmWithManySeeds) {
    for (int seed = 4; seed <= 60; ++seed) staysCalm(seed);
}

class RobustSolids : public RobustScene {
protected:
    /// Forty solids in a box, two and a half seconds, whatever presses what. @return share of the energy at the start
    /// that a step gains at most
    double gainOf(int seed) {
        const Outcome outcome =
            run("run " PLIANT_MEDIA_DIR "/scenes/box_of_solids.yaml --no-draw --set seed=" + std::to_string(seed) +
                " --frames 75 --stats stats.json");
        EXPECT_EQ(outcome.code, 0) << outcome.problems;
        if (outcome.code != 0) return 0.0;
        const nlohmann::json summary = nlohmann::json::parse(readWhole(m_folder / "stats.json"))["summary"];
        EXPECT_LT(summary["largest_step_gain"], 0.1) << "seed " << seed;
        EXPECT_EQ(summary["restored_bodies"], 0) << "seed " << seed;
        EXPECT_EQ(summary["not_finite_bodies"], 0) << "seed " << seed;
        EXPECT_EQ(summary["lost_bodies"], 0) << "seed " << seed;
        return number(summary["largest_step_gain"]);
    }
    /// Seeds that gain more than a hundredth, which strands never do (PileTest.cpp).
    int seedsThatGain(int first, int last) {
        int gaining = 0;
        for (int seed = first; seed <= last; ++seed) gaining += gainOf(seed) > 1e-2 ? 1 : 0;
        return gaining;
    }
};

// Of 58 seeds none gained more; three of them gained 1.6 to 3.2 %, where an apple below a cow could bring in a share of
// the cow's whole energy and spun with 600 J. Where one in sixty does, two of three have a chance of 1 in 1,200, three
// of twenty one of 1 in 230.
TEST_F(RobustSolids, InABox) {
    EXPECT_LE(seedsThatGain(3, 5), 1);
}

// Of sixteen seeds of a box like this three gained 1.3 to 6.4 %, where contacts of squeezed solids had no account, and
// two had bodies put back, where compressed flesh and its frame were not definite together.
TEST_F(RobustSolids, InABoxWithManySeeds) {
    EXPECT_LE(seedsThatGain(6, 25), 2);
}

/// The moment at which it is hit, s.
class KnockedOver : public RobustScene, public ::testing::WithParamInterface<const char*> {};

// Its expectations say that it runs, lies on the ground and gets up, whenever in its stride it is hit.
TEST_P(KnockedOver, GetsUp) {
    const std::string hit = GetParam();
    const Outcome outcome =
        run("run " PLIANT_MEDIA_DIR "/scenes/ragdoll.yaml --no-draw --set hit=" + hit + " --stats stats.json");
    ASSERT_EQ(outcome.code, 0) << outcome.problems;
    EXPECT_THAT(outcome.output, HasSubstr("s: hit at")) << "the ball has missed it";
    const nlohmann::json stats = nlohmann::json::parse(readWhole(m_folder / "stats.json"));
    EXPECT_EQ(stats["summary"]["not_finite_bodies"], 0);
    EXPECT_EQ(stats["summary"]["restored_bodies"], 0);
    EXPECT_EQ(stats["summary"]["lost_bodies"], 0);
    EXPECT_TRUE(stats["summary"]["warnings"].empty());
}

INSTANTIATE_TEST_SUITE_P(Strides, KnockedOver, ::testing::Values("0.6", "0.5", "0.65"));

}  // namespace
}  // namespace pliant::test
