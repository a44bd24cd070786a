// SPDX-License-Identifier: Zlib
/// @file
/// What a scene file says about distributed contact: which pairs touch so, and by which law.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pliant/scene/TimelineDescription.h"

namespace pliant::scene {

/// How pressure grows with depth (docs/distributed-contact.md).
enum class PressureWord {
    Linear,     ///< Stiffness * depth.
    Hertz,      ///< Stiffness * sqrt(depth).
    Stiffening  ///< Linear at first, with a pole.
};

/// Springs and dampers at the contacts of a pair.
struct PenaltyOfPair {
    double stiffness = 0.0;  ///< N/m; 0: rigid contact, whatever the bodies ask for.
    double damping = 0.0;    ///< N s/m.
};

/// Pairs with distributed contact, or with penalty contact of their own.
struct Touch {
    std::string where;                        ///< Where it stands in the file: file:line:column.
    std::vector<Reference> of;                ///< Solids whose points these are.
    std::vector<Reference> with;              ///< What they touch so; none: whatever they touch.
    PressureWord law = PressureWord::Linear;  ///< Law of the pressure.
    double stiffness = 1e8;                   ///< Pa/m; hertz: Pa/m^(1/2).
    double maxDepth = 1e-3;                   ///< Stiffening, m.
    double damping = 0.0;                     ///< Damping, s.
    double friction = -1.0;                   ///< Coefficient of the pair; negative: that of both bodies.
    bool isTwoWay = false;                    ///< The points of both sides, each for half of the pressure.
    int points = 5000;                        ///< Number of points on the surface, about.
    int levels = 3;                           ///< Levels of detail.
    double budget = 0.0;                      ///< Time that a step may take for it, us; 0: any time.
    std::optional<PenaltyOfPair> penalty;     ///< In place of distributed contact.
};

}  // namespace pliant::scene
