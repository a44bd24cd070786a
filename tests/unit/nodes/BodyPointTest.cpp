// SPDX-License-Identifier: Zlib
// Children that ride on material points, against u = U q of the simulation mesh computed here.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <osg/MatrixTransform>

#include "SkinModels.h"
#include "TestModels.h"
#include "osgPliant/BodyPoint.h"
#include "osgPliant/Conversions.h"
#include "osgPliant/CpuDeformation.h"

using namespace pliant::test;
using osgPliant::BodyGroup;
using osgPliant::BodyPoint;

namespace {

osg::Matrixd pointFrame(double x) {
    return osg::Matrixd::rotate(0.7, osg::Vec3d(1.0, 2.0, -0.5)) * osg::Matrixd::translate(x, 1.0, -2.0);
}

/// Where the point of the drawn surface with this number is, in the group's coordinates.
osg::Vec3d vertexOf(const pliant::ReducedModel& model, int vertex, const std::vector<double>& q,
                    const osg::Matrixd& worldFromBody) {
    pliant::PointsF positions;
    osgPliant::deformOnCpu(model, q.data(), positions);
    return osgPliant::toOsg(positions.col(vertex).cast<double>().eval()) * worldFromBody;
}

/// Where a vertex rests, mesh frame.
osg::Vec3d restOf(const pliant::ReducedModel& model, int vertex) {
    return osgPliant::toOsg(model.meshFromBody.point(model.surface.positions.col(vertex)));
}

osg::ref_ptr<BodyGroup> groupOf(const std::shared_ptr<pliant::ReducedModel>& model) {
    return new BodyGroup(new osgPliant::ModelGeometry(model), 2);
}

}  // namespace

TEST(BodyPoint, FollowsTheMaterial) {
    const auto model = makeBrickTorus();
    const osg::ref_ptr<BodyGroup> group = groupOf(model);
    for (const int vertex : {0, 333, 800}) {
        const osg::ref_ptr<BodyPoint> point = new BodyPoint(group, 1, restOf(*model, vertex));
        for (int seed = 0; seed < 5; ++seed) {
            const std::vector<double> q = makeCoordinates(brickTorusDimension, seed, 0.02);
            group->setBody(1, pointFrame(seed), q.data());
            updateOnce(*group);
            const osg::Vec3d expected = vertexOf(*model, vertex, q, pointFrame(seed));
            EXPECT_LT((point->getMatrix().getTrans() - expected).length(), 1e-6);
            EXPECT_GT((point->getMatrix().getTrans() -
                       vertexOf(*model, vertex, std::vector<double>(7, 0.0), pointFrame(seed)))
                          .length(),
                      1e-4)
                << "it would show if the deformation were left out";
        }
    }
}

// A basis that turns the whole mesh by linearised rotation, F = 1 + angle [axis]x, whose nearest rotation is known.
TEST(BodyPoint, TurnsWithTheMaterial) {
    const auto model = makeBrickTorus();
    const Eigen::Vector3d axis = Eigen::Vector3d(0.2, -0.7, 0.5).normalized();
    const Eigen::Matrix3d turning = pliant::crossMatrix(axis);
    model->basis = pliant::MatrixX::Zero(3 * model->mesh.positions.cols(), 1);
    for (Eigen::Index v = 0; v < model->mesh.positions.cols(); ++v)
        model->basis.block<3, 1>(3 * v, 0) = turning * model->meshFromBody.inversePoint(model->mesh.positions.col(v));
    model->surfaceBasis = pliant::MatrixXf::Zero(model->surfaceBasis.rows(), 1);
    model->surfaceNormalBasis = model->surfaceBasis;
    const osg::ref_ptr<BodyGroup> group = groupOf(model);
    const osg::ref_ptr<BodyPoint> point = new BodyPoint(group, 0, osg::Vec3d(0.36, 0.02, 0.05));
    const double q = 0.8;
    group->setBody(0, pointFrame(3.0), &q);
    updateOnce(*group);
    // The polar decomposition of 1 + q [a]x is the rotation about a by atan(q).
    const Eigen::Matrix3d nearest =
        Eigen::AngleAxisd(std::atan(q), axis).toRotationMatrix() * model->meshFromBody.rotation.transpose();
    pliant::RigidTransform local;
    local.rotation = nearest;
    const osg::Matrixd expected = osgPliant::toOsg(local) * pointFrame(3.0);
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column)
            EXPECT_NEAR(point->getMatrix()(row, column), expected(row, column), 1e-12);
}

TEST(BodyPoint, ChildrenAreWhereThePointIs) {
    const auto model = makeBrickTorus();
    const osg::ref_ptr<BodyGroup> group = groupOf(model);
    const osg::ref_ptr<osg::MatrixTransform> above = new osg::MatrixTransform(osg::Matrixd::translate(0.0, 0.0, 9.0));
    above->addChild(group);
    const osg::ref_ptr<BodyPoint> point = new BodyPoint(group, 0, restOf(*model, 100));
    const osg::ref_ptr<osg::Group> child = new osg::Group;
    child->setInitialBound(osg::BoundingSphere(osg::Vec3(), 0.01f));
    point->addChild(child);
    group->addChild(point);
    for (int seed = 1; seed < 4; ++seed) {
        const std::vector<double> q = makeCoordinates(brickTorusDimension, seed, 0.02);
        group->setBody(0, pointFrame(5.0 * seed), q.data());
        updateOnce(*above);
        const osg::Vec3d expected = vertexOf(*model, 100, q, pointFrame(5.0 * seed));
        EXPECT_LT((osg::Vec3d(point->getBound().center()) - expected).length(), 1e-5) << "bounds follow";
        const osg::Matrixd world = osg::computeLocalToWorld(child->getParentalNodePaths().front());
        EXPECT_LT((world.getTrans() - expected - osg::Vec3d(0.0, 0.0, 9.0)).length(), 1e-6);
        const osg::Matrixd back = osg::computeWorldToLocal(child->getParentalNodePaths().front());
        EXPECT_LT(((expected + osg::Vec3d(0.0, 0.0, 9.0)) * back).length(), 1e-6);
    }
}

TEST(BodyPoint, OutlivesItsGroupAndFollowsAnotherLook) {
    const auto model = makeBrickTorus();
    osg::ref_ptr<BodyGroup> group = groupOf(model);
    const osg::ref_ptr<BodyPoint> point = new BodyPoint(group, 0, restOf(*model, 5));
    const osg::ref_ptr<BodyPoint> copy = osg::clone(point.get());
    EXPECT_TRUE(point->getMatrix().isIdentity()) << "the body is not there yet";
    group->setBody(0, pointFrame(1.0), makeCoordinates(brickTorusDimension, 3).data());
    updateOnce(*group);
    const osg::Matrixd before = point->getMatrix();
    EXPECT_EQ(copy->getMatrix(), before);
    const auto other = std::make_shared<pliant::ReducedModel>(*model);
    other->basis *= 0.0;
    group->setModelGeometry(new osgPliant::ModelGeometry(other));
    EXPECT_LT((point->getMatrix().getTrans() -
               restOf(*model, 5) * osg::Matrixd::inverse(osgPliant::toOsg(model->meshFromBody)) * pointFrame(1.0))
                  .length(),
              1e-12);
    group = nullptr;
    EXPECT_EQ(point->getBodyGroup(), nullptr);
    const osg::Matrixd last = point->getMatrix();
    EXPECT_EQ(point->getMatrix(), last);
    point->setPoint(nullptr, -1, osg::Vec3d());
}
