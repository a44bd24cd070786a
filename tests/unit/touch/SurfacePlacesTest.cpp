// SPDX-License-Identifier: Zlib
// What a contact in a solid's field says that the solid's modes do to the gap is what they do to the distance.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <cstdio>
#include <memory>

#include "pliant/collision/body/SurfacePlaces.h"
#include "pliant/touch/SurfaceContacts.h"
#include "validation/contact/SolidBodies.h"

namespace pliant::test {
namespace {

/// A box whose modes are of the length of a few surface points.
class PlacesOnABox : public ::testing::Test {
protected:
    static std::shared_ptr<const ReducedModel> box() {
        static const auto box = solidBox(Vector3(0.4, 0.2, 0.1), SolidMaterial(), 0.02);
        return box;
    }

    void bend(const VectorX& q) {
        body.update(q.data(), pose);
        field.update(body, q.data());
    }
    FieldSample sampleAt(const Vector3& world, const VectorX& q) {
        bend(q);
        return field.sample(body, world);
    }
    VectorX bentBy(double metres) const {
        VectorX q(model->dimension());
        for (int j = 0; j < q.size(); ++j) q[j] = std::sin(1.0 + 2.3 * j) / (1.0 + j);
        return metres / collision->largestGain() / q.norm() * q;
    }

    std::shared_ptr<const ReducedModel> model = box();
    std::shared_ptr<const CollisionModel> collision = std::make_shared<const CollisionModel>(model);
    std::shared_ptr<const SurfaceModel> surface = std::make_shared<const SurfaceModel>(collision);
    DeformedBody body{collision};
    DeformedField field{surface};
    RigidTransform pose = turned();

private:
    RigidTransform turned() const {
        RigidTransform turned = model->meshFromBody;
        turned.rotation = Eigen::AngleAxisd(0.7, Vector3(0.3, -0.5, 0.8).normalized()).toRotationMatrix();
        return turned;
    }
};

TEST_F(PlacesOnABox, ModesMoveTheFieldAsTheirRowsSay) {
    // Errors of rates by the nearest point alone and by the place itself, over points above a face.
    const VectorX q = bentBy(2e-3);
    const double dq = 1e-4 / collision->largestGain();
    const int r = model->dimension();
    double ofPlaces = 0.0, ofPoints = 0.0, all = 0.0;
    for (int i = 0; i < 60; ++i) {
        const Vector3 rest(-0.17 + 0.0057 * i, -0.08 + 0.16 * std::fmod(0.37 * i, 1.0), 0.0502);
        const Vector3 inBody = model->meshFromBody.inversePoint(rest);
        const Vector3 world = pose.point(inBody);
        const FieldSample sample = sampleAt(world, q);
        ASSERT_FALSE(sample.normal.isZero(0.0)) << i;
        float place = 0.0f;
        const int segment = field.segmentBelow(body, sample, place);
        VectorX rate(r), byPlace(r), byPoint(r);
        const Vector3 direction = pose.rotation.transpose() * sample.normal;
        skeletonPointProject(*collision, segment, place, direction, byPlace.data());
        skeletonPointProject(*collision, segment, 0.0f, direction, byPoint.data());
        for (int j = 0; j < r; ++j) {
            VectorX more = q, less = q;
            more[j] += dq;
            less[j] -= dq;
            rate[j] = -(sampleAt(world, more).distance - sampleAt(world, less).distance) / (2.0 * dq);
        }
        ofPlaces += (byPlace - rate).squaredNorm();
        ofPoints += (byPoint - rate).squaredNorm();
        all += rate.squaredNorm();
    }
    std::printf("rates of the gap are off by %.4f of themselves at places, %.4f at the nearest points\n",
                std::sqrt(ofPlaces / all), std::sqrt(ofPoints / all));
    EXPECT_LT(ofPlaces, 0.01 * 0.01 * all);  // the offset's last bit, of what the point is off by in a spacing
    EXPECT_GT(ofPoints, 0.1 * 0.1 * all) << "the nearest point alone would do";
}

/// A soft ball over a stiff box.
class BallOnABox : public ::testing::Test {
protected:
    BallOnABox() {
        const VectorX still = VectorX::Zero(m_box->dimension());
        m_boxBody.update(still.data(), m_box->meshFromBody);
        m_boxField.update(m_boxBody, still.data());
    }
    /// The lowest place of the ball: the nearest contact of one of its points.
    SkeletonContact lowest(const RigidTransform& pose, const VectorX& q) {
        m_ballBody.update(q.data(), pose);
        m_ballField.update(m_ballBody, q.data());
        SurfacePairSides sides;
        SurfacePairCandidates candidates;
        std::vector<SkeletonContact> found;
        collideSurfaces({&m_ballBody, &m_ballField}, {&m_boxBody, &m_boxField}, 0.01, 1.0, sides, candidates, found);
        SkeletonContact least;
        least.distance = 1.0;
        for (const SkeletonContact& c : found)
            if ((c.feature & 1) == 0 && c.distance < least.distance) least = c;
        return least;
    }
    static std::shared_ptr<const ReducedModel> ball() {
        static const auto ball = solidSphere(0.2, SolidMaterial{2e4, 500.0, 14, 20});
        return ball;
    }
    static std::shared_ptr<const ReducedModel> box() {
        static const auto box = solidBox(Vector3(1.0, 1.0, 0.2));
        return box;
    }

    std::shared_ptr<const ReducedModel> m_ball = ball(), m_box = box();
    std::shared_ptr<const CollisionModel> m_ballModel = std::make_shared<const CollisionModel>(m_ball),
                                          m_boxModel = std::make_shared<const CollisionModel>(m_box);
    DeformedBody m_ballBody{m_ballModel}, m_boxBody{m_boxModel};
    DeformedField m_ballField{std::make_shared<const SurfaceModel>(m_ballModel)},
        m_boxField{std::make_shared<const SurfaceModel>(m_boxModel)};
};

TEST_F(BallOnABox, ModesMoveTheCapsAsTheirRowsSay) {
    const int r = m_ball->dimension();
    VectorX bent(r), byPlace(r), byPoint(r);
    for (int j = 0; j < r; ++j) bent[j] = std::sin(1.0 + 2.3 * j) / (1.0 + j);
    bent *= 4e-3 / m_ballModel->largestGain() / bent.norm();
    const double dq = 1e-4 / m_ballModel->largestGain();
    double ofPlaces = 0.0, ofPoints = 0.0, all = 0.0;
    for (int i = 0; i < 6; ++i) {
        RigidTransform pose = m_ball->meshFromBody;
        pose.rotation =
            Eigen::AngleAxisd(0.3 + 0.37 * i, Vector3(std::cos(1.7 * i), std::sin(1.1 * i), 0.4).normalized()) *
            pose.rotation;
        pose.translation = Vector3(0.02, -0.01, 0.302);
        const SkeletonContact contact = lowest(pose, bent);
        ASSERT_LT(contact.distance, 1.0) << i;
        const Vector3 direction = pose.rotation.transpose() * contact.normal;
        skeletonPointProject(*m_ballModel, contact.segmentA, contact.parameterA, direction, byPlace.data());
        skeletonPointProject(*m_ballModel, contact.segmentA, 0.0f, direction, byPoint.data());
        for (int j = 0; j < r; ++j) {
            VectorX more = bent, less = bent;
            more[j] += dq;
            less[j] -= dq;
            const double rate = (lowest(pose, more).distance - lowest(pose, less).distance) / (2.0 * dq);
            ofPlaces += std::pow(byPlace[j] - rate, 2);
            ofPoints += std::pow(byPoint[j] - rate, 2);
            all += rate * rate;
        }
    }
    std::printf("rates of the gap are off by %.4f of themselves at places of caps, %.4f at their points\n",
                std::sqrt(ofPlaces / all), std::sqrt(ofPoints / all));
    EXPECT_LT(ofPlaces, 0.05 * 0.05 * all);
    EXPECT_GT(ofPoints, 0.08 * 0.08 * all) << "the point alone would do";
}

/// A place is the point itself, or has the offset that was asked for; what is farther is cut.
TEST_F(PlacesOnABox, OffsetsAreKeptToAHundredthOfTheSpacing) {
    const SurfacePlaces& places = collision->surfacePlaces();
    const double spacing = surface->pointSpacing();
    const int r = model->dimension();
    MatrixX there(3, r), beside(3, r);
    const auto sphereAt = surface->nearestPoint(Vector3(0.05, 0.03, 0.05));
    EXPECT_FALSE(places.isPlace(sphereAt, 0.0f));
    EXPECT_TRUE(places.isPlace(sphereAt, places.encode(sphereAt, Vector3::Zero())));
    places.basis(sphereAt, places.encode(sphereAt, Vector3(0.3 * spacing, 0.0, 0.0)), there.data());
    places.basis(sphereAt, places.encode(sphereAt, Vector3(0.304 * spacing, 0.0, 0.0)), beside.data());
    EXPECT_LT((there - beside).norm(), 0.01 * there.norm());
    for (const double share : {-0.73, 0.3, 0.71}) {  // eight bits for each axis, x the lowest
        const auto code = std::lround(std::ldexp(places.encode(sphereAt, Vector3(share * spacing, 0.0, 0.0)), 20));
        EXPECT_NEAR((static_cast<double>(code % 256) - 128.0) * 1.25 / 127.0, share, 0.005);
    }
    EXPECT_EQ(places.encode(sphereAt, Vector3(std::nan(""), 0.0, 0.0)), 0.0f);
    places.basis(sphereAt, places.encode(sphereAt, Vector3(1.25 * spacing, 0.0, 0.0)), there.data());
    places.basis(sphereAt, places.encode(sphereAt, Vector3(7.0 * spacing, 0.0, 0.0)), beside.data());
    EXPECT_EQ(there, beside);
}

}  // namespace
}  // namespace pliant::test
