// SPDX-License-Identifier: Zlib
// Lists of near segments: they change nothing but the time, and they do save it.
#include <Eigen/Geometry>
#include <cmath>

#include "pliant/collision/pair/CollideBodies.h"
#include "unit/collision/SyntheticBasket.h"
#include "unit/collision/pair/SameContacts.h"

namespace pliant {
namespace {

/// Two cups, one in the other, that sway, turn and bend, `pace` times as far in each step, and together go by `way`
/// metres a step.
class SwayingCups {
public:
    explicit SwayingCups(double pace, const Vector3& way = Vector3::Zero()) : m_pace(pace), m_way(way) {
        test::BasketShape inner;
        inner.radius = 0.13;
        inner.hoops = 5;
        m_models[0] = std::make_shared<CollisionModel>(test::basketModel(test::BasketShape{}));
        m_models[1] = std::make_shared<CollisionModel>(test::basketModel(inner));
        for (const auto& model : m_models) {
            m_listed.emplace_back(model);
            m_plain.emplace_back(model);
        }
    }

    /// One step: contacts by the lists, as the bridge asks for them, and of fresh bodies without.
    void step(double margin) {
        m_time += m_pace;
        m_gone += m_way;
        DeformedBody::NewState states[2];
        VectorX q[2];
        for (int b = 0; b < 2; ++b) {
            q[b] = coordinates(b);
            states[b] = {&m_listed[static_cast<std::size_t>(b)], q[b].data(), pose(b)};
            m_plain[static_cast<std::size_t>(b)].update(q[b].data(), pose(b));
        }
        DeformedBody::moveTogether(states, 2);
        DeformedBody &a = m_listed[0], &b = m_listed[1];
        if (!m_candidates.nearCovers(a, b, margin)) ++nearLists;
        if (!m_candidates.cover(a, b, margin)) {
            ++descents;
            a.refit();
            b.refit();
        }
        listed.clear();
        plain.clear();
        collideBodies(a, b, margin, listed, nullptr, &m_candidates);
        collideBodies(m_plain[0], m_plain[1], margin, plain);
    }
    void jump() { m_time += 100.0; }
    std::size_t nearPairs() const { return m_candidates.near().size(); }

    std::vector<SkeletonContact> listed, plain;
    int nearLists = 0, descents = 0;  ///< steps in which a list had to be made anew

private:
    VectorX coordinates(int b) const {
        VectorX q(m_models[static_cast<std::size_t>(b)]->dimension());
        for (Eigen::Index j = 0; j < q.size(); ++j)
            q[j] = 0.01 * std::sin((0.7 + 0.2 * static_cast<double>(j)) * m_time + b);
        return q;
    }
    RigidTransform pose(int b) const {
        RigidTransform pose;
        pose.translation = Vector3(500.0, 0.0, -200.0) + m_gone;  // world coordinates need not be small
        if (b == 1)
            pose.translation += 0.03 * Vector3(std::sin(m_time), std::cos(0.8 * m_time), std::sin(0.6 * m_time));
        pose.rotation = Eigen::AngleAxisd(0.2 * std::sin(0.5 * m_time + 2.0 * b), Vector3(0.6, 0.8, 0.0).normalized())
                            .toRotationMatrix();
        return pose;
    }

    double m_pace, m_time = 0.0;
    Vector3 m_way, m_gone = Vector3::Zero();
    std::shared_ptr<const CollisionModel> m_models[2];
    std::vector<DeformedBody> m_listed, m_plain;
    PairCandidates m_candidates;
};

/// Margins as in a pile: now wider, now narrower.
double marginAt(int step) {
    return step % 7 == 0 ? 0.003 : 0.001;
}

TEST(PairCandidates, ListsServeManyStepsAndMissNoContact) {
    SwayingCups cups(0.001);
    const int steps = 3000;
    std::size_t fewest = 1000000, most = 0, pairs = 0;
    for (int i = 0; i < steps; ++i) {
        cups.step(marginAt(i));
        test::expectSame(cups.listed, cups.plain);
        if (testing::Test::HasFatalFailure()) FAIL() << "step " << i;
        fewest = std::min(fewest, cups.listed.size());
        most = std::max(most, cups.listed.size());
        pairs = std::max(pairs, cups.nearPairs());
    }
    EXPECT_GT(most, fewest + 20) << "contacts come and go";
    // As meant: a descent serves some fifty steps, a near list some ten.
    EXPECT_LT(cups.descents, steps / 20);
    EXPECT_GT(cups.descents, 5) << "the cups do move";
    EXPECT_LT(cups.nearLists, steps / 4);
    EXPECT_LT(pairs, 20 * most) << "few are tested besides those that touch";
}

// As in free fall, where bodies come by centimetres a step and stay where they are to each other.
TEST(PairCandidates, WhatBothGoTogetherDoesNotCount) {
    SwayingCups cups(0.001, Vector3(0.02, 0.0, -0.05));
    const int steps = 1000;
    for (int i = 0; i < steps; ++i) {
        cups.step(marginAt(i));
        test::expectSame(cups.listed, cups.plain);
        if (testing::Test::HasFatalFailure()) FAIL() << "step " << i;
    }
    EXPECT_LT(cups.descents, steps / 20);
    EXPECT_LT(cups.nearLists, steps / 4);
}

TEST(PairCandidates, FramesThatHaveComeBackAreWhereTheyWere) {
    const auto model = std::make_shared<CollisionModel>(test::basketModel(test::BasketShape{}));
    const VectorX rest = VectorX::Zero(model->dimension());
    DeformedBody a(model), b(model);
    const double reach = 0.01;
    PairCandidates candidates;
    candidates.restart(a, b, reach);
    RigidTransform pose;
    for (int i = 0; i < 100; ++i) {  // 4 m in all
        pose.translation.x() = i % 2 == 0 ? 0.04 : 0.0;
        a.update(rest.data(), pose);
        EXPECT_EQ(candidates.cover(a, b, 0.5 * reach), i % 2 == 1) << i;
    }
    // Turning is summed up: how far spheres have come on the way is not known any more.
    for (int i = 0; i < 100; ++i) {
        pose.rotation = Eigen::AngleAxisd(i % 2 == 0 ? 1e-3 : 0.0, Vector3::UnitZ()).toRotationMatrix();
        a.update(rest.data(), pose);
    }
    EXPECT_FALSE(candidates.cover(a, b, 0.5 * reach));
}

TEST(PairCandidates, FastBodiesAndJumpsAreNoException) {
    for (const double pace : {0.003, 0.03, 0.3}) {  // the last ones are too fast for lists
        SwayingCups cups(pace);
        std::size_t contacts = 0;
        for (int i = 0; i < 300; ++i) {
            if (i % 50 == 49) cups.jump();
            cups.step(marginAt(i));
            test::expectSame(cups.listed, cups.plain);
            if (testing::Test::HasFatalFailure()) FAIL() << "pace " << pace << ", step " << i;
            contacts += cups.listed.size();
        }
        EXPECT_GT(contacts, 300u);
        EXPECT_TRUE(pace < 0.3 || cups.descents == 300) << "no list is worth making";
    }
}

}  // namespace
}  // namespace pliant
