// SPDX-License-Identifier: Zlib
// Internal: what the tool of a hand's own thread can touch: points of solids that are near it, as one step of the world
// has left them, against the field of the tool, which moves. Points go on with their velocities; their area vectors
// stay as they were.
#pragma once

#include <vector>

#include "pliant/hand/HandThread.h"
#include "pliant/touch/DistributedLaw.h"
#include "pliant/touch/TouchField.h"

namespace btPliantInternal {

class NearPoints : public pliant::HandSurroundings {
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
        pliant::DistributedLaw law;
        std::size_t first = 0, end = 0;  ///< Range in `points`.
    };

    /// @param toolFromField where the field stands in the frame of the tool
    NearPoints(const pliant::AnalyticField& field, const pliant::RigidTransform& toolFromField)
        : m_field(field), m_toolFromField(toolFromField) {}

    // While nobody has published them: filled by the world. Memory is kept.
    std::vector<Point> points;
    std::vector<Part> parts;
    /// After `points`: nothing is owed to any of them.
    void begin();

    pliant::WrenchAndSlope touch(const pliant::ToolPose& pose, double ahead) override;
    void keep(double dt) override;
    void handOver() override;

    /// After handOver(): impulse on the body at each of `points`, N s.
    const std::vector<pliant::Vector3>& given() const { return m_given; }

private:
    void press(const Part& part, std::size_t i, const pliant::ToolPose& pose,
               const pliant::RigidTransform& worldFromField, pliant::WrenchAndSlope& sum);

    pliant::AnalyticField m_field;
    pliant::RigidTransform m_toolFromField;
    std::vector<pliant::Vector3> m_moved, m_local;  ///< Places of `points` now, world and field's frame, m.
    std::vector<double> m_distances;
    std::vector<std::size_t> m_pressed;            ///< Points that touch in this cycle.
    std::vector<pliant::Vector3> m_forces;         ///< On the bodies, of `m_pressed`, N.
    std::vector<pliant::Vector3> m_owed, m_given;  ///< N s, of all points.
};

}  // namespace btPliantInternal
