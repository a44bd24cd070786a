// SPDX-License-Identifier: Zlib
/// @file
/// Distributed contact of pairs that ask for it: settings, and what can be read of it.
#pragma once

#include <LinearMath/btVector3.h>

#include <vector>

#include "btPliant/btPliantPrecision.h"

/// How pressure grows with depth.
enum class btPliantPressureLaw {
    Linear,     ///< Stiffness * depth: an elastic layer.
    Hertz,      ///< Stiffness * sqrt(depth).
    Stiffening  ///< Stiffness * depth / (1 - depth / m_maxDepth).
};

/// Distributed contact of a solid with another solid, a plane, sphere, box, capsule or cylinder: pressure by depth on
/// many points of the surface, whose forces are those at the end of the step (docs/distributed-contact.md). Every
/// number is finite.
struct btPliantTouchSettings {
    btPliantPressureLaw m_law = btPliantPressureLaw::Linear;  ///< The law of pressure.
    /// Pa/m, of a layer E / thickness; of Hertz Pa/m^(1/2). Positive.
    double m_stiffness = 1e8;
    double m_maxDepth = 1e-3;  ///< Largest depth, m, positive; of Stiffening.
    double m_damping = 0;      ///< Damping, s: pressure times 1 + m_damping * rate of depth; not negative.
    /// Coefficient of friction; negative: Bullet's of both objects.
    btScalar m_friction = btScalar(-1);
    /// Of two solids: the points of both in the field of the other, each for half of the pressure. Both need
    /// setTouch(), or the points of the first alone are taken.
    bool m_twoWay = false;
    /// Points of the body's surface, about; more where it has more triangles. A model that brings points of its own
    /// (`pliant touch`) has those, and their levels. 1 to 4,000,000.
    int m_points = 5000;
    int m_levels = 3;  ///< Levels of a fourth of the points each, 1 to 8.
    /// Time that a pair may be booked at in a substep, us, at stated costs of places, points and one solve, and twice
    /// that for the 20 ms in which levels go over into each other; 0: any time. Where no level fits it is the coarsest
    /// one's; getStatus() says so where none ever does.
    double m_budgetMicroseconds = 0;
};

/// What one pair does to each other, at the end of the last substep.
struct btPliantContactPatch {
    /// A point under pressure.
    struct Point {
        btVector3 m_position;  ///< World, m.
        btVector3 m_normal;    ///< Unit, world, into the body that was asked for: the way that its frame is pushed.
        double m_depth;        ///< Depth at the end of the substep, m.
        double m_area;         ///< Area that the point stands for, seen along its normal, m^2.
        double m_pressure;     ///< Pa.
    };
    btVector3 m_force = btVector3(0, 0, 0);   ///< N, on the body that was asked for; the other gets its opposite.
    btVector3 m_torque = btVector3(0, 0, 0);  ///< N m, about where that body's centre of mass was when points pressed.
    btVector3 m_centroid = btVector3(0, 0, 0);  ///< Of the pressure, world, m.
    double m_area = 0;                          ///< Area under pressure, m^2.
    double m_depth = 0;                         ///< The largest depth, m.
    std::vector<Point> m_points;                ///< Those under pressure.
};
