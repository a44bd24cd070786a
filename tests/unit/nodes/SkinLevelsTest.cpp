// SPDX-License-Identifier: Zlib
// Skins in the distance: fewer triangles over the same vertices.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <map>
#include <osg/LOD>
#include <osgUtil/SceneView>
#include <osgViewer/Renderer>

#include "SkinModels.h"
#include "TestModels.h"
#include "osgPliant/BodyGroup.h"
#include "osgPliant/HeadlessViewer.h"
#include "osgPliant/MaterialState.h"
#include "osgPliant/Skin.h"
#include "osgPliant/SkinLevels.h"
#include "osgPliant/SkinTemplate.h"

using namespace pliant::test;
using osgPliant::BodyGroup;
using osgPliant::Skin;
using pliant::Vector3;

namespace {

constexpr int levelBodies = 3;

/// The ring as two geometries of two colours, each with vertices of its own, that meet in two circles.
osg::ref_ptr<osg::Group> makeTwoHalves(const pliant::SurfaceMesh& surface) {
    osg::ref_ptr<osg::Group> node = new osg::Group;
    const Eigen::Index half = surface.triangles.cols() / 2;
    for (int part = 0; part < 2; ++part) {
        pliant::SurfaceMesh one;
        std::map<int, int> numbers;
        one.triangles = part == 0 ? surface.triangles.leftCols(half).eval()
                                  : surface.triangles.rightCols(surface.triangles.cols() - half).eval();
        for (Eigen::Index i = 0; i < one.triangles.size(); ++i) {
            int& v = one.triangles.data()[i];
            v = numbers.try_emplace(v, static_cast<int>(numbers.size())).first->second;
        }
        one.positions.resize(3, static_cast<Eigen::Index>(numbers.size()));
        one.normals.resizeLike(one.positions);
        for (const auto& [from, to] : numbers) {
            one.positions.col(to) = surface.positions.col(from);
            one.normals.col(to) = surface.normals.col(from);
        }
        const osg::ref_ptr<osg::Geometry> geometry = makeGeometry(one);
        const osg::ref_ptr<osg::Vec4Array> colour = new osg::Vec4Array;
        colour->push_back(part == 0 ? osg::Vec4(1.0f, 0.1f, 0.1f, 1.0f) : osg::Vec4(0.1f, 1.0f, 0.1f, 1.0f));
        geometry->setColorArray(colour, osg::Array::BIND_OVERALL);
        node->addChild(geometry);
    }
    return node;
}

/// All triangles of a level in one surface: positions of its own for every geometry, and its number as material.
pliant::SurfaceMesh joined(const osg::Group& root, const osgPliant::SkinLevel& level) {
    pliant::SurfaceMesh surface;
    std::vector<Vector3> positions;
    std::vector<int> corners;
    for (unsigned int g = 0; g < root.getNumChildren(); ++g) {
        const osg::Geometry& geometry = *root.getChild(g)->asGeometry();
        const auto& own = static_cast<const osg::Vec3Array&>(*geometry.getVertexArray());
        for (const unsigned int corner : *level.triangles.at(osgPliant::offsetOf(geometry))) {
            EXPECT_LT(corner, own.size()) << "a corner has left its geometry";
            corners.push_back(static_cast<int>(positions.size() + corner));
        }
        surface.triangleMaterial.resize(corners.size() / 3, static_cast<int>(g));
        for (const osg::Vec3& x : own) positions.emplace_back(x.x(), x.y(), x.z());
    }
    surface.positions.resize(3, static_cast<Eigen::Index>(positions.size()));
    for (std::size_t v = 0; v < positions.size(); ++v)
        surface.positions.col(static_cast<Eigen::Index>(v)) = positions[v];
    surface.triangles.resize(3, static_cast<Eigen::Index>(corners.size() / 3));
    std::copy(corners.begin(), corners.end(), surface.triangles.data());
    return surface;
}

/// Distance of a point from a triangle, by its corners, edges and face.
double distanceTo(const Vector3& x, const Vector3& a, const Vector3& b, const Vector3& c) {
    const auto toSegment = [&](const Vector3& p, const Vector3& q) {
        const double t = std::clamp((x - p).dot(q - p) / (q - p).squaredNorm(), 0.0, 1.0);
        return (x - p - t * (q - p)).norm();
    };
    double least = std::min({toSegment(a, b), toSegment(b, c), toSegment(c, a)});
    const Vector3 n = (b - a).cross(c - a).normalized();
    const Vector3 foot = x - n * n.dot(x - a);
    const bool inside = n.dot((b - a).cross(foot - a)) >= 0.0 && n.dot((c - b).cross(foot - b)) >= 0.0 &&
                        n.dot((a - c).cross(foot - c)) >= 0.0;
    if (inside) least = std::min(least, std::abs(n.dot(x - a)));
    return least;
}

/// A triangle within a ball. Every vertex asks every ball, and tests are compiled unoptimised: plain numbers take a
/// hundredth of the time of Eigen's there.
struct Ball {
    double x, y, z, radius;
    Vector3 corners[3];
    /// Whether no point of it is nearer to a point than a distance.
    bool isBeyond(const double* p, double distance) const {
        const double dx = p[0] - x, dy = p[1] - y, dz = p[2] - z, reach = distance + radius;
        return dx * dx + dy * dy + dz * dz > reach * reach;
    }
};

std::vector<Ball> ballsOf(const pliant::SurfaceMesh& surface) {
    std::vector<Ball> balls;
    for (Eigen::Index t = 0; t < surface.triangles.cols(); ++t) {
        Ball ball{};
        for (int k = 0; k < 3; ++k) ball.corners[k] = surface.positions.col(surface.triangles(k, t));
        const Vector3 middle = (ball.corners[0] + ball.corners[1] + ball.corners[2]) / 3.0;
        for (const Vector3& corner : ball.corners) ball.radius = std::max(ball.radius, (corner - middle).norm());
        ball.radius *= 1.0 + 1e-9;  // of rounding
        ball.x = middle.x();
        ball.y = middle.y();
        ball.z = middle.z();
        balls.push_back(ball);
    }
    return balls;
}

double farthestVertex(const pliant::SurfaceMesh& fine, const pliant::SurfaceMesh& coarse) {
    const std::vector<Ball> balls = ballsOf(coarse);
    double farthest = 0.0;
    for (Eigen::Index v = 0; v < fine.positions.cols(); ++v) {
        const Vector3 x = fine.positions.col(v);
        double nearest = 1e9;
        for (const Ball& ball : balls)
            if (!ball.isBeyond(x.data(), nearest))
                nearest = std::min(nearest, distanceTo(x, ball.corners[0], ball.corners[1], ball.corners[2]));
        farthest = std::max(farthest, nearest);
    }
    return farthest;
}

class SkinLevels : public ::testing::Test {
protected:
    void SetUp() override {
        PLIANT_NEEDS_OPENGL();
        osgPliant::HeadlessOptions options;
        options.width = 640;
        options.height = 400;
        options.supersampling = 1;
        _viewer = std::make_unique<osgPliant::HeadlessViewer>(options);
        _group = new BodyGroup(Skin::bind(_node, _model, osgPliant::Deformation::Float), levelBodies);
        for (int i = 0; i < levelBodies; ++i)
            _group->setBodyFromMesh(i,
                                    osg::Matrixd::rotate(0.9 * i + 0.4, osg::Vec3d(1.0, 0.6, 0.3)) *
                                        osg::Matrixd::translate(0.9 * i - 0.9, 0.0, 0.0),
                                    makeCoordinates(brickTorusDimension, i, 0.04).data());
        _viewer->setScene(_group);
    }
    osg::ref_ptr<osg::Image> draw(double distance) {
        _viewer->setCamera(osg::Vec3d(0.15, 0.3, 1.0) * distance, osg::Vec3d(), osg::Vec3d(0.0, 1.0, 0.0));
        const osg::Image* frame = _viewer->render(0.0);
        return frame ? new osg::Image(*frame, osg::CopyOp::DEEP_COPY_ALL) : nullptr;
    }
    /// Triangles of the frame that was drawn last, every instance counted.
    double triangles() const {
        auto* renderer = dynamic_cast<osgViewer::Renderer*>(_viewer->getViewer().getCamera()->getRenderer());
        double most = 0.0;
        for (unsigned int i = 0; i < 2; ++i)
            most = std::max(most, trianglesOf(*renderer->getSceneView(i)->getRenderStage()));
        return most;
    }
    static double trianglesOf(osgUtil::RenderBin& bin) {
        double sum = 0.0;
        for (const osgUtil::StateGraph* graph : bin.getStateGraphList())
            for (const auto& leaf : graph->_leaves) {
                const osg::Geometry* geometry = leaf->getDrawable()->asGeometry();
                for (unsigned int p = 0; geometry && p < geometry->getNumPrimitiveSets(); ++p)
                    sum += geometry->getPrimitiveSet(p)->getNumIndices() / 3.0 *
                           std::max(geometry->getPrimitiveSet(p)->getNumInstances(), 1);
            }
        for (const auto& below : bin.getRenderBinList()) sum += trianglesOf(*below.second);
        return sum;
    }
    void expectFewerTrianglesInTheDistance(osgPliant::SumPlace place);

    std::shared_ptr<pliant::ReducedModel> _model = makeBrickTorus();
    pliant::SurfaceMesh _surface = inMeshFrame(*_model, std::vector<double>(brickTorusDimension, 0.0));
    osg::ref_ptr<osg::Group> _node = makeTwoHalves(_surface);
    std::unique_ptr<osgPliant::HeadlessViewer> _viewer;
    osg::ref_ptr<BodyGroup> _group;
};

void SkinLevels::expectFewerTrianglesInTheDistance(osgPliant::SumPlace place) {
    _group->setSumPlace(place);
    const double all = levelBodies * static_cast<double>(_surface.triangleCount());
    const auto full = draw(20.0), nothingAsked = draw(20.0);
    EXPECT_EQ(triangles(), all) << "nobody has asked for less";
    EXPECT_EQ(_group->getPixelError(), 0.0);
    EXPECT_EQ(_group->getSkin()->getLevelCount(), 1) << "nor paid for it";
    _group->setPixelError(0.5);
    ASSERT_GE(_group->getSkin()->getLevelCount(), 4);
    const auto reduced = draw(20.0);
    EXPECT_LE(triangles(), all / 4.0);
    EXPECT_GT(countDifferentPixels(*full, *reduced, 0), 0) << "a coarser level was drawn";
    // Half a pixel is less than a pixel that is covered or not: outlines alone differ, a ring of about 60 pixels a
    // body.
    EXPECT_LT(countDifferentPixels(*full, *reduced, 100), levelBodies * 60 / 10);
    _group->setPixelError(1e6);
    const auto coarsest = draw(20.0);
    EXPECT_LT(triangles(), all / 20.0);
    EXPECT_GT(countDifferentPixels(*full, *coarsest, 25), 2 * countDifferentPixels(*full, *reduced, 25));
    _group->setPixelError(0.5);
    draw(1.6);
    EXPECT_EQ(triangles(), all) << "near bodies are whole";
}

}  // namespace

TEST_F(SkinLevels, BodiesInTheDistanceHaveFewerTrianglesAndLookTheSame) {
    if (!_viewer) GTEST_SKIP();
    expectFewerTrianglesInTheDistance(osgPliant::SumsOnProcessor);
}

TEST_F(SkinLevels, BodiesInTheDistanceHaveFewerTrianglesByVertexShadersToo) {
    if (!_viewer) GTEST_SKIP();
    expectFewerTrianglesInTheDistance(osgPliant::SumsInVertexShader);
}

TEST_F(SkinLevels, GeometriesGoOnMeetingAndKeepTheirBorders) {
    if (!_viewer) GTEST_SKIP();
    const auto levels = osgPliant::makeSkinLevels(*_group->getSkin()->getTemplate());
    ASSERT_GE(levels.size(), 3u);
    double last = 0.0;
    for (const osgPliant::SkinLevel& level : levels) {
        SCOPED_TRACE(level.error);
        const pliant::SurfaceMesh coarse = joined(*_group->getSkin()->getTemplate()->asGroup(), level);
        EXPECT_TRUE(osgPliant::isClosed(coarse)) << "there are cracks";
        EXPECT_GT(level.error, last);
        last = level.error;
        const double farthest = farthestVertex(_surface, coarse);
        EXPECT_LE(farthest, level.error + 1e-6) << "positions have single precision";
        EXPECT_GE(farthest, 0.8 * level.error) << "what is told is looked for around a vertex alone";
        for (Eigen::Index t = 0; t < coarse.triangles.cols(); ++t)
            for (int k = 0; k < 3; ++k) {
                // The halves meet where the ring crosses the x axis.
                const double z = coarse.positions(2, coarse.triangles(k, t));
                const bool first = coarse.triangleMaterial[static_cast<std::size_t>(t)] == 0;
                EXPECT_GE(first ? z : -z, -1e-6);
            }
    }
}

TEST_F(SkinLevels, NodesWithLevelsOfTheirOwnKeepThem) {
    if (!_viewer) GTEST_SKIP();
    osg::ref_ptr<osg::LOD> levels = new osg::LOD;
    levels->addChild(_node, 0.0f, 1e9f);
    EXPECT_TRUE(osgPliant::makeSkinLevels(*Skin::bind(levels, _model)->getTemplate()).empty());
    const osg::ref_ptr<Skin> skin = Skin::bind(levels, _model);
    skin->makeLevels();
    EXPECT_EQ(skin->getLevelCount(), 1);
}

TEST_F(SkinLevels, LinesStayAndPrimitiveSetsWithAttributesForbidLevels) {
    if (!_viewer) GTEST_SKIP();
    osg::Geometry& geometry = *_node->getChild(0)->asGeometry();
    const osg::ref_ptr<osg::DrawElementsUInt> edge = new osg::DrawElementsUInt(GL_LINES);
    for (unsigned int v = 0; v < 300; ++v) edge->push_back(v);
    geometry.addPrimitiveSet(edge);
    _group->setSkin(Skin::bind(_node, _model));
    _group->setPixelError(1e6);
    draw(20.0);
    EXPECT_GT(triangles(), levelBodies * 100.0) << "the lines count as 100 triangles";
    EXPECT_LT(triangles(), levelBodies * 200.0);
    geometry.getColorArray()->setBinding(osg::Array::BIND_PER_PRIMITIVE_SET);
    EXPECT_TRUE(osgPliant::makeSkinLevels(*Skin::bind(_node, _model)->getTemplate()).empty());
}

// Files may name vertices that there are not.
TEST(SkinLevelsOfBrokenFiles, CornersWithoutAVertexForbidLevels) {
    const auto model = makeBrickTorus();
    const osg::ref_ptr<osg::Group> node =
        makeTwoHalves(inMeshFrame(*model, std::vector<double>(brickTorusDimension, 0.0)));
    osg::Geometry& geometry = *node->getChild(0)->asGeometry();
    const osg::ref_ptr<osg::DrawElementsUInt> far = new osg::DrawElementsUInt(GL_TRIANGLES);
    for (const unsigned int corner : {0u, 1u, geometry.getVertexArray()->getNumElements()}) far->push_back(corner);
    geometry.addPrimitiveSet(far);
    EXPECT_TRUE(osgPliant::makeSkinLevels(*node).empty());
}
