// SPDX-License-Identifier: Zlib
// Internal: all that the tool of a hand's own thread can touch, between two steps of the world.
#pragma once

#include "btPliant/hand/NearPoints.h"
#include "btPliant/hand/NearShapes.h"
#include "pliant/hand/HandThread.h"

namespace btPliantInternal {

class HandNeighbours : public pliant::HandSurroundings {
public:
    /// @param field of the tool  @param toolFromField where it stands in the frame of the tool
    /// @param farthest of the points of the tool from where it is held, m
    HandNeighbours(const pliant::AnalyticField& field, const pliant::RigidTransform& toolFromField, double farthest)
        : points(field, toolFromField), shapes(farthest) {}

    NearPoints points;
    NearShapes shapes;

    void takeOver(pliant::HandSurroundings& last) override {
        auto& before = static_cast<HandNeighbours&>(last);
        points.takeOver(before.points);
        shapes.takeOver(before.shapes);
    }
    void beginCycle(const pliant::ToolPose& tool, double dt) override {
        points.beginCycle(tool, dt);
        shapes.beginCycle(tool, dt);
    }
    pliant::WrenchAndSlope touch(const pliant::ToolPose& pose, double ahead) override {
        pliant::WrenchAndSlope sum;
        points.touch(pose, ahead, sum);
        shapes.touch(pose, ahead, sum);
        return sum;
    }
    bool revise(const pliant::ToolPose& pose, double ahead) override {
        const bool ofPoints = points.revise(pose, ahead), ofShapes = shapes.revise(pose, ahead);
        return ofPoints || ofShapes;
    }
    pliant::Wrench settle(const pliant::ToolPose& pose, double ahead) override {
        pliant::Wrench sum;
        points.settle(pose, ahead, sum);
        shapes.settle(pose, ahead, sum);
        return sum;
    }
    void keep(double dt) override {
        points.keep(dt);
        shapes.keep(dt);
    }
    void handOver() override {
        points.handOver();
        shapes.handOver();
    }
};

}  // namespace btPliantInternal
