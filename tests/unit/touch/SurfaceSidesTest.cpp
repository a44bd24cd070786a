// SPDX-License-Identifier: Zlib
// Points that have gone through a sheet know from which side, and which points of a sheet are those of its edge.
#include <gtest/gtest.h>

#include "pliant/touch/SurfaceSides.h"
#include "validation/contact/SolidBodies.h"

namespace pliant::test {
namespace {

constexpr double kHalfThickness = 1e-3;  // m
constexpr double kHalfWidth = 0.2;       // m, along x
constexpr double kFieldError = 4e-4;     // m, half of the distance between samples

/// A plate across y at rest, with the world's frame for its mesh frame.
class SidesOfASheet : public ::testing::Test {
protected:
    SidesOfASheet() {
        const VectorX q = VectorX::Zero(model->dimension());
        body.update(q.data(), model->meshFromBody);
        body.refit();
        field.update(body, q.data());
    }
    static std::shared_ptr<const ReducedModel> plate() {
        static const auto plate = solidBox({2.0 * kHalfWidth, 2.0 * kHalfThickness, 0.3});
        return plate;
    }
    /// What a step says of the point of segment 3 at a place. @param apart of the bodies, along x, m
    FieldSample stepTo(const Vector3& place, double apart = 0.0) {
        sides.begin(Vector3(apart, 0.0, 0.0), 0.1);
        FieldSample sample = field.sample(body, place);
        sides.keepSide(field, body, 3, place, sample);
        sides.end();
        return sample;
    }

    std::shared_ptr<const ReducedModel> model = plate();
    std::shared_ptr<const CollisionModel> collision = std::make_shared<const CollisionModel>(model);
    std::shared_ptr<const SurfaceModel> surface = std::make_shared<const SurfaceModel>(collision);
    DeformedBody body{collision};
    DeformedField field{surface};
    SurfaceSides sides;
};

TEST_F(SidesOfASheet, WhatHasGoneThroughIsAsDeepAsItIsBehindTheSideItCameBy) {
    EXPECT_NEAR(stepTo({0.01, 0.003, 0.02}).distance, 0.003 - kHalfThickness, kFieldError);
    for (const double below : {0.0005, 0.004, 0.02}) {
        const FieldSample through = stepTo({0.01, -below, 0.02});
        EXPECT_NEAR(through.distance, -(kHalfThickness + below), kFieldError);
        EXPECT_GT(through.normal.y(), 0.99);
        EXPECT_TRUE(sides.anyIsThrough());
    }
    const FieldSample back = stepTo({0.01, 0.0015, 0.02});
    EXPECT_NEAR(back.distance, 0.0005, kFieldError);
    EXPECT_FALSE(sides.anyIsThrough());
}

// In the middle of a sheet the gradient of its field may look any way: that is no side that a point has come by.
TEST_F(SidesOfASheet, AreNotTakenFromItsMiddle) {
    const Vector3 middle(0.01, 0.0, 0.02);
    stepTo({0.01, 0.0005, 0.02});
    sides.begin(Vector3::Zero(), 0.1);
    FieldSample sideways = field.sample(body, middle);
    sideways.outward = sideways.normal = Vector3::UnitX();
    sideways.distance = -kHalfThickness;
    sides.keepSide(field, body, 3, middle, sideways);
    sides.end();
    const FieldSample through = stepTo({0.01, -0.0006, 0.02});
    EXPECT_NEAR(through.distance, -(kHalfThickness + 0.0006), kFieldError);
    EXPECT_GT(through.normal.y(), 0.99);
    EXPECT_TRUE(sides.anyIsThrough());
}

TEST_F(SidesOfASheet, WhatHasGoneAroundTheEdgeIsOutside) {
    stepTo({kHalfWidth + 0.006, 0.009, 0.0});
    const FieldSample around = stepTo({kHalfWidth - 0.0002, -0.003, 0.0});
    EXPECT_NEAR(around.distance, 0.003 - kHalfThickness, kFieldError);
    EXPECT_FALSE(sides.anyIsThrough());
}

TEST_F(SidesOfASheet, WhatSlidesOutBehindTheSheetIsOutside) {
    stepTo({kHalfWidth - 0.01, 0.002, 0.0});
    stepTo({kHalfWidth - 0.01, -0.004, 0.0});
    EXPECT_TRUE(sides.anyIsThrough());
    // The truth is 10.4 mm; beyond its box a field tells a lower bound, too small by less than the box is wider
    // (FieldLookup.h).
    const double distance = stepTo({kHalfWidth + 0.01, -0.004, 0.0}).distance;
    EXPECT_GT(distance, 0.005);
    EXPECT_LT(distance, 0.0105);
    EXPECT_FALSE(sides.anyIsThrough());
}

TEST_F(SidesOfASheet, AreForgottenWhereABodyHasBeenPutElsewhere) {
    stepTo({0.01, 0.003, 0.02});
    EXPECT_GT(stepTo({0.01, -0.004, 0.02}, 1.0).distance, 0.0);
    EXPECT_FALSE(sides.anyIsThrough());
}

// With points on the far side counted among the neighbours, every point of a thin plate was taken for one of an edge.
TEST_F(SidesOfASheet, PointsOfItsFacesAreSmooth) {
    int faces = 0, edges = 0;
    for (int i = 0; i < surface->surface().shell.count(); ++i) {
        const Vector3 rest = surface->restPoint(i);
        const double fromEdge = std::min(kHalfWidth - std::abs(rest.x()), 0.15 - std::abs(rest.z()));
        if (fromEdge > 2.5 * surface->pointSpacing()) {
            EXPECT_FALSE(surface->isSharp(i)) << rest.transpose();
            ++faces;
        } else if (fromEdge < 1e-6) {
            EXPECT_TRUE(surface->isSharp(i)) << rest.transpose();
            ++edges;
        }
    }
    EXPECT_GT(faces, 20);
    EXPECT_GT(edges, 50);
}

}  // namespace
}  // namespace pliant::test
