// SPDX-License-Identifier: Zlib
// Settings are compared member by member, and every integrator has its row.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <tuple>

#include "LumpedModel.h"
#include "pliant/math/Error.h"
#include "pliant/runtime/BodyBatch.h"
#include "pliant/runtime/DefaultDamping.h"
#include "pliant/runtime/IntegrationScheme.h"

namespace pliant {
namespace {

/// With one rest eigenvalue and a surface of one square.
ReducedModel squareModel(double frequency, double side) {
    ReducedModel model;
    const double omega = 2.0 * 3.14159265358979323846 * frequency;
    model.restEigenvalues = VectorX::Constant(1, omega * omega);
    model.surface.positions = Points::Zero(3, 4);
    model.surface.positions.row(0) << 0, side, side, 0;
    model.surface.positions.row(1) << 0, 0, side, side;
    return model;
}

// Two per cent at the lowest frequency; of what is so floppy that gravity swings it, at half of the frequency of a
// pendulum as long as its diagonal.
TEST(DefaultDamping, IsMeasuredAtAFrequencyThatTheBodyMovesWith) {
    const ReducedModel firm = squareModel(20.0, 1.0), curtain = squareModel(0.0077, 1.0);
    EXPECT_NEAR(defaultDampingFrequency(firm), 20.0, 1e-9);
    EXPECT_NEAR(defaultDamping(firm).stiffness, 0.02 / (3.14159265358979323846 * 20.0), 1e-12);
    EXPECT_NEAR(defaultDampingFrequency(curtain), 0.20959, 1e-4) << "half of sqrt(9.81 / 1.41421) / (2 pi)";
    EXPECT_NEAR(defaultDamping(curtain).stiffness, 0.02 / (3.14159265358979323846 * 0.20959), 1e-4);
    EXPECT_EQ(defaultDampingFrequency(ReducedModel()), 0.0);
    EXPECT_EQ(defaultDamping(ReducedModel()).stiffness, 0.0);
}

// A mode of 1 kHz rings down within a step of 1/100 s: it has a hundredth of that, one of 20 Hz does not, nor has what
// has no stiffness.
TEST(DefaultDamping, OfAStepTakesWhatIsOverWithinIt) {
    const ReducedModel firm = squareModel(20.0, 1.0), hard = squareModel(1000.0, 1.0);
    EXPECT_EQ(defaultDamping(firm, 0.01).stiffness, defaultDamping(firm).stiffness);
    EXPECT_NEAR(defaultDamping(hard).stiffness, 6.4e-6, 1e-7);
    EXPECT_EQ(defaultDamping(hard, 0.01).stiffness, 1e-4);
    EXPECT_EQ(defaultDamping(hard, 0.0).stiffness, defaultDamping(hard).stiffness);
    EXPECT_EQ(defaultDamping(ReducedModel(), 0.01).stiffness, 0.0);
}

TEST(BatchSettings, DifferInAnyMember) {
    const std::vector<std::function<void(BatchSettings&)>> changes = {
        [](BatchSettings& s) { s.integrator = Integrator::Static; },
        [](BatchSettings& s) { s.newmark.gamma = 0.6; },
        [](BatchSettings& s) { s.newmark.iterations = 2; },
        [](BatchSettings& s) { s.newmark.tolerance = 1e-8; },
        [](BatchSettings& s) { s.damping.mass = 1.0; },
        [](BatchSettings& s) { s.damping.stiffness = 1.0; },
        [](BatchSettings& s) { s.damping.form = DampingForm::CurrentStiffness; },
        [](BatchSettings& s) { s.damping.strainRate = 1.0; },
        [](BatchSettings& s) { s.coupling = Coupling::None; },
        [](BatchSettings& s) { s.energyGuard = false; },
        [](BatchSettings& s) { s.tangentTolerance = 0.1; },
        [](BatchSettings& s) { s.doublePrecision = true; },
        [](BatchSettings& s) { s.blockSize = 16; },
        [](BatchSettings& s) { s.aloneUpTo = 1; }};
    EXPECT_TRUE(BatchSettings() == BatchSettings());
    for (std::size_t i = 0; i < changes.size(); ++i) {
        BatchSettings changed;
        changes[i](changed);
        EXPECT_TRUE(changed != BatchSettings()) << "change " << i;
        EXPECT_TRUE(changed == changed);
    }
}

TEST(BatchSettings, ThatNothingCanMoveByAreRefused) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const std::vector<std::pair<const char*, std::function<void(BatchSettings&)>>> mistakes = {
        {"gamma", [](BatchSettings& s) { s.newmark.gamma = 0.49; }},
        {"gamma", [nan](BatchSettings& s) { s.newmark.gamma = nan; }},
        {"0 Newton iterations", [](BatchSettings& s) { s.newmark.iterations = 0; }},
        {"tolerance of Newton's", [](BatchSettings& s) { s.newmark.tolerance = -1.0; }},
        {"damping", [](BatchSettings& s) { s.damping.mass = -1e-3; }},
        {"damping", [nan](BatchSettings& s) { s.damping.stiffness = nan; }},
        {"damping", [](BatchSettings& s) { s.damping.strainRate = -1.0; }},
        {"reused tangents", [nan](BatchSettings& s) { s.tangentTolerance = nan; }},
        {"no integrator of the number -1", [](BatchSettings& s) { s.integrator = static_cast<Integrator>(-1); }},
        {"no coupling of the number 3", [](BatchSettings& s) { s.coupling = static_cast<Coupling>(3); }},
        {"no coupling of the number -1", [](BatchSettings& s) { s.coupling = static_cast<Coupling>(-1); }},
        {"no form of damping of the number 2", [](BatchSettings& s) { s.damping.form = static_cast<DampingForm>(2); }},
        {"number of bodies", [](BatchSettings& s) { s.blockSize = 0; }},
        {"number of bodies", [](BatchSettings& s) { s.aloneUpTo = -1; }}};
    EXPECT_EQ(problemOf(BatchSettings()), "");
    const auto model = test::makeOscillator(10.0);
    for (const auto& [told, make] : mistakes) {
        BatchSettings settings;
        make(settings);
        EXPECT_THAT(problemOf(settings), ::testing::HasSubstr(told));
        EXPECT_THROW(BodyBatch(model, settings), Error) << told;
        BodyBatch batch(model, BatchSettings());
        batch.setSettings(settings);
        EXPECT_TRUE(batch.settings() == BatchSettings()) << told;
    }
}

// A new row of the table is an integrator by itself.
TEST(BatchSettings, TakeEveryIntegratorOfTheTableAndNoOther) {
    const int count = static_cast<int>(integratorNames().size());
    BatchSettings settings;
    for (int i = 0; i < count; ++i) {
        settings.integrator = static_cast<Integrator>(i);
        EXPECT_EQ(problemOf(settings), "") << integratorNames()[static_cast<std::size_t>(i)];
    }
    settings.integrator = static_cast<Integrator>(count);
    EXPECT_EQ(problemOf(settings), "there is no integrator of the number " + std::to_string(count));
}

TEST(BatchSettings, WithoutAModelThereIsNothingToMove) {
    EXPECT_THROW(BodyBatch(nullptr, BatchSettings()), Error);
}

TEST(IntegrationScheme, EveryIntegratorHasItsRow) {
    const std::vector<const char*> names = integratorNames();
    for (std::size_t i = 0; i < names.size(); ++i) {
        const IntegrationScheme& scheme = schemeOf(static_cast<Integrator>(i));
        EXPECT_EQ(static_cast<std::size_t>(scheme.integrator), i);
        EXPECT_STREQ(scheme.name, names[i]);
        EXPECT_TRUE(scheme.positionShare && scheme.start && scheme.step && scheme.predict) << names[i];
        EXPECT_EQ(&traitsOf(scheme.integrator), &scheme);
        EXPECT_TRUE(scheme.hasInertia || !scheme.feelsRotation) << names[i] << ": momentum of what has none";
    }
    // Scene files go on being read.
    EXPECT_THAT(std::vector<std::string>(names.begin(), names.begin() + 4),
                ::testing::ElementsAre("newmark", "analytic", "static", "central_differences"));
}

// The account of a solid's contacts (BodyBatch.h) takes the mean of the velocities at both ends, by dq = h / 2 dq'.
TEST(IntegrationScheme, ModesMoveByHalfAStepWhereTheWorkOfContactsIsKnown) {
    BatchSettings settings;
    for (const auto& [integrator, gamma, half] :
         {std::tuple(Integrator::Newmark, 0.5, true), std::tuple(Integrator::Newmark, 0.6, false),
          std::tuple(Integrator::Analytic, 0.6, true), std::tuple(Integrator::Static, 0.5, false),
          std::tuple(Integrator::CentralDifferences, 0.5, false)}) {
        settings.integrator = integrator;
        settings.newmark.gamma = gamma;
        EXPECT_EQ(movesByHalfStep(settings), half) << traitsOf(integrator).name << " " << gamma;
    }
}

}  // namespace
}  // namespace pliant
