// SPDX-License-Identifier: Zlib
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

#include "pliant/view/BoneShapes.h"
#include "pliant/view/DebugShapes.h"
#include "pliant/view/InterpolatePoses.h"

namespace pliant::test {
namespace {

TEST(DebugShapes, BoxesHaveTwelveEdgesAlongTheirFrame) {
    RigidTransform frame;
    frame.rotation << 0, -1, 0, 1, 0, 0, 0, 0, 1;
    frame.translation = Vector3(10, 20, 30);
    DebugShapes shapes;
    shapes.addBox(DebugLayer::Frames, frame, Vector3(-1, -2, -3), Vector3(1, 2, 3), {});
    ASSERT_EQ(shapes.lines.size(), 12u);
    double length = 0.0;
    std::set<std::vector<double>> middles;
    for (const DebugShapes::Line& line : shapes.lines) {
        const Vector3 along = frame.rotation.transpose() * (line.to - line.from);
        EXPECT_EQ((along.array() != 0.0).count(), 1) << "edges are along the axes";
        length += along.norm();
        for (const Vector3& end : {line.from, line.to}) {
            const Vector3 local = frame.inversePoint(end).cwiseAbs();
            EXPECT_LT((local - Vector3(1, 2, 3)).norm(), 1e-12);
        }
        const Vector3 middle = line.from + line.to;
        EXPECT_TRUE(middles.insert({middle.x(), middle.y(), middle.z()}).second) << "no edge twice";
    }
    EXPECT_NEAR(length, 4 * (2 + 4 + 6), 1e-12);
}

TEST(DebugShapes, FramesShowTheirAxes) {
    RigidTransform frame;
    frame.rotation << 0, -1, 0, 1, 0, 0, 0, 0, 1;
    frame.translation = Vector3(1, 2, 3);
    DebugShapes shapes;
    shapes.addFrame(DebugLayer::Frames, frame, 0.5);
    ASSERT_EQ(shapes.lines.size(), 3u);
    for (int axis = 0; axis < 3; ++axis) {
        const DebugShapes::Line& line = shapes.lines[static_cast<std::size_t>(axis)];
        EXPECT_EQ(line.from, frame.translation);
        EXPECT_LT((line.to - line.from - 0.5 * frame.rotation.col(axis)).norm(), 1e-15);
    }
    shapes.addSphere(DebugLayer::Spheres, Vector3(1, 0, 0), 0.25, {});
    shapes.addText(DebugLayer::Energies, Vector3(), "text", {});
    shapes.addDisc(DebugLayer::Pressure, Vector3(0, 1, 0), Vector3::UnitX(), 0.75, {});
    EXPECT_EQ(shapes.discs.front().radius, 0.75);
    EXPECT_EQ(shapes.capsules.front().radius[1], 0.25);
    shapes.clear();
    EXPECT_TRUE(shapes.lines.empty() && shapes.capsules.empty() && shapes.discs.empty() && shapes.texts.empty());
}

/// CIE lightness of a colour whose numbers are those of a screen (sRGB).
double lightnessOf(const DebugColour& colour) {
    const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    const double y = 0.2126 * linear(static_cast<double>(colour.red)) +
                     0.7152 * linear(static_cast<double>(colour.green)) +
                     0.0722 * linear(static_cast<double>(colour.blue));
    return y > 0.008856 ? 116.0 * std::cbrt(y) - 16.0 : 903.3 * y;
}

// Lightness alone tells how far along the scale a colour is, whatever hues an eye tells apart.
TEST(DebugShapes, ColoursOfTheScaleGrowEvenlyLighter) {
    const double first = lightnessOf(colourOnScale(0.0)), last = lightnessOf(colourOnScale(1.0));
    EXPECT_GT(last - first, 70.0);
    for (int i = 0; i < 20; ++i) {
        const double step = lightnessOf(colourOnScale((i + 1) / 20.0)) - lightnessOf(colourOnScale(i / 20.0));
        EXPECT_NEAR(step, (last - first) / 20, 0.5 * (last - first) / 20) << i;
    }
    for (const double out : {-1.0, std::nan("")}) EXPECT_EQ(colourOnScale(out).red, colourOnScale(0.0).red);
    EXPECT_EQ(colourOnScale(7.0).red, colourOnScale(1.0).red);
}

}  // namespace
}  // namespace pliant::test

namespace {

/// One bone of 1 m along x with a core of 0.1 m, and another without an end.
pliant::CharacterModel twoBones() {
    pliant::CharacterModel character;
    character.skeleton.bones.resize(2);
    character.skeleton.bones[0].name = "long";
    character.skeleton.bones[0].ends = {pliant::Vector3(1, 0, 0)};
    character.skeleton.bones[1].name = "none";
    character.coreRadii = pliant::VectorX::Constant(2, 0.1);
    return character;
}

}  // namespace

// Each bone is an octahedron between its head and its ends, where its map takes them, and its core goes with it.
TEST(BoneShapes, StandWhereTheBonesAre) {
    pliant::Matrix<double, 3, 4> twice = pliant::Matrix<double, 3, 4>::Zero();
    twice(1, 0) = 2.0, twice(0, 1) = -2.0, twice(2, 2) = 2.0;  // x to y, twice as long
    twice.col(3) = pliant::Vector3(5, 0, 0);
    const pliant::Matrix<double, 3, 4> bones[2] = {twice, twice};
    pliant::DebugShapes shapes;
    addBones(twoBones(), bones, pliant::DebugLayer::Frames, shapes);
    ASSERT_EQ(shapes.lines.size(), 12u);
    ASSERT_EQ(shapes.capsules.size(), 1u);
    EXPECT_EQ(shapes.capsules[0].radius[0], 0.2);
    EXPECT_LT((shapes.capsules[0].end[1] - pliant::Vector3(5, 2, 0)).norm(), 1e-12);
    int heads = 0, ends = 0;
    for (const auto& line : shapes.lines) {
        heads += (line.from - pliant::Vector3(5, 0, 0)).norm() < 1e-12 ? 1 : 0;
        ends += (line.to - pliant::Vector3(5, 2, 0)).norm() < 1e-12 ? 1 : 0;
    }
    EXPECT_EQ(heads, 4);
    EXPECT_EQ(ends, 4);
    shapes.clear();
    shapes.wanted = 0;
    addBones(twoBones(), bones, pliant::DebugLayer::Frames, shapes);
    EXPECT_TRUE(shapes.lines.empty()) << "nobody looks";
}

TEST(BoneShapes, ColoursStayApart) {
    for (int a = 0; a < 20; ++a)
        for (int b = 0; b < a; ++b) {
            const pliant::DebugColour p = pliant::boneColour(a), q = pliant::boneColour(b);
            EXPECT_GT(std::abs(p.red - q.red) + std::abs(p.green - q.green) + std::abs(p.blue - q.blue), 0.05f)
                << a << " and " << b;
        }
}

// Turned by 90 degrees and twice as large: half way by 45 degrees, one and a half times.
TEST(InterpolatedPoses, BonesTurnAtTheirSize) {
    std::vector<pliant::Poses> from(1), to(1), between;
    from[0].resize(1, 0);
    from[0].resizeBones(1);
    to = from;
    pliant::Matrix<double, 3, 4> turned = pliant::Matrix<double, 3, 4>::Zero();
    turned(1, 0) = 2.0, turned(0, 1) = -2.0, turned(2, 2) = 2.0, turned(0, 3) = 4.0;
    to[0].setBones(0, {turned});
    interpolatePoses(from, to, 0.5, between);
    const auto& bone = between[0].bonesOf(0)[0];
    const double half = 1.5 * std::sqrt(0.5);
    EXPECT_LT((bone.col(0) - pliant::Vector3(half, half, 0)).norm(), 1e-12);
    EXPECT_LT((bone.col(3) - pliant::Vector3(2, 0, 0)).norm(), 1e-12);
}
