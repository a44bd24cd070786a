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
    DeformedBody m_points = placed(0.0), m_solid = placed(1.0);
    SurfaceCandidates m_candidates;
};

TEST_F(SurfaceCandidatesOfTwo, ServeUntilBodiesHaveMovedByWhatTheyReachBeyondTheMargin) {
    EXPECT_FALSE(m_candidates.cover(m_points, m_solid, m_margin, m_skin)) << "there is no list yet";
    m_candidates.keep(m_points, m_solid, m_margin + m_skin, {{0, 0.02f}});
    EXPECT_TRUE(m_candidates.cover(m_points, m_solid, m_margin, m_skin));
    moveTo(m_points, 0.9 * m_skin);
    EXPECT_TRUE(m_candidates.cover(m_points, m_solid, m_margin, m_skin));
    m_candidates.noteMeasured(m_points, m_solid);
    EXPECT_LT(m_candidates.motionSinceMeasured(m_points, m_solid), 1e-6);
    moveTo(m_points, 1.1 * m_skin);
    // Bounds of motion hold roundings of single precision beside the way.
    EXPECT_NEAR(m_candidates.motionSinceMeasured(m_points, m_solid), 0.2 * m_skin, 1e-6);
    EXPECT_FALSE(m_candidates.cover(m_points, m_solid, m_margin, m_skin)) << "who is in it counts from its start";
}

TEST_F(SurfaceCandidatesOfTwo, OfAFastApproachDoNotServeWhenItIsOver) {
    m_candidates.keep(m_points, m_solid, 1.0 + m_skin, {{0, 0.9f}});
    EXPECT_TRUE(m_candidates.cover(m_points, m_solid, 1.0, m_skin));
    EXPECT_FALSE(m_candidates.cover(m_points, m_solid, m_margin, m_skin));
}

}  // namespace
}  // namespace pliant::test
