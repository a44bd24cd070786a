// SPDX-License-Identifier: Zlib
// For how long a list of near points serves: what has moved since, and what it was made for.
#include "pliant/touch/SurfaceContacts.h"
#include "unit/collision/SyntheticBasket.h"

namespace pliant::test {
namespace {

class SurfaceCandidatesOfTwo : public ::testing::Test {
protected:
    static std::shared_ptr<const CollisionModel> sphere() {
        Points centres = Points::Zero(3, 2);
        return std::make_shared<CollisionModel>(polylineModel(centres, VectorX::Constant(2, 0.1)));
    }
    static DeformedBody placed(double x) {
        DeformedBody body(sphere());
        moveTo(body, x);
        return body;
    }
    static void moveTo(DeformedBody& body, double x) {
        RigidTransform pose;
        pose.translation = Vector3(x, 0.0, 0.0);
        const double q = 0.0;
        body.update(&q, pose);
    }

    static constexpr double m_margin = 0.01, m_skin = 0.03;  ///< m
    static constexpr double m_thickness = 0.3;               ///< m, a tenth of which is the skin
    DeformedBody m_points = placed(0.0), m_solid = placed(1.0);
    SurfaceCandidates m_candidates;
};

TEST_F(SurfaceCandidatesOfTwo, ServeUntilBodiesHaveMovedByWhatTheyReachBeyondTheMargin) {
    EXPECT_FALSE(m_candidates.cover(m_points, m_solid, m_margin, m_thickness)) << "there is no list yet";
    m_candidates.keep(m_points, m_solid, m_margin + m_skin, {{0, 0.02f}});
    EXPECT_TRUE(m_candidates.cover(m_points, m_solid, m_margin, m_thickness));
    moveTo(m_points, 0.9 * m_skin);
    EXPECT_TRUE(m_candidates.cover(m_points, m_solid, m_margin, m_thickness));
    moveTo(m_points, 1.1 * m_skin);
    EXPECT_FALSE(m_candidates.cover(m_points, m_solid, m_margin, m_thickness)) << "who is in it counts from its start";
}

TEST_F(SurfaceCandidatesOfTwo, BoundsOfClearancesSinkByEveryMotionAndNeverRise) {
    m_candidates.advance(m_points, m_solid);
    m_candidates.keep(m_points, m_solid, m_margin + m_skin, {{0, 0.02f}});
    m_candidates.advance(m_points, m_solid);
    EXPECT_NEAR(m_candidates.segments()[0].clearance, 0.02, 1e-7);
    // Bounds of motion hold roundings of single precision beside the way.
    moveTo(m_points, 0.004);
    m_candidates.advance(m_points, m_solid);
    EXPECT_NEAR(m_candidates.segments()[0].clearance, 0.016, 1e-6);
    moveTo(m_points, 0.0);
    m_candidates.advance(m_points, m_solid);
    EXPECT_NEAR(m_candidates.segments()[0].clearance, 0.012, 1e-6);
    EXPECT_LE(m_candidates.segments()[0].clearance, 0.012f);
}

TEST_F(SurfaceCandidatesOfTwo, ReachFartherWhereBodiesAreFast) {
    m_candidates.advance(m_points, m_solid);
    EXPECT_NEAR(m_candidates.skin(m_thickness), m_skin, 1e-12);
    moveTo(m_points, 0.02);
    m_candidates.advance(m_points, m_solid);
    EXPECT_GT(m_candidates.skin(m_thickness), 0.07) << "some steps like the last one";
    moveTo(m_points, 0.08);
    m_candidates.advance(m_points, m_solid);
    EXPECT_GT(m_candidates.skin(m_thickness), 0.23);
    EXPECT_LE(m_candidates.skin(m_thickness), m_thickness) << "no farther than a body is thick";
    moveTo(m_points, 0.2);
    m_candidates.advance(m_points, m_solid);
    EXPECT_EQ(m_candidates.skin(m_thickness), 0.0) << "none would last";
}

TEST_F(SurfaceCandidatesOfTwo, OfAFastApproachDoNotServeWhenItIsOver) {
    m_candidates.keep(m_points, m_solid, 1.0 + m_skin, {{0, 0.9f}});
    EXPECT_TRUE(m_candidates.cover(m_points, m_solid, 1.0, m_thickness));
    EXPECT_FALSE(m_candidates.cover(m_points, m_solid, m_margin, m_thickness));
}

TEST_F(SurfaceCandidatesOfTwo, OfNothingServeHoweverFarTheyReach) {
    m_candidates.keep(m_points, m_solid, 1.0, {});
    EXPECT_TRUE(m_candidates.cover(m_points, m_solid, m_margin, m_thickness));
    moveTo(m_points, 0.98);
    EXPECT_TRUE(m_candidates.cover(m_points, m_solid, m_margin, m_thickness));
    moveTo(m_points, 1.0);
    EXPECT_FALSE(m_candidates.cover(m_points, m_solid, m_margin, m_thickness));
}

}  // namespace
}  // namespace pliant::test
