// SPDX-License-Identifier: Zlib
// Internal: rigid bodies that are near the tool of a hand's own thread, as one step of the world has left them. The
// points of the tool are held against their fields, which go on with the velocities of the bodies.
#pragma once

#include <memory>
#include <vector>

#include "btPliant/hand/FeltPoint.h"
#include "btPliant/hand/ToolPoints.h"
#include "pliant/touch/TouchField.h"

namespace btPliantInternal {

class NearShapes {
public:
    struct Shape {
        int body = -1;  ///< Number of the body, whoever counts them.
        FeltLaw law;
        pliant::AnalyticField field = pliant::AnalyticField::sphere(1.0);
        pliant::RigidTransform worldFromField;                      ///< Where it stood as the step ended.
        pliant::Vector3 centre = pliant::Vector3::Zero();           ///< Of mass, there, m.
        pliant::Vector3 velocity = pliant::Vector3::Zero();         ///< Of it, m/s.
        pliant::Vector3 angularVelocity = pliant::Vector3::Zero();  ///< World, rad/s.
        std::shared_ptr<const ToolPoints> points;                   ///< Of the tool.
    };
    /// What a body gets: an impulse, N s, and the same about its centre of mass, N m s.
    struct Impulse {
        pliant::Vector3 linear = pliant::Vector3::Zero(), angular = pliant::Vector3::Zero();
    };

    /// What it gets at one point of the tool; sums over the cycles.
    struct Pressed {
        std::size_t point = 0;                                                                   ///< Of the tool.
        pliant::Vector3 pressure = pliant::Vector3::Zero(), friction = pliant::Vector3::Zero();  ///< N s.
        pliant::Vector3 angular = pliant::Vector3::Zero();  ///< About the centre of mass, N m s.
        pliant::Vector3 lever = pliant::Vector3::Zero();    ///< From the centre of mass, times `weight`.
        double weight = 0.0;                                ///< Magnitudes of the pressure, N s.
        double depth = 0.0;                                 ///< Depths times their time, m s.
    };

    /// @param farthest of the points of the tool from where it is held, m
    explicit NearShapes(double farthest) : m_farthest(farthest) {}

    // While nobody has published them: filled by the world, by ascending body. Memory is kept.
    std::vector<Shape> shapes;
    /// After `shapes`: nothing is owed to any of them, and all bristles are straight.
    void begin();

    // As in pliant::HandSurroundings; wrenches and slopes are added. Bristles are taken from `last`.
    void takeOver(NearShapes& last);
    void beginCycle(const pliant::ToolPose& tool, double dt);
    void touch(const pliant::ToolPose& pose, double ahead, pliant::WrenchAndSlope& sum);
    bool revise(const pliant::ToolPose& pose, double ahead);
    void settle(const pliant::ToolPose& pose, double ahead, pliant::Wrench& sum);
    void keep(double dt);
    void handOver();

    /// After handOver(): of each of `shapes`.
    const std::vector<Impulse>& given() const { return m_given; }
    /// After handOver(): of one of `shapes`, each point of the tool that has pressed it, once.
    const std::vector<Pressed>& pressed(std::size_t shape) const { return m_felt[shape].given; }

private:
    /// What the thread knows of a shape.
    struct Felt {
        std::vector<Bristle> bristles;         ///< Of all points of the tool; bends are along the axes of the field.
        bool isTouched = false;                ///< Whether any of them is bent.
        pliant::RigidTransform settled;        ///< Where the field was in the last settle().
        pliant::RigidTransform now, foreseen;  ///< Where it is, and where the last cycle has seen it come from.
        Impulse force;                         ///< On the body in the last settle(), N and N m.
        std::vector<Pressed> forces;           ///< Points of it, in a second.
        std::vector<Pressed> owed, given;
        std::vector<int> slots;  ///< Where a point of the tool stands in `owed`; -1: it does not.
    };
    static void addPressed(double dt, Felt& felt);
    /// Finds the distances of all points of the tool from a shape. @return whether any may touch it
    bool move(std::size_t s, const pliant::ToolPose& pose, double ahead);
    FeltPoint feltPoint(std::size_t s, std::size_t i, const pliant::ToolPose& pose) const;
    void settleShape(std::size_t s, const pliant::ToolPose& pose, double ahead, pliant::Wrench& sum);

    double m_farthest;
    pliant::ToolPose m_start;  ///< Of the tool, as the cycle began.
    double m_dt = 0.0;         ///< Of the cycle, s; 0: none has begun.
    double m_ahead = -1.0;     ///< Time ahead of the last settle(), s; below zero: there was none.
    std::vector<Felt> m_felt;
    std::vector<pliant::Vector3> m_world, m_local;  ///< Points of the tool, m, against one shape after the other.
    std::vector<double> m_distances;
    std::vector<Impulse> m_owed, m_given;
};

}  // namespace btPliantInternal
