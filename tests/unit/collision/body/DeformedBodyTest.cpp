// SPDX-License-Identifier: Zlib
// How far a body has travelled, against its points in double precision.
#include <Eigen/Geometry>
#include <Eigen/SVD>
#include <cmath>

#include "unit/collision/SyntheticBasket.h"

namespace pliant {
namespace {

/// A cup, and where its points are: computed from the model, not by the class under test.
class Travel : public testing::Test {
protected:
    Travel() : m_model(std::make_shared<CollisionModel>(test::basketModel(test::BasketShape{}))), m_body(m_model) {
        m_q = VectorX::Zero(m_model->dimension());
        m_last = points();
    }

    /// Points of the segments' axes in the world, eight a segment; the spheres are among them.
    Points points() const {
        const ContactSkeleton& skeleton = m_model->skeleton();
        const VectorX moved = skeleton.basis.cast<double>() * m_q;
        const auto sphere = [&](int b) {
            return m_pose.point(Vector3(skeleton.restCentres.col(b).cast<double>() + moved.segment<3>(3 * b)));
        };
        Points all(3, 8 * skeleton.segmentCount());
        for (int s = 0; s < skeleton.segmentCount(); ++s)
            for (int k = 0; k < 8; ++k) {
                const double share = k / 7.0;
                all.col(8 * s + k) =
                    (1.0 - share) * sphere(skeleton.segments(0, s)) + share * sphere(skeleton.segments(1, s));
            }
        return all;
    }
    /// Moves the body to m_q and m_pose. @return metres that its fastest point moved
    double move() {
        m_body.update(m_q.data(), m_pose);
        const Points now = points();
        const double farthest = (now - m_last).colwise().norm().maxCoeff();
        m_last = now;
        return farthest;
    }

    std::shared_ptr<const CollisionModel> m_model;
    DeformedBody m_body;
    VectorX m_q;
    RigidTransform m_pose;
    Points m_last;
    std::mt19937 m_random{29};
};

TEST_F(Travel, OfAUnitOfQIsTheLargestGain) {
    const MatrixX basis = m_model->skeleton().basis.cast<double>();
    double most = 0.0;
    for (int sphere = 0; sphere < m_model->skeleton().sphereCount(); ++sphere)
        most = std::max(most, Eigen::JacobiSVD<MatrixX>(basis.middleRows(3 * sphere, 3)).singularValues()[0]);
    EXPECT_NEAR(m_model->largestGain(), most, 1e-9 * most);
}

TEST_F(Travel, OfAStepIsThatOfTheFastestPoint) {
    int measured = 0;
    for (int i = 0; i < 60; ++i) {
        // Turned, bent and shifted, by itself and together, by much and by little.
        const double size = std::pow(10.0, -(i % 5));
        if (i % 2) m_q += test::randomCoordinates(m_random, m_model->dimension(), 0.05 * size);
        if (i % 3) {
            const RigidTransform change = test::randomPose(m_random, 0.3 * size);
            const Eigen::AngleAxisd turn(change.rotation);
            m_pose.rotation = Eigen::AngleAxisd(size * turn.angle(), turn.axis()).toRotationMatrix() * m_pose.rotation;
            m_pose.translation += change.translation;
        }
        const bool follows = m_body.outerReach().slack == 0.0;
        const double before = m_body.motionBound(), farthest = move(), travelled = m_body.motionBound() - before;
        EXPECT_GE(travelled, farthest * (1.0 - 1e-12)) << i;
        // The largest of each coordinate, in single precision; between whole moves of all spheres, otherwise of some,
        // with what those do not tell of the others.
        const bool isMeasured = follows && m_body.outerReach().slack == 0.0;
        measured += isMeasured;
        EXPECT_LE(travelled, (isMeasured ? 1.0 : 1.6) * std::sqrt(3.0) * farthest + 3e-6) << i;
    }
    EXPECT_GT(measured, 10);
    EXPECT_LT(measured, 50);
}

TEST_F(Travel, BetweenTwoStatesNoPointComesFarther) {
    m_pose.translation = Vector3(1e4, 0.0, 0.0);
    move();
    const Points start = points();
    const double before = m_body.motionBound();
    double farthest = 0.0;
    for (int i = 0; i < 400; ++i) {  // there and back again
        const double t = 2.0 * 3.14159265358979324 * i / 399.0;
        m_pose.translation = Vector3(1e4 + 0.02 * std::sin(t), 0.01 * (1.0 - std::cos(t)), 0.0);
        m_pose.rotation = Eigen::AngleAxisd(0.1 * std::sin(t), Vector3::UnitZ()).toRotationMatrix();
        m_q.setConstant(0.003 * std::sin(t));
        move();
        farthest = std::max(farthest, (m_last - start).colwise().norm().maxCoeff());
        ASSERT_GE(m_body.motionBound() - before, farthest) << i;
    }
    EXPECT_GT(m_body.motionBound() - before, 3.5 * 0.02) << "the way back counts";
    EXPECT_LT(m_body.motionBound() - before, 4.0 * std::sqrt(3.0) * (farthest + 0.01))
        << "roundings do not add up to it";
}

TEST_F(Travel, NewFramesOfTheSameCoordinatesCount) {
    const double atRest = m_body.motionBound();
    m_pose.translation = Vector3(0.0, 0.3, 0.4);
    m_body.setTransform(m_pose);
    const double moved = m_body.motionBound();
    EXPECT_NEAR(moved - atRest, 0.5, 1e-5);
    EXPECT_GE(moved - atRest, 0.5 * (1.0 - 1e-12));
    m_body.setTransform(m_pose);
    EXPECT_LT(m_body.motionBound() - moved, 3e-6) << "it stays where it is";
}

}  // namespace
}  // namespace pliant
