// SPDX-License-Identifier: Zlib
// Looks that get another model while groups hold them.
#include <gtest/gtest.h>

#include <osgUtil/IntersectionVisitor>
#include <osgUtil/LineSegmentIntersector>

#include "SkinModels.h"
#include "TestModels.h"
#include "osgPliant/BodyGroup.h"
#include "osgPliant/Conversions.h"
#include "osgPliant/CpuDeformation.h"

using namespace pliant::test;
using osgPliant::BodyGroup;
using osgPliant::ModelGeometry;

namespace {

/// How far a ray through a vertex's place under u = U q, along its normal, hits from there, m.
double missOf(BodyGroup& group, int body, const pliant::PointsF& positions, const pliant::SurfaceMesh& surface) {
    double worst = 0.0;
    for (const int t : {3, 200, 711}) {
        const auto corner = surface.triangles.col(t);
        const Eigen::Vector3d a = positions.col(corner[0]).cast<double>(), b = positions.col(corner[1]).cast<double>(),
                              c = positions.col(corner[2]).cast<double>();
        const Eigen::Vector3d middle = (a + b + c) / 3.0, out = (b - a).cross(c - a).normalized();
        const osg::Matrixd frame = group.getWorldFromBody(body);
        osg::ref_ptr<osgUtil::LineSegmentIntersector> ray =
            new osgUtil::LineSegmentIntersector(osgPliant::toOsg((middle + 0.02 * out).eval()) * frame,
                                                osgPliant::toOsg((middle - 0.02 * out).eval()) * frame);
        osgUtil::IntersectionVisitor visitor(ray);
        group.accept(visitor);
        if (!ray->containsIntersections()) return 1.0;
        worst = std::max(
            worst, (ray->getFirstIntersection().getWorldIntersectPoint() - osgPliant::toOsg(middle) * frame).length());
    }
    return worst;
}

void checkDeformed(BodyGroup& group, const pliant::ReducedModel& model, int seed) {
    const std::vector<double> q = makeCoordinates(model.dimension(), seed, 0.03);
    group.setBody(0, osg::Matrixd::translate(0.5, 0.0, 0.0), q.data());
    updateOnce(group);
    ASSERT_EQ(group.getQ(0), q);
    pliant::PointsF positions;
    osgPliant::deformOnCpu(model, q.data(), positions);
    EXPECT_LT(missOf(group, 0, positions, model.surface), 1e-5);
}

std::shared_ptr<pliant::ReducedModel> torusOf(int dimension) {
    TorusOptions options;
    options.dimension = dimension;
    return makeTorus(options);
}

}  // namespace

TEST(LookChange, GroupsFollowTheDimensionOfAnotherModel) {
    const osg::ref_ptr<ModelGeometry> geometry = new ModelGeometry(torusOf(4));
    const osg::ref_ptr<BodyGroup> group = new BodyGroup(geometry, 3), other = new BodyGroup(geometry, 1);
    { const osg::ref_ptr<BodyGroup> gone = new BodyGroup(geometry, 1); }
    checkDeformed(*group, *geometry->getModel(), 1);
    for (const int dimension : {12, 0, 7}) {
        geometry->setModel(torusOf(dimension));
        EXPECT_EQ(group->getQ(0), std::vector<double>(static_cast<std::size_t>(dimension), 0.0)) << "at rest";
        EXPECT_EQ(other->getQ(0).size(), static_cast<std::size_t>(dimension));
        EXPECT_EQ(group->getWorldFromBody(0), osg::Matrixd::translate(0.5, 0.0, 0.0)) << "where it was";
        pliant::Poses poses;
        poses.resize(2, dimension);
        EXPECT_TRUE(group->show(poses));
        checkDeformed(*group, *geometry->getModel(), dimension);
    }
    geometry->setModel(nullptr);
    EXPECT_FALSE(group->getBodiesBound().valid());
    updateOnce(*group);
}

TEST(LookChange, GroupsFollowASkinOfAnotherModel) {
    const auto model = makeBrickTorus();
    const auto shorter = std::make_shared<pliant::ReducedModel>(*model);
    shorter->basis = model->basis.leftCols(3).eval();
    const osg::ref_ptr<osg::Group> node =
        makeSkinNode(inMeshFrame(*model, std::vector<double>(brickTorusDimension, 0.0)));
    const osg::ref_ptr<osgPliant::Skin> skin = osgPliant::Skin::bind(node, shorter);
    const osg::ref_ptr<BodyGroup> group = new BodyGroup(skin, 1);
    const osg::ref_ptr<BodyGroup> copy = new BodyGroup(*group);
    EXPECT_EQ(group->getQ(0).size(), 3u);
    ASSERT_TRUE(skin->setNode(node, model));
    EXPECT_EQ(group->getQ(0).size(), static_cast<std::size_t>(brickTorusDimension));
    EXPECT_EQ(copy->getQ(0).size(), static_cast<std::size_t>(brickTorusDimension));

    // A group that has left the look does not follow it any more.
    copy->setModelGeometry(new ModelGeometry(torusOf(5)));
    ASSERT_TRUE(skin->setNode(node, shorter));
    EXPECT_EQ(copy->getQ(0).size(), 5u);
    EXPECT_EQ(group->getQ(0).size(), 3u);
}

// Those that compile textures and arrays before the first frame, or look for state sets.
TEST(LookChange, VisitorsSeeWhatIsDrawn) {
    struct Find : public osg::NodeVisitor {
        Find() : osg::NodeVisitor(TRAVERSE_ALL_CHILDREN) {}
        META_NodeVisitor(test, Find)  // those without a name are taken for exporters
            void apply(osg::Node& node) override {
            programs += node.getStateSet() && node.getStateSet()->getAttribute(osg::StateAttribute::PROGRAM);
            traverse(node);
        }
        void apply(osg::Geometry& geometry) override {
            vertices += geometry.getVertexArray() ? geometry.getVertexArray()->getNumElements() : 0;
            materials += geometry.getStateSet() != nullptr;
        }
        unsigned int vertices = 0;
        int materials = 0, programs = 0;
    };
    TorusOptions options;
    options.materials = 2;
    const auto model = makeTorus(options);
    const osg::ref_ptr<osgPliant::BodyGroup> group = new osgPliant::BodyGroup(new osgPliant::ModelGeometry(model), 5);
    for (int round = 0; round < 2; ++round) {
        Find find;
        group->accept(find);
        EXPECT_EQ(find.materials, 2);
        EXPECT_EQ(find.programs, 1);
        EXPECT_EQ(find.vertices, 2u * static_cast<unsigned int>(model->surfaceVertexCount())) << "arrays are shared";
    }
    Find none;
    osg::ref_ptr<osgPliant::BodyGroup>(new osgPliant::BodyGroup)->accept(none);
    EXPECT_EQ(none.materials, 0);
    EXPECT_EQ(osg::ref_ptr<osg::Node>(group)->getBound().valid(), false) << "nobody stands anywhere";
}
