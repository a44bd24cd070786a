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
    Wind,       ///< Drags bodies along with air that moves.
    Drag,       ///< Air that stands still.
    Vortex,     ///< Air that turns about an axis.
    Attractor,  ///< Pulls towards a point, as a mass would.
    Gravity     ///< An acceleration, beside the scene's.
};

/// A force at every place. Air presses on surfaces: half of density * drag * |n . u| |u| u an area on either side, u
/// the velocity of the air against the surface; on a convex body that is density / 2 * drag * its silhouette * |u| u.
struct Field {
    std::string where;                 ///< Where it stands in the file: file:line:column.
    FieldKind kind = FieldKind::Wind;  ///< What it does.
    std::vector<Reference> of;         ///< Whom it acts on; none = all that moves.
    std::array<Formula, 3> vector;     ///< Wind: velocity, m/s; gravity: acceleration, m/s^2; of t, x, y, z.
    double density = 1.2;              ///< Density of the air, kg/m^3.
    double drag = 1.0;                 ///< Coefficient: about 0.5 for balls, 1 for plates.
    Vector3 at = Vector3::Zero();      ///< Attractor: the point; vortex: a point of the axis, m.
    Vector3 axis = Vector3::UnitZ();   ///< Vortex, unit length.
    Formula strength{0.0};             ///< Vortex: rad/s; attractor: m^3/s^2; of t.
    double core = 1.0;                 ///< Vortex: radius that turns as a whole; attractor: softening length, m.
};

}  // namespace pliant::scene
