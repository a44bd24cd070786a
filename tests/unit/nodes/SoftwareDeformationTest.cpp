// SPDX-License-Identifier: Zlib
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <osg/TriangleFunctor>
#include <osgDB/WriteFile>

#include "SkinModels.h"
#include "TestModels.h"
#include "osgPliant/Conversions.h"
#include "osgPliant/CpuDeformation.h"
#include "osgPliant/SoftwareDeformation.h"

using namespace pliant::test;
using osgPliant::BodyGroup;
using osgPliant::SoftwareDeformation;

namespace {

osg::Matrixd softwareFrame(double x) {
    return osg::Matrixd::rotate(0.4, osg::Vec3d(1.0, 2.0, 0.5)) * osg::Matrixd::translate(x, 0.0, 0.0);
}

/// Geometries below a node that are not hidden.
class Geometries : public osg::NodeVisitor {
public:
    Geometries() : osg::NodeVisitor(TRAVERSE_ALL_CHILDREN) {}
    void apply(osg::Geometry& geometry) override {
        if (geometry.getVertexArray() && geometry.getVertexArray()->getNumElements() > 0) found.push_back(&geometry);
    }
    std::vector<osg::ref_ptr<osg::Geometry>> found;
};

std::vector<osg::ref_ptr<osg::Geometry>> geometriesOf(osg::Node& node) {
    Geometries visitor;
    node.accept(visitor);
    return visitor.found;
}

}  // namespace

TEST(SoftwareDeformation, VerticesAreRestPlusUq) {
    TorusOptions options;
    options.materials = 2;
    const auto model = makeTorus(options);
    const osg::ref_ptr<BodyGroup> group = new BodyGroup(new osgPliant::ModelGeometry(model), 3);
    for (int i : {0, 2}) group->setBody(i, softwareFrame(2.0 * i), makeCoordinates(10, i, 0.04).data());
    const osg::ref_ptr<SoftwareDeformation> plain = new SoftwareDeformation(group);
    updateOnce(*plain);
    const auto geometries = geometriesOf(*plain);
    ASSERT_EQ(geometries.size(), 4u) << "two bodies of two materials; the third is not there";
    for (std::size_t g = 0; g < 4; ++g) {
        const int body = g < 2 ? 0 : 2;
        pliant::PointsF x, n;
        osgPliant::deformOnCpu(*model, makeCoordinates(10, body, 0.04).data(), x, n);
        const auto& positions = static_cast<const osg::Vec3Array&>(*geometries[g]->getVertexArray());
        const auto& normals = static_cast<const osg::Vec3Array&>(*geometries[g]->getNormalArray());
        ASSERT_EQ(static_cast<Eigen::Index>(positions.size()), x.cols());
        for (Eigen::Index v = 0; v < x.cols(); ++v) {
            const auto i = static_cast<std::size_t>(v);
            const osg::Vec3d expected = osg::Vec3d(x(0, v), x(1, v), x(2, v)) * softwareFrame(2.0 * body);
            EXPECT_LT((osg::Vec3d(positions[i]) - expected).length(), 1e-6) << "float rounding";
            const osg::Vec3d normal =
                osg::Matrixd::transform3x3(osg::Vec3d(n(0, v), n(1, v), n(2, v)), softwareFrame(2.0 * body));
            EXPECT_LT((osg::Vec3d(normals[i]) - normal).length(), 2e-3) << "dN is in half floats";
        }
    }
    // It follows.
    group->setBody(1, softwareFrame(9.0), makeCoordinates(10, 1, 0.04).data());
    group->removeBody(0);
    updateOnce(*plain);
    EXPECT_EQ(geometriesOf(*plain).size(), 4u);
    EXPECT_GT(plain->getBound().center().x(), 4.0f);
    group->setBodyCount(1);
    updateOnce(*plain);
    EXPECT_TRUE(geometriesOf(*plain).empty());
}

TEST(SoftwareDeformation, SkinsKeepTheirNodes) {
    const auto model = makeBrickTorus();
    const osg::ref_ptr<osg::Group> node =
        makeSkinNode(inMeshFrame(*model, std::vector<double>(brickTorusDimension, 0.0)));
    const osg::ref_ptr<BodyGroup> group = new BodyGroup(osgPliant::Skin::bind(node, model), 1);
    const std::vector<double> q = makeCoordinates(brickTorusDimension, 4, 0.02);
    group->setBodyFromMesh(0, osg::Matrixd(), q.data());
    const osg::ref_ptr<SoftwareDeformation> plain = new SoftwareDeformation(group);
    plain->follow();
    const auto geometries = geometriesOf(*plain), before = geometriesOf(*node);
    ASSERT_EQ(geometries.size(), 1u);
    EXPECT_EQ(geometries[0]->getStateSet(), before[0]->getStateSet()) << "shared";
    const pliant::SurfaceMesh expected = inMeshFrame(*model, q);
    const auto& positions = static_cast<const osg::Vec3Array&>(*geometries[0]->getVertexArray());
    for (std::size_t v = 0; v < positions.size(); ++v)
        EXPECT_LT((osg::Vec3d(positions[v]) - osgPliant::toOsg(expected.positions.col(static_cast<Eigen::Index>(v))))
                      .length(),
                  1e-6);
    // Another look, of another size.
    group->setModelGeometry(new osgPliant::ModelGeometry(makeTorus()));
    plain->follow();
    EXPECT_EQ(geometriesOf(*plain).size(), 1u);
}

// The picture is that of the group, under the same lights.
TEST(SoftwareDeformation, DrawsTheSamePicture) {
    PLIANT_NEEDS_OPENGL();
    const auto model = makeBrickTorus();
    const osg::ref_ptr<osg::Group> node =
        makeSkinNode(inMeshFrame(*model, std::vector<double>(brickTorusDimension, 0.0)));
    const osg::ref_ptr<BodyGroup> group = new BodyGroup(osgPliant::Skin::bind(node, model), 1);
    group->setBodyFromMesh(0, osg::Matrixd(), makeCoordinates(brickTorusDimension, 4, 0.02).data());
    const osg::ref_ptr<SoftwareDeformation> plain = new SoftwareDeformation(group);
    const osg::Vec3d eye(0.4, 1.6, 1.2);
    const auto a = renderPicture(group, "software_gpu", eye, osg::Vec3d());
    const auto b = renderPicture(plain, "software_cpu", eye, osg::Vec3d());
    EXPECT_LT(countDifferentPixels(*a, *b, 6), 60) << "of 76,800: silhouettes of half-float bases";
    const osg::ref_ptr<osg::Node> nothing = new osg::Group;
    EXPECT_GT(countDifferentPixels(*b, *renderPicture(nothing, "software_none", eye, osg::Vec3d()), 6), 5000);
}

TEST(SoftwareDeformation, BodiesHaveColoursOfTheirOwn) {
    PLIANT_NEEDS_OPENGL();
    const auto model = makeBrickTorus();
    const osg::ref_ptr<osg::Group> node =
        makeSkinNode(inMeshFrame(*model, std::vector<double>(brickTorusDimension, 0.0)));
    const osg::ref_ptr<BodyGroup> group = new BodyGroup(osgPliant::Skin::bind(node, model), 1);
    group->setBodyFromMesh(0, osg::Matrixd(), makeCoordinates(brickTorusDimension, 4, 0.02).data());
    const osg::ref_ptr<SoftwareDeformation> plain = new SoftwareDeformation(group);
    const osg::Vec3d eye(0.4, 1.6, 1.2);
    const auto white = renderPicture(plain, "software_white", eye, osg::Vec3d());
    group->setColour(0, osg::Vec4f(1.0f, 0.3f, 0.1f, 1.0f));
    const auto a = renderPicture(group, "software_red_gpu", eye, osg::Vec3d());
    const auto b = renderPicture(plain, "software_red_cpu", eye, osg::Vec3d());
    EXPECT_LT(countDifferentPixels(*a, *b, 6), 60) << "silhouettes of half-float bases";
    EXPECT_GT(countDifferentPixels(*white, *b, 6), 5000) << "it is another colour";
    group->setColour(0, osg::Vec4f(1.0f, 1.0f, 1.0f, 1.0f));
    EXPECT_EQ(countDifferentPixels(*white, *renderPicture(plain, "software_again", eye, osg::Vec3d()), 0), 0);
}

TEST(SoftwareDeformation, IsWrittenAsStl) {
    const auto model = makeTorus();
    const osg::ref_ptr<BodyGroup> group = new BodyGroup(new osgPliant::ModelGeometry(model), 1);
    group->setBody(0, softwareFrame(0.0), makeCoordinates(10, 2, 0.04).data());
    group->setSeenByExporters(true);
    const std::string file = ::testing::TempDir() + "pliant_software.stl";
    ASSERT_TRUE(osgDB::writeNodeFile(*group, file));
    std::ifstream stl(file);
    int facets = 0;
    for (std::string line; std::getline(stl, line);) facets += line.find("facet normal") != std::string::npos;
    EXPECT_EQ(facets, model->surface.triangleCount());
    std::filesystem::remove(file);
}

TEST(SoftwareDeformation, ExportersSeeIt) {
    const auto model = makeTorus();
    const osg::ref_ptr<BodyGroup> group = new BodyGroup(new osgPliant::ModelGeometry(model), 1);
    group->setBody(0, softwareFrame(0.0), makeCoordinates(10, 2, 0.04).data());
    EXPECT_TRUE(geometriesOf(*group).empty()) << "not unless they are told";
    group->setSeenByExporters(true);
    ASSERT_EQ(geometriesOf(*group).size(), 1u);
    EXPECT_EQ(group->getNumChildren(), 0u);
}

// A buffer object with arrays of many bodies would be gone through by draw threads while one of them goes.
TEST(SoftwareDeformation, MovingArraysHaveBuffersOfTheirOwn) {
    const auto model = makeBrickTorus();
    const osg::ref_ptr<osg::Group> node = makeSkinNode(inMeshFrame(*model, std::vector<double>(7, 0.0)));
    const osg::ref_ptr<BodyGroup> groups[] = {new BodyGroup(osgPliant::Skin::bind(node, model), 2),
                                              new BodyGroup(new osgPliant::ModelGeometry(makeTorus()), 2)};
    for (const auto& group : groups) {
        const int r = group->getDeformation()->getDimension();
        for (int i = 0; i < 2; ++i) group->setBody(i, softwareFrame(i), makeCoordinates(r, i, 0.04).data());
        group->setColour(1, osg::Vec4f(1.0f, 0.5f, 0.5f, 1.0f));
        const osg::ref_ptr<SoftwareDeformation> plain = new SoftwareDeformation(group);
        updateOnce(*plain);
        const auto geometries = geometriesOf(*plain);
        for (std::size_t g = 0; g < geometries.size(); ++g) {
            const osg::Geometry* geometry = geometries[g];
            const osg::Array* texcoords = geometry->getTexCoordArray(0);
            ASSERT_TRUE(texcoords);
            std::vector<const osg::Array*> moving = {geometry->getVertexArray(), geometry->getNormalArray()};
            // Those of the second body are in its own colour.
            if (2 * g >= geometries.size()) moving.push_back(geometry->getColorArray());
            for (const osg::Array* own : moving) {
                ASSERT_TRUE(own && own->getBufferObject());
                EXPECT_EQ(own->getBufferObject()->getNumBufferData(), 1u);
                EXPECT_NE(own->getBufferObject(), texcoords->getBufferObject());
            }
        }
    }
}
