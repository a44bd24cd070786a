// SPDX-License-Identifier: Zlib
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "pliant/collision/pair/PassedSegments.h"
#include "unit/collision/SyntheticBasket.h"

namespace pliant {
namespace {

/// Chain A of three segments along x, chain B along y through the origin, both of radius 0.1.
class PassedChains : public testing::Test {
protected:
    PassedChains() : m_a(chain(Vector3::UnitX())), m_b(chain(Vector3::UnitY())) {
        const double q = 0.0;
        m_b.update(&q, RigidTransform());
        m_b.predictMotion(&q, RigidTransform());
    }

    static std::shared_ptr<const CollisionModel> chain(const Vector3& along) {
        Points centres(3, 4);
        for (int i = 0; i < 4; ++i) centres.col(i) = (i - 1.4) * along;
        return std::make_shared<CollisionModel>(test::polylineModel(centres, VectorX::Constant(4, 0.1)));
    }

    static RigidTransform placed(const Vector3& place, double angle = 0.0) {
        RigidTransform pose;
        pose.rotation = Eigen::AngleAxisd(angle, Vector3::UnitZ()).toRotationMatrix();
        pose.translation = place;
        return pose;
    }

    /// A goes from one pose to the other.
    void go(const RigidTransform& from, const RigidTransform& to) {
        const double q = 0.0;
        m_a.update(&q, to);
        m_a.predictMotion(&q, from);
        rememberPassedSegments(m_a, m_b, m_history);
    }

    static ContactHistory::Entry entry(int segmentA, int segmentB, double up, bool crossed) {
        ContactHistory::Entry made;
        made.feature = contactFeature(segmentA, segmentB, 0);
        made.segmentA = segmentA;
        made.segmentB = segmentB;
        made.normal = up * Vector3::UnitZ();
        made.crossed = crossed;
        return made;
    }

    DeformedBody m_a, m_b;
    ContactHistory m_history;
};

TEST_F(PassedChains, RememberTheSideThatTheyCameFrom) {
    for (const double up : {1.0, -1.0}) {
        m_history.clear();
        go(placed({0.0, 0.0, 0.3 * up}), placed({0.0, 0.0, -0.2 * up}));
        ASSERT_EQ(m_history.entries().size(), 1u);
        EXPECT_TRUE(m_history.anyCrossed());
        EXPECT_TRUE(m_history.entries()[0].crossed);
        EXPECT_EQ(m_history.entries()[0].segmentA, 1);
        EXPECT_EQ(m_history.entries()[0].segmentB, 1);
        EXPECT_NEAR(m_history.entries()[0].normal.z(), up, 1e-6);
    }
}

TEST_F(PassedChains, ThatOnlyPassBesideHavePassedNothing) {
    go(placed({0.0, 2.0, 0.3}), placed({0.0, 2.0, -0.2}));
    go(placed({0.0, 0.0, 0.3}), placed({0.5, 0.3, 0.1}));
    EXPECT_TRUE(m_history.entries().empty());
    EXPECT_FALSE(m_history.anyCrossed());
}

/// The common perpendicular of the axes points to the other side once they have turned past parallel, so that the
/// volume that they span has the same sign before and after.
TEST_F(PassedChains, ThatTurnPastParallelRememberTheSideToo) {
    for (const double up : {1.0, -1.0})
        for (const double height : {0.05, 0.15, 0.2}) {
            SCOPED_TRACE(up * height);
            m_history.clear();
            // A's middle segment goes from 0.5 rad on one side of B to 0.5 rad on the other.
            go(placed({0.0, 0.0, 0.3 * up}, 0.5 * M_PI - 0.5), placed({0.0, 0.0, -height * up}, 0.5 * M_PI + 0.5));
            const ContactHistory::Entry* middle = m_history.find(contactFeature(1, 1, 0));
            ASSERT_NE(middle, nullptr);
            const Vector3 side = m_a.worldFromBody().rotation * middle->normal;
            EXPECT_NEAR(side.z(), up, 1e-6);
        }
}

TEST_F(PassedChains, ThatComeBackBesideHavePassedNothingElse) {
    // The strand went through B by its segment 1, segment 0 touches B from behind, and comes back through it.
    m_history.assign({entry(0, 1, -1.0, false), entry(1, 1, 1.0, true)});
    go(placed({0.8, 0.0, -0.3}), placed({0.8, 0.0, 0.2}));
    ASSERT_EQ(m_history.entries().size(), 2u);
    EXPECT_FALSE(m_history.entries()[0].crossed) << "the way back is taken for another pass";
    // What goes on the same way is one.
    m_history.assign({entry(0, 1, 1.0, false), entry(1, 1, 1.0, true)});
    go(placed({0.8, 0.0, 0.2}), placed({0.8, 0.0, -0.3}));
    EXPECT_TRUE(m_history.entries()[0].crossed);
}

TEST_F(PassedChains, ReplaceContactsThatHaveNotCrossed) {
    m_history.assign({entry(0, 1, -1.0, false), entry(1, 1, 1.0, true)});
    m_history.addPassed({entry(0, 1, 1.0, true), entry(0, 2, 1.0, true), entry(1, 1, -1.0, true)});
    ASSERT_EQ(m_history.entries().size(), 3u);
    EXPECT_TRUE(std::is_sorted(m_history.entries().begin(), m_history.entries().end(),
                               [](const auto& x, const auto& y) { return x.feature < y.feature; }));
    for (const ContactHistory::Entry& known : m_history.entries()) {
        EXPECT_TRUE(known.crossed);
        EXPECT_EQ(known.normal.z(), 1.0) << "of what has crossed already the first side counts";
    }
    m_history.clear();
    EXPECT_FALSE(m_history.anyCrossed());
    EXPECT_TRUE(m_history.entries().empty());
}

TEST_F(PassedChains, AreBroughtBackFromBehind) {
    go(placed({0.0, 0.0, 0.3}), placed({0.0, 0.0, -0.5}));
    std::vector<SkeletonContact> contacts;
    addContactsBehind(m_a, m_b, m_history, contacts);
    const auto middle = std::find_if(contacts.begin(), contacts.end(),
                                     [](const auto& c) { return c.segmentA == 1 && c.segmentB == 1; });
    ASSERT_NE(middle, contacts.end());
    EXPECT_TRUE(middle->crossed);
    EXPECT_NEAR(middle->normal.z(), 1.0, 1e-6);
    EXPECT_NEAR(middle->distance, -0.7, 1e-6);
    const std::size_t count = contacts.size();
    addContactsBehind(m_a, m_b, m_history, contacts);
    EXPECT_EQ(contacts.size(), count) << "once is enough";
}

TEST_F(PassedChains, AreBroughtBackByTheNextSegmentToo) {
    go(placed({0.55, 0.0, 0.3}), placed({0.55, 0.0, -0.5}));
    ASSERT_EQ(m_history.entries().size(), 1u);
    const int first = m_history.entries()[0].segmentA;
    const double q = 0.0;
    m_a.update(&q, placed({0.25, 0.0, -0.5}));  // slides along
    std::vector<SkeletonContact> contacts;
    addContactsBehind(m_a, m_b, m_history, contacts);
    EXPECT_TRUE(std::any_of(contacts.begin(), contacts.end(),
                            [first](const SkeletonContact& c) { return c.segmentA == first + 1 && c.crossed; }));
    EXPECT_TRUE(std::is_sorted(contacts.begin(), contacts.end(),
                               [](const auto& x, const auto& y) { return x.feature < y.feature; }));
    m_a.update(&q, placed({0.25, 0.0, -0.85}));  // more than four sums of the radii away
    contacts.clear();
    addContactsBehind(m_a, m_b, m_history, contacts);
    EXPECT_TRUE(contacts.empty());
}

/// Contacts that are wedged stay for as long as a heap lies: what is beside them is within the margin as they are.
TEST_F(PassedChains, WithinTheMarginHaveNoSearchOfTheirOwn) {
    go(placed({0.37, 0.0, 0.3}), placed({0.37, 0.0, -0.3}));  // segment 0 ends 0.03 beside B's axis
    ASSERT_EQ(m_history.entries().size(), 1u);
    std::vector<SkeletonContact> searched;
    addContactsBehind(m_a, m_b, m_history, searched);
    ASSERT_EQ(searched.size(), 2u);
    std::vector<SkeletonContact> known(1, searched[1]);
    addContactsBehind(m_a, m_b, m_history, known);
    EXPECT_EQ(known.size(), 1u);
}

/// Segments of a body that share a sphere are always in each other.
TEST(PassedSegments, OfABodyWithItselfAreNotBroughtBack) {
    Points centres(3, 4);
    centres << 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0, 0.0, 0.0;
    const auto model = std::make_shared<CollisionModel>(test::polylineModel(centres, VectorX::Constant(4, 0.1)));
    DeformedBody body(model);
    const double q = 0.0;
    body.update(&q, RigidTransform());
    ContactHistory::Entry legs;  // of the U: it is said that the first one has come from beyond the last
    legs.feature = contactFeature(0, 2, 0);
    legs.segmentA = 0;
    legs.segmentB = 2;
    legs.normal = Vector3::UnitY();
    legs.point = Vector3(0.5, 0.25, 0.0);
    legs.crossed = true;
    ContactHistory history;
    history.assign({legs});
    std::vector<SkeletonContact> contacts;
    addContactsBehind(body, body, history, contacts);
    EXPECT_TRUE(contacts.empty());
}

}  // namespace
}  // namespace pliant
