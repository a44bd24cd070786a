// SPDX-License-Identifier: Zlib
// Internal: points of solids that are near the tool of a hand's own thread, as one step of the world has left them,
// against the field of the tool, which moves. Points go on with their velocities; their area vectors stay as they were.
#pragma once

#include <vector>

#include "btPliant/hand/FeltPoint.h"
#include "pliant/touch/TouchField.h"

namespace btPliantInternal {

class NearPoints {
public:
    struct Point {
        int number = -1;                                     ///< Of the body's shell.
        pliant::Vector3 place = pliant::Vector3::Zero();     ///< World, m.
        pliant::Vector3 area = pliant::Vector3::Zero();      ///< Area vector into the body, world, m^2.
        pliant::Vector3 velocity = pliant::Vector3::Zero();  ///< World, m/s.
    };
    /// The points of one body.
    struct Part {
        int body = -1;  ///< Number of the body, whoever counts them.
        FeltLaw law;
        std::size_t first = 0, end = 0;  ///< Range in `points`, where numbers ascend.
    };

    /// What a point of a body gets.
    struct Impulse {
        pliant::Vector3 pressure = pliant::Vector3::Zero(), friction = pliant::Vector3::Zero();  ///< N s.
        double depth = 0.0;  ///< Sum of the depths times their time, m s.
    };

    /// @param toolFromField where the field stands in the frame of the tool
    NearPoints(const pliant::AnalyticField& field, const pliant::RigidTransform& toolFromField)
        : m_field(field), m_toolFromField(toolFromField) {}

    // While nobody has published them: filled by the world, `parts` by ascending body. Memory is kept.
    std::vector<Point> points;
    std::vector<Part> parts;
    /// After `points`: nothing is owed to any of them, and their bristles are straight.
    void begin();

    // As in pliant::HandSurroundings; wrenches and slopes are added.
    void takeOver(const NearPoints& last);
    void beginCycle(const pliant::ToolPose& tool, double dt);
    void touch(const pliant::ToolPose& pose, double ahead, pliant::WrenchAndSlope& sum);
    bool revise(const pliant::ToolPose& pose, double ahead);
    void settle(const pliant::ToolPose& pose, double ahead, pliant::Wrench& sum);
    void keep(double dt);
    void handOver();

    /// After handOver(): what the body gets at each of `points`.
    const std::vector<Impulse>& given() const { return m_given; }

private:
    /// Brings the points to where they are, and finds their distances.
    void move(const pliant::ToolPose& pose, double ahead);
    FeltPoint feltPoint(std::size_t i, const pliant::ToolPose& pose) const;

    pliant::AnalyticField m_field;
    pliant::RigidTransform m_toolFromField;
    pliant::ToolPose m_start;  ///< Of the tool, as the cycle began.
    double m_dt = 0.0;         ///< Of the cycle, s; 0: none has begun.
    double m_ahead = -1.0;     ///< Time ahead of the last settle(), s; below zero: there was none.
    double m_advance = 0.0;    ///< Time by which the points have moved on in this cycle, s.
    pliant::RigidTransform m_worldFromField;
    std::vector<pliant::Vector3> m_moved, m_local;  ///< Places of `points` now, world and field's frame, m.
    std::vector<double> m_distances;
    std::vector<Bristle> m_bristles;         ///< Bends are along the axes of the tool.
    std::vector<pliant::Vector3> m_settled;  ///< Places in the last settle(), where the bristle is bent, m.
    std::vector<std::size_t> m_pressed;      ///< Points that touch in this cycle.
    std::vector<Impulse> m_forces;           ///< In a second, of `m_pressed`.
    std::vector<Impulse> m_owed, m_given;    ///< Of all points.
};

}  // namespace btPliantInternal
