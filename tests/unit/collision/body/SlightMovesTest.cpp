// SPDX-License-Identifier: Zlib
// Bodies that hardly move leave their spheres alone until somebody asks. Who has asked for what must not tell.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "unit/collision/SyntheticBasket.h"

namespace pliant {
namespace {

using OuterReach = DeformedBody::OuterReach;

/// A cup that trembles, creeps and now and then jumps.
class SlightMoves : public testing::Test {
protected:
    SlightMoves() : m_model(std::make_shared<CollisionModel>(test::basketModel(test::BasketShape{}))) {
        m_q = VectorX::Zero(m_model->dimension());
    }

    void change(int step) {
        const double size = step % 60 == 59 ? 1.0 : 3e-4 * std::pow(10.0, -(step % 3));
        m_q += test::randomCoordinates(m_random, m_model->dimension(), 0.05 * size);
        const RigidTransform motion = test::randomPose(m_random, 0.3 * size);
        const Eigen::AngleAxisd turn(motion.rotation);
        m_pose.rotation = Eigen::AngleAxisd(size * turn.angle(), turn.axis()).toRotationMatrix() * m_pose.rotation;
        m_pose.translation += motion.translation;
    }
    void move(DeformedBody& body) const {
        const DeformedBody::NewState state{&body, m_q.data(), m_pose};
        DeformedBody::moveTogether(&state, 1);
    }
    static void expectSameReach(const DeformedBody& a, const DeformedBody& b) {
        ASSERT_EQ(a.motionBound(), b.motionBound());
        ASSERT_EQ(a.relativeMotionBound(), b.relativeMotionBound());
        ASSERT_EQ(a.outerReach().slack, b.outerReach().slack);
        for (int k = 0; k < 3; ++k) {
            ASSERT_EQ(a.outerBox().lower[k], b.outerBox().lower[k]);
            ASSERT_EQ(a.outerBox().negUpper[k], b.outerBox().negUpper[k]);
        }
    }
    void expectBoxHolds(const DeformedBody& body) const {
        for (int i = 0; i < m_model->skeleton().sphereCount(); ++i) {
            const SphereF s = body.rotatedSphere(i);
            const float centre[3] = {s.x, s.y, s.z};
            for (int k = 0; k < 3; ++k) {
                ASSERT_LE(body.outerBox().lower[k], centre[k] - s.radius);
                ASSERT_LE(body.outerBox().negUpper[k], -centre[k] - s.radius);
            }
        }
    }

    std::shared_ptr<const CollisionModel> m_model;
    VectorX m_q;
    RigidTransform m_pose;
    std::mt19937 m_random{31};
};

TEST_F(SlightMoves, WhoAsksMakesNoDifference) {
    DeformedBody left(m_model), asked(m_model);
    DeformedBody* const both[2] = {&left, &asked};
    int slight = 0, whole = 0;
    for (int i = 0; i < 590; ++i) {
        change(i);
        move(left);
        move(asked);
        (left.spheresAreCurrent() ? whole : slight) += 1;
        if (i % 4 == 1) asked.refit();
        if (i % 4 == 3) DeformedBody::evaluateTogether(both + 1, 1);
        EXPECT_EQ(asked.spheresAreCurrent(), i % 2 == 1 || left.spheresAreCurrent());
        expectSameReach(left, asked);
        for (int sphere = 0; sphere < m_model->skeleton().sphereCount(); ++sphere) {
            const SphereF one = left.rotatedSphere(sphere), other = asked.rotatedSphere(sphere);
            ASSERT_TRUE(one.x == other.x && one.y == other.y && one.z == other.z && one.radius == other.radius)
                << "sphere " << sphere << ", step " << i;
        }
        std::vector<float> room;
        const float *one = left.rotatedSpheres(room), *end = one + 4 * m_model->skeleton().sphereCount();
        std::vector<float> otherRoom;
        ASSERT_TRUE(std::equal(one, end, asked.rotatedSpheres(otherRoom)));
        EXPECT_EQ(left.bounds(RigidTransform()).lower, asked.bounds(RigidTransform()).lower);
        expectBoxHolds(left);
        if (HasFatalFailure()) FAIL() << "step " << i;
    }
    EXPECT_GT(slight, 400);
    EXPECT_GT(whole, 20);
    EXPECT_FALSE(left.spheresAreCurrent());
    DeformedBody::evaluateTogether(both, 2);
    EXPECT_TRUE(left.spheresAreCurrent());
}

TEST_F(SlightMoves, LeaveTheBoxTooLargeByAFractionOfASegmentsRadius) {
    DeformedBody body(m_model);
    double most = 0.0;
    for (int i = 0; i < 600; ++i) {
        change(i);
        move(body);
        DeformedBody exact(m_model);
        exact.update(m_q.data(), m_pose);
        for (int k = 0; k < 3; ++k) {
            const double above = static_cast<double>(exact.outerBox().lower[k] - body.outerBox().lower[k]);
            ASSERT_GE(above, 0.0);
            ASSERT_LE(above, 2.0 * body.outerReach().slack + 1e-6);
        }
        most = std::max(most, body.outerReach().slack);
    }
    const double thinnest = static_cast<double>(m_model->skeleton().radii.minCoeff());
    EXPECT_LE(most, 0.5 * thinnest);
    EXPECT_GT(most, 0.2 * thinnest) << "they do add up before the spheres are looked at again";
}

TEST_F(SlightMoves, GoOnFromASavedReachWithTheSameBits) {
    DeformedBody body(m_model);
    for (int i = 0; i < 30; ++i) {
        change(i);
        move(body);
    }
    ASSERT_GT(body.outerReach().slack, 0.0);
    const OuterReach saved = body.outerReach();
    DeformedBody other(m_model);
    move(other);
    ASSERT_NE(other.outerReach().slack, saved.slack);
    other.setOuterReach(saved);
    const double travelled = body.motionBound(), otherTravelled = other.motionBound();
    for (int i = 30; i < 200; ++i) {
        change(i);
        move(body);
        move(other);
        ASSERT_EQ(body.outerReach().slack, other.outerReach().slack) << i;
        ASSERT_EQ(body.outerBox().lower[1], other.outerBox().lower[1]) << i;
        ASSERT_NEAR(body.motionBound() - travelled, other.motionBound() - otherTravelled, 1e-12) << i;
    }
    OuterReach small = body.outerReach(), large = small, loose = small;
    small.box.lower[0] += 0.05f;
    large.box.negUpper[2] -= 1e20f;
    loose.slack = 10.0;
    for (const OuterReach& impossible : {small, large, loose}) {
        other.setOuterReach(impossible);
        expectBoxHolds(other);
        EXPECT_EQ(other.outerReach().slack, 0.0);
        EXPECT_GT(other.outerBox().negUpper[2], -100.0f);
    }
}

TEST_F(SlightMoves, ABodyThatWasNowhereIsMeasuredAgainWhenItIsBack) {
    DeformedBody body(m_model);
    move(body);
    const VectorX q = m_q;
    const RigidTransform pose = m_pose;
    for (int kind = 0; kind < 2; ++kind) {
        const double before = body.motionBound();
        if (kind == 0)
            m_q[2] = std::numeric_limits<double>::quiet_NaN();
        else
            m_pose.translation[1] = std::numeric_limits<double>::quiet_NaN();
        move(body);
        m_q = q;
        m_pose = pose;
        move(body);
        EXPECT_GT(body.motionBound() - before, 1e5) << "what was near before need not be near now";
        EXPECT_LT(body.motionBound() - before, 1e7);
        expectBoxHolds(body);
        const double there = body.motionBound();
        m_pose.translation.x() += 1e-4;
        move(body);
        EXPECT_GE(body.motionBound() - there, 1e-4 * (1.0 - 1e-3));
        EXPECT_LE(body.motionBound() - there, 3e-4);
        m_pose = pose;
        move(body);
    }
}

// Spheres that move each on its own, along one axis, where the bound spheres know least of the others.
TEST_F(SlightMoves, StraySpheresAreNotForgotten) {
    ReducedModel stray = m_model->reduced();
    std::normal_distribution<float> number;
    MatrixXf& basis = stray.skeleton.basis;
    basis.setZero();
    for (Eigen::Index z = 2; z < basis.rows(); z += 3)
        for (Eigen::Index j = 0; j < basis.cols(); ++j) basis(z, j) = number(m_random);
    m_model = std::make_shared<CollisionModel>(std::make_shared<const ReducedModel>(stray));
    DeformedBody body(m_model);
    int slight = 0;
    for (Eigen::Index z = 2; z < basis.rows(); z += 3) {
        const VectorX toThisOne = basis.row(z).transpose().cast<double>().normalized();
        const VectorX way = 2e-5 * toThisOne;
        m_q += way;
        const double travelled = body.motionBound(), relativeMotionBound = body.relativeMotionBound();
        move(body);
        slight += !body.spheresAreCurrent();
        const double farthest = (basis.cast<double>() * way).cwiseAbs().maxCoeff();
        EXPECT_GE(body.motionBound() - travelled, farthest * (1.0 - 1e-4)) << z;
        EXPECT_GE(body.relativeMotionBound() - relativeMotionBound, farthest * (1.0 - 1e-4)) << z;
        m_q -= way;
        move(body);
    }
    EXPECT_GT(slight, 100);
}

// By the adversary: each coordinate alone, each axis of turning alone, to and fro.
TEST_F(SlightMoves, NoSphereComesFartherThanIsTold) {
    const ContactSkeleton& skeleton = m_model->skeleton();
    DeformedBody body(m_model);
    const auto centres = [&] {
        const VectorX moved = skeleton.basis.cast<double>() * m_q;
        Points all(3, skeleton.sphereCount());
        for (int b = 0; b < skeleton.sphereCount(); ++b)
            all.col(b) = m_pose.point(Vector3(skeleton.restCentres.col(b).cast<double>() + moved.segment<3>(3 * b)));
        return all;
    };
    int slight = 0;
    for (int kind = 0; kind < m_model->dimension() + 3; ++kind)
        for (int i = 0; i < 40; ++i) {
            const Points before = centres();
            const double travelled = body.motionBound(), size = 1e-4 * (i % 2 ? -1.0 : 1.1);
            if (kind < m_model->dimension())
                m_q[kind] += size;
            else
                m_pose.rotation =
                    Eigen::AngleAxisd(5.0 * size, Vector3::Unit(kind - m_model->dimension())).toRotationMatrix() *
                    m_pose.rotation;
            move(body);
            slight += !body.spheresAreCurrent();
            const double farthest = (centres() - before).colwise().norm().maxCoeff();
            EXPECT_GE(body.motionBound() - travelled, farthest * (1.0 - 1e-12)) << kind << " " << i;
            EXPECT_LE(body.motionBound() - travelled, 1.6 * std::sqrt(3.0) * farthest + 3e-6) << kind << " " << i;
        }
    EXPECT_GT(slight, 300);
}

}  // namespace
}  // namespace pliant
