// SPDX-License-Identifier: Zlib
/// @file
/// Forces that fill space: moving or still air, and accelerations of a scene's own.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "pliant/scene/TimelineDescription.h"

namespace pliant::scene {

/// What a field does.
enum class FieldKind {
    Wind,       ///< drags bodies along with air that moves
    Drag,       ///< air that stands still
    Vortex,     ///< air that turns about an axis
    Attractor,  ///< pulls towards a point, as a mass would
    Gravity     ///< an acceleration, beside the scene's
};

/// A force at every place. Air presses on surfaces: half of density * drag * |n . u| |u| u an area on either side, u
/// the velocity of the air against the surface; on a convex body that is density / 2 * drag * its silhouette * |u| u.
struct Field {
    std::string where;                 ///< file:line:column
    FieldKind kind = FieldKind::Wind;  ///< what it does
    std::vector<Reference> of;         ///< whom it acts on; none = all that moves
    std::array<Formula, 3> vector;     ///< wind: velocity, m/s; gravity: acceleration, m/s^2; of t, x, y, z
    double density = 1.2;              ///< of the air, kg/m^3
    double drag = 1.0;                 ///< coefficient: about 0.5 for balls, 1 for plates
    Vector3 at = Vector3::Zero();      ///< attractor: the point; vortex: a point of the axis, m
    Vector3 axis = Vector3::UnitZ();   ///< vortex, unit length
    Formula strength{0.0};             ///< vortex: rad/s; attractor: m^3/s^2; of t
    double core = 1.0;                 ///< vortex: radius that turns as a whole; attractor: softening length, m
};

}  // namespace pliant::scene
