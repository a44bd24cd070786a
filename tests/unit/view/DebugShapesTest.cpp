// SPDX-License-Identifier: Zlib
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "pliant/view/DebugShapes.h"

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
    EXPECT_EQ(shapes.capsules.front().radius[1], 0.25);
    shapes.clear();
    EXPECT_TRUE(shapes.lines.empty() && shapes.capsules.empty() && shapes.texts.empty());
}

}  // namespace
}  // namespace pliant::test
