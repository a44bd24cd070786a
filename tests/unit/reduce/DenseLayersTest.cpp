// SPDX-License-Identifier: Zlib
// Dense layers of a solid: what everyday contact asks of the field stays, and what is no finer is not taken.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "pliant/field/MakeDistanceField.h"
#include "pliant/math/Error.h"
#include "pliant/reduce/DenseLayers.h"
#include "pliant/touch/FieldLookup.h"
#include "validation/contact/SolidBodies.h"

namespace pliant::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double kBall = 0.1;  // m

/// With a coarse field of its own: finer ones are made in no time.
const ReducedModel& ball() {
    static const ReducedModel model = [] {
        ReducedModel made = *solidSphere(kBall, SolidMaterial());
        SurfaceMesh surface = made.surface;
        for (auto point : surface.positions.colwise()) point = made.meshFromBody.point(point);
        DistanceFieldOptions options;
        options.resolution = 48;
        made.contactSurface.field = makeDistanceField(surface, options);
        return made;
    }();
    return model;
}

DenseLayerOptions layers(int field) {
    DenseLayerOptions options;
    options.points = 2000;
    options.levels = 2;
    options.field = field;
    return options;
}

/// How near to the surface bricks without fine samples come, m. @param side 1: outside, -1: inside
double nearestCoarse(const DistanceField& field, double side) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> uniform(-1, 1);
    double nearest = std::numeric_limits<double>::max();
    for (int i = 0; i < 100000; ++i) {
        const Vector3 x = kBall * Vector3(uniform(random), uniform(random), uniform(random));
        const Eigen::Vector3i b = ((x - field.origin) / (8 * field.spacing)).array().floor().cast<int>();
        const int number = b[0] + field.bricks[0] * (b[1] + field.bricks[1] * b[2]);
        const double distance = side * (x.norm() - kBall);
        if (distance > 0 && field.brickSamples[static_cast<std::size_t>(number)] < 0)
            nearest = std::min(nearest, distance);
    }
    return nearest;
}

TEST(DenseLayers, BandsAreAsWideAsThoseOfTheModelsOwnField) {
    const DistanceField& own = ball().contactSurface.field;
    const auto finer = static_cast<int>(3 * kBall / own.spacing);
    std::vector<std::string> notes;
    const auto dense = withDenseLayers(ball(), layers(finer), &notes);
    EXPECT_THAT(notes, IsEmpty());
    const DistanceField& made = dense->contactSurface.field;
    EXPECT_LT(made.spacing, 0.7 * own.spacing);
    for (const double side : {1.0, -1.0}) {
        const double wanted = std::min(nearestCoarse(own, side), (side > 0 ? 8 : 16) * own.spacing);
        EXPECT_GT(wanted, 3 * own.spacing) << side;
        EXPECT_GE(nearestCoarse(made, side), 0.98 * wanted) << side;
    }
}

TEST(DenseLayers, BandsStayWhereLayersAreMadeAgain) {
    const DistanceField& own = ball().contactSurface.field;
    const auto dense = withDenseLayers(ball(), layers(static_cast<int>(3 * kBall / own.spacing)));
    const auto denser = withDenseLayers(*dense, layers(static_cast<int>(3.8 * kBall / own.spacing)));
    EXPECT_LT(denser->contactSurface.field.spacing, 0.9 * dense->contactSurface.field.spacing);
    for (const double side : {1.0, -1.0})
        EXPECT_GE(nearestCoarse(denser->contactSurface.field, side),
                  0.98 * nearestCoarse(dense->contactSurface.field, side))
            << side;
}

TEST(DenseLayers, AFieldThatIsNoFinerIsNotTaken) {
    const DistanceField& own = ball().contactSurface.field;
    std::vector<std::string> notes;
    const auto dense = withDenseLayers(ball(), layers(32), &notes);
    const DistanceField& kept = dense->contactSurface.field;
    EXPECT_EQ(kept.spacing, own.spacing);
    EXPECT_EQ(kept.samples, own.samples);
    EXPECT_EQ(kept.corners, own.corners);
    EXPECT_THAT(notes, ElementsAre(HasSubstr("no finer than the model's own")));
    EXPECT_GT(dense->contactSurface.touch.count(), 1000);
}

TEST(DenseLayers, OptionsOutOfRangeAreRefused) {
    for (const int levels : {0, DenseLayerOptions::kMostLevels + 1}) {
        DenseLayerOptions options = layers(0);
        options.levels = levels;
        EXPECT_THROW(withDenseLayers(ball(), options), Error) << levels;
    }
    for (const int points : {0, DenseLayerOptions::kMostPoints + 1}) {
        DenseLayerOptions options = layers(0);
        options.points = points;
        EXPECT_THROW(withDenseLayers(ball(), options), Error) << points;
    }
}

}  // namespace
}  // namespace pliant::test
