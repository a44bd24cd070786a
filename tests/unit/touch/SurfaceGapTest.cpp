// SPDX-License-Identifier: Zlib
// Two solids that a plane parts are not looked at point by point.
#include <gtest/gtest.h>

#include "pliant/touch/SurfaceContacts.h"
#include "validation/contact/SolidBodies.h"

namespace pliant::test {
namespace {

/// Two cubes at rest, the second one beside the first along x.
class GapBetweenCubes : public ::testing::Test {
protected:
    static constexpr double m_half = 0.1;       ///< m, of an edge
    static constexpr double m_margin = 0.002;   ///< m
    static constexpr double m_rounding = 1e-6;  ///< m, of positions in single precision

    struct Cube {
        explicit Cube(const std::shared_ptr<const SurfaceModel>& surface, std::shared_ptr<const CollisionModel> model)
            : body(std::move(model)), field(surface) {}
        DeformedBody body;
        DeformedField field;
        TouchingBody touching() const { return {&body, &field}; }
    };
    GapBetweenCubes() {
        place(first, Vector3::Zero());
        put(0.01);
    }
    void place(Cube& cube, const Vector3& at) {
        RigidTransform pose = model->meshFromBody;
        pose.translation += at;
        cube.body.update(q.data(), pose);
        cube.field.update(cube.body, q.data());
    }
    /// @param gap m, between the faces
    void put(double gap) { place(second, Vector3(2.0 * m_half + gap, 0.05, 0.02)); }
    std::vector<SkeletonContact> contacts() {
        std::vector<SkeletonContact> found;
        collideSurfaces(first.touching(), second.touching(), m_margin, 1.0, sides, candidates, found);
        return found;
    }
    bool needsBoxes() { return surfacesNeedBoxes(first.touching(), second.touching(), m_margin, sides, candidates); }

    static std::shared_ptr<const ReducedModel> cube() {
        static const auto cube = solidBox(Vector3::Constant(2.0 * m_half));
        return cube;
    }

    std::shared_ptr<const ReducedModel> model = cube();
    VectorX q = VectorX::Zero(model->dimension());
    std::shared_ptr<const CollisionModel> collision = std::make_shared<const CollisionModel>(model);
    std::shared_ptr<const SurfaceModel> surface = std::make_shared<const SurfaceModel>(collision);
    Cube first{surface, collision}, second{surface, collision};
    SurfacePairSides sides;
    SurfacePairCandidates candidates;
};

TEST_F(GapBetweenCubes, ReachesAreThoseOfTheFarthestCorner) {
    const Vector3 n = Vector3(1.0, -2.0, 0.5).normalized();
    EXPECT_NEAR(first.field.reachAlong(Vector3::UnitX()), m_half, m_rounding);
    EXPECT_NEAR(first.field.reachAlong(n), m_half * n.lpNorm<1>(), m_rounding);
    EXPECT_NEAR(second.field.reachAlong(-n), m_half * n.lpNorm<1>(), m_rounding) << "from the body's own origin";
}

TEST_F(GapBetweenCubes, PartsThemWithoutAList) {
    place(second, Vector3(0.4, 0.0, 0.0));  // 0.2 m apart
    EXPECT_TRUE(contacts().empty());
    EXPECT_TRUE(candidates.ofA.segments().empty());
    EXPECT_TRUE(candidates.ofB.segments().empty());
    EXPECT_FALSE(needsBoxes());
    place(second, Vector3(0.21, 0.0, 0.0));
    EXPECT_FALSE(needsBoxes()) << "they have come nearer by 0.19 m";
    place(second, Vector3(0.201, 0.0, 0.0));
    EXPECT_TRUE(needsBoxes());
    EXPECT_FALSE(contacts().empty());
}

TEST_F(GapBetweenCubes, LosesNothingWithinTheMargin) {
    for (const double gap : {0.9 * m_margin, 0.0, -0.5 * m_margin}) {
        put(gap);
        const std::vector<SkeletonContact> found = contacts();
        EXPECT_GE(found.size(), 8u) << gap;
        for (const SkeletonContact& contact : found) EXPECT_NEAR(contact.distance, gap, 4e-4) << gap;
    }
    put(1.3 * m_margin);
    EXPECT_TRUE(contacts().empty());
}

}  // namespace
}  // namespace pliant::test
