// SPDX-License-Identifier: Zlib
// Which points of a solid are asked for in the field of another one, against asking for all of them.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "pliant/touch/SurfaceContacts.h"
#include "validation/contact/SolidBodies.h"

namespace pliant::test {
namespace {

/// Two balls of 0.2 m that are bent; the first one stays where it is.
class PointsOfTwoBalls : public ::testing::Test {
protected:
    static constexpr double m_radius = 0.1;     ///< m
    static constexpr double m_margin = 0.02;    ///< m
    static constexpr double m_rounding = 2e-7;  ///< m, of places and their sums in single precision

    struct Ball {
        Ball(const std::shared_ptr<const SurfaceModel>& surface, std::shared_ptr<const CollisionModel> model)
            : body(std::move(model)), field(surface) {}
        DeformedBody body;
        DeformedField field;
        VectorX q;
        TouchingBody touching() const { return {&body, &field}; }
    };
    PointsOfTwoBalls() { bend(0.0); }

    /// @param farthest m, that a point of a ball is displaced by
    void bend(double farthest) {
        std::mt19937 random(3);
        std::normal_distribution<double> normal;
        for (Ball* ball : {&first, &second}) {
            ball->q = VectorX::Zero(model->dimension());
            for (Eigen::Index i = 0; i < std::min<Eigen::Index>(6, ball->q.size()); ++i) ball->q[i] = normal(random);
            const VectorXf moved = model->skeleton.basis * ball->q.cast<float>();
            ball->q *= farthest / static_cast<double>(moved.lpNorm<Eigen::Infinity>());
            place(*ball, Vector3::Zero());
        }
    }
    void place(Ball& ball, const Vector3& at) {
        RigidTransform pose = model->meshFromBody;
        pose.translation += at;
        ball.body.update(ball.q.data(), pose);
        ball.body.refit();
        ball.field.update(ball.body, ball.q.data());
    }
    /// Contacts by feature. @param from where the second ball was in the step before; `at`: it has not moved
    std::map<std::uint64_t, SkeletonContact> contacts(const Vector3& from, const Vector3& at) {
        return contacts(from, at, m_margin);
    }
    std::map<std::uint64_t, SkeletonContact> contacts(const Vector3& from, const Vector3& at,
                                                      const SurfaceReach& reach) {
        SurfacePairSides sides;
        SurfacePairCandidates candidates;
        std::vector<SkeletonContact> found;
        for (const Vector3& now : {from, at}) {  // at the same place the second one is by the list of the first
            found.clear();
            place(second, now);
            collideSurfaces(first.touching(), second.touching(), reach, 1.0, sides, candidates, found);
        }
        std::map<std::uint64_t, SkeletonContact> byFeature;
        for (const SkeletonContact& c : found) byFeature[static_cast<std::uint64_t>(c.feature)] = c;
        return byFeature;
    }
    /// Segments of `points` that face the other's field within the margin, of the field and of its nearest point.
    std::vector<int> facing(const Ball& points, const Ball& solid) const {
        constexpr double facingCosine = -0.7;
        std::vector<int> segments;
        for (int sphere = 0; sphere < collision->spheres().count(); ++sphere) {
            const Vector3 at = points.body.worldFromBody().translation + centreOf(points.body.rotatedSphere(sphere));
            const FieldSample sample = solid.field.sample(solid.body, at);
            const Vector3 outward = points.field.surfaceNormal(points.body, sphere);
            if (solid.field.nearestPoint(solid.body, at).distance >= m_margin) continue;
            if (sample.distance < m_margin && outward.dot(sample.normal) < facingCosine)
                segments.push_back(collision->ownerSegment(sphere));
        }
        return segments;
    }
    /// Places of the second ball that touch the first one all around it.
    static std::vector<Vector3> placesAround() {
        std::mt19937 random(5);
        std::normal_distribution<double> normal;
        std::vector<Vector3> places;
        for (int i = 0; i < 40; ++i) {
            Vector3 way;
            for (int k = 0; k < 3; ++k) way[k] = normal(random);
            places.emplace_back((2.0 * m_radius - 0.002 * (i % 7)) * way.normalized());
        }
        return places;
    }
    static std::shared_ptr<const ReducedModel> ball() {
        static const auto ball = solidSphere(m_radius);
        return ball;
    }

    std::shared_ptr<const ReducedModel> model = ball();
    std::shared_ptr<const CollisionModel> collision = std::make_shared<const CollisionModel>(model);
    std::shared_ptr<const SurfaceModel> surface = std::make_shared<const SurfaceModel>(collision);
    Ball first{surface, collision}, second{surface, collision};
};

TEST_F(PointsOfTwoBalls, ThatTouchAreAmongTheContactsHoweverMuchTheyAreBent) {
    for (const double bent : {0.0, 0.004, 0.03}) {
        bend(bent);
        std::size_t touching = 0;
        for (const Vector3& at : placesAround()) {
            const auto found = contacts(1.5 * at, at);  // too fast for a list
            const std::vector<int> ofFirst = facing(first, second), ofSecond = facing(second, first);
            touching += ofFirst.size() + ofSecond.size();
            std::vector<int> foundOfFirst, foundOfSecond;
            for (const auto& [feature, c] : found) {
                EXPECT_LE(c.distance, m_margin);
                (feature % 2 == 0 ? foundOfFirst : foundOfSecond).push_back(feature % 2 == 0 ? c.segmentA : c.segmentB);
            }
            for (const int segment : ofFirst)
                EXPECT_EQ(std::count(foundOfFirst.begin(), foundOfFirst.end(), segment), 1) << bent;
            for (const int segment : ofSecond)
                EXPECT_EQ(std::count(foundOfSecond.begin(), foundOfSecond.end(), segment), 1) << bent;
        }
        EXPECT_GT(touching, 40u * 2u) << "the balls do not touch at all";
    }
}

TEST_F(PointsOfTwoBalls, TouchWhereTheyDoWithAListAndWithout) {
    for (const double bent : {0.0, 0.004, 0.03}) {
        bend(bent);
        for (const Vector3& at : placesAround()) {
            const auto fast = contacts(1.5 * at, at), slow = contacts(at, at);
            EXPECT_EQ(fast.size(), slow.size());
            for (const auto& [feature, c] : slow) {
                const auto same = fast.find(feature);
                ASSERT_NE(same, fast.end());
                EXPECT_EQ(same->second.distance, c.distance);
                EXPECT_EQ(same->second.normal, c.normal);
            }
        }
    }
}

// A plane across the line between the origins has all points of a ball on one side, and their caps stand out by a
// little: what touches within a distance is no farther from that plane. Where a ball is stretched, its field tells less
// than the distance, by kMostStretch at most; of balls that are bent much it may tell of other parts.
TEST_F(PointsOfTwoBalls, AreLookedForAsFarAsTheBallsComeNearer) {
    SurfaceReach reach(m_margin);
    reach.ahead = 0.002;
    for (const double bent : {0.0, 0.004}) {
        bend(bent);
        std::size_t within = 0, wanted = 0;
        for (const Vector3& at : placesAround()) {
            for (const double from : {1.5, 1.0}) {
                const auto all = contacts(from * at, at), found = contacts(from * at, at, reach);
                within += all.size();
                wanted += found.size();
                for (const auto& [feature, c] : found) {
                    const auto same = all.find(feature);
                    ASSERT_NE(same, all.end());
                    EXPECT_EQ(same->second.distance, c.distance);
                }
                for (const auto& [feature, c] : all) {
                    if (DeformedField::kMostStretch * c.distance > reach.ahead) continue;
                    EXPECT_EQ(found.count(feature), 1u) << bent << ", " << c.distance;
                }
            }
        }
        EXPECT_LT(wanted, 9 * within / 10) << "nothing is left out";
    }
}

TEST_F(PointsOfTwoBalls, InAPartOfSpaceAreThoseThatLookingAtAllOfThemFinds) {
    bend(0.02);
    PlacedClusters placed(surface->clusters());
    std::vector<float> room;
    placed.place(first.body.rotatedSpheres(room));
    std::mt19937 random(9);
    std::normal_distribution<double> normal;
    for (int i = 0; i < 200; ++i) {
        Vector3 direction;
        for (int k = 0; k < 3; ++k) direction[k] = normal(random);
        direction.normalize();
        const double most = 0.05 * normal(random), half = 0.05 + 0.05 * std::abs(normal(random));
        PlaneAndBox space;
        space.direction = direction.cast<float>();
        space.most = static_cast<float>(most);
        space.lower.setConstant(static_cast<float>(-half));
        space.upper.setConstant(static_cast<float>(half));
        std::vector<int> found;
        placed.collect(
            space, [](const Vector3&, double) { return true; }, found);
        double farthest = -1.0;
        for (int sphere = 0; sphere < collision->spheres().count(); ++sphere) {
            const Vector3 at = centreOf(first.body.rotatedSphere(sphere));
            const double plane = direction.dot(at) - most, box = at.lpNorm<Eigen::Infinity>() - half;
            farthest = std::max(farthest, direction.dot(at));
            if (std::abs(std::max(plane, box)) <= m_rounding) continue;
            EXPECT_EQ(std::find(found.begin(), found.end(), sphere) != found.end(), std::max(plane, box) < 0.0);
        }
        EXPECT_NEAR(static_cast<double>(placed.farthestAlong(direction)), farthest, m_rounding);
        found.clear();
        placed.collect(
            space, [](const Vector3&, double) { return false; }, found);
        EXPECT_LT(found.size(), static_cast<std::size_t>(4 * surface->clusters().count()))
            << "clusters with several points that do not matter";
    }
}

struct Standing {
    explicit Standing(const std::shared_ptr<const ReducedModel>& reduced)
        : model(reduced),
          collision(std::make_shared<const CollisionModel>(reduced)),
          body(collision),
          field(std::make_shared<const SurfaceModel>(collision)),
          still(VectorX::Zero(reduced->dimension())) {}

    /// @param pose of the surface
    void place(const RigidTransform& pose) {
        RigidTransform frame;
        frame.rotation = pose.rotation * model->meshFromBody.rotation;
        frame.translation = pose.rotation * model->meshFromBody.translation + pose.translation;
        body.update(still.data(), frame);
        body.refit();
        field.update(body, still.data());
    }

    std::shared_ptr<const ReducedModel> model;
    std::shared_ptr<const CollisionModel> collision;
    DeformedBody body;
    DeformedField field;
    VectorX still;
};

/// Along the middle of a beaker its field is the same on all sides, and has no gradient there.
TEST(PointsInABeaker, HaveContactsWithDirectionsAllAlong) {
    Standing beaker(solidOfRevolution({{0, 0}, {0.05, 0}, {0.05, 0.4}, {0.044, 0.4}, {0.044, 0.006}, {0, 0.006}})),
        stick(solidCylinder(0.006, 0.18, {}, 12));
    beaker.place(RigidTransform());
    RigidTransform pose;
    pose.rotation = Eigen::AngleAxisd(0.5 * M_PI + 0.05, Vector3::UnitX()).toRotationMatrix();
    std::size_t count = 0;
    for (const double aside : {0.0, 0.002, 0.005}) {
        pose.translation = Vector3(aside, 0.5 * aside, 0.32);
        stick.place(pose);
        SurfacePairSides sides;
        SurfacePairCandidates candidates;
        std::vector<SkeletonContact> found;
        collideSurfaces({&beaker.body, &beaker.field}, {&stick.body, &stick.field}, 0.06, 1.0, sides, candidates,
                        found);
        count += found.size();
        for (const SkeletonContact& c : found) EXPECT_NEAR(c.normal.norm(), 1.0, 1e-6) << aside << " m aside";
    }
    EXPECT_GT(count, 300u);
}

}  // namespace
}  // namespace pliant::test
