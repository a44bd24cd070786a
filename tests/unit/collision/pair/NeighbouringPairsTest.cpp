// SPDX-License-Identifier: Zlib
// What is beside remembered contacts, of which bodies that have been pressed through each other have thousands: found
// by way of the segments it is what a look at everything finds.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <random>
#include <vector>

#include "pliant/collision/pair/ContactNormalOrientation.h"
#include "pliant/collision/pair/NeighbouringPairs.h"
#include "pliant/collision/pair/PassedSegments.h"
#include "pliant/collision/pair/SegmentPairTest.h"
#include "unit/collision/SyntheticBasket.h"

namespace pliant {
namespace {

/// Two baskets, the second finer, one within the other.
class PressedBaskets : public testing::Test {
protected:
    PressedBaskets() : m_a(model(24)), m_b(model(36)) {
        const VectorX q = VectorX::Zero(7);
        RigidTransform pose;
        pose.translation = Vector3(0.004, 0.003, 0.01);
        m_a.update(q.data(), pose);
        m_b.update(q.data(), RigidTransform());
    }

    static std::shared_ptr<const CollisionModel> model(int steps) {
        test::BasketShape shape;
        shape.steps = steps;
        return std::make_shared<CollisionModel>(test::basketModel(shape));
    }
    int countA() const { return static_cast<int>(m_a.model().skeleton().segments.cols()); }
    int countB() const { return static_cast<int>(m_b.model().skeleton().segments.cols()); }

    /// Remembered contacts of `count` pairs that chance has chosen, on a lattice of places, so that many are as far
    /// away as others; every other one has crossed.
    ContactHistory remembered(int count) {
        std::vector<ContactHistory::Entry> entries;
        for (int i = 0; i < count; ++i) {
            ContactHistory::Entry entry;
            entry.segmentA = upTo(countA());
            entry.segmentB = upTo(countB());
            entry.feature = contactFeature(entry.segmentA, entry.segmentB, i % 2);
            entry.normal = i % 3 ? Vector3(0.0, 0.0, 1.0) : Vector3(-1.0, 0.0, 0.0);
            entry.point = 0.002 * Vector3(upTo(3), upTo(3), upTo(3));
            entry.crossed = i % 2 == 0;
            entries.push_back(entry);
        }
        const auto byFeature = [](const auto& x, const auto& y) { return x.feature < y.feature; };
        std::sort(entries.begin(), entries.end(), byFeature);
        entries.erase(std::unique(entries.begin(), entries.end(),
                                  [](const auto& x, const auto& y) { return x.feature == y.feature; }),
                      entries.end());
        ContactHistory history;
        history.assign(entries);
        return history;
    }
    int upTo(int end) { return std::uniform_int_distribution<int>(0, end - 1)(m_random); }

    /// Whether both segments are those of an entry that has crossed, or beside them.
    bool isBeside(const ContactHistory& history, int segmentA, int segmentB) const {
        return std::any_of(history.entries().begin(), history.entries().end(), [&](const auto& entry) {
            return entry.crossed && m_a.model().adjacent(segmentA, entry.segmentA) &&
                   m_b.model().adjacent(segmentB, entry.segmentB);
        });
    }

    DeformedBody m_a, m_b;
    std::mt19937 m_random{7};
};

TEST_F(PressedBaskets, HaveThePairsBesideOthersOnceAndInOrder) {
    for (const int count : {1, 5, 400}) {
        const ContactHistory history = remembered(count);
        SegmentPairs pairs, expected;
        for (const auto& entry : history.entries())
            if (entry.crossed) pairs.emplace_back(entry.segmentA, entry.segmentB);
        for (int i = 0; i < countA(); ++i)
            for (int j = 0; j < countB(); ++j)
                if (isBeside(history, i, j)) expected.emplace_back(i, j);
        EXPECT_EQ(neighbouringPairs(m_a.model(), m_b.model(), pairs), expected) << count;
    }
    EXPECT_TRUE(neighbouringPairs(m_a.model(), m_b.model(), {}).empty());
}

TEST_F(PressedBaskets, TakeTheirSideFromTheSameContactHoweverManyTheyRemember) {
    int found = 0;
    for (const int count : {40, 200, 3000}) {  // fewer and more than are searched in
        const ContactHistory history = remembered(count);
        ContactAxes axes;
        axes.radii = 0.0015;
        for (int i = 0; i < 4000; ++i) {
            const int segmentA = upTo(countA()), segmentB = upTo(countB());
            axes.midpoint = 0.001 * Vector3(upTo(5), upTo(5), upTo(5));
            const ContactHistory::Entry* nearest = nullptr;
            double least = 4.0 * axes.radii * axes.radii;
            for (const ContactHistory::Entry& entry : history.entries()) {
                const double distance2 = (entry.point - axes.midpoint).squaredNorm();
                if (distance2 >= least || !m_a.model().adjacent(segmentA, entry.segmentA) ||
                    !m_b.model().adjacent(segmentB, entry.segmentB))
                    continue;
                least = distance2;
                nearest = &entry;
            }
            ASSERT_EQ(nearbyEntry(history, m_a.model(), segmentA, m_b.model(), segmentB, axes), nearest);
            found += nearest != nullptr;
        }
    }
    EXPECT_GT(found, 100);
}

TEST_F(PressedBaskets, AreBroughtBackByEveryContactBehind) {
    const ContactHistory history = remembered(3000);
    std::vector<SkeletonContact> contacts;
    for (int i = 0; i < countA(); ++i)
        for (int j = 0; j < countB(); ++j) {
            if (!isBeside(history, i, j)) continue;
            const double radii = taperedSegment(m_a, i).largestRadius() + taperedSegment(m_b, j).largestRadius();
            SkeletonContact found[2];
            const int count = SegmentPairTest(m_a, m_b, (kReachBehind - 1.0) * radii, &history).collide(i, j, found);
            for (int k = 0; k < count; ++k)
                if (found[k].crossed) contacts.push_back(found[k]);
        }
    ASSERT_GT(contacts.size(), 15u);
    // Others that are known already, before and between them, behind them, and some of themselves.
    const auto byFeature = [](const auto& x, const auto& y) { return x.feature < y.feature; };
    std::vector<SkeletonContact> known;
    for (std::size_t i = 0; i < contacts.size(); i += 3) {
        SkeletonContact other = contacts[i];
        other.feature -= 1;
        other.crossed = false;
        if (!std::binary_search(contacts.begin(), contacts.end(), other, byFeature)) known.push_back(other);
    }
    ASSERT_GT(known.size(), 2u);
    SkeletonContact last = contacts.back();
    last.feature += 1000;
    last.crossed = false;
    known.push_back(last);
    std::vector<SkeletonContact> expected;
    std::merge(contacts.begin(), contacts.end(), known.begin(), known.end(), std::back_inserter(expected), byFeature);
    // Some of themselves, which entries beside them find again.
    for (std::size_t i = 1; i < contacts.size(); i += 2) known.push_back(contacts[i]);
    std::sort(known.begin(), known.end(), byFeature);
    addContactsBehind(m_a, m_b, history, known);
    ASSERT_EQ(known.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(known[i].feature, expected[i].feature);
        EXPECT_EQ(known[i].distance, expected[i].distance);
        EXPECT_EQ(known[i].normal, expected[i].normal);
    }
}

}  // namespace
}  // namespace pliant
