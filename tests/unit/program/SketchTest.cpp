// SPDX-License-Identifier: Zlib
// Pulls on the linear model, and the file of forces that they become.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "../bridge/BarModel.h"
#include "models/Recordings.h"
#include "sketch/SketchHand.h"

namespace pliant::program {
namespace {

using ::testing::SizeIs;

TEST(LinearPull, ThePointFollowsAndTheForceHoldsItThere) {
    const std::shared_ptr<const ReducedModel> model = test::makeBar(test::anchoredBar());
    LinearPull pull(model);
    const Vector3 tip = model->meshFromBody.point(Vector3(0.45, 0, 0));
    pull.take(tip);
    pull.moveBy(Vector3(0, 0.02, -0.03));
    EXPECT_LT((pull.point() - tip - Vector3(0, 0.02, -0.03)).norm(), 1e-9);
    // K0 q = U' f: the work of the force is twice the elastic energy.
    const VectorX modal = model->restEigenvectors.transpose() * pull.q();
    const double energy = 0.5 * modal.cwiseAbs2().dot(model->restEigenvalues);
    EXPECT_NEAR(0.5 * pull.force().force.dot(Vector3(0, 0.02, -0.03)), energy, 1e-9 * energy);
    pull.release();
    EXPECT_EQ(pull.q().norm(), 0.0);
}

TEST(SketchHand, DrawsForcesThatReduceReads) {
    const std::shared_ptr<const ReducedModel> model = test::makeBar(test::anchoredBar());
    const osg::ref_ptr<osgPliant::BodyGroup> picture = new osgPliant::BodyGroup(new osgPliant::ModelGeometry(model), 1);
    const osg::ref_ptr<SketchHand> hand = new SketchHand(model, picture);
    const Vector3 middle = model->meshFromBody.point(Vector3(0.4, 0, 0));
    const osg::Vec3d eye(middle.x(), middle.y() - 3.0, middle.z()), end(middle.x(), middle.y() + 3.0, middle.z());
    EXPECT_FALSE(hand->take(eye + osg::Vec3d(0, 0, 2), end + osg::Vec3d(0, 0, 2))) << "nothing there";
    ASSERT_TRUE(hand->take(eye, end));
    hand->move(eye, end + osg::Vec3d(0, 0, 0.1));
    osg::Matrixd frame;
    std::vector<double> q;
    ASSERT_TRUE(picture->getBody(0, frame, q));
    EXPECT_GT(std::abs(q[0]) + std::abs(q[1]), 0.0) << "the picture bends";
    hand->release();
    ASSERT_TRUE(hand->take(eye, end));
    hand->move(eye, end + osg::Vec3d(0, 0, -0.2));
    hand->release();
    ASSERT_THAT(hand->forces(), SizeIs(2));
    EXPECT_GT(hand->forces()[0].force.z(), 0.0);
    EXPECT_LT(hand->forces()[1].force.z(), 0.0);

    const std::string path = ::testing::TempDir() + "pliant_sketch.yaml";
    std::ofstream(path) << sketchText(hand->forces(), 0.01);
    ReduceOptions options;
    readSketch(path, options);
    ASSERT_THAT(options.sketch, SizeIs(2));
    for (std::size_t i = 0; i < 2; ++i) {
        const DrawnForce& drawn = hand->forces()[i];
        EXPECT_EQ(options.sketch[i].position, Vector3(drawn.position / 0.01)) << "in centimetres, to the last bit";
        EXPECT_EQ(options.sketch[i].force, drawn.force) << "to the last bit";
    }
    hand->forget();
    EXPECT_THAT(hand->forces(), SizeIs(1));
    std::filesystem::remove(path);
}

}  // namespace
}  // namespace pliant::program
