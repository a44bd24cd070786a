// SPDX-License-Identifier: Zlib
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <atomic>
#include <osg/MatrixTransform>
#include <osgUtil/IntersectionVisitor>
#include <osgUtil/LineSegmentIntersector>
#include <osgUtil/Optimizer>
#include <osgUtil/PolytopeIntersector>
#include <osgUtil/UpdateVisitor>
#include <thread>

#include "PixelOf.h"
#include "SkinModels.h"
#include "TestModels.h"
#include "osgPliant/BodyGroup.h"
#include "osgPliant/Conversions.h"
#include "osgPliant/CpuDeformation.h"
#include "osgPliant/HeadlessViewer.h"
#include "osgPliant/Stage.h"

using namespace pliant::test;
using osgPliant::BodyGroup;
using osgPliant::ModelGeometry;

namespace {

osg::Matrixd placed(double x, double y = 0.0, double z = 0.0) {
    return osg::Matrixd::rotate(0.4, osg::Vec3d(1.0, 2.0, 0.5)) * osg::Matrixd::translate(x, y, z);
}

void update(osg::Node& node) {
    osgUtil::UpdateVisitor visitor;
    visitor.setFrameStamp(new osg::FrameStamp);
    node.accept(visitor);
}

std::vector<osgUtil::LineSegmentIntersector::Intersection> shoot(osg::Node& node, const osg::Vec3d& from,
                                                                 const osg::Vec3d& to) {
    osg::ref_ptr<osgUtil::LineSegmentIntersector> ray = new osgUtil::LineSegmentIntersector(from, to);
    osgUtil::IntersectionVisitor visitor(ray);
    node.accept(visitor);
    return {ray->getIntersections().begin(), ray->getIntersections().end()};
}

}  // namespace

TEST(BodyGroup, BoundsHoldEveryDeformedVertex) {
    const auto model = makeTorus();
    osg::ref_ptr<BodyGroup> group = new BodyGroup(new ModelGeometry(model), 5);
    for (int i = 0; i < 5; ++i) group->setBody(i, placed(0.8 * i), makeCoordinates(10, i, 0.05).data());
    update(*group);
    const osg::BoundingSphere sphere = group->getBound();
    for (int i = 0; i < 5; ++i) {
        const osg::BoundingBoxd box = group->getBodyBound(i);
        pliant::PointsF positions;
        osgPliant::deformOnCpu(*model, group->getQ(i).data(), positions);
        double slack = 1e9;
        for (Eigen::Index v = 0; v < positions.cols(); ++v) {
            const osg::Vec3d x =
                osg::Vec3d(positions(0, v), positions(1, v), positions(2, v)) * group->getWorldFromBody(i);
            EXPECT_TRUE(box.contains(x));
            EXPECT_TRUE(sphere.contains(x));
            slack = std::min(slack, box.xMax() - x.x());
        }
        EXPECT_LT(slack, 1.0) << "the box is of use";
    }
}

TEST(BodyGroup, OnlyDrawnBodiesCount) {
    const auto model = makeTorus();
    osg::ref_ptr<BodyGroup> group = new BodyGroup(new ModelGeometry(model), 3);
    EXPECT_FALSE(group->getBodiesBound().valid()) << "nothing is placed yet";
    EXPECT_FALSE(group->getBodyVisible(0));
    const std::vector<double> q(10, 0.0);
    for (int i = 0; i < 3; ++i) group->setBody(i, placed(5.0 * i), q.data());
    EXPECT_TRUE(group->getBodyVisible(2));
    EXPECT_GT(group->getBodiesBound().xMax(), 10.0);
    group->setBodyVisible(2, false);
    EXPECT_LT(group->getBodiesBound().xMax(), 6.0);
    group->setBody(2, placed(20.0), q.data());
    EXPECT_FALSE(group->getBodyVisible(2)) << "hidden stays hidden";
    group->setBodyVisible(2, true);
    EXPECT_GT(group->getBodiesBound().xMax(), 19.0);
    group->removeBody(2);
    EXPECT_LT(group->getBodiesBound().xMax(), 6.0);
    group->setBody(2, placed(5.0), q.data());
    EXPECT_TRUE(group->getBodyVisible(2)) << "a removed number may be used again";
    group->setBody(99, placed(0.0), q.data());  // ignored
    group->setBody(-1, placed(0.0), q.data());
    EXPECT_EQ(group->getBodyCount(), 3);
}

TEST(BodyGroup, MeshFrameGoesThroughTheModel) {
    const auto model = makeTorus();
    model->meshFromBody.translation = pliant::Vector3(1.0, 2.0, 3.0);
    model->meshFromBody.rotation << 0, -1, 0, 1, 0, 0, 0, 0, 1;
    osg::ref_ptr<BodyGroup> group = new BodyGroup(new ModelGeometry(model), 1);
    const std::vector<double> q(10, 0.0);
    group->setBodyFromMesh(0, placed(4.0), q.data());
    const osg::Vec3d point(0.1, 0.2, 0.3);
    const osg::Vec3d throughMesh = osgPliant::toOsg(model->meshFromBody.point(osgPliant::fromOsg(point))) * placed(4.0);
    EXPECT_LT((point * group->getWorldFromBody(0) - throughMesh).length(), 1e-12);
}

TEST(BodyGroup, RaysHitTheDeformedTriangles) {
    const auto model = makeTorus();
    osg::ref_ptr<BodyGroup> group = new BodyGroup(new ModelGeometry(model), 4);
    for (int i = 0; i < 4; ++i) group->setBody(i, placed(1.5 * i), makeCoordinates(10, i, 0.04).data());
    update(*group);
    for (int i = 0; i < 4; ++i) {
        // Through the middle of a triangle of the deformed body, along its normal, from outside.
        pliant::PointsF x;
        osgPliant::deformOnCpu(*model, group->getQ(i).data(), x);
        const auto corner = model->surface.triangles.col(100);
        const Eigen::Vector3f middle = (x.col(corner[0]) + x.col(corner[1]) + x.col(corner[2])) / 3.0f;
        const Eigen::Vector3f out =
            (x.col(corner[1]) - x.col(corner[0])).cross(x.col(corner[2]) - x.col(corner[0])).normalized();
        const Eigen::Vector3f outside = middle + 0.02f * out, inside = middle - 0.02f * out;
        const osg::Matrixd frame = group->getWorldFromBody(i);
        const auto hits = shoot(*group, osg::Vec3d(outside.x(), outside.y(), outside.z()) * frame,
                                osg::Vec3d(inside.x(), inside.y(), inside.z()) * frame);
        ASSERT_FALSE(hits.empty());
        EXPECT_EQ(BodyGroup::getBodyHit(hits.front()), i);
        EXPECT_NEAR(hits.front().ratio, 0.5, 1e-3);
        EXPECT_EQ(hits.front().primitiveIndex, 100u);
    }
    EXPECT_TRUE(shoot(*group, osg::Vec3d(-50.0, 30.0, 0.0), osg::Vec3d(50.0, 30.0, 0.0)).empty());
    EXPECT_TRUE(
        shoot(*group, osg::Vec3d(0.0, 0.0, 0.0) * placed(0.0), osg::Vec3d(0.01, 0.01, 0.0) * placed(0.0)).empty())
        << "the hole of the ring";
}

TEST(BodyGroup, HitsTellTheMaterialPoint) {
    const auto model = makeTorus();
    model->meshFromBody.translation = pliant::Vector3(1.0, 2.0, 3.0);
    osg::ref_ptr<BodyGroup> group = new BodyGroup(new ModelGeometry(model), 2);
    for (int i = 0; i < 2; ++i) group->setBody(i, placed(1.5 * i), makeCoordinates(10, i, 0.04).data());
    osg::ref_ptr<osg::MatrixTransform> place = new osg::MatrixTransform(osg::Matrixd::translate(7.0, 0.0, 0.0));
    place->addChild(group);
    update(*place);
    pliant::PointsF x;
    osgPliant::deformOnCpu(*model, group->getQ(1).data(), x);
    const auto corner = model->surface.triangles.col(100);
    const auto weighted = [&](const auto& points) {
        return (0.5 * points.col(corner[0]) + 0.3 * points.col(corner[1]) + 0.2 * points.col(corner[2])).eval();
    };
    const pliant::Vector3 rest = weighted(model->surface.positions) + model->meshFromBody.translation;
    const pliant::Vector3 middle = weighted(x.cast<double>().eval());
    const pliant::Vector3 edge = (x.col(corner[1]) - x.col(corner[0])).cast<double>();
    const pliant::Vector3 out = edge.cross((x.col(corner[2]) - x.col(corner[0])).cast<double>()).normalized();
    const osg::Matrixd frame = group->getWorldFromBody(1);
    const osg::Matrixd toWorld = frame * place->getMatrix();
    const auto check = [&](const osgPliant::BodyHit& hit, double tolerance) {
        ASSERT_TRUE(hit.isValid());
        EXPECT_EQ(hit.group, group);
        EXPECT_EQ(hit.body, 1);
        EXPECT_EQ(hit.triangle, 100);
        EXPECT_LT((hit.point - osgPliant::toOsg(middle) * frame).length(), tolerance);
        EXPECT_LT((hit.restPoint - osgPliant::toOsg(rest)).length(), 1.5 * tolerance);
    };
    const osg::Vec3d from = osgPliant::toOsg((middle + 0.02 * out).eval()) * toWorld;
    const osg::Vec3d to = osgPliant::toOsg((middle - 0.02 * out).eval()) * toWorld;
    const auto hits = shoot(*place, from, to);
    ASSERT_FALSE(hits.empty());
    check(BodyGroup::getHit(hits.front()), 1e-5);

    // A thin square rod along the same line.
    constexpr double half = 1e-4;
    osg::Vec3d along = to - from;
    along.normalize();
    osg::Vec3d side = along ^ osg::Vec3d(0.3, 0.4, 0.5);
    side.normalize();
    const osg::Vec3d other = along ^ side;
    osg::Polytope rod;
    for (const osg::Vec3d& normal : {side, -side, other, -other}) rod.add(osg::Plane(normal, from - normal * half));
    rod.add(osg::Plane(along, from));
    rod.add(osg::Plane(-along, to));
    osg::ref_ptr<osgUtil::PolytopeIntersector> intersector = new osgUtil::PolytopeIntersector(rod);
    osgUtil::IntersectionVisitor visitor(intersector);
    place->accept(visitor);
    ASSERT_TRUE(intersector->containsIntersections());
    check(BodyGroup::getHit(*intersector->getIntersections().begin()), 5 * half);
}

TEST(BodyGroup, AStepIsShownWholeOrNotAtAll) {
    const auto model = makeTorus();
    constexpr int bodies = 400;
    osg::ref_ptr<BodyGroup> group = new BodyGroup(new ModelGeometry(model), bodies);
    pliant::Poses poses;
    poses.resize(bodies, 10);
    std::atomic<bool> stop(false);
    std::thread physics([&] {
        for (int step = 1; !stop; ++step) {
            for (int i = 0; i < bodies; ++i) poses.worldFromBody[static_cast<std::size_t>(i)].translation.x() = step;
            EXPECT_TRUE(group->show(poses));
            std::this_thread::yield();
        }
    });
    int mixed = 0, seen = 0;
    for (float last = 0.0f; seen < 100;) {
        update(*group);
        const osg::BoundingSphere sphere = group->getBound();  // of what is shown; a step apart is a metre wider
        if (!sphere.valid() || sphere.center().x() == last) continue;
        last = sphere.center().x();
        ++seen;
        mixed += sphere.radius() > 0.95f;
    }
    stop = true;
    physics.join();
    EXPECT_EQ(mixed, 0);
    poses.resize(bodies + 1, 10);
    EXPECT_FALSE(group->show(poses));
    poses.resize(bodies, 9);
    EXPECT_FALSE(group->show(poses));
}

TEST(BodyGroup, PickingFollowsTheBody) {
    const auto model = makeTorus();
    osg::ref_ptr<BodyGroup> group = new BodyGroup(new ModelGeometry(model), 1);
    const std::vector<double> q(10, 0.0);
    group->setBody(0, osg::Matrixd(), q.data());
    update(*group);
    const osg::Vec3d above(0.35, 1.0, 0.0), below(0.35, -1.0, 0.0), away(3.0, 0.0, 0.0);
    EXPECT_FALSE(shoot(*group, above, below).empty());
    group->setBody(0, osg::Matrixd::translate(away), q.data());
    EXPECT_FALSE(shoot(*group, above, below).empty()) << "what one sees is what one picks";
    update(*group);
    EXPECT_TRUE(shoot(*group, above, below).empty());
    EXPECT_FALSE(shoot(*group, above + away, below + away).empty());
}

TEST(BodyGroup, CopiesAreIndependent) {
    const auto model = makeTorus();
    osg::ref_ptr<BodyGroup> group = new BodyGroup(new ModelGeometry(model), 2);
    group->addChild(new osg::Group);
    group->setAttributeNames("place", "facing");
    const std::vector<double> q = makeCoordinates(10, 1);
    group->setBody(0, placed(1.0), q.data());
    for (const auto flags : {osg::CopyOp::SHALLOW_COPY, osg::CopyOp::DEEP_COPY_ALL}) {
        osg::ref_ptr<BodyGroup> copy = osg::clone(group.get(), osg::CopyOp(flags));
        ASSERT_TRUE(copy.valid());
        EXPECT_STREQ(copy->className(), "BodyGroup");
        EXPECT_EQ(copy->getBodyCount(), 2);
        EXPECT_EQ(copy->getNumChildren(), 1u);
        EXPECT_EQ(copy->getPositionName(), "place");
        EXPECT_EQ(copy->getNormalName(), "facing");
        EXPECT_EQ(copy->getQ(0), q);
        copy->setBody(0, placed(9.0), q.data());
        EXPECT_NEAR(group->getWorldFromBody(0)(3, 0), 1.0, 1e-12);
        update(*copy);
        EXPECT_FALSE(shoot(*copy, osg::Vec3d(9.0, 1.0, 0.0) + osg::Vec3d(0.3, 0.0, 0.0),
                           osg::Vec3d(9.0, -1.0, 0.0) + osg::Vec3d(0.3, 0.0, 0.0))
                         .empty());
    }
}

TEST(BodyGroup, DefaultConstructedIsEmptyAndHarmless) {
    osg::ref_ptr<BodyGroup> group = new BodyGroup;
    const double q = 0.0;
    group->setBodyCount(2);
    group->setBody(0, osg::Matrixd(), &q);
    update(*group);
    EXPECT_FALSE(group->getBound().valid());
    EXPECT_TRUE(shoot(*group, osg::Vec3d(-1.0, 0.0, 0.0), osg::Vec3d(1.0, 0.0, 0.0)).empty());
}

TEST(BodyGroup, MayLoseItsLookAfterItWasDrawn) {
    PLIANT_NEEDS_OPENGL();
    const auto model = makeTorus();
    osg::ref_ptr<BodyGroup> group = new BodyGroup(new ModelGeometry(model), 1);
    group->setBody(0, placed(0.0), makeCoordinates(10, 3, 0.05).data());
    osgPliant::HeadlessOptions options;
    options.width = 160;
    options.height = 100;
    osgPliant::HeadlessViewer viewer(options);
    viewer.setCamera(osg::Vec3d(1.0, 1.0, 2.0), osg::Vec3d(), osg::Vec3d(0.0, 1.0, 0.0));
    viewer.setScene(group);
    const auto picture = [&] {
        return osg::ref_ptr<osg::Image>(new osg::Image(*viewer.render(0.0), osg::CopyOp::DEEP_COPY_ALL));
    };
    const osg::ref_ptr<osg::Image> drawn = picture();
    group->setSkin(nullptr);
    EXPECT_FALSE(group->getBound().valid());
    const osg::ref_ptr<osg::Image> nothing = picture();
    EXPECT_GT(countDifferentPixels(*drawn, *nothing, 8), 100);
    group->setModelGeometry(new ModelGeometry(model));
    EXPECT_EQ(countDifferentPixels(*drawn, *picture(), 1), 0) << "bodies stay where they were";
    group->setSkin(new osgPliant::Skin);
    EXPECT_EQ(countDifferentPixels(*nothing, *picture(), 1), 0);
    group->setModelGeometry(new ModelGeometry(model));
    viewer.render(0.1);
    group->setModelGeometry(nullptr);
    EXPECT_EQ(countDifferentPixels(*nothing, *picture(), 1), 0);
    EXPECT_TRUE(shoot(*group, osg::Vec3d(-1.0, 0.0, 0.0), osg::Vec3d(1.0, 0.0, 0.0)).empty());
}

TEST(BodyGroup, MayGrowAndShrinkWhileItIsDrawn) {
    PLIANT_NEEDS_OPENGL();
    const auto model = makeTorus();
    const std::vector<double> q(10, 0.0);
    osg::ref_ptr<BodyGroup> group = new BodyGroup(new ModelGeometry(model), 1);
    osgPliant::HeadlessOptions options;
    options.width = 200;
    options.height = 100;
    osgPliant::HeadlessViewer viewer(options);
    osg::ref_ptr<osgPliant::Stage> stage = new osgPliant::Stage;
    stage->addChild(group);
    viewer.setScene(stage);
    viewer.setCamera(osg::Vec3d(1.0, 4.0, 0.01), osg::Vec3d(1.0, 0.0, 0.0), osg::Vec3d(0.0, 0.0, -1.0));
    const auto coloured = [&](int count) {  // pixels that are not sky, column by column of the window
        group->setBodyCount(count);
        for (int i = 0; i < count; ++i) group->setBody(i, osg::Matrixd::translate(1.0 * i, 0.0, 0.0), q.data());
        const osg::Image* image = viewer.render(0.0);
        int pixels = 0;
        for (int y = 0; y < 100; ++y) {
            for (int x = 0; x < 200; ++x) pixels += pixelOf(*image, x, y)[0] > pixelOf(*image, x, y)[2] + 20;
        }
        return pixels;
    };
    const int one = coloured(1);
    EXPECT_GT(one, 100);
    const int three = coloured(3);
    EXPECT_GT(three, 2 * one);
    EXPECT_NEAR(coloured(1), one, 3);
    EXPECT_EQ(coloured(0), 0);
    EXPECT_NEAR(coloured(3), three, 3);
}

TEST(BodyGroup, AnotherViewerDrawsWhatAClosedOneHasDrawn) {
    PLIANT_NEEDS_OPENGL();
    const auto model = makeTorus();
    const osg::Vec3d eye(1.0, 1.0, 2.0), centre;
    osgPliant::HeadlessOptions options;
    options.width = 160;
    options.height = 100;
    osg::ref_ptr<osg::Image> pictures[2];
    osg::ref_ptr<BodyGroup> kept;
    for (auto& picture : pictures) {
        osg::ref_ptr<BodyGroup> group = new BodyGroup(new ModelGeometry(model), 1);
        group->setBody(0, placed(0.0), makeCoordinates(10, 3, 0.05).data());
        osgPliant::HeadlessViewer viewer(options);
        viewer.setCamera(eye, centre, osg::Vec3d(0.0, 1.0, 0.0));
        viewer.setScene(group);
        picture = new osg::Image(*viewer.render(0.0), osg::CopyOp::DEEP_COPY_ALL);
        viewer.setScene(new osg::Group);  // the viewer closes without it
        viewer.render(0.1);
        kept = group;
    }
    EXPECT_EQ(countDifferentPixels(*pictures[0], *pictures[1], 1), 0) << "a body of its own";
    osgPliant::HeadlessViewer viewer(options);
    viewer.setCamera(eye, centre, osg::Vec3d(0.0, 1.0, 0.0));
    viewer.setScene(kept);
    EXPECT_EQ(countDifferentPixels(*pictures[0], *viewer.render(0.0), 1), 0) << "the same body";
}

TEST(BodyGroup, SurvivesTheOptimizer) {
    PLIANT_NEEDS_OPENGL();
    const auto model = makeTorus();
    osg::ref_ptr<BodyGroup> group = new BodyGroup(new ModelGeometry(model), 2);
    for (int i = 0; i < 2; ++i) group->setBody(i, placed(0.5 * i), makeCoordinates(10, i).data());
    osg::ref_ptr<osgPliant::Stage> stage = new osgPliant::Stage;
    stage->addChild(group);
    const osg::Vec3d eye(1.0, 1.0, 2.0), centre(0.25, 0.0, 0.0);
    const auto before = renderPicture(stage, "before_optimizer", eye, centre);
    osgUtil::Optimizer().optimize(stage, osgUtil::Optimizer::ALL_OPTIMIZATIONS);
    const auto after = renderPicture(stage, "after_optimizer", eye, centre);
    ASSERT_TRUE(before && after);
    EXPECT_EQ(countDifferentPixels(*before, *after, 2), 0);
}
