// SPDX-License-Identifier: Zlib
// Sums U q and dN q by the processor: against products in double precision, in registers of every width, and what of
// them is made and sent again.
#include <gtest/gtest.h>

#include "TestModels.h"
#include "osgPliant/ContextRenderer.h"
#include "osgPliant/Deformation.h"
#include "osgPliant/DrawnVertices.h"
#include "osgPliant/SummedVertices.h"
#include "osgPliant/TexelLayout.h"
#include "osgPliant/VertexSums.h"
#include "pliant/math/Lanes.h"

using namespace pliant;
using namespace pliant::test;
using osgPliant::Deformation;
using osgPliant::SummedVertices;
using osgPliant::VertexSums;

namespace {

constexpr int sumDimension = 7;  // no multiple of the four numbers of a texel

/// `d` vertices whose numbers are random: six numbers of 37 vertices fill no whole panel of any width.
osg::ref_ptr<Deformation> makeRandom(Deformation::Precision precision, int d = 37) {
    std::srand(5);
    Deformation::Rows rows;
    rows.positions = Points::Random(3, d);
    rows.basis = MatrixXf::Random(3 * d, sumDimension);
    rows.normals = MatrixXf::Random(3 * d, sumDimension);
    rows.basis.col(2) *= 1e-3f;  // a column of another unit
    return new Deformation(rows, osg::Matrixd(), precision);
}

/// Scaled coordinates of a body, as vertex shaders get them.
std::vector<float> scaledCoordinates(const Deformation& deformation, int seed) {
    const std::vector<double> q = makeCoordinates(sumDimension, seed);
    std::vector<float> scaled;
    for (std::size_t j = 0; j < q.size(); ++j)
        scaled.push_back(static_cast<float>(q[j]) * deformation.getColumnScale()[j]);
    return scaled;
}

std::vector<std::vector<float>> sumsOf(const Deformation& deformation, int count, int lanes) {
    const VertexSums sums(deformation, lanes);
    std::vector<std::vector<float>> q, result(static_cast<std::size_t>(count));
    std::vector<VertexSums::Body> bodies;
    for (int i = 0; i < count; ++i) q.push_back(scaledCoordinates(deformation, i));
    for (std::size_t i = 0; i < q.size(); ++i) {
        result[i].assign(sums.getNumberCount() + 1, -7.0f);
        bodies.push_back({q[i].data(), result[i].data()});
    }
    sums.sum(bodies);
    return result;
}

/// The widths that the processor has registers for.
std::vector<int> widths() {
    std::vector<int> all = {kLanesBaseline};
    if (processorHas(InstructionSet::Avx2)) all.push_back(kLanesAvx2);
    if (processorHas(InstructionSet::Avx512)) all.push_back(kLanesAvx512);
    return all;
}

/// Largest difference of the sums of body i from U q and dN q, taken of the basis that the deformation was made of.
double errorOf(const std::vector<float>& sums, int i) {
    std::srand(5);
    const Points positions = Points::Random(3, 37);
    MatrixXf basis = MatrixXf::Random(3 * 37, sumDimension), normals = MatrixXf::Random(3 * 37, sumDimension);
    basis.col(2) *= 1e-3f;
    const std::vector<double> coordinates = makeCoordinates(sumDimension, i);
    const Eigen::Map<const VectorX> q(coordinates.data(), sumDimension);
    const VectorX moved = basis.cast<double>() * q, turned = normals.cast<double>() * q;
    double error = 0.0;
    for (Eigen::Index v = 0; v < positions.cols(); ++v)
        for (Eigen::Index axis = 0; axis < 3; ++axis) {
            const auto at = static_cast<std::size_t>(6 * v + axis);
            error = std::max(
                {error, std::abs(sums[at] - moved[3 * v + axis]), std::abs(sums[at + 3] - turned[3 * v + axis])});
        }
    return error;
}

}  // namespace

TEST(VertexSums, AreTheProductsOfBasisAndCoordinates) {
    for (const int lanes : widths())
        for (const int count : {1, 3, 4, 9}) {
            const auto sums = sumsOf(*makeRandom(Deformation::Float), count, lanes);
            for (int i = 0; i < count; ++i) {
                // Seven products of numbers below 1 and 0.02: eight roundings by 2^-24 of 0.14.
                EXPECT_LT(errorOf(sums[static_cast<std::size_t>(i)], i), 1e-7) << lanes << " numbers side by side";
                EXPECT_EQ(sums[static_cast<std::size_t>(i)].back(), -7.0f) << "nothing is written behind the sums";
            }
        }
}

TEST(VertexSums, OfHalvesAreThoseThatVertexShadersMake) {
    const osg::ref_ptr<Deformation> halves = makeRandom(Deformation::HalfFloat);
    const auto sums = sumsOf(*halves, 1, lanesInUse());
    const double error = errorOf(sums[0], 0);
    EXPECT_LT(error, 0.14 / 2048.0) << "eleven bits of what is summed";
    EXPECT_GT(error, 1e-6) << "not the numbers that the halves were made of";
    const PointsF turned = halves->getNormalChanges(makeCoordinates(sumDimension, 0).data());
    for (Eigen::Index v = 0; v < turned.cols(); ++v)
        EXPECT_NEAR(turned(1, v), sums[0][static_cast<std::size_t>(6 * v + 4)], 1e-7);
}

TEST(VertexSums, HaveTheSameBitsInRegistersOfEveryWidth) {
    const osg::ref_ptr<Deformation> deformation = makeRandom(Deformation::HalfFloat);
    const auto baseline = sumsOf(*deformation, 6, kLanesBaseline);
    for (const int lanes : widths()) EXPECT_EQ(sumsOf(*deformation, 6, lanes), baseline) << lanes;
}

namespace {

/// What the buffer has for a vertex of the body in a place, and whether its texture knows that it has changed.
const float* numbersAt(SummedVertices& summed, int place) {
    const auto* buffer = summed.getTexture()->getBufferData()->getBufferObject();
    const osg::BufferData* body = buffer->getBufferData(static_cast<unsigned int>(place) + 1);
    return static_cast<const float*>(body->getDataPointer());
}

unsigned int revisionOf(SummedVertices& summed, int place) {
    const auto* buffer = summed.getTexture()->getBufferData()->getBufferObject();
    return buffer->getBufferData(static_cast<unsigned int>(place) + 1)->getModifiedCount();
}

}  // namespace

TEST(SummedVertices, BodiesThatRestAreNeitherSummedNorSentAgain) {
    const osg::ref_ptr<Deformation> deformation = makeRandom(Deformation::Float);
    SummedVertices summed(*deformation);
    summed.setBodyCount(20);
    const std::vector<float> one = scaledCoordinates(*deformation, 1), two = scaledCoordinates(*deformation, 2);
    EXPECT_EQ(summed.place(11, one.data()), 0) << "places are given as bodies come into view";
    EXPECT_EQ(summed.place(4, two.data()), 1);
    EXPECT_EQ(summed.update(), 2);
    EXPECT_LT(errorOf({numbersAt(summed, 0), numbersAt(summed, 0) + 6 * 37}, 1), 1e-7);
    EXPECT_LT(errorOf({numbersAt(summed, 1), numbersAt(summed, 1) + 6 * 37}, 2), 1e-7);
    const unsigned int head = summed.getTexture()->getBufferData()->getModifiedCount(), sent = revisionOf(summed, 0);
    EXPECT_EQ(summed.place(4, two.data()), 1) << "in another order";
    EXPECT_EQ(summed.place(11, one.data()), 0);
    EXPECT_EQ(summed.update(), 0);
    EXPECT_EQ(summed.getTexture()->getBufferData()->getModifiedCount(), head);
    summed.place(4, one.data());
    summed.place(11, one.data());
    EXPECT_EQ(summed.update(), 1) << "the one that has moved";
    EXPECT_LT(errorOf({numbersAt(summed, 1), numbersAt(summed, 1) + 6 * 37}, 1), 1e-7);
    EXPECT_EQ(revisionOf(summed, 0), sent);
    EXPECT_NE(summed.getTexture()->getBufferData()->getModifiedCount(), head) << "the texture has to look";
}

TEST(SummedVertices, KeepTheirPlaceWhereTheBufferGrows) {
    const osg::ref_ptr<Deformation> deformation = makeRandom(Deformation::Float);
    SummedVertices summed(*deformation);
    for (const int count : {5, 50}) {
        summed.setBodyCount(static_cast<std::size_t>(count));
        for (int i = 0; i < count; ++i) EXPECT_EQ(summed.place(i, scaledCoordinates(*deformation, i).data()), i);
        EXPECT_EQ(summed.update(), count == 5 ? 5 : 45);
    }
    for (const int i : {0, 4, 5, 49})
        EXPECT_LT(errorOf({numbersAt(summed, i), numbersAt(summed, i) + 6 * 37}, i), 1e-7) << i;
}

// Draw threads hold what was culled, which is the texture: the buffer object alone would forget arrays that go.
TEST(SummedVertices, KeepWhatIsToBeDrawnWhenTheirGroupGoes) {
    const auto deformation = makeRandom(Deformation::Float);
    auto summed = std::make_unique<SummedVertices>(*deformation);
    summed->setBodyCount(3);
    for (int i = 0; i < 3; ++i) summed->place(i, scaledCoordinates(*deformation, i).data());
    summed->update();
    const osg::ref_ptr<osg::TextureBuffer> texture = summed->getTexture();
    const osg::BufferObject& buffer = *texture->getBufferData()->getBufferObject();
    const unsigned int count = buffer.getNumBufferData();
    EXPECT_GT(count, 3u);
    summed = nullptr;
    EXPECT_EQ(buffer.getNumBufferData(), count);
}

TEST(SummedVertices, HaveToFitTheBufferAndTheMemory) {
    // Demands: d, r, N, P.
    EXPECT_TRUE(SummedVertices::fits({100, 7, 10}, 2001)) << "two texels a vertex, and one before";
    EXPECT_FALSE(SummedVertices::fits({100, 7, 10}, 2000));
    EXPECT_FALSE(SummedVertices::fits({100, 7, 10}, 0)) << "a context of which nothing is known";
    constexpr std::size_t most = std::size_t{1} << 30;
    EXPECT_TRUE(SummedVertices::fits({10000, 40, 1078}, most));
    EXPECT_FALSE(SummedVertices::fits({10000, 40, 1079}, most))
        << "258.96 MB and 9.6 MB of the basis are more than 256 MiB";
    EXPECT_TRUE(SummedVertices::fits({10000, 40, 539, 2}, most));
    EXPECT_FALSE(SummedVertices::fits({10000, 40, 540, 2}, most)) << "passes share the room";
    EXPECT_FALSE(SummedVertices::fits({10000, 1119, 1}, most)) << "the basis alone";
}

TEST(DrawnVertices, AreThoseThatThereAreAndCountOnce) {
    const osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
    const osg::ref_ptr<osg::DrawElementsUInt> corners = new osg::DrawElementsUInt(GL_TRIANGLE_STRIP);
    for (const unsigned int corner : {0u, 1u, 2u, 0xFFFFFFFFu, 2u, 1u, 4u, 5u}) corners->push_back(corner);
    geometry->addPrimitiveSet(corners);
    EXPECT_EQ(osgPliant::countDrawnVertices(*geometry), 0) << "there is no vertex";
    geometry->setVertexArray(new osg::Vec3Array(5));
    EXPECT_EQ(osgPliant::countDrawnVertices(*geometry), 4) << "0, 1, 2 and 4";
    geometry->addPrimitiveSet(new osg::DrawArrays(GL_POINTS, 2, 2));
    EXPECT_EQ(osgPliant::countDrawnVertices(*geometry), 5);
}

TEST(ContextRenderer, RenderersWithoutACardAreKnownByTheirNames) {
    using osgPliant::isSoftwareRenderer;
    for (const char* name : {"llvmpipe (LLVM 15.0.6, 256 bits)", "softpipe", "Software Rasterizer", "GDI Generic",
                             "SWR (LLVM 11.0.1, 256 bits)", "Apple Software Renderer", "Google SwiftShader",
                             "D3D12 (Microsoft Basic Render Driver)"})
        EXPECT_TRUE(isSoftwareRenderer(name)) << name;
    for (const char* name : {"NVIDIA GeForce RTX 3060/PCIe/SSE2", "Mesa Intel(R) UHD Graphics 620 (KBL GT2)",
                             "AMD Radeon RX 6600 (navi23, LLVM 15.0.6, DRM 3.49)", "Apple M1", ""})
        EXPECT_FALSE(isSoftwareRenderer(name)) << name;
}
